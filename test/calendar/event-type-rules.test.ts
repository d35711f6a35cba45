import { describe, expect, test } from 'vitest'
import { confirmBooking, rejectBooking } from '#lib/domain/bookings/changes.ts'
import { queryDatabase } from '../database.ts'
import {
  asOwner,
  bodyOf,
  book,
  type Calendar,
  clock,
  createCalendar,
  eventsOf,
  newAddress,
  setEventType,
  slotsOf,
  visitor,
} from './world.ts'

const DAY = '2027-03-03'
const at = (time: string, day = DAY) => `${day}T${time}:00.000Z`
const AT = at('15:00')
const cancel = (uid: unknown) =>
  visitor.post('/api/cancel', { uid }, { ...clock, 'x-test-client': newAddress() })
const statusOf = async (calendar: Calendar, start: string, name = 'Zoe', extra: object = {}) =>
  (await book(bodyOf(calendar.eventTypeId, start, name, extra))).status

describe('how much can be booked', () => {
  test('one of those who book one day at once, with a limit of one a day', async () => {
    const calendar = await createCalendar({ booking_limits_count: '{"day": 1}' })
    const times = ['15:00', '15:30', '16:00', '16:30', '17:00', '17:30']
    const all = await Promise.all(times.map((time, i) => statusOf(calendar, at(time), `P${i}`)))
    expect(all.toSorted()).toEqual([201, 409, 409, 409, 409, 409])
    expect(await slotsOf(calendar, DAY, DAY)).toEqual([])
    expect(await slotsOf(calendar, '2027-03-04', '2027-03-04')).not.toEqual([])
  })

  test('as many minutes of a day and a week as the limits allow', async () => {
    const calendar = await createCalendar({ booking_limits_duration: '{"day": 60, "week": 90}' })
    for (const [time, status] of [
      ['15:00', 201],
      ['16:00', 201],
      ['17:00', 409],
    ] as const)
      expect(await statusOf(calendar, at(time), `P${time.slice(0, 2)}`)).toBe(status)
    expect(await slotsOf(calendar, DAY, DAY)).toEqual([])
    expect(await statusOf(calendar, at('15:00', '2027-03-04'))).toBe(201)
    expect(await slotsOf(calendar, '2027-03-04', '2027-03-05')).toEqual([])
    expect(await statusOf(calendar, at('15:00', '2027-03-08'))).toBe(201)
  })

  test('a series only as far as each of its dates stays within the limits', async () => {
    const recurrence = JSON.stringify({ frequency: 'daily', interval: 1, occurrences: 3 })
    const limits = { recurrence, booking_limits_count: '{"week": 2}' }
    const calendar = await createCalendar(limits)
    const { status, body } = await book(
      { ...bodyOf(calendar.eventTypeId, AT), recurrenceCount: 3 },
      '/api/book/recurring-event',
    )
    expect([status, body.details]).toMatchObject([409, [{ field: '2.start' }]])
    const two = { ...bodyOf(calendar.eventTypeId, AT), recurrenceCount: 2 }
    expect((await book(two, '/api/book/recurring-event')).status).toBe(201)
  })

  test('no more ahead of one person than allowed, though asked for at once or as a series', async () => {
    const recurrence = JSON.stringify({ frequency: 'weekly', interval: 1, occurrences: 3 })
    const calendar = await createCalendar({ maximum_active_bookings: 2, recurrence })
    const three = { ...bodyOf(calendar.eventTypeId, AT, 'Series'), recurrenceCount: 3 }
    expect((await book(three, '/api/book/recurring-event')).status).toBe(409)
    const times = ['15:00', '15:30', '16:00', '16:30', '17:00']
    const all = await Promise.all(times.map(time => statusOf(calendar, at(time))))
    expect(all.toSorted()).toEqual([201, 201, 409, 409, 409])
  })

  test('409 says which booking can be moved instead, and not how to cancel it', async () => {
    const calendar = await createCalendar({ maximum_active_bookings: 1, offer_reschedule: true })
    const { body } = await book(bodyOf(calendar.eventTypeId, AT))
    const again = await book(bodyOf(calendar.eventTypeId, at('16:00')))
    expect([again.status, again.body.message]).toEqual([409, expect.stringContaining(AT)])
    expect(again.text).not.toContain(String(body.uid))
    const moved = bodyOf(calendar.eventTypeId, at('16:00'), 'Zoe', { rescheduleUid: body.uid })
    expect((await book(moved)).status).toBe(201)
  })
})

describe('which starts are offered', () => {
  test('the first of each day alone, then the next', async () => {
    const calendar = await createCalendar({ only_show_first_available_slot: true })
    const days = () => slotsOf(calendar, DAY, '2027-03-04')
    expect(await days()).toEqual([at('14:00'), at('14:00', '2027-03-04')])
    expect(await statusOf(calendar, at('14:30'))).toBe(409)
    expect(await statusOf(calendar, at('14:00'))).toBe(201)
    expect(await days()).toEqual([at('14:30'), at('14:00', '2027-03-04')])
  })

  test('on so many days that have any, where the window rolls', async () => {
    const booking_window = JSON.stringify({ type: 'calendarDays', value: 3, rolling: true })
    const calendar = await createCalendar({ booking_window })
    const days = async () => [
      ...new Set((await slotsOf(calendar, '2027-03-01', '2027-03-12')).map(s => s.slice(8, 10))),
    ]
    expect(await days()).toEqual(['01', '02', '03'])
    await queryDatabase(
      `update schedules set overrides =
         '[{"date": "2027-03-02", "startTime": "09:00", "endTime": "09:00"}]' where account_id = $1`,
      [calendar.account.accountId],
    )
    expect(await days()).toEqual(['01', '03', '04'])
    expect(await statusOf(calendar, at('15:00', '2027-03-05'))).toBe(409)
    expect(await statusOf(calendar, at('15:00', '2027-03-04'))).toBe(201)
  })

  test('400 for slots of a length that cannot be booked', async () => {
    const calendar = await createCalendar({ length_options: '[60]' })
    const path = `/api/extension/slots?eventTypeId=${calendar.eventTypeId}&start=${DAY}&end=${DAY}`
    const ask = (duration: number) =>
      calendar.account.client.get(`${path}&duration=${duration}`, clock)
    expect((await ask(60)).status).toBe(200)
    const refused = await ask(45)
    expect([refused.status, refused.body.details]).toEqual([
      400,
      [{ field: 'duration', message: 'must be 30 or 60' }],
    ])
  })

  test('until midnight where the hours end at 23:59; Monday to Friday, 9 to 17, without any', async () => {
    const calendar = await createCalendar()
    const { accountId } = calendar.account
    const late = [{ days: ['Wednesday'], startTime: '23:00', endTime: '23:59' }]
    await queryDatabase('update schedules set availability = $2 where account_id = $1', [
      accountId,
      JSON.stringify(late),
    ])
    const night = ['2027-03-04T04:00:00.000Z', '2027-03-04T04:30:00.000Z']
    expect(await slotsOf(calendar, DAY, '2027-03-05')).toEqual(night)
    await queryDatabase('delete from schedules where account_id = $1', [accountId])
    const offered = await slotsOf(calendar, '2027-03-05', '2027-03-07')
    expect([offered.length, offered[0]]).toEqual([16, '2027-03-05T14:00:00.000Z'])
  })
})

describe('moving what is cancelled or over', () => {
  const move = (
    calendar: Calendar,
    uid: unknown,
    start = at('15:00', '2027-03-05'),
    now?: string,
  ) =>
    visitor.post(
      '/api/book/event',
      { ...bodyOf(calendar.eventTypeId, start), rescheduleUid: uid },
      { 'x-test-now': now ?? clock['x-test-now'], 'x-test-client': newAddress() },
    )

  test('201 for one that was cancelled where that is allowed: it stands again', async () => {
    const calendar = await createCalendar({ allow_rescheduling_cancelled_bookings: true })
    const { body } = await book(bodyOf(calendar.eventTypeId, AT))
    await cancel(body.uid)
    const moved = await move(calendar, body.uid)
    expect(moved.body).toMatchObject({
      uid: body.uid,
      status: 'accepted',
      cancellationReason: null,
    })
    expect(await eventsOf(calendar)).toEqual([
      'BOOKING_CREATED',
      'BOOKING_CANCELLED',
      'BOOKING_RESCHEDULED',
    ])
    expect(await statusOf(calendar, at('15:00', '2027-03-05'), 'Next')).toBe(409)
    await setEventType(calendar.eventTypeId, { allow_rescheduling_cancelled_bookings: false })
    await cancel(body.uid)
    expect((await move(calendar, body.uid)).status).toBe(409)
  })

  test('400 for one that is over; 201 where that is allowed', async () => {
    const calendar = await createCalendar()
    const { body } = await book(bodyOf(calendar.eventTypeId, AT))
    const later = '2027-03-04T12:00:00Z'
    expect((await move(calendar, body.uid, undefined, later)).status).toBe(400)
    await setEventType(calendar.eventTypeId, { allow_rescheduling_past_bookings: true })
    expect((await move(calendar, body.uid, undefined, later)).status).toBe(201)
  })
})

describe('a series that waits for its host', () => {
  const recurrence = JSON.stringify({ frequency: 'weekly', interval: 1, occurrences: 4 })
  const waiting = async () => {
    const calendar = await createCalendar({ recurrence, requires_confirmation: true })
    const made = await book(
      { ...bodyOf(calendar.eventTypeId, AT), recurrenceCount: 4 },
      '/api/book/recurring-event',
    )
    return { calendar, all: made.body as unknown as { id: number; uid: string }[] }
  }
  const statuses = async ({ account }: Calendar) =>
    (
      await queryDatabase<{ status: string }>(
        'select status from bookings where account_id = $1 order by start_time',
        [account.accountId],
      )
    ).map(b => b.status)

  test('is confirmed by one word, but for what was cancelled', async () => {
    const { calendar, all } = await waiting()
    await cancel(all[1]!.uid)
    await asOwner(calendar, m => confirmBooking(m, { id: all[2]!.id }))
    expect(await statuses(calendar)).toEqual(['accepted', 'cancelled', 'accepted', 'accepted'])
    const confirmed = (await eventsOf(calendar)).filter(e => e === 'BOOKING_CONFIRMED')
    expect(confirmed).toHaveLength(3)
    await expect(
      asOwner(calendar, m => confirmBooking(m, { id: all[0]!.id })),
    ).rejects.toMatchObject({ status: 409 })
  })

  test('is turned down by one word, and its time is free again', async () => {
    const { calendar, all } = await waiting()
    await asOwner(calendar, m => rejectBooking(m, { uid: all[0]!.uid, reason: 'no' }))
    expect(await statuses(calendar)).toEqual(Array(4).fill('rejected'))
    const rejected = (await eventsOf(calendar)).filter(e => e === 'BOOKING_REJECTED')
    expect(rejected).toHaveLength(4)
    expect(await statusOf(calendar, AT, 'Next')).toBe(201)
  })
})

describe('the others in a meeting with seats', () => {
  test('are shown by name where the host shares that, never with their address', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 3 })
    await book(bodyOf(calendar.eventTypeId, AT, 'Ann'))
    const alone = await book(bodyOf(calendar.eventTypeId, AT, 'Bob'))
    expect(alone.body.attendees).toMatchObject([{ name: 'Bob', email: 'bob@example.com' }])
    expect(alone.body.attendees).toHaveLength(1)
    await setEventType(calendar.eventTypeId, { seats_show_attendees: true })
    const shared = await book(bodyOf(calendar.eventTypeId, AT, 'Cem'))
    expect(shared.body.attendees).toMatchObject([
      { name: 'Cem', email: 'cem@example.com' },
      { name: 'Ann', email: null },
      { name: 'Bob', email: null },
    ])
  })
})
