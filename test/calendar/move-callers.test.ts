import { describe, expect, test } from 'vitest'
import { createEventType } from '#lib/domain/event-types/operations.ts'
import { NewEventType } from '#lib/domain/event-types/schema.ts'
import { type Client, createAccount } from '../client.ts'
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
  visitor,
} from './world.ts'

const AT = '2027-03-03T15:00:00.000Z'
const LATER = '2027-03-04T15:00:00.000Z'

const booked = async ({ eventTypeId }: Calendar) => (await book(bodyOf(eventTypeId, AT))).body

/** Moves a booking by its public identifier, with or without a key. */
const move = (eventTypeId: unknown, rescheduleUid: unknown, who: Client = visitor) =>
  who.post('/api/book/event', bodyOf(Number(eventTypeId), LATER, 'Zoe', { rescheduleUid }), {
    ...clock,
    'x-test-client': newAddress(),
  })

/** Who moved the booking of the last event, and where it stands. */
const told = async ({ account }: Calendar) =>
  (
    await queryDatabase<{ payload: Record<string, unknown> }>(
      `select payload from events where account_id = $1 and type = 'BOOKING_RESCHEDULED'`,
      [account.accountId],
    )
  ).map(({ payload }) => [payload.rescheduledBy, payload.status])

describe('POST /api/book/event with rescheduleUid and credentials', () => {
  test('201 in the name of the host, by which it is accepted', async () => {
    const calendar = await createCalendar({ requires_confirmation: true })
    const { uid } = await booked(calendar)
    const moved = await move(calendar.eventTypeId, uid, calendar.account.client)
    expect([moved.status, moved.body.status]).toEqual([201, 'accepted'])
    expect(await told(calendar)).toEqual([[calendar.account.email, 'ACCEPTED']])
    expect(await eventsOf(calendar)).toEqual(['BOOKING_REQUESTED', 'BOOKING_RESCHEDULED'])
  })

  test('201 of a booking with seats, which none of its guests may move', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 3 })
    const { uid } = await booked(calendar)
    expect((await move(calendar.eventTypeId, uid)).status).toBe(403)
    const moved = await move(calendar.eventTypeId, uid, calendar.account.client)
    expect([moved.status, moved.body.startTime]).toEqual([201, LATER])
  })

  test('201 as a guest for staff who do not host it, and for another account', async () => {
    for (const who of [(await createAccount()).client, undefined]) {
      const calendar = await createCalendar({ requires_confirmation: true })
      const { uid } = await booked(calendar)
      const moved = await move(calendar.eventTypeId, uid, who ?? calendar.account.staffClient)
      expect([moved.status, moved.body.status]).toEqual([201, 'pending'])
      expect(await told(calendar)).toEqual([['zoe@example.com', 'PENDING']])
    }
  })
})

describe('POST /api/book/event with rescheduleUid', () => {
  test('422 with another event type than the booking has, 404 with one of others; it stays', async () => {
    const [calendar, foreign] = await Promise.all([createCalendar(), createCalendar()])
    const { uid } = await booked(calendar)
    const other = await asOwner(calendar, m =>
      createEventType(m, NewEventType.parse({ title: 'Other', lengthInMinutes: 30 })),
    )
    const wrong = await move(other.read().id, uid)
    expect([wrong.status, wrong.body.details]).toEqual([
      422,
      [{ field: 'eventTypeId', message: 'is not the event type of the booking' }],
    ])
    expect((await move(foreign.eventTypeId, uid)).status).toBe(404)
    expect((await move(2_000_000_000, uid)).status).toBe(404)
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED'])
  })
})
