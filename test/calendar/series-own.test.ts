import { expect, test } from 'vitest'
import { queryDatabase } from '../database.ts'
import { bodyOf, book, clock, createCalendar, newAddress, visitor } from './world.ts'

const DAYS = ['2027-03-03', '2027-03-04', '2027-03-05']
const series = (eventTypeId: number, hour: number, days: string[], name: string, more = {}) =>
  book(
    days.map(day => ({
      ...bodyOf(eventTypeId, `${day}T${hour}:00:00Z`, name),
      recurringEventId: 'chosen-by-a-client',
      ...more,
    })),
    '/api/book/recurring-event',
  )

test('POST /api/book/recurring-event: 409 for the recurringEventId of another series', async () => {
  const { account, eventTypeId } = await createCalendar()
  const mine = await series(eventTypeId, 15, DAYS.slice(0, 2), 'Mia')
  expect(mine.status).toBe(201)
  const plain = await series(eventTypeId, 17, DAYS.slice(0, 1), 'Thief')
  expect([plain.status, plain.body.details]).toMatchObject([409, [{ field: '0.recurringEventId' }]])
  // Nor by leaving out dates, so that the first that is booked is a later one.
  const skipping = await series(eventTypeId, 15, DAYS, 'Thief', { onConflict: 'skip' })
  expect(skipping.status).toBe(409)
  const [first] = mine.body as unknown as { uid: string }[]
  await visitor.post(
    '/api/cancel',
    { uid: first!.uid, allRemainingBookings: true },
    { ...clock, 'x-test-client': newAddress() },
  )
  const rows = await queryDatabase(
    'select status from bookings where account_id = $1 order by id',
    [account.accountId],
  )
  expect(rows).toEqual([{ status: 'cancelled' }, { status: 'cancelled' }])
})

test('POST /api/book/recurring-event: 422 names the field of the date that is wrong', async () => {
  const { eventTypeId } = await createCalendar()
  const good = bodyOf(eventTypeId, '2027-03-03T15:00:00Z')
  const path = '/api/book/recurring-event'
  const wrong = await book([good, { ...good, responses: { name: 'Zoe' } }], path)
  expect([wrong.status, wrong.body.details]).toEqual([
    422,
    [
      {
        field: '1.responses.email',
        message: 'required, unless attendeePhoneNumber is given',
      },
    ],
  ])
  const count = await book({ ...good, recurrenceCount: 'x' }, path)
  expect(count.body.details).toEqual([{ field: 'recurrenceCount', message: 'expected integer' }])
  const text = await visitor.post(path, '"x"', { ...clock, 'x-test-client': newAddress() })
  expect(text.body.details).toEqual([{ field: '', message: 'expected array or object' }])
})

test('POST /api/book/recurring-event: 400 for seats of a meeting', async () => {
  const { eventTypeId } = await createCalendar({ seats_per_time_slot: 3 })
  const { status, body } = await series(eventTypeId, 15, DAYS, 'Zoe')
  expect([status, body.message]).toEqual([
    400,
    expect.stringMatching(/^recurring_event_seats_error/),
  ])
})

test('POST /api/book/recurring-event: 422 for more dates than the event type recurs', async () => {
  const recurrence = JSON.stringify({ frequency: 'weekly', interval: 1, occurrences: 2 })
  const { eventTypeId } = await createCalendar({ recurrence })
  const { status, body } = await series(eventTypeId, 15, DAYS, 'Mia')
  expect([status, body.details]).toEqual([
    422,
    [{ field: '2', message: 'must be at most 2 dates' }],
  ])
  expect((await series(eventTypeId, 15, DAYS.slice(0, 2), 'Mia')).status).toBe(201)
})
