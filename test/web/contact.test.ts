import { describe, expect, it } from 'vitest'
import { createApiKey } from '#lib/domain/accounts/operations.ts'
import { anyone, HTML, newEmail, signUp, somebody } from '../browser.ts'
import { client, directly } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { until } from '../events/receiver.ts'
import { readMessages } from '../platform.ts'

const see = async (path: string) => {
  const { status, text } = await anyone.get(path, { ...HTML, ...somebody() })
  expect([path, status]).toEqual([path, 200])
  return text
}

/** Somebody has signed up, and offers a service. */
async function newBusiness() {
  const { email } = await signUp()
  const [row] = await queryDatabase<{
    accountId: number
    userId: number
    subdomain: string
    username: string
  }>(
    `select a.id as "accountId", u.id as "userId", a.subdomain, u.username from accounts a
     join members m on m.account_id = a.id join users u on u.id = m.user_id where u.email = $1`,
    [email],
  )
  const { accountId, userId, subdomain, username } = row!
  const { key } = await directly(base => createApiKey(base, base.enter(accountId), { userId }))
  const api = client(key)
  const employee = await api.post('/api/services/employees', { name: 'Eva', email: newEmail() })
  const service = await api.post('/api/services/services', { name: 'Cut', duration: 60 })
  expect([employee.status, service.status]).toEqual([201, 201])
  return { email, api, subdomain, username, serviceId: service.body.id }
}

/** Books the first start that the page offers; answers the customer's page and what they were sent. */
async function book({ subdomain, serviceId }: Awaited<ReturnType<typeof newBusiness>>) {
  const to = newEmail()
  const page = await see(`/b/${subdomain}/cut`)
  const start = /start=([^"&]+)/.exec(page)?.[1] ?? ''
  const customer = { name: 'Bea', email: to }
  const body = { serviceId, startTime: decodeURIComponent(start), customer }
  const booked = await client().post('/api/services/book', body, somebody())
  expect(booked.status, booked.text).toBe(201)
  const mail = await until(async () => (await readMessages({ to }))[0])
  return { page: `/a/${booked.body.uid}`, mail }
}

describe('the address that a business is written to', () => {
  it('is none at first: the owner signs in with theirs, which nobody is shown', async () => {
    const business = await newBusiness()
    const { email, api, subdomain, username } = business
    expect((await api.get('/api/services/company-settings')).body.data.email).toBeNull()
    const { page, mail } = await book(business)
    for (const path of [`/b/${subdomain}`, `/b/${subdomain}/cut`, `/${username}`, page])
      expect(await see(path)).not.toContain(email)
    expect(mail.replyTo).toEqual([])
    expect(JSON.stringify(mail)).not.toContain(email)
  })

  it('is the one that its settings have: on its page, and as where customers answer', async () => {
    const business = await newBusiness()
    const { email, api, subdomain } = business
    const set = await api.patch('/api/services/company-settings', { email: 'hello@example.org' })
    expect([set.status, set.body.data.email]).toEqual([200, 'hello@example.org'])
    expect(await see(`/b/${subdomain}`)).toContain('href="mailto:hello@example.org"')
    const { mail } = await book(business)
    expect(mail.replyTo).toEqual(['hello@example.org'])
    expect(JSON.stringify(mail)).not.toContain(email)
  })
})
