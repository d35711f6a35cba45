import { beforeAll, describe, expect, it } from 'vitest'
import { takeSession } from '#lib/domain/accounts/switch.ts'
import { createEventType } from '#lib/domain/event-types/operations.ts'
import { NewEventType } from '#lib/domain/event-types/schema.ts'
import { anyone, HTML, own, PASSWORD, sendForm, setCookie, signUp, somebody } from '../browser.ts'
import { as } from '../calendar/actors.ts'
import { createAccount, directly, type TestAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { accept, EMPLOYEES, inSession, knownTo, leads, sessionOf, whoIs } from '../invited.ts'
import { authorize, decide, makeClient, request } from '../oauth/world.ts'
import { textOf } from './person.ts'

let a: TestAccount
beforeAll(async () => {
  a = await createAccount()
})

/** Somebody with a business of their own who has joined another's as well. */
async function ofTwo() {
  const person = await knownTo(a.client)
  const { organizationId: home } = await whoIs(person.cookie)
  await accept(person.token, {}, person.cookie)
  return { ...person, home: String(home) }
}
const choose = (cookie: string, accountId: string | number, more: object = {}) =>
  sendForm('/businesses', { accountId: String(accountId), ...more }, { ...own(), cookie })

describe('POST /signin', () => {
  it('303 to the choice for who works for two businesses, and from there on; to /home for others', async () => {
    const { email } = await ofTwo()
    const signed = await sendForm('/signin', { email, password: PASSWORD, next: '/settings/teams' })
    expect(leads(signed)).toEqual([303, '/businesses?next=%2Fsettings%2Fteams'])
    const cookie = sessionOf(signed)
    const page = await inSession(cookie).page('/businesses?next=%2Fsettings%2Fteams')
    expect(textOf(page)).toContain('Bee & Sons <Ltd> Owner · you are here')
    expect(textOf(page)).toContain('Olive Owner Staff')
    const gone = await choose(cookie, a.accountId, { next: '/settings/teams' })
    expect(leads(gone)).toEqual([303, '/settings/teams'])
    const other = await signUp()
    const theirs = await sendForm('/signin', { email: other.email, password: PASSWORD })
    expect(leads(theirs)).toEqual([303, '/home'])
  })
})

describe('an event type of who works for two businesses', () => {
  it('has a page of its own, whichever of them it is in: no two have one address', async () => {
    const { cookie, home } = await ofTwo()
    const { id, username } = await whoIs(cookie)
    const at = { userId: Number(id), role: 'staff' } as const
    const make = (accountId: number, title: string, slug?: string) =>
      as({ ...at, accountId }, createEventType, NewEventType, { title, length: 30, slug })
    const [there, here] = [a.accountId, Number(home)]
    expect((await make(there, 'Mine', '30min')).status).toBe(409)
    expect((await make(here, 'Intro call')).body.slug).toBe('intro-call')
    expect((await make(there, 'Intro call')).body.slug).toBe('intro-call-2')
    const titleAt = async (slug: string) => {
      const page = await anyone.get(`/${String(username)}/${slug}`, { ...HTML, ...somebody() })
      return [page.status, /<title>[^<]*/.exec(page.text)?.[0]]
    }
    expect((await make(there, 'At the salon', 'salon')).status).toBe(200)
    expect(await titleAt('salon')).toEqual([200, expect.stringContaining('At the salon')])
    expect(await titleAt('intro-call')).toEqual([200, expect.stringContaining('Intro call')])
    expect((await titleAt('nothing'))[0]).toBe(404)
  })
})

describe('POST /businesses', () => {
  it('303 and the session is in the other business, with the role there, and can go back', async () => {
    const { cookie, home } = await ofTwo()
    expect(await whoIs(cookie)).toMatchObject({ organizationId: a.accountId, role: 'staff' })
    const back = await choose(cookie, home)
    expect([...leads(back), setCookie(back.headers)]).toEqual([303, '/home', ''])
    expect(await whoIs(cookie)).toMatchObject({ organizationId: Number(home), role: 'owner' })
    expect(textOf(await inSession(cookie).page('/home'))).toContain('Another business')
    await choose(cookie, a.accountId)
    expect((await whoIs(cookie)).role).toBe('staff')
  })

  it('403 for a consent that was asked for in the other business: it says which it is for', async () => {
    const { cookie, home } = await ofTwo()
    const client = await makeClient(a)
    const page = await authorize(request(client), cookie)
    expect(textOf(page)).toContain('Business Olive Owner')
    const allow = () => decide(page.text, cookie, 'allow')
    await choose(cookie, home)
    expect((await allow()).status).toBe(403)
    await choose(cookie, a.accountId)
    expect((await allow()).status).toBe(303)
  })

  it('their other session, and their keys, stay where they are', async () => {
    const { email, cookie, home } = await ofTwo()
    const second = sessionOf(await sendForm('/signin', { email, password: PASSWORD }))
    await choose(cookie, a.accountId)
    expect((await whoIs(second)).organizationId).toBe(Number(home))
  })

  it('404 for a business that is not theirs, or that lets them in no more: nothing changes', async () => {
    const [{ cookie, home, invitation }, stranger] = await Promise.all([ofTwo(), createAccount()])
    expect((await choose(cookie, stranger.accountId)).status).toBe(404)
    expect((await choose(cookie, 2_147_483_647)).status).toBe(404)
    expect((await choose(cookie, 'none')).status).toBe(422)
    await choose(cookie, home)
    await a.client.del(`${EMPLOYEES}?id=${invitation.employeeId}`)
    const page = await inSession(cookie).page('/businesses')
    expect(textOf(page)).not.toContain('Olive Owner')
    expect((await choose(cookie, a.accountId)).status).toBe(404)
    expect((await whoIs(cookie)).organizationId).toBe(Number(home))
  })

  it('the write itself refuses a business that does not let them in', async () => {
    const { cookie, home, email } = await ofTwo()
    await choose(cookie, home)
    const stranger = await createAccount()
    const [user] = await queryDatabase<{ id: number }>(`select id from users where email = $1`, [
      email,
    ])
    const session = cookie.split('=')[1]!
    const moving = directly(async base => {
      const write = base.enter(stranger.accountId).write('session.switch')
      await takeSession(write, { userId: user!.id, session })
      return write.commit(null)
    })
    await expect(moving).rejects.toThrow('web_sessions_account')
    expect((await whoIs(cookie)).organizationId).toBe(Number(home))
  })

  it('303 to the sign-in page without a session, 401 for a key, 403 from another site', async () => {
    const page = await anyone.get('/businesses', { ...HTML, ...somebody() })
    expect(leads(page)).toEqual([303, '/signin?next=%2Fbusinesses'])
    const key = { 'cal-api-key': a.apiKey, ...somebody() }
    expect((await anyone.get('/businesses', key)).status).toBe(401)
    const body = { accountId: a.accountId }
    expect((await anyone.post('/businesses', body, { ...key, ...own() })).status).toBe(401)
    const { cookie, home } = await ofTwo()
    const foreign = { origin: 'https://evil.example', cookie }
    expect((await sendForm('/businesses', { accountId: home }, foreign)).status).toBe(403)
    expect((await whoIs(cookie)).organizationId).toBe(a.accountId)
  })
})
