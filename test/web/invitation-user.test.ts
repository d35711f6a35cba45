import { beforeAll, describe, expect, it } from 'vitest'
import { createApiKey } from '#lib/domain/accounts/operations.ts'
import { own, PASSWORD, sendForm, setCookie, signUp, somebody } from '../browser.ts'
import { client, createAccount, directly, type TestAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'
import {
  accept,
  EMPLOYEES,
  employeeOf,
  inSession,
  invited,
  invitedToken,
  join,
  knownTo,
  leads,
  look,
  mailsTo,
  newAddress,
  sessionOf,
  tokenTo,
  whoIs,
} from '../invited.ts'
import { textOf } from './person.ts'

let a: TestAccount
beforeAll(async () => {
  a = await createAccount()
})

describe('somebody who has a user', () => {
  it('303 with their password, in a session of the account that invites', async () => {
    const person = await knownTo(a.client, { role: 'manager' })
    const page = await look(person.token)
    expect(textOf(page)).toContain(`You have an account with ${person.email}`)
    expect(page.text).not.toContain('Choose a password')
    const joined = await accept(person.token, { password: PASSWORD })
    expect(leads(joined)).toEqual([303, '/home'])
    const me = await whoIs(sessionOf(joined))
    expect(me).toMatchObject({ email: person.email, role: 'manager', organizationId: a.accountId })
    expect(me.defaultScheduleId).toEqual(expect.any(Number))
    const mine = await whoIs(person.cookie)
    expect(mine).toMatchObject({ id: me.id, role: 'owner' })
    expect(mine.organizationId).not.toBe(a.accountId)
    expect(mine.defaultScheduleId).not.toBe(me.defaultScheduleId)
  })

  it('303 by one press where they are signed in; their session goes over', async () => {
    const person = await knownTo(a.client)
    const page = await look(person.token, { cookie: person.cookie })
    expect(page.text).not.toContain('type="password"')
    const joined = await accept(person.token, {}, person.cookie)
    expect([...leads(joined), setCookie(joined.headers)]).toEqual([303, '/home', ''])
    expect(await whoIs(person.cookie)).toMatchObject({
      role: 'staff',
      organizationId: a.accountId,
    })
  })

  it('303 with a password where somebody else is signed in, whose session stays as it is', async () => {
    const [person, other] = await Promise.all([knownTo(a.client), signUp()])
    const page = await look(person.token, { cookie: other.cookie })
    expect(textOf(page)).toContain('You are signed in with another address.')
    const joined = await accept(person.token, { password: PASSWORD }, other.cookie)
    expect(joined.status).toBe(303)
    expect(await whoIs(sessionOf(joined))).toMatchObject({ email: person.email })
    expect((await whoIs(other.cookie)).organizationId).not.toBe(a.accountId)
  })

  it('303 for one of three presses at once', async () => {
    const person = await knownTo(a.client)
    const all = await Promise.all([1, 2, 3].map(() => accept(person.token, {}, person.cookie)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([303, 409, 409])
  })

  it('409 for one who became a member in another way meanwhile, with the role that they have', async () => {
    const person = await knownTo(a.client, { role: 'admin' })
    const { id } = await whoIs(person.cookie)
    await queryDatabase(
      `with p as (insert into people (account_id) values ($1) returning id)
       insert into members (account_id, user_id, person_id, role, created_at)
       select $1, $2, p.id, 'staff', now() from p returning role`,
      [a.accountId, Number(id)],
    )
    const refused = await accept(person.token, {}, person.cookie)
    expect(refused.status).toBe(409)
    expect(textOf(refused)).toContain('You are a member already.')
    const rows = await queryDatabase(
      `select role from members where account_id = $1 and user_id = $2`,
      [a.accountId, Number(id)],
    )
    expect(rows).toEqual([{ role: 'staff' }])
  })

  it('an API key is no session: 401', async () => {
    const person = await knownTo(a.client)
    const headers = { ...own(), 'cal-api-key': a.apiKey }
    const reply = await sendForm('/invitation/accept', { token: person.token }, headers)
    expect(reply.status).toBe(401)
  })

  it('they host meetings, and are taken into teams, by name', async () => {
    const person = await knownTo(a.client)
    await accept(person.token, {}, person.cookie)
    const owner = sessionOf(await sendForm('/signin', { email: a.email, password: a.password }))
    const press = (path: string, fields: Record<string, string>) =>
      sendForm(path, fields, { ...own(), cookie: owner })
    const made = await press('/settings/teams', { act: 'create', name: 'Front desk' })
    const team = made.headers.get('location')!
    const fields = { act: 'add', userId: person.email, role: 'MEMBER' }
    expect(leads(await press(team, fields))).toEqual([303, team])
    expect((await inSession(person.cookie).page(team)).status).toBe(200)
  })
})

describe('somebody who was a member before', () => {
  /** Somebody who has joined and was deleted, with a session and a key that they had. */
  async function former(before = async (_userId: number) => {}) {
    const { token, email, invitation } = await invitedToken(a.client)
    const cookie = sessionOf(await join(token))
    const me = await whoIs(cookie)
    const userId = Number(me.id)
    const { key } = await directly(base => createApiKey(base, base.enter(a.accountId), { userId }))
    await before(userId)
    expect((await a.client.del(`${EMPLOYEES}?id=${invitation.employeeId}`)).status).toBe(200)
    expect((await inSession(cookie).get('/api/auth/oauth/me')).status).toBe(401)
    return { email, cookie, me, key }
  }

  /** A meeting with them, at nine in the morning. */
  async function meeting(userId: number): Promise<void> {
    const [type] = await queryDatabase<{ id: number }>(
      `select id from event_types where user_id = $1`,
      [userId],
    )
    const guest = { 'x-test-now': '2031-06-01T00:00:00Z', ...somebody() }
    const responses = { name: 'Guest', email: newAddress() }
    const start = '2031-06-03T09:00:00Z'
    const body = { eventTypeId: type!.id, start, timeZone: 'UTC', responses }
    expect((await client().post('/api/book/event', body, guest)).status).toBe(201)
  }

  it('can be invited again, and joins with their password; what they had stays ended', async () => {
    const { email, cookie, me, key } = await former()
    expect((await sendForm('/signin', { email, password: PASSWORD })).status).toBe(401)
    const invitation = await invited(a.client, { email, role: 'manager' })
    const joined = await accept(await tokenTo(email, 2), { password: PASSWORD })
    expect(joined.status).toBe(303)
    const again = await whoIs(sessionOf(joined))
    expect(again).toMatchObject({ id: me.id, role: 'manager', username: me.username })
    expect(again.defaultScheduleId).toBe(me.defaultScheduleId)
    expect((await inSession(cookie).get('/api/auth/oauth/me')).status).toBe(401)
    expect((await client(key).get('/api/auth/oauth/me')).status).toBe(401)
    expect((await employeeOf(a.client, invitation.employeeId)).userId).toBe(me.id)
  })

  it('gets a link to a new password, though they are let in nowhere', async () => {
    const { email } = await former()
    await sendForm('/forgot', { email })
    const [message] = await mailsTo(email, 2)
    expect(message!.subject).toBe('Choose a new password')
  })

  it('what they still host goes along: their time is one', async () => {
    const { email } = await former(meeting)
    const invitation = await invited(a.client, { email })
    await accept(await tokenTo(email, 2), { password: PASSWORD })
    const rows = await queryDatabase(
      `select 1 from occupancies o join employees e on e.account_id = o.account_id
         and e.person_id = o.person_id where e.id = $1`,
      [Number(invitation.employeeId)],
    )
    expect(rows).toHaveLength(1)
  })

  it('409 in words while they are booked at a time at which they still host', async () => {
    const { email } = await former(meeting)
    const invitation = await invited(a.client, { email })
    const service = await a.client.post('/api/services/services', { name: 'Cut' })
    const appointment = await a.client.post('/api/services/appointments', {
      serviceId: service.body.id,
      employeeId: invitation.employeeId,
      startTime: '2031-06-03T09:00:00Z',
      endTime: '2031-06-03T10:00:00Z',
    })
    const token = await tokenTo(email, 2)
    const refused = await accept(token, { password: PASSWORD })
    expect(refused.status).toBe(409)
    expect(textOf(refused)).toContain('You still host a meeting at a time at which you are booked')
    await a.client.del(`/api/services/appointments?id=${appointment.body.id}`)
    expect((await accept(token, { password: PASSWORD })).status).toBe(303)
  })
})
