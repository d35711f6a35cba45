import { describe, expect, it } from 'vitest'
import { anyone, HTML, newEmail, sendForm, somebody } from '../browser.ts'
import { createAccount } from '../client.ts'
import { readMessages } from '../platform.ts'

describe('/confirm', () => {
  /** A pending appointment tomorrow, and the path of the link that its customer was sent. */
  async function bookPending() {
    const account = await createAccount()
    const email = newEmail()
    const service = await account.client.post('/api/services/services', {
      name: 'Haircut <fast>',
      duration: 60,
      price: 4000,
    })
    const customer = await account.client.post('/api/services/customers', { name: 'Bea', email })
    const start = Date.now() + 86_400_000
    const appointment = await account.client.post('/api/services/appointments', {
      serviceId: service.body.id,
      customerId: customer.body.id,
      status: 'pending',
      startTime: new Date(start).toISOString(),
      endTime: new Date(start + 3_600_000).toISOString(),
    })
    expect(appointment.status).toBe(201)
    const [mail] = await expect
      .poll(() => readMessages({ to: email }), { timeout: 5000 })
      .toHaveLength(1)
      .then(() => readMessages({ to: email }))
    const path = /\/confirm\?token=\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    const status = async () => {
      const found = await account.client.get(`/api/services/appointments?id=${appointment.body.id}`)
      return found.body.data?.status
    }
    return {
      account,
      path,
      token: path.split('=')[1] ?? '',
      start,
      status,
      id: appointment.body.id,
    }
  }

  it('200 on GET shows the booking and changes nothing; POST confirms it', async () => {
    const { path, token, status } = await bookPending()
    const page = await anyone.get(path, { ...HTML, ...somebody() })
    expect(page.status).toBe(200)
    expect(page.text).toContain('Haircut &lt;fast&gt;')
    expect(page.text).toContain('<form method="post" action="/confirm">')
    expect(await status()).toBe('pending')
    const done = await sendForm('/confirm', { token })
    expect([done.status, done.headers.get('location')]).toEqual([303, path])
    expect(await status()).toBe('approved')
    const after = await anyone.get(path, { ...HTML, ...somebody() })
    expect(after.text).toContain('Your booking is confirmed')
    expect(after.text).not.toContain('<form')
    expect((await sendForm('/confirm', { token })).status).toBe(303)
  })

  it('409 with what became of it when it was canceled meanwhile', async () => {
    const { account, token, id, status } = await bookPending()
    await account.client.del(`/api/services/appointments?id=${id}`)
    const reply = await sendForm('/confirm', { token })
    expect(reply.status).toBe(409)
    expect(reply.text).toContain('This booking was canceled')
    expect(await status()).toBe('canceled')
  })

  it('404 for a forged link, and when the appointment has begun', async () => {
    const { path, token, start, status } = await bookPending()
    const forged = await anyone.get(`${path}0`, { ...HTML, ...somebody() })
    expect(forged.status).toBe(404)
    const late = { ...HTML, ...somebody(), 'x-test-now': new Date(start).toISOString() }
    expect((await anyone.get(path, late)).status).toBe(404)
    expect((await sendForm('/confirm', { token: `${token}0` })).status).toBe(404)
    expect(await status()).toBe('pending')
  })
})
