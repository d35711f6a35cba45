import { describe, expect, it } from 'vitest'
import { anyone, cookieOf, HTML, own, sendForm, somebody } from '../browser.ts'
import { mailTo, plus, somebodyNamed } from '../calendar/mail.ts'
import {
  bodyOf,
  type Calendar,
  createCalendar,
  eventsOf,
  setHosts,
  usersOf,
  visitor,
} from '../calendar/world.ts'
import { queryDatabase } from '../database.ts'

// Later than the clocks of other tests, whose job ends what nobody has joined by then.
const NOON = '2027-03-03T17:00:00.000Z'
const clock = (now = NOON) => ({ 'x-test-now': now })

/** Signs a user in, at noon of that day. */
async function signIn({ email, password }: { email: string; password: string }) {
  const reply = await sendForm('/signin', { email, password }, { ...own(), ...clock() })
  expect(reply.status).toBe(303)
  return cookieOf(reply.headers)
}

/** Somebody asks for a meeting right now; the link is what hosts are told. */
async function asked(calendar: Calendar) {
  const person = somebodyNamed('Zoe <b>')
  const body = { ...bodyOf(calendar.eventTypeId, NOON), responses: person }
  const reply = await visitor.post('/api/book/instant-event', body, { ...clock(), ...somebody() })
  expect(reply.status).toBe(201)
  const [event] = await queryDatabase<{ url: string }>(
    `select payload->>'connectAndJoinUrl' as url from events
     where account_id = $1 and type = 'INSTANT_MEETING'`,
    [calendar.account.accountId],
  )
  const { pathname, search, searchParams } = new URL(event!.url)
  const uid = String(reply.body.bookingUid)
  return { ...person, uid, page: pathname + search, token: searchParams.get('token')! }
}

const see = (path: string, cookie: string, now = NOON) =>
  anyone.get(path, { ...HTML, ...somebody(), ...clock(now), cookie })
const join = (token: string, cookie: string, now = NOON) =>
  sendForm('/connect-and-join', { token }, { ...own(), ...clock(now), cookie })

const rowOf = async (uid: string) =>
  (await queryDatabase('select * from bookings where uid = $1', [uid]))[0]!

describe('/connect-and-join', () => {
  it('303 to the sign-in page and back for a host who is not signed in', async () => {
    const { page } = await asked(await createCalendar())
    const reply = await anyone.get(page, { ...HTML, ...somebody(), ...clock() })
    expect(reply.status).toBe(303)
    expect(reply.headers.get('location')).toBe(`/signin?next=${encodeURIComponent(page)}`)
  })

  it('200 says who waits and until when, and changes nothing; 303 joins', async () => {
    const calendar = await createCalendar({
      locations: JSON.stringify([{ type: 'link', link: 'https://meet.example/now' }]),
    })
    const { page, token, uid, email } = await asked(calendar)
    const cookie = await signIn(calendar.account)
    const shown = await see(page, cookie)
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('<h1>Somebody waits for you</h1>')
    expect(shown.text).toContain('Zoe &lt;b&gt;')
    expect(shown.text).toContain(`name="token" value="${token}"`)
    expect(shown.text).not.toContain('https://meet.example/now')
    expect((await rowOf(uid)).status).toBe('awaiting_host')
    const reply = await join(token, cookie)
    expect([reply.status, reply.headers.get('location')]).toEqual([
      303,
      `/connect-and-join?booking=${uid}`,
    ])
    expect(await rowOf(uid)).toMatchObject({ status: 'accepted', user_id: calendar.account.userId })
    const joined = await see(`/connect-and-join?booking=${uid}`, cookie)
    expect(joined.text).toContain('<h1>The meeting is yours</h1>')
    expect(joined.text).toContain('href="https://meet.example/now"')
    expect(await eventsOf(calendar)).toEqual(['INSTANT_MEETING', 'BOOKING_CREATED'])
    expect((await mailTo(email)).subject).toMatch(/^Confirmed/)
    expect((await see(page, cookie)).text).toContain('<h1>Nobody waits here</h1>')
  })

  it('303 for one of several who join at once, once', async () => {
    const calendar = await createCalendar()
    const { token } = await asked(calendar)
    const cookie = await signIn(calendar.account)
    const all = await Promise.all([1, 2, 3].map(() => join(token, cookie)))
    expect(all.filter(r => r.status === 303)).toHaveLength(1)
    expect(await eventsOf(calendar)).toEqual(['INSTANT_MEETING', 'BOOKING_CREATED'])
  })

  it('303 for one of two hosts who join at once: they alone host it', async () => {
    for (let round = 1; round <= 4; round++) {
      const calendar = await createCalendar()
      const hosts = await usersOf(calendar)
      await setHosts(calendar, 'collective', hosts)
      const { token, uid } = await asked(calendar)
      const { account } = calendar
      const cookies = [await signIn(account), await signIn(account.staff)]
      const all = await Promise.all(cookies.map(cookie => join(token, cookie)))
      const won = hosts.filter((_, at) => all[at]?.status === 303)
      expect(won, `round ${round}`).toHaveLength(1)
      expect(await rowOf(uid)).toMatchObject({ status: 'accepted', user_id: won[0] })
      const rows = await queryDatabase(
        `select user_id as id from booking_hosts where account_id = $1`,
        [account.accountId],
      )
      expect(rows).toEqual([{ id: won[0] }])
    }
  })

  it('404 when the time is over, for a forged link, and for another account', async () => {
    const calendar = await createCalendar()
    const { page, token, uid } = await asked(calendar)
    const cookie = await signIn(calendar.account)
    expect((await see(page, cookie, plus(NOON, 2))).status).toBe(404)
    expect((await join(token, cookie, plus(NOON, 2))).status).toBe(404)
    expect((await see('/connect-and-join?token=guess', cookie)).status).toBe(404)
    const stranger = await signIn((await createCalendar()).account)
    expect((await see(page, stranger)).status).toBe(404)
    expect((await join(token, stranger)).status).toBe(404)
    expect((await see(`/connect-and-join?booking=${uid}`, stranger)).status).toBe(404)
    expect((await rowOf(uid)).status).toBe('awaiting_host')
  })

  it('403 for a member who does not host it, and from another site', async () => {
    const calendar = await createCalendar()
    const { token, uid } = await asked(calendar)
    const refused = await join(token, await signIn(calendar.account.staff))
    expect(refused.status).toBe(403)
    const cookie = await signIn(calendar.account)
    const evil = { origin: 'https://evil.example', ...clock(), cookie }
    expect((await sendForm('/connect-and-join', { token }, evil)).status).toBe(403)
    expect((await rowOf(uid)).status).toBe('awaiting_host')
  })
})
