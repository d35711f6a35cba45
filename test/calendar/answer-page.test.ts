import { describe, expect, it } from 'vitest'
import { anyone, sendForm, somebody } from '../browser.ts'
import { queryDatabase } from '../database.ts'
import { AT, booked, kindsOf, mailsTo, mailTo, plus, somebodyNamed } from './mail.ts'
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

/** Where the newest e-mail to the host leads. */
async function linkOf({ account }: Calendar, count = 1) {
  const { text } = await mailTo(account.email, count)
  const { pathname, search, searchParams } = new URL(/http\S+\/answer\?token=\S+/.exec(text!)![0])
  return { path: pathname, page: pathname + search, token: searchParams.get('token')! }
}

/** A booking that waits, with the host's link. */
async function requested() {
  const calendar = await createCalendar({ requires_confirmation: true })
  const made = await booked(calendar)
  return { calendar, ...made, ...(await linkOf(calendar)) }
}

/** The forms of a page with their hidden fields, as a browser would send them. */
const formsOf = (text: string) =>
  [...text.matchAll(/<form[^>]*action="([^"]+)"[^>]*>(.*?)<\/form>/gs)].map(
    ([, action, inner]) => ({
      action: action!,
      fields: Object.fromEntries(
        [...inner!.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(m => [m[1]!, m[2]!]),
      ),
    }),
  )

describe('GET /e/{uid}/answer', () => {
  it('200 with who asks, what they answered, and two buttons', async () => {
    const questions = [{ type: 'text', slug: 'topic', label: 'Your <topic>' }]
    const calendar = await createCalendar({
      requires_confirmation: true,
      booking_fields: JSON.stringify(questions),
    })
    const { email } = await booked(calendar, { responses: { topic: 'Money & more', notes: 'Hi' } })
    const { page, path } = await linkOf(calendar)
    const { status, text, headers } = await see(page)
    expect(status).toBe(200)
    expect(text).toContain('<h1>Confirm this booking?</h1>')
    expect(text).toContain(email)
    expect(text).toContain('Your &lt;topic&gt;')
    expect(text).toContain('Money &amp; more')
    expect(text).toContain('10:00 AM – 10:30 AM (Eastern Standard Time)')
    expect(formsOf(text).map(f => [f.action, f.fields.answer])).toEqual([
      [path, 'confirm'],
      [path, 'decline'],
    ])
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('referrer-policy')).toBe('same-origin')
  })

  it('404 for a link that is forged, is about another booking, or whose meeting is over', async () => {
    const { path, token, page, calendar } = await requested()
    await booked(calendar, {}, plus(AT, 60))
    const other = await linkOf(calendar, 2)
    const bad = [`${path}?token=x`, path, `${path}?token=${other.token}`, `${path}?token=${token}x`]
    for (const at of bad) expect((await see(at)).status, at).toBe(404)
    expect((await see(page, plus(AT, 30))).status).toBe(404)
    expect((await see(page, plus(AT, 29))).status).toBe(200)
  })

  it('404 for one who hosts it no more', async () => {
    const { calendar, page, path, token, uid, id } = await requested()
    await queryDatabase('delete from booking_hosts where booking_id = $1', [id])
    expect((await see(page)).status).toBe(404)
    expect((await send(path, { token, answer: 'confirm' })).status).toBe(404)
    expect((await rowOf(uid)).status).toBe('pending')
    expect(await eventsOf(calendar)).toEqual(['BOOKING_REQUESTED'])
  })
})

describe('POST /e/{uid}/answer', () => {
  it('303 confirms it; one event, one e-mail to each', async () => {
    const { calendar, page, email, uid } = await requested()
    const [yes] = formsOf((await see(page)).text)
    await mailTo(email)
    const reply = await send(yes!.action, yes!.fields)
    expect([reply.status, reply.headers.get('location')]).toEqual([303, page])
    expect((await rowOf(uid)).status).toBe('accepted')
    const shown = await see(page)
    expect(shown.text).toContain('<h1>The booking is confirmed</h1>')
    expect(shown.text).not.toContain('<form')
    expect(await eventsOf(calendar)).toEqual(['BOOKING_REQUESTED', 'BOOKING_CONFIRMED'])
    expect((await mailTo(email, 2)).subject).toMatch(/^Confirmed/)
    expect((await mailTo(calendar.account.email, 2)).subject).toMatch(/^Confirmed/)
  })

  it('303 declines it with a reason; the time is free', async () => {
    const { calendar, page, email, uid } = await requested()
    const [, no] = formsOf((await see(page)).text)
    await mailTo(email)
    const reply = await send(no!.action, { ...no!.fields, reason: 'Away <then>' })
    expect(reply.status).toBe(303)
    expect(await rowOf(uid)).toMatchObject({ status: 'rejected', rejection_reason: 'Away <then>' })
    expect((await see(page)).text).toContain('Away &lt;then&gt;')
    expect(await eventsOf(calendar)).toEqual(['BOOKING_REQUESTED', 'BOOKING_REJECTED'])
    expect((await mailTo(email, 2)).text).toContain('Reason: Away <then>')
    await booked(calendar)
  })

  it('409 for all but the first of several answers', async () => {
    const { calendar, path, token } = await requested()
    const replies = await Promise.all(
      ['confirm', 'decline', 'confirm', 'decline'].map(answer => send(path, { token, answer })),
    )
    expect(replies.map(r => r.status).toSorted()).toEqual([303, 409, 409, 409])
    expect(await eventsOf(calendar)).toHaveLength(2)
    const kinds = await kindsOf(calendar)
    expect(kinds.filter(kind => kind.startsWith('event_'))).toHaveLength(2)
  })

  it('409 for one that was moved since it was looked at; 303 once it was looked at again', async () => {
    const { page, path, email, uid, calendar } = await requested()
    const [yes] = formsOf((await see(page)).text)
    const body = bodyOf(calendar.eventTypeId, plus(AT, 60), 'Z', { rescheduleUid: uid })
    await book({ ...body, responses: { name: 'Z', email } })
    const reply = await send(path, yes!.fields)
    expect(reply.status).toBe(409)
    expect(reply.text).toContain('The booking has changed')
    expect((await rowOf(uid)).status).toBe('pending')
    const [again] = formsOf(reply.text)
    expect((await send(path, again!.fields)).status).toBe(303)
  })

  it('409 for one that was canceled, and says so', async () => {
    const { page, path, token, uid } = await requested()
    await send(`/e/${uid}/cancel`, {})
    expect((await see(page)).text).toContain('<h1>The booking was canceled</h1>')
    expect((await send(path, { token, answer: 'confirm' })).status).toBe(409)
  })

  it('303 for all dates of a series that wait, with one e-mail', async () => {
    const recurrence = JSON.stringify({ frequency: 'weekly', interval: 1, occurrences: 3 })
    const calendar = await createCalendar({ recurrence, requires_confirmation: true })
    const person = somebodyNamed('Zoe')
    const body = { ...bodyOf(calendar.eventTypeId, AT), responses: person, recurrenceCount: 3 }
    const made = await book(body, '/api/book/recurring-event')
    const [, second] = made.body as unknown as { uid: string }[]
    const { page, path, token } = await linkOf(calendar)
    expect((await see(page)).text).toContain('All dates')
    await mailTo(person.email)
    expect((await send(`/e/${second!.uid}/cancel`, {})).status).toBe(303)
    expect((await send(path, { token, answer: 'confirm' })).status).toBe(303)
    const rows = await queryDatabase(
      'select status from bookings where account_id = $1 order by id',
      [calendar.account.accountId],
    )
    expect(rows.map(r => r.status)).toEqual(['accepted', 'cancelled', 'accepted'])
    const events = await eventsOf(calendar)
    expect(events.filter(e => e === 'BOOKING_CONFIRMED')).toHaveLength(2)
    const subjects = (await mailsTo(person.email, 3)).map(mail => mail.subject!)
    expect(subjects.filter(subject => /^Confirmed.*2 dates from/.test(subject))).toHaveLength(1)
  })

  it('403 from another site, 404 for a forged token, 422 for no answer; nothing changes', async () => {
    const { path, token, uid } = await requested()
    const evil = { origin: 'https://evil.example', 'x-test-now': NOW }
    expect((await sendForm(path, { token, answer: 'confirm' }, evil)).status).toBe(403)
    expect((await send(path, { token, answer: 'perhaps' })).status).toBe(422)
    expect((await send(path, { token: `${token}x`, answer: 'confirm' })).status).toBe(404)
    expect((await rowOf(uid)).status).toBe('pending')
  })

  it('200 in JSON for a program', async () => {
    const { path, token, uid, id } = await requested()
    const headers = { ...somebody(), 'x-test-now': NOW }
    const reply = await anyone.post(path, { token, answer: 'confirm' }, headers)
    expect([reply.status, reply.body.data]).toEqual([
      200,
      { uid, status: 'accepted', bookingIds: [id] },
    ])
  })

  it('303 from the link of an e-mail that came after the booking was moved', async () => {
    const calendar = await createCalendar()
    const { uid, email } = await booked(calendar)
    await mailTo(calendar.account.email)
    await setEventType(calendar.eventTypeId, { requires_confirmation: true })
    await send(`/e/${uid}/move`, { start: plus(AT, 60) })
    expect((await rowOf(uid)).status).toBe('pending')
    const { path, token } = await linkOf(calendar, 2)
    expect((await send(path, { token, answer: 'confirm' })).status).toBe(303)
    expect((await mailTo(email, 3)).subject).toMatch(/^Confirmed/)
  })
})
