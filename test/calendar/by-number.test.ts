import { describe, expect, test } from 'vitest'
import { markNoShow } from '#lib/domain/bookings/changes.ts'
import { BookingFilter } from '#lib/domain/bookings/member-schema.ts'
import { listBookings } from '#lib/domain/bookings/member-view.ts'
import { rescheduleBooking } from '#lib/domain/bookings/reschedule.ts'
import { newEmail } from '../browser.ts'
import { callTool } from '../mcp/rpc.ts'
import { AT, cancel, newNumber, plus } from './mail.ts'
import { attendeesOf, bookAs, byNumber, payloadsOf } from './numbers.ts'
import { asOwner, bodyOf, book, type Calendar, clock, createCalendar, NOW } from './world.ts'

const LATER = '2027-03-04T15:00:00.000Z'

const listed = async (calendar: Calendar, asked: object) => {
  const page = await asOwner(calendar, m => listBookings(m, BookingFilter.parse(asked)))
  return page.items.read().map(b => b.start)
}

describe('POST /api/book/event without an e-mail address', () => {
  test('201 with null for it everywhere, never with one that was made up', async () => {
    const calendar = await createCalendar()
    const number = newNumber()
    const spaced = `${number.slice(0, 3)} (${number.slice(3, 6)}) ${number.slice(6)}`
    const { status, body } = await byNumber(calendar, spaced)
    expect(status).toBe(201)
    expect(body.attendees).toMatchObject([{ name: 'Zoe', email: null, phoneNumber: number }])
    expect(body.responses).toEqual({ name: 'Zoe', attendeePhoneNumber: number })
    expect(await attendeesOf(calendar)).toMatchObject([{ email: null, phone_number: number }])
    const [payload] = await payloadsOf(calendar)
    expect(payload).toMatchObject({
      attendees: [{ name: 'Zoe', email: null, phoneNumber: number, timeZone: 'Europe/Berlin' }],
      responses: { attendeePhoneNumber: { label: 'Telephone', value: number } },
    })
    expect(JSON.stringify(payload)).not.toContain('E-mail')
  })

  test('201 with null for the address, the number as `phone`, or 00 for the +', async () => {
    const calendar = await createCalendar()
    const [one, two] = [newNumber(), newNumber()]
    await bookAs(calendar, { email: null, phone: `00${one.slice(1)}` })
    await bookAs(calendar, { email: null, attendeePhoneNumber: two, phone: 'at home' }, LATER)
    expect((await attendeesOf(calendar)).map(a => a.phone_number)).toEqual([one, two])
  })

  test.each([
    [{}, 'email', 'required, unless attendeePhoneNumber is given'],
    [{ email: null, attendeePhoneNumber: null }, 'email', 'required, unless'],
    [{ attendeePhoneNumber: '0151 234567' }, 'attendeePhoneNumber', 'with its country code'],
    [{ attendeePhoneNumber: 'call me' }, 'attendeePhoneNumber', 'expected a telephone number'],
    [{ phone: '5551234567' }, 'phone', 'with its country code'],
    [{ email: 'nobody', attendeePhoneNumber: '+15550100001' }, 'email', 'expected an e-mail'],
  ])('422 for %j, naming the field', async (who, field, message) => {
    const calendar = await createCalendar()
    const { status, body } = await bookAs(calendar, who)
    expect([status, body.details]).toEqual([
      422,
      [{ field: `responses.${field}`, message: expect.stringContaining(message) }],
    ])
    expect(await attendeesOf(calendar)).toEqual([])
  })

  test('422 where the event type asks for an address, or for a proof that it is theirs', async () => {
    const field = { type: 'email', slug: 'email', label: 'E-mail', required: true }
    const asking = await createCalendar({ booking_fields: JSON.stringify([field]) })
    const proving = await createCalendar({ requires_booker_email_verification: true })
    for (const [calendar, message] of [
      [asking, 'required'],
      [proving, expect.stringContaining('proves')],
    ] as const) {
      const { status, body } = await byNumber(calendar, newNumber())
      expect([status, body.details]).toEqual([422, [{ field: 'responses.email', message }]])
    }
    // Members book for others, whom they know.
    const headers = { ...clock }
    const { client } = proving.account
    const made = {
      ...bodyOf(proving.eventTypeId, AT),
      responses: { name: 'Z', phone: newNumber() },
    }
    expect((await client.post('/api/book/event', made, headers)).status).toBe(201)
  })

  test('409 beyond the bookings that one person may have ahead; others have theirs', async () => {
    const calendar = await createCalendar({ maximum_active_bookings: 1 })
    const number = newNumber()
    expect((await byNumber(calendar, number)).status).toBe(201)
    const second = await byNumber(calendar, number, LATER)
    expect([second.status, second.body.message]).toEqual([
      409,
      expect.stringContaining('booking_limit_error'),
    ])
    expect((await byNumber(calendar, newNumber(), LATER)).status).toBe(201)
  })

  test('200 for a trial, which would be refused as the booking would', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 3 })
    const number = newNumber()
    const tried = await byNumber(calendar, number, AT, { _isDryRun: true })
    expect(tried.status).toBe(200)
    expect(tried.body.data).toMatchObject({ attendees: [{ email: null, phoneNumber: number }] })
    await byNumber(calendar, number)
    expect((await byNumber(calendar, number, AT, { _isDryRun: true })).status).toBe(409)
  })
})

describe('a booking of somebody without an e-mail address', () => {
  test('is found by their number, however it is written, and by no address', async () => {
    const calendar = await createCalendar()
    const number = newNumber()
    await byNumber(calendar, number)
    await bookAs(calendar, { email: newEmail(), attendeePhoneNumber: newNumber() }, LATER)
    const spaced = `${number.slice(0, 3)} (${number.slice(3, 6)}) ${number.slice(6, 9)}-${number.slice(9)}`
    expect(await listed(calendar, { attendeePhoneNumber: spaced })).toEqual([AT])
    expect(await listed(calendar, { search: spaced })).toEqual([AT])
    expect(await listed(calendar, { search: number.slice(4) })).toEqual([AT])
    expect(await listed(calendar, { search: 'zoe' })).toHaveLength(2)
    expect(await listed(calendar, { attendeeEmail: number })).toEqual([])
    expect(await listed(calendar, { attendeePhoneNumber: newNumber() })).toEqual([])
  })

  test('is moved and cancelled by its uid; events name no address for who did', async () => {
    const calendar = await createCalendar()
    const number = newNumber()
    const { uid } = (await byNumber(calendar, number)).body
    const moved = await byNumber(calendar, number, LATER, { rescheduleUid: uid })
    expect([moved.status, moved.body.startTime, moved.body.rescheduled]).toEqual([201, LATER, true])
    expect((await cancel({ uid, reason: 'ill' })).status).toBe(200)
    expect((await payloadsOf(calendar)).slice(1)).toMatchObject([
      { rescheduledBy: null, attendees: [{ email: null, phoneNumber: number }] },
      { cancelledBy: null, cancellationReason: 'ill', attendees: [{ email: null }] },
    ])
  })

  test('is one of a series, and an instant meeting', async () => {
    const calendar = await createCalendar()
    const number = newNumber()
    const dates = [AT, LATER].map(start => ({
      ...bodyOf(calendar.eventTypeId, start),
      responses: { name: 'Zoe', attendeePhoneNumber: number },
    }))
    expect((await book(dates, '/api/book/recurring-event')).status).toBe(201)
    const now = { ...dates[0], start: NOW }
    expect((await book(now, '/api/book/instant-event')).status).toBe(201)
    expect((await attendeesOf(calendar)).map(a => [a.email, a.phone_number])).toEqual(
      Array(3).fill([null, number]),
    )
  })

  test('has guests, who are told by e-mail', async () => {
    const calendar = await createCalendar()
    const guest = newEmail()
    const who = { attendeePhoneNumber: newNumber(), guests: [guest, guest.toUpperCase()] }
    const { body } = await bookAs(calendar, who)
    expect(body.attendees).toMatchObject([{ email: null }, { email: expect.stringMatching(/@/) }])
    expect(await attendeesOf(calendar)).toHaveLength(2)
  })
})

describe('who did not come', () => {
  const over = plus(AT, 60)
  const marked = (calendar: Calendar, id: number, attendees: object[]) =>
    callTool(
      'mark_no_show',
      { id, attendees },
      { key: calendar.account.apiKey, headers: { 'x-test-now': over } },
    )

  test('is named by number, address or id; 404 for who was not invited, and nothing is noted', async () => {
    const calendar = await createCalendar()
    const [number, guest] = [newNumber(), newEmail()]
    const { body } = await bookAs(calendar, { attendeePhoneNumber: number, guests: [guest] })
    const id = Number(body.id)
    const off = async () => (await attendeesOf(calendar)).map(a => a.off)
    const one = await marked(calendar, id, [{ phoneNumber: number }])
    expect([one.isError, await off()]).toEqual([false, [true, false]])
    const [first, second] = await attendeesOf(calendar)
    const both = [
      { id: first!.id, absent: false },
      { email: guest.toUpperCase(), absent: true },
    ]
    expect((await marked(calendar, id, both)).isError).toBe(false)
    expect(await off()).toEqual([false, true])
    const strangers = [
      { phoneNumber: newNumber() },
      { id: 2_147_483_647 },
      { email: newEmail() },
      // What is said must fit one and the same.
      { id: second!.id, phoneNumber: number },
    ]
    for (const stranger of strangers) {
      const refused = await marked(calendar, id, [{ id: first!.id }, stranger])
      expect([refused.isError, refused.value.error]).toEqual([true, 'NOT_FOUND'])
    }
    const unnamed = await marked(calendar, id, [{ absent: true }])
    expect(unnamed.value.details).toEqual([
      { field: 'attendees.0.email', message: 'required, unless id or phoneNumber is given' },
    ])
    expect(await off()).toEqual([false, true])
    expect((await payloadsOf(calendar)).at(-1)).toMatchObject({
      attendees: [
        { email: null, phoneNumber: number, noShow: false },
        { email: guest, noShow: true },
      ],
    })
  })

  test('is told of once: what is noted already is no news', async () => {
    const calendar = await createCalendar()
    const number = newNumber()
    const { body } = await byNumber(calendar, number)
    const mark = (noShow: boolean) =>
      asOwner(
        calendar,
        m => markNoShow(m, { id: Number(body.id), attendees: [{ phoneNumber: number, noShow }] }),
        over,
      )
    for (const noShow of [true, true, false, false]) await mark(noShow)
    expect(await payloadsOf(calendar)).toHaveLength(3)
  })
})

test('create_booking and reschedule_booking: a number in the place of an address', async () => {
  const calendar = await createCalendar()
  const { eventTypeId, account } = calendar
  const number = newNumber()
  const call = (name: string, args: object) =>
    callTool(name, args, { key: account.apiKey, headers: clock })
  const attendee = { name: 'Zoe', timeZone: 'Europe/Berlin' }
  const made = (more: object) =>
    call('create_booking', { eventTypeId, start: AT, attendee: { ...attendee, ...more } })
  for (const [more, field] of [
    [{}, 'attendee.email'],
    [{ phone: '0151 234' }, 'attendee.phoneNumber'],
  ] as const)
    expect((await made(more)).value.details).toMatchObject([{ field }])
  const { value } = await made({ phone: number })
  expect(value).toMatchObject({
    attendees: [{ id: expect.any(Number), email: null, displayEmail: null, phoneNumber: number }],
    guests: [],
  })
  const moved = await asOwner(calendar, m =>
    rescheduleBooking(m, { uid: String(value.uid), start: new Date(LATER) }),
  )
  expect(moved.read().attendees).toMatchObject([{ email: null, phoneNumber: number }])
})
