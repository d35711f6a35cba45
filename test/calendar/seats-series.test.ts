import { describe, expect, test } from 'vitest'
import { queryDatabase } from '../database.ts'
import {
  bodyOf,
  book,
  clock,
  createCalendar,
  eventsOf,
  newAddress,
  slotsOf,
  visitor,
} from './world.ts'

const AT = '2027-03-03T15:00:00.000Z'
const cancel = (body: object) =>
  visitor.post('/api/cancel', body, { ...clock, 'x-test-client': newAddress() })

describe('seats', () => {
  test('10 of 40 at once get one, in one booking; a seat given back is free again', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 10 })
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, i) => book(bodyOf(calendar.eventTypeId, AT, `P${i}`))),
    )
    const got = all.filter(r => r.status === 201)
    expect(got).toHaveLength(10)
    expect(all.filter(r => r.status === 409)).toHaveLength(30)
    expect(new Set(got.map(r => r.body.uid)).size).toBe(1)
    expect(new Set(got.map(r => r.body.seatReferenceUid)).size).toBe(10)
    for (const r of got) expect(r.body.attendees).toHaveLength(1)
    const { uid, seatReferenceUid } = got[0]!.body
    expect((await cancel({ uid })).status).toBe(403)
    expect((await cancel({ uid, seatReferenceUid: 'nobody' })).status).toBe(404)
    const given = await cancel({ uid, seatReferenceUid })
    expect(given.body.data).toMatchObject({ onlyRemovedAttendee: true })
    expect((await book(bodyOf(calendar.eventTypeId, AT, 'Late'))).status).toBe(201)
    expect((await book(bodyOf(calendar.eventTypeId, AT, 'Later'))).status).toBe(409)
  }, 60_000)

  test('are offered as long as one is free', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 2 })
    const isOffered = async () => (await slotsOf(calendar, '2027-03-03', '2027-03-03')).includes(AT)
    const { body } = await book(bodyOf(calendar.eventTypeId, AT))
    expect(await isOffered()).toBe(true)
    await book(bodyOf(calendar.eventTypeId, AT, 'Second'))
    expect(await isOffered()).toBe(false)
    await cancel({ uid: body.uid, seatReferenceUid: body.seatReferenceUid })
    expect(await isOffered()).toBe(true)
  })

  test('409 says that no seat is left; 404 for a seat in what is no booking of the start', async () => {
    const [calendar, other] = await Promise.all([
      createCalendar({ seats_per_time_slot: 2 }),
      createCalendar({ seats_per_time_slot: 2 }),
    ])
    const { eventTypeId } = calendar
    const { uid } = (await book(bodyOf(eventTypeId, AT))).body
    const elsewhere = (await book(bodyOf(eventTypeId, '2027-03-04T15:00:00Z'))).body.uid
    const foreign = (await book(bodyOf(other.eventTypeId, AT))).body.uid
    const join = async (bookingUid: unknown, name: string, start = AT) => {
      const { status, body } = await book(bodyOf(eventTypeId, start, name, { bookingUid }))
      return [status, body.details]
    }
    for (const wrong of ['nobody', elsewhere, foreign])
      expect(await join(wrong, 'Late')).toMatchObject([404, [{ field: 'bookingUid' }]])
    expect(await join(uid, 'Late', '2027-03-05T15:00:00Z')).toMatchObject([404, {}])
    expect(await join(uid, 'Late')).toEqual([201, undefined])
    const full = await book(bodyOf(eventTypeId, AT, 'Later'))
    expect([full.status, full.body.message]).toEqual([
      409,
      'booking_seats_full_error: no seat is left',
    ])
  })

  test('409 for the same address twice; the last seat cancels the booking', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 3 })
    const { body } = await book(bodyOf(calendar.eventTypeId, AT))
    expect((await book(bodyOf(calendar.eventTypeId, AT))).status).toBe(409)
    await cancel({ uid: body.uid, seatReferenceUid: body.seatReferenceUid })
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED', 'BOOKING_CANCELLED'])
    const [left] = await queryDatabase(
      `select count(*)::int as n from occupancies where account_id = $1`,
      [calendar.account.accountId],
    )
    expect(left?.n).toBe(0)
  })
})

describe('POST /api/book/recurring-event', () => {
  const starts = ['2027-03-03', '2027-03-10', '2027-03-17', '2027-03-24'].map(d => `${d}T15:00:00Z`)

  test('201 with all of an array, one series', async () => {
    const calendar = await createCalendar()
    const bodies = starts.map(s => bodyOf(calendar.eventTypeId, s))
    const { status, body } = await book(bodies, '/api/book/recurring-event')
    expect(status).toBe(201)
    const list = body as unknown as { uid: string; recurringEventId: string }[]
    expect(list).toHaveLength(4)
    expect(new Set(list.map(b => b.recurringEventId)).size).toBe(1)
    const after = await cancel({ uid: list[1]!.uid, cancelSubsequentBookings: true })
    expect((after.body.data as unknown as { cancelledUids: string[] }).cancelledUids).toHaveLength(
      3,
    )
  })

  test('409 naming the dates, and nothing booked, when one is taken', async () => {
    const calendar = await createCalendar()
    await book(bodyOf(calendar.eventTypeId, starts[2]!, 'First'))
    const bodies = starts.map(s => bodyOf(calendar.eventTypeId, s))
    const { status, body } = await book(bodies, '/api/book/recurring-event')
    expect(status).toBe(409)
    expect(body.details).toEqual([
      { field: '2.start', message: '2027-03-17T15:00:00.000Z is not available' },
    ])
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED'])
  })

  test('201 with a count keeps the wall clock over the change of clocks; 422 for too many', async () => {
    const recurrence = JSON.stringify({ frequency: 'weekly', interval: 1, occurrences: 4 })
    const calendar = await createCalendar({ recurrence })
    const body = { ...bodyOf(calendar.eventTypeId, '2027-03-08T15:00:00Z'), recurrenceCount: 3 }
    const made = await book(body, '/api/book/recurring-event')
    expect((made.body as unknown as { startTime: string }[]).map(b => b.startTime)).toEqual([
      '2027-03-08T15:00:00.000Z',
      '2027-03-15T14:00:00.000Z',
      '2027-03-22T14:00:00.000Z',
    ])
    const many = await book({ ...body, recurrenceCount: 5 }, '/api/book/recurring-event')
    expect(many.status).toBe(422)
  })
})
