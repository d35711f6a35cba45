import { describe, expect, test } from 'vitest'
import { queryDatabase } from '../database.ts'
import {
  bodyOf,
  book,
  type Calendar,
  clock,
  createCalendar,
  eventsOf,
  newAddress,
  visitor,
} from './world.ts'

const RECURRING = '/api/book/recurring-event'
const recurrence = JSON.stringify({ frequency: 'weekly', interval: 1, occurrences: 10 })
const AT = '2027-02-24T15:00:00Z'
const EARLY = { 'x-test-now': '2027-02-01T12:00:00Z' }

const bookSeries = (calendar: Calendar) =>
  visitor.post(
    RECURRING,
    { ...bodyOf(calendar.eventTypeId, AT), recurrenceCount: 10 },
    {
      ...EARLY,
      'x-test-client': newAddress(),
    },
  )
const rowsOf = ({ account }: Calendar) =>
  queryDatabase<{ status: string; start: string; version: number; blocks: number }>(
    `select status, version, to_char(start_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI') as start,
       (select count(*)::int from occupancies o where o.account_id = b.account_id
         and o.source = 'booking' and o.source_id = b.id) as blocks
     from bookings b where account_id = $1 order by recurring_index nulls first, start_time`,
    [account.accountId],
  )

describe('a series of ten', () => {
  test('409 for a conflict at the seventh, naming it; nothing is booked', async () => {
    const calendar = await createCalendar({ recurrence })
    // The seventh, by New York's clocks: these change in between.
    expect((await book(bodyOf(calendar.eventTypeId, '2027-04-07T14:00:00Z', 'First'))).status).toBe(
      201,
    )
    const { status, body } = await bookSeries(calendar)
    expect([status, body.details]).toEqual([
      409,
      [{ field: '6.start', message: '2027-04-07T14:00:00.000Z is not available' }],
    ])
    expect(await rowsOf(calendar)).toHaveLength(1)
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED'])
  })

  test('201 at the same time of day by the clocks of its place, though they change', async () => {
    const calendar = await createCalendar({ recurrence })
    expect((await bookSeries(calendar)).status).toBe(201)
    const starts = (await rowsOf(calendar)).map(r => r.start.slice(5))
    expect(starts).toEqual([
      ...['02-24T15:00', '03-03T15:00', '03-10T15:00'],
      ...['03-17T14:00', '03-24T14:00', '03-31T14:00', '04-07T14:00'],
      ...['04-14T14:00', '04-21T14:00', '04-28T14:00'],
    ])
  })

  test('stays ten when one is moved; cancelling from the fourth leaves the first three', async () => {
    const calendar = await createCalendar({ recurrence })
    const all = (await bookSeries(calendar)).body as unknown as { uid: string }[]
    const headers = { ...EARLY, 'x-test-client': newAddress() }
    const move = {
      ...bodyOf(calendar.eventTypeId, '2027-03-02T17:00:00Z'),
      rescheduleUid: all[1]!.uid,
    }
    expect((await visitor.post('/api/book/event', move, headers)).status).toBe(201)
    const moved = await rowsOf(calendar)
    expect(moved).toHaveLength(10)
    expect(moved.filter(r => r.version > 0).map(r => r.start)).toEqual(['2027-03-02T17:00'])
    const order = { uid: all[3]!.uid, cancelSubsequentBookings: true }
    const cancelled = await visitor.post('/api/cancel', order, headers)
    expect(cancelled.body.data).toMatchObject({ cancelledUids: all.slice(3).map(b => b.uid) })
    const left = await rowsOf(calendar)
    expect(left.slice(0, 3)).toEqual(moved.slice(0, 3))
    expect(left.slice(3).map(r => [r.status, r.blocks])).toEqual(Array(7).fill(['cancelled', 0]))
    const events = await eventsOf(calendar)
    const count = (type: string) => events.filter(e => e === type).length
    expect(['BOOKING_CREATED', 'BOOKING_RESCHEDULED', 'BOOKING_CANCELLED'].map(count)).toEqual([
      10, 1, 7,
    ])
  })

  test('cancelled as a whole leaves what is over as it was', async () => {
    const calendar = await createCalendar({ recurrence })
    const all = (await bookSeries(calendar)).body as unknown as { uid: string }[]
    const order = { uid: all[5]!.uid, allRemainingBookings: true }
    // Now two of them are over.
    const headers = {
      ...clock,
      'x-test-now': '2027-03-05T12:00:00Z',
      'x-test-client': newAddress(),
    }
    expect((await visitor.post('/api/cancel', order, headers)).status).toBe(200)
    const statuses = (await rowsOf(calendar)).map(r => r.status)
    expect(statuses).toEqual([...Array(2).fill('accepted'), ...Array(8).fill('cancelled')])
  })
})
