import { describe, expect, it } from 'vitest'
import { sendForm } from '../browser.ts'
import { queryDatabase } from '../database.ts'
import { AT, booked, mailTo, plus, readCalendar, somebodyNamed } from './mail.ts'
import { rowOf, see, send } from './own-pages.ts'
import {
  bodyOf,
  book,
  type Calendar,
  createCalendar,
  eventsOf,
  NOW,
  setEventType,
} from './world.ts'

const NOBODY = '/e/AAAAAAAAAAAAAAAAAAAAAA'

/** Everything of an account that a visit must leave as it is. */
const stateOf = async ({ account }: Calendar) =>
  queryDatabase(
    `select (select json_agg(b order by b.id) from bookings b where account_id = $1)::text as b,
      (select json_agg(a order by a.id) from booking_attendees a where account_id = $1)::text as a,
      (select count(*) from events where account_id = $1) as e,
      (select count(*) from messages where account_id = $1) as m,
      (select count(*) from audit_log where account_id = $1) as l`,
    [account.accountId],
  )

describe('GET /e/{uid}', () => {
  it('200 with what, when, with whom and where, for nobody but its reader', async () => {
    const calendar = await createCalendar({
      locations: JSON.stringify([{ type: 'link', link: 'https://meet.example/a?b=1&c=2' }]),
    })
    const { uid } = await booked(calendar, {
      responses: { name: 'Zoe <b>' },
      timeZone: 'Asia/Tokyo',
    })
    const { status, text, headers } = await see(`/e/${uid}`)
    expect(status).toBe(200)
    expect(text).toContain('<h1>Your meeting is confirmed</h1>')
    expect(text).toContain('Zoe &lt;b&gt;')
    expect(text).toContain('Japan Standard Time')
    expect(text).toContain('href="https://meet.example/a?b=1&amp;c=2"')
    expect(text).toContain('With')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(text).toContain('name="robots" content="noindex')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('referrer-policy')).toBe('same-origin')
  })

  it.each([
    ['pending', 'Your request waits for an answer', true],
    ['accepted', 'Your meeting is confirmed', true],
    ['awaiting_host', 'Somebody joins you in a moment', true],
    ['cancelled', 'This meeting was canceled', false],
    ['rejected', 'Your request was declined', false],
  ])('200 for one that is %s', async (status, heading, isLive) => {
    const calendar = await createCalendar()
    const { uid } = await booked(calendar)
    await queryDatabase(
      `update bookings set status = $2, cancellation_reason = 'Ill <x>',
        rejection_reason = 'Away <y>' where uid = $1`,
      [uid, status],
    )
    const { text } = await see(`/e/${uid}`)
    expect(text).toContain(`<h1>${heading}</h1>`)
    expect(text.includes(`action="/e/${uid}/cancel"`)).toBe(isLive)
    expect(text.includes('calendar.ics')).toBe(isLive)
    expect(text.includes(`href="/e/${uid}/move"`)).toBe(isLive && status !== 'awaiting_host')
    if (status === 'cancelled') expect(text).toContain('Ill &lt;x&gt;')
    if (status === 'rejected') expect(text).toContain('Away &lt;y&gt;')
  })

  it('200 for one that is over, without anything to change', async () => {
    const calendar = await createCalendar()
    const { uid } = await booked(calendar)
    const { text } = await see(`/e/${uid}`, plus(AT, 30))
    expect(text).toContain('<h1>This meeting is over</h1>')
    expect(text).not.toContain('<form')
  })

  it('200 and says what the event type does not allow, and whom to ask', async () => {
    const calendar = await createCalendar({
      disable_cancelling: true,
      disable_rescheduling: JSON.stringify({ disabled: true }),
    })
    const { uid } = await booked(calendar)
    const { text } = await see(`/e/${uid}`)
    expect(text).toContain('It cannot be canceled or moved here')
    expect(text).toContain(calendar.account.email)
    expect(text).not.toContain('<form')
    expect(text).not.toContain('/move"')
    await setEventType(calendar.eventTypeId, { hide_organizer_email: true })
    expect((await see(`/e/${uid}`)).text).not.toContain(calendar.account.email)
  })

  it('404 for a uid that nothing has', async () => {
    for (const path of ['', '/calendar.ics', '/move'])
      expect((await see(`${NOBODY}${path}`)).status).toBe(404)
    expect((await send(`${NOBODY}/cancel`, {})).status).toBe(404)
    expect((await send(`${NOBODY}/move`, { start: AT })).status).toBe(404)
  })

  it('changes nothing, nor does any other page', async () => {
    const calendar = await createCalendar({ requires_confirmation: true })
    const { uid, email } = await booked(calendar)
    const mail = await mailTo(calendar.account.email)
    const answer = new URL(/https?:\S+\/answer\?token=\S+/.exec(mail.text!)![0])
    await mailTo(email)
    const before = await stateOf(calendar)
    for (const path of [
      ...[`/e/${uid}`, `/e/${uid}/calendar.ics`, `/e/${uid}/move`, `/e/${uid}/move?start=${AT}`],
      answer.pathname + answer.search,
    ])
      expect((await see(path)).status, path).toBe(200)
    expect(await stateOf(calendar)).toEqual(before)
  })
})

describe('GET /e/{uid}/calendar.ics', () => {
  it('200 with the entry; after canceling the same one as canceled, its sequence higher', async () => {
    const { uid } = await booked(await createCalendar())
    const reply = await see(`/e/${uid}/calendar.ics`)
    expect(reply.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    expect(readCalendar(reply.text)).toMatchObject({
      method: 'PUBLISH',
      entries: [{ uid, sequence: 0, status: 'CONFIRMED', start: AT, attendees: [] }],
    })
    await send(`/e/${uid}/cancel`, {})
    expect(readCalendar((await see(`/e/${uid}/calendar.ics`)).text)).toMatchObject({
      method: 'CANCEL',
      entries: [{ uid, sequence: 1, status: 'CANCELLED' }],
    })
  })
})

describe('POST /e/{uid}/cancel', () => {
  it('303 to the page; the time is free, one event and one e-mail are out', async () => {
    const calendar = await createCalendar()
    const { uid, email } = await booked(calendar)
    await mailTo(email)
    const replies = await Promise.all(
      [1, 2, 3].map(() => send(`/e/${uid}/cancel`, { reason: 'Ill <today>' })),
    )
    expect(replies.map(r => r.status).toSorted()).toEqual([303, 409, 409])
    expect(replies.find(r => r.status === 303)!.headers.get('location')).toBe(`/e/${uid}`)
    expect(await rowOf(uid)).toMatchObject({
      status: 'cancelled',
      cancelled_by: 'attendee',
      cancellation_reason: 'Ill <today>',
    })
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED', 'BOOKING_CANCELLED'])
    expect((await mailTo(email, 2)).subject).toMatch(/^Canceled/)
    await booked(calendar)
  })

  it('409 where the event type does not allow it, and nothing changes', async () => {
    const calendar = await createCalendar({ disable_cancelling: true })
    const { uid } = await booked(calendar)
    const reply = await send(`/e/${uid}/cancel`, {})
    expect(reply.status).toBe(409)
    expect(reply.text).toContain('It cannot be canceled here')
    expect((await rowOf(uid)).status).toBe('accepted')
  })

  it('303 for all dates of a series that are still to come, with one e-mail', async () => {
    const recurrence = JSON.stringify({ frequency: 'weekly', interval: 1, occurrences: 4 })
    const calendar = await createCalendar({ recurrence })
    const person = somebodyNamed('Zoe')
    const body = { ...bodyOf(calendar.eventTypeId, AT), responses: person, recurrenceCount: 4 }
    const made = await book(body, '/api/book/recurring-event')
    const [, second, third] = made.body as unknown as { uid: string }[]
    const shown = await see(`/e/${second!.uid}`)
    expect(shown.text.match(/<li><a href="\/e\//g)).toHaveLength(3)
    expect(shown.text).toContain('All dates still to come (4)')
    await mailTo(person.email)
    // The first is over by then.
    const later = plus(AT, 60)
    expect((await see(`/e/${third!.uid}`, later)).text).toContain('All dates still to come (3)')
    const reply = await send(`/e/${third!.uid}/cancel`, { scope: 'remaining' }, later)
    expect(reply.status).toBe(303)
    const rows = await queryDatabase(
      'select status from bookings where account_id = $1 order by start_time',
      [calendar.account.accountId],
    )
    expect(rows.map(r => r.status)).toEqual(['accepted', 'cancelled', 'cancelled', 'cancelled'])
    expect((await mailTo(person.email, 2)).subject).toContain('3 dates from')
  })

  it('303 for one date alone, 422 for a scope or a reason that there is not', async () => {
    const recurrence = JSON.stringify({ frequency: 'weekly', interval: 1, occurrences: 2 })
    const calendar = await createCalendar({ recurrence })
    const body = { ...bodyOf(calendar.eventTypeId, AT), recurrenceCount: 2 }
    const made = await book(body, '/api/book/recurring-event')
    const [first] = made.body as unknown as { uid: string }[]
    const page = `/e/${first!.uid}`
    expect((await send(`${page}/cancel`, { scope: 'everything' })).status).toBe(422)
    const long = await send(`${page}/cancel`, { reason: 'x'.repeat(1001) })
    expect(long.status).toBe(422)
    expect(long.text).toContain('id="reason-fault"')
    expect((await send(`${page}/cancel`, { scope: 'one' })).status).toBe(303)
    const rows = await queryDatabase(
      'select status from bookings where account_id = $1 order by start_time',
      [calendar.account.accountId],
    )
    expect(rows.map(r => r.status)).toEqual(['cancelled', 'accepted'])
  })

  it('403 from another site', async () => {
    const { uid } = await booked(await createCalendar())
    const evil = { origin: 'https://evil.example', 'x-test-now': NOW }
    expect((await sendForm(`/e/${uid}/cancel`, {}, evil)).status).toBe(403)
    expect((await rowOf(uid)).status).toBe('accepted')
  })
})

describe('a seat', () => {
  it('is shown and given back by its own link alone, which names none of the others', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 3 })
    const ann = await booked(calendar, { responses: { name: 'Annegret Other' } })
    const ben = await booked(calendar, { responses: { name: 'Benedikt' } })
    const page = (person: typeof ann) => `/e/${ann.uid}?seat=${person.body.seatReferenceUid}`
    const mine = await see(page(ben))
    expect(mine.text).toContain('<h1>Your seat is confirmed</h1>')
    expect(mine.text).not.toContain('Annegret')
    expect(mine.text).not.toContain(ann.email)
    const general = await see(`/e/${ann.uid}`)
    expect(general.text).toContain('use the link that we sent you')
    const seatUid = String(ann.body.seatReferenceUid)
    for (const hidden of ['Annegret', 'Benedikt', ann.email, '<form', seatUid])
      expect(general.text).not.toContain(hidden)
    expect((await send(`/e/${ann.uid}/cancel`, {})).status).toBe(403)
    expect((await send(`/e/${ann.uid}/cancel`, { seat: 'guessed' })).status).toBe(404)
    const seat = String(ben.body.seatReferenceUid)
    const reply = await send(`/e/${ann.uid}/cancel`, { seat })
    expect([reply.status, reply.headers.get('location')]).toEqual([303, page(ben)])
    expect((await see(page(ben))).text).toContain('<h1>You have no seat here</h1>')
    expect((await see(page(ann))).text).toContain('<h1>Your seat is confirmed</h1>')
    const file = await see(`/e/${ann.uid}/calendar.ics?seat=${seat}`)
    expect(readCalendar(file.text).method).toBe('CANCEL')
    expect((await rowOf(ann.uid)).status).toBe('accepted')
  })

  it('is not moved', async () => {
    const { uid, body } = await booked(await createCalendar({ seats_per_time_slot: 3 }))
    expect((await see(`/e/${uid}?seat=${body.seatReferenceUid}`)).text).not.toContain('/move')
    expect((await see(`/e/${uid}/move`)).status).toBe(409)
    expect((await send(`/e/${uid}/move`, { start: plus(AT, 60) })).status).toBe(403)
  })

  it('names the others where the event type shows them', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 3, seats_show_attendees: true })
    await booked(calendar, { responses: { name: 'Ann Other' } })
    const { uid, body } = await booked(calendar)
    expect((await see(`/e/${uid}?seat=${body.seatReferenceUid}`)).text).toContain('Ann Other')
    expect((await see(`/e/${uid}`)).text).not.toContain('Ann Other')
  })
})
