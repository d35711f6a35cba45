import { beforeAll, describe, expect, it } from 'vitest'
import { cookieOf, PASSWORD, sendForm, setCookie, signUp } from '../browser.ts'
import { createAccount, type TestAccount } from '../client.ts'
import { fingerprint, messagesSettled, queryDatabase } from '../database.ts'
import {
  accept,
  EMPLOYEES,
  employeeOf,
  INVITE,
  inSession,
  invited,
  invitedToken,
  join,
  leads,
  look,
  newAddress,
  passwordOf,
  sessionOf,
  takeBack,
  tokenTo,
  whoIs,
} from '../invited.ts'
import { textOf } from './person.ts'

let a: TestAccount
beforeAll(async () => {
  a = await createAccount()
})

const DAY = 86_400_000
/** A Tuesday that is some days ahead, as `2026-03-10`. */
function nextTuesday(): string {
  const soon = new Date(Date.now() + 3 * DAY)
  const days = (2 - soon.getUTCDay() + 7) % 7
  return new Date(soon.getTime() + days * DAY).toISOString().slice(0, 10)
}

describe('somebody who has no user', () => {
  it('303 with a name and a password: they are a member, with the role and all that a user has', async () => {
    const { token, email, invitation } = await invitedToken(a.client, undefined, { name: 'Ida' })
    const page = await look(token)
    expect(page.status).toBe(200)
    expect(textOf(page)).toContain(`Olive Owner (${a.email}) invites you to work with Olive Owner.`)
    expect(page.text).toContain('value="Ida"')
    expect(page.text).toContain('<meta name="robots" content="noindex, nofollow"/>')

    const joined = await join(token)
    expect(leads(joined)).toEqual([303, '/home'])
    const cookie = sessionOf(joined)
    const me = await whoIs(cookie)
    expect(me).toMatchObject({
      email,
      name: 'Ida Newcomer',
      timeZone: 'Europe/Berlin',
      role: 'staff',
      organizationId: a.accountId,
      defaultScheduleId: expect.any(Number),
    })
    const employee = await employeeOf(a.client, invitation.employeeId)
    expect(employee).toMatchObject({ userId: me.id, inviteStatus: 'accepted', name: 'Ida' })
    expect((await sendForm('/signin', { email, password: PASSWORD })).status).toBe(303)
    expect((await inSession(cookie).page(`/${String(me.username)}/30min`)).status).toBe(200)
    const [audit] = await queryDatabase(
      `select action from audit_log where account_id = $1 and subject_id = $2 order by id desc`,
      [a.accountId, Number(invitation.inviteId)],
    )
    expect(audit!.action).toBe('invitation.accept')
  })

  it('what staff may holds at once: their own appointments, and no employees', async () => {
    const { token, invitation } = await invitedToken(a.client)
    const service = await a.client.post('/api/services/services', { name: 'Cut' })
    const booked = await a.client.post('/api/services/appointments', {
      serviceId: service.body.id,
      employeeId: invitation.employeeId,
      startTime: '2031-06-02T14:00:00Z',
      endTime: '2031-06-02T15:00:00Z',
    })
    const session = inSession(sessionOf(await join(token)))
    const seen = await session.get('/api/services/appointments')
    expect(seen.items.map(({ id }) => id)).toEqual([booked.body.id])
    expect((await session.get(EMPLOYEES)).status).toBe(403)
    expect((await session.post(INVITE, { email: newAddress() })).status).toBe(403)
    const hours = await session.get(`${EMPLOYEES}/schedule?employeeId=${invitation.employeeId}`)
    expect(hours.status).toBe(200)
  })

  it('their time is one: what they are booked for as an employee is not offered of them as a host', async () => {
    const { token, invitation } = await invitedToken(a.client)
    const service = await a.client.post('/api/services/services', { name: 'Long cut' })
    const day = nextTuesday()
    await a.client.post('/api/services/appointments', {
      serviceId: service.body.id,
      employeeId: invitation.employeeId,
      startTime: `${day}T06:00:00Z`,
      endTime: `${day}T14:00:00Z`,
    })
    const session = inSession(sessionOf(await join(token)))
    const slots = await session.get(
      `/api/extension/slots?eventTypeSlug=30min&start=${day}&end=${day}&timeZone=UTC`,
    )
    const starts = (slots.body.data[day] as unknown as { start: string }[]).map(s => s.start)
    expect(starts.length).toBeGreaterThan(0)
    expect(starts.filter(start => start < `${day}T14`)).toEqual([])
  })

  it.each(['manager', 'admin', 'owner'])('joins as %s where they were invited so', async role => {
    const { token } = await invitedToken(a.client, undefined, { role })
    expect((await whoIs(sessionOf(await join(token)))).role).toBe(role)
  })

  it('the role is the one that the employee has by then', async () => {
    const { token, invitation } = await invitedToken(a.client, undefined, { role: 'admin' })
    await a.client.put(`${EMPLOYEES}?id=${invitation.employeeId}`, { role: 'staff' })
    expect((await whoIs(sessionOf(await join(token)))).role).toBe('staff')
  })

  it('422 with what was typed, but for the password; the link goes on working', async () => {
    const { token } = await invitedToken(a.client)
    const refused = await join(token, { name: 'Ina', password: 'short' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('id="password-fault"')
    expect(refused.text).toContain('value="Ina"')
    expect(refused.text).not.toContain('short"')
    expect((await join(token, { name: '' })).status).toBe(422)
    expect((await join(token, { timeZone: 'Mars/Base' })).status).toBe(422)
    expect((await join(token)).status).toBe(303)
  })

  it('works once: 409 the second time, and the page says that it was accepted', async () => {
    const { token, email } = await invitedToken(a.client)
    expect((await join(token)).status).toBe(303)
    const kept = await passwordOf(email)
    const again = await join(token, { password: 'another horse' })
    expect([again.status, setCookie(again.headers)]).toEqual([409, ''])
    expect((await accept(token, { password: PASSWORD })).status).toBe(409)
    expect(await passwordOf(email)).toBe(kept)
    const page = await look(token)
    expect([page.status, textOf(page).includes('You have joined.')]).toEqual([200, true])
    expect(textOf(page)).toContain('Sign in to go on')
  })

  it('leads who has joined and is still signed in home, not to the sign-in page', async () => {
    const { token } = await invitedToken(a.client)
    const cookie = sessionOf(await join(token))
    const page = await look(token, { cookie })
    expect(textOf(page)).toContain('You have joined. Go home')
    expect(page.text).not.toContain('href="/signin"')
  })

  it('422 for a name that was emptied, which stays empty', async () => {
    const { token } = await invitedToken(a.client, undefined, { name: 'Ida' })
    const page = await join(token, { name: '' })
    expect(page.status).toBe(422)
    expect(page.text).toContain('href="#name"')
    expect(page.text).not.toContain('value="Ida"')
  })

  it('303 for one of three that accept at once', async () => {
    const { token, email } = await invitedToken(a.client)
    const all = await Promise.all([1, 2, 3].map(n => join(token, { password: `password ${n}` })))
    expect(all.map(({ status }) => status).toSorted()).toEqual([303, 409, 409])
    expect(all.filter(r => setCookie(r.headers).includes('session'))).toHaveLength(1)
    const rows = await queryDatabase(
      `select u.id from users u join members m on m.user_id = u.id where u.email = $1`,
      [email],
    )
    expect(rows).toHaveLength(1)
  })

  it('either joined or refused, never both, when it is revoked, deleted or moved at that moment', async () => {
    const races = Array.from({ length: 9 }, (_, n) => n % 3)
    for (const kind of races) {
      const { token, email, invitation } = await invitedToken(a.client)
      const at = `${EMPLOYEES}?id=${invitation.employeeId}`
      const [joined, other] = await Promise.all([
        join(token),
        kind === 0
          ? takeBack(a.client, invitation.inviteId)
          : kind === 1
            ? a.client.del(at)
            : a.client.put(at, { email: newAddress() }),
      ])
      expect([303, 409]).toContain(joined.status)
      if (kind === 0) expect([joined.status, other.status].toSorted()).not.toEqual([200, 303])
      const members = await queryDatabase(
        `select 1 from users u join members m on m.user_id = u.id where u.email = $1`,
        [email],
      )
      expect(members).toHaveLength(joined.status === 303 ? 1 : 0)
      const [row] = await queryDatabase(
        `select i.outcome from invitations i
         join employees e on e.account_id = i.account_id and e.id = i.employee_id where i.id = $1`,
        [Number(invitation.inviteId)],
      )
      const user = await queryDatabase(`select user_id from employees where id = $1`, [
        Number(invitation.employeeId),
      ])
      expect([row!.outcome === 'accepted', user[0]!.user_id !== null]).toEqual(
        Array(2).fill(joined.status === 303),
      )
    }
  })
})

describe('declining', () => {
  it('303 to a page that says so; the link is over and no user is made', async () => {
    const { token, email, invitation } = await invitedToken(a.client)
    const declined = await sendForm('/invitation/decline', { token })
    expect(leads(declined)).toEqual([303, `/invitation?token=${token}`])
    expect(textOf(await look(token))).toContain('You have declined.')
    expect((await join(token)).status).toBe(409)
    expect((await sendForm('/invitation/decline', { token })).status).toBe(409)
    expect(await passwordOf(email)).toBe(undefined)
    expect((await employeeOf(a.client, invitation.employeeId)).inviteStatus).toBe('none')
    await invited(a.client, { employeeId: invitation.employeeId })
    expect((await join(await tokenTo(email, 2))).status).toBe(303)
  })
})

describe('GET /invitation', () => {
  it('writes nothing', async () => {
    const { token } = await invitedToken(a.client)
    await messagesSettled(a.accountId)
    const before = await fingerprint(a.accountId)
    const { cookie } = await signUp()
    for (const headers of [{}, { cookie }]) await look(token, headers)
    expect(await fingerprint(a.accountId)).toEqual(before)
    expect(cookieOf((await look(token)).headers)).toBe('')
  })
})
