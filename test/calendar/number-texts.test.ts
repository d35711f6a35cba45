import { describe, expect, test } from 'vitest'
import { confirmBooking, rejectBooking } from '#lib/domain/bookings/changes.ts'
import { joinInstantBooking } from '#lib/domain/bookings/instant.ts'
import { rescheduleBooking } from '#lib/domain/bookings/reschedule.ts'
import { newEmail } from '../browser.ts'
import { queryDatabase } from '../database.ts'
import { fireJob } from '../platform.ts'
import {
  AT,
  calendarOf,
  cancel,
  fileOf,
  mailsTo,
  mailTo,
  newNumber,
  plus,
  waitingTexts,
} from './mail.ts'
import { see } from './own-pages.ts'
import { asOwner, bodyOf, book, type Calendar, createCalendar, NOW } from './world.ts'

const LATER = '2027-03-04T15:00:00.000Z'

/** Books as somebody whom nobody has an address of. */
async function called(calendar: Calendar, more: object = {}, start = AT) {
  const number = newNumber()
  const { responses, ...rest } = { responses: {}, ...more } as { responses?: object }
  const body = bodyOf(calendar.eventTypeId, start, 'Zoe', rest)
  const who = { name: 'Zoe', attendeePhoneNumber: number, ...responses }
  const reply = await book({ ...body, responses: who })
  expect(reply, reply.text).toMatchObject({ status: 201 })
  const { uid, id, seatReferenceUid: seat } = reply.body
  return { number, uid: String(uid), id: Number(id), seat: String(seat) }
}

/** The text messages to a number, the newest first, once there are as many. */
const textsTo = async (number: string, count: number) => {
  const found = await mailsTo(number, count)
  expect(found.map(m => m.channel)).toEqual(Array(count).fill('sms'))
  return found.map(m => m.text ?? '')
}

/** The one text message that a calendar's account queued at an instant, which is to a number. */
async function textAt(calendar: Calendar, number: string, at: string): Promise<string> {
  const [text, ...others] = await waitingTexts(calendar, at)
  expect([text?.to, others]).toEqual([number, []])
  return text!.text
}

/** The path of the link in a text message. */
const linkIn = (text: string) => new URL(/https?:\S+$/.exec(text)?.[0] ?? '').pathname

/** Where messages of an account about event bookings went, by kind. */
const sentOf = async ({ account }: Calendar) =>
  (
    await queryDatabase<{ sent: string }>(
      `select channel || ' ' || kind as sent from messages where account_id = $1 order by 1`,
      [account.accountId],
    )
  ).map(m => m.sent)

describe('who booked without an e-mail address', () => {
  test('gets one text message with the link to their page; the host an e-mail with the number', async () => {
    const place = { type: 'link', link: 'https://meet.example/a;b,c' }
    const calendar = await createCalendar({ locations: JSON.stringify([place]), price: 2000 })
    const { number, uid } = await called(calendar)
    const [text] = await textsTo(number, 1)
    expect(text!.split('\n')).toEqual([
      'Confirmed: 30 minute meeting with Olive Owner, Wed, Mar 3, 4:00 PM (Europe/Berlin).',
      'Where: https://meet.example/a;b,c',
      'Price: $20.00',
      expect.stringMatching(new RegExp(`^See or change: http.*/e/${uid}$`)),
    ])
    const page = await see(linkIn(text!))
    expect(page.text).toContain('Your meeting is confirmed')
    for (const way of ['/move', '/calendar', 'Cancel meeting']) expect(page.text).toContain(way)
    const mail = await mailTo(calendar.account.email)
    expect(mail.replyTo).toEqual([])
    expect(mail.text).toContain(`Who: Zoe, ${number}`)
    const { method, entries } = calendarOf(mail)
    expect(method).toBe('REQUEST')
    expect(entries[0]!.attendees).toEqual([`tel:${number}`, calendar.account.email])
    expect(fileOf(mail)!.replaceAll('\r\n ', '')).not.toContain('mailto:+')
    expect(await sentOf(calendar)).toEqual(['email host_booked', 'sms event_confirmed'])
  })

  test('hears of an answer to a request, in their language and zone', async () => {
    const calendar = await createCalendar({ requires_confirmation: true })
    const yes = await called(calendar, { language: 'de', timeZone: 'Asia/Tokyo' })
    expect(await textsTo(yes.number, 1)).toEqual([
      expect.stringMatching(/^Requested: .*\nYou are told as soon as .*\nSee or change: http/),
    ])
    await asOwner(calendar, m => confirmBooking(m, { id: yes.id }), plus(NOW, 1))
    const confirmed = await textAt(calendar, yes.number, plus(NOW, 1))
    expect(confirmed).toMatch(/^Confirmed: .*, Do\., 4\. März, 0:00 \(Asia\/Tokyo\)\.\nSee/)
    const no = await called(calendar, {}, LATER)
    await asOwner(calendar, m => rejectBooking(m, { id: no.id, reason: 'No time' }), plus(NOW, 2))
    const declined = await textAt(calendar, no.number, plus(NOW, 2))
    expect(declined).toMatch(/^Declined: .*\nReason: No time$/)
  })

  test('hears that it was moved, and of its end', async () => {
    const calendar = await createCalendar()
    const { number, id, uid } = await called(calendar)
    const start = new Date(LATER)
    await asOwner(calendar, m => rescheduleBooking(m, { id, start }), plus(NOW, 1))
    const moved = await textAt(calendar, number, plus(NOW, 1))
    expect(moved).toMatch(/^Changed: .*, Thu, Mar 4, 4:00 PM .*\nBefore: Wed, Mar 3, 4:00 PM\nSee/)
    await cancel({ uid, reason: 'I am\nill' })
    const [ended] = await textsTo(number, 2)
    expect(ended).toMatch(/^Canceled: .*, Thu, Mar 4, .*\nReason: I am ill$/)
  })

  test('hears once of a series', async () => {
    const calendar = await createCalendar()
    const number = newNumber()
    const dates = [AT, LATER].map(start => ({
      ...bodyOf(calendar.eventTypeId, start),
      responses: { name: 'Zoe', attendeePhoneNumber: number },
    }))
    await book(dates, '/api/book/recurring-event')
    const [text] = await textsTo(number, 1)
    expect(text).toContain('Olive Owner, 2 dates from Wed, Mar 3, 4:00 PM (Europe/Berlin).')
  })

  test('hears of the host of an instant meeting, or that nobody came', async () => {
    const calendar = await createCalendar()
    const ring = async () => {
      const number = newNumber()
      const responses = { name: 'Zoe', attendeePhoneNumber: number }
      const body = { ...bodyOf(calendar.eventTypeId, NOW), responses }
      expect((await book(body, '/api/book/instant-event')).status).toBe(201)
      return number
    }
    const first = await ring()
    const [event] = await queryDatabase<{ url: string }>(
      `select payload ->> 'connectAndJoinUrl' as url from events where account_id = $1`,
      [calendar.account.accountId],
    )
    const token = new URL(event!.url).searchParams.get('token')!
    await asOwner(calendar, m => joinInstantBooking(m, token), plus(NOW, 1))
    expect(await textAt(calendar, first, plus(NOW, 1))).toMatch(/^Confirmed: /)
    const second = await ring()
    await fireJob('expiries', new Date(plus(NOW, 2)))
    const ended = await textAt(calendar, second, plus(NOW, 2))
    expect(ended).toMatch(/^Canceled: .*\nReason: Nobody could join in time\.$/)
  })

  test('hears of their own seat alone, and gives it back by the link', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 3, seats_show_attendees: true })
    const [one, two] = [await called(calendar), await called(calendar)]
    const email = newEmail()
    const third = { ...bodyOf(calendar.eventTypeId, AT), responses: { name: 'Ann', email } }
    await book(third)
    const [text] = await textsTo(two.number, 1)
    expect(text).toContain(`/e/${two.uid}?seat=${two.seat}`)
    // Those who come are shown to each other by their name, the reader not to themselves.
    const page = await see(`/e/${two.uid}?seat=${two.seat}`)
    expect(page.text).toMatch(/<dt>Also<\/dt><dd>Zoe, Ann<\/dd>/)
    for (const hidden of [one.number, email]) expect(page.text).not.toContain(hidden)
    expect((await mailTo(email)).text).toContain('Also: Zoe, Zoe')
    await cancel({ uid: two.uid, seatReferenceUid: two.seat })
    const [ended] = await textsTo(two.number, 2)
    expect(ended).toMatch(/^Canceled: your seat in 30 minute meeting with Olive Owner, .*\)\.$/)
    expect(await mailsTo(one.number, 1)).toHaveLength(1)
    const told = await mailsTo(calendar.account.email, 4)
    const about = (who: string) => told.filter(m => m.text?.includes(`Who: ${who}\n`))
    const ofTwo = about(`Zoe, ${two.number}`)
    const kinds = ofTwo.map(m => m.subject?.split(':')[0])
    expect(kinds.toSorted()).toEqual(['Canceled', 'New booking'])
    // What the host answers is read by nobody else.
    for (const mail of ofTwo) expect(mail.replyTo).toEqual([])
    expect(about(`Ann, ${email}`).map(m => m.replyTo)).toEqual([[email]])
  })
})
