import { describe, expect, test } from 'vitest'
import { cancelBooking } from '#lib/domain/bookings/cancel.ts'
import { confirmBooking, markNoShow, rejectBooking } from '#lib/domain/bookings/changes.ts'
import { joinInstantBooking } from '#lib/domain/bookings/instant.ts'
import { rescheduleBooking } from '#lib/domain/bookings/reschedule.ts'
import { createOutOfOffice } from '#lib/domain/out-of-office/operations.ts'
import { queryDatabase } from '../database.ts'
import { fireJob } from '../platform.ts'
import { type Door, none, outboxOf, waits } from './doors.ts'
import {
  asOwner,
  bodyOf,
  book,
  type Calendar,
  clock,
  createCalendar,
  NOW,
  newAddress,
  visitor,
} from './world.ts'

const AT = '2027-03-03T15:00:00.000Z'
const LATER = '2027-03-04T15:00:00.000Z'
const headers = () => ({ ...clock, 'x-test-client': newAddress() })

interface Made {
  calendar: Calendar
  id: number
  uid: string
  seat: string
}

const outbox = async (calendar: Calendar) => (await outboxOf(calendar)).map(e => e.type)

const tokenOf = async ({ account }: Calendar) => {
  const [event] = await queryDatabase<{ url: string }>(
    `select payload->>'connectAndJoinUrl' as url from events where account_id = $1 order by id desc`,
    [account.accountId],
  )
  return new URL(event!.url).searchParams.get('token')!
}

const recurrence = JSON.stringify({ frequency: 'weekly', interval: 1, occurrences: 3 })

/** Each door that causes an event, and all that comes out of it. */
const DOORS: Door<Made>[] = [
  {
    ...{ door: 'POST /api/book/event', ...none, events: ['BOOKING_CREATED'] },
    act: ({ calendar }) => book(bodyOf(calendar.eventTypeId, AT)),
  },
  {
    ...{ door: 'POST /api/book/event, to be confirmed', ...none, columns: waits },
    act: ({ calendar }) => book(bodyOf(calendar.eventTypeId, AT)),
    events: ['BOOKING_REQUESTED'],
  },
  {
    ...{ door: 'POST /api/book/event, a second seat', columns: { seats_per_time_slot: 2 } },
    act: ({ calendar }) => book(bodyOf(calendar.eventTypeId, AT, 'Yan')),
    events: ['BOOKING_CREATED'],
  },
  {
    ...{ door: 'POST /api/book/event, a second seat of what is to be confirmed' },
    columns: { seats_per_time_slot: 2, ...waits },
    act: ({ calendar }) => book(bodyOf(calendar.eventTypeId, AT, 'Yan')),
    events: ['BOOKING_REQUESTED'],
  },
  {
    ...{ door: 'POST /api/book/event, refused' },
    act: ({ calendar }) => book(bodyOf(calendar.eventTypeId, AT, 'Yan')),
    events: [],
  },
  {
    ...{ door: 'POST /api/book/recurring-event', ...none, columns: { recurrence } },
    act: ({ calendar }) =>
      book(
        { ...bodyOf(calendar.eventTypeId, AT), recurrenceCount: 3 },
        '/api/book/recurring-event',
      ),
    events: ['BOOKING_CREATED', 'BOOKING_CREATED', 'BOOKING_CREATED'],
  },
  {
    ...{ door: 'POST /api/book/instant-event', ...none, events: ['INSTANT_MEETING'] },
    act: ({ calendar }) => book(bodyOf(calendar.eventTypeId, NOW), '/api/book/instant-event'),
  },
  {
    ...{ door: 'joining it', path: '/api/book/instant-event', start: NOW },
    act: async ({ calendar }) => {
      const token = await tokenOf(calendar)
      await asOwner(calendar, m => joinInstantBooking(m, token))
    },
    events: ['BOOKING_CREATED'],
  },
  {
    ...{ door: 'nobody joining it', path: '/api/book/instant-event', start: NOW },
    act: () => fireJob('expiries', new Date('2027-03-01T12:05:00Z')),
    events: ['BOOKING_CANCELLED'],
  },
  {
    ...{ door: 'POST /api/cancel', events: ['BOOKING_CANCELLED'] },
    act: ({ uid }) => visitor.post('/api/cancel', { uid }, headers()),
  },
  {
    ...{ door: 'POST /api/cancel, a seat', columns: { seats_per_time_slot: 2 } },
    act: ({ uid, seat }) => visitor.post('/api/cancel', { uid, seatReferenceUid: seat }, headers()),
    events: ['BOOKING_CANCELLED'],
  },
  {
    ...{ door: 'cancelling in the host’s name', events: ['BOOKING_CANCELLED'] },
    act: ({ calendar, id }) => asOwner(calendar, m => cancelBooking(m, { id })),
  },
  {
    ...{ door: 'moving it', events: ['BOOKING_RESCHEDULED'] },
    act: ({ calendar, uid }) =>
      book({ ...bodyOf(calendar.eventTypeId, LATER), rescheduleUid: uid }),
  },
  {
    ...{ door: 'moving what waits', columns: waits },
    act: ({ calendar, uid }) =>
      book({ ...bodyOf(calendar.eventTypeId, LATER), rescheduleUid: uid }),
    events: ['BOOKING_RESCHEDULED', 'BOOKING_REQUESTED'],
  },
  {
    ...{ door: 'moving it in the host’s name', events: ['BOOKING_RESCHEDULED'] },
    act: ({ calendar, id }) =>
      asOwner(calendar, m => rescheduleBooking(m, { id, start: new Date(LATER) })),
  },
  {
    ...{ door: 'confirming', columns: waits, events: ['BOOKING_CONFIRMED'] },
    act: ({ calendar, id }) => asOwner(calendar, m => confirmBooking(m, { id })),
  },
  {
    ...{ door: 'rejecting', columns: waits, events: ['BOOKING_REJECTED'] },
    act: ({ calendar, id }) => asOwner(calendar, m => rejectBooking(m, { id, reason: 'no' })),
  },
  {
    ...{ door: 'marking who did not come', events: ['BOOKING_NO_SHOW_UPDATED'] },
    act: ({ calendar, id }) =>
      asOwner(calendar, m => markNoShow(m, { id, host: true }), '2027-03-03T15:10:00Z'),
  },
  {
    ...{ door: 'another place', events: ['MEETING_URL_CHANGED'] },
    act: ({ calendar, id }) =>
      asOwner(calendar, m =>
        rescheduleBooking(m, { id, start: new Date(AT), location: 'https://meet.example.com/x' }),
      ),
  },
  {
    ...{ door: 'the start, and the end', events: ['MEETING_STARTED', 'MEETING_ENDED'] },
    act: () => fireJob('meetings', new Date('2027-03-03T16:00:00Z')),
  },
  {
    ...{ door: 'an absence', ...none, events: ['OOO_CREATED'] },
    act: ({ calendar }) =>
      asOwner(calendar, m => createOutOfOffice(m, { start: new Date(AT), end: new Date(LATER) })),
  },
]

describe('the outbox has one row for', () => {
  test.each(DOORS)('$door: $events', async ({ columns, path, start, act, events }) => {
    const calendar = await createCalendar({ ...columns })
    const made: Made = { calendar, id: 0, uid: '', seat: '' }
    if (path !== null) {
      const { status, body } = await book(bodyOf(calendar.eventTypeId, start ?? AT), path)
      expect(status).toBe(201)
      made.id = Number(body.id ?? body.bookingId)
      made.uid = String(body.uid ?? body.bookingUid)
      made.seat = String(body.seatReferenceUid)
    }
    const before = (await outbox(calendar)).length
    await act(made)
    expect((await outbox(calendar)).slice(before)).toEqual(events)
  })
})
