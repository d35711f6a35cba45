import { describe, expect, test } from 'vitest'
import { queryDatabase } from '../database.ts'
import { bodyOf, book, type Calendar, createCalendar, eventsOf } from './world.ts'

const AT = '2027-03-03T15:00:00.000Z'
const SERIES = '/api/book/recurring-event'
const dry = { _isDryRun: true }

/** Everything that a booking leaves behind. */
const traces = async (calendar: Calendar) => ({
  events: await eventsOf(calendar),
  rows: await queryDatabase(
    `select (select count(*) from bookings where account_id = $1)::int as bookings,
       (select count(*) from booking_attendees where account_id = $1)::int as attendees,
       (select count(*) from messages where account_id = $1)::int as messages,
       (select count(*) from audit_log where account_id = $1)::int as audited,
       (select count(*) from occupancies where account_id = $1)::int as blocks,
       (select sum(turn) from event_types where account_id = $1)::int as turns`,
    [calendar.account.accountId],
  ),
})

describe('POST /api/book/event with _isDryRun', () => {
  test('200 with the booking as it would be, and nothing is written, told or sent', async () => {
    const calendar = await createCalendar()
    const before = await traces(calendar)
    const { status, body } = await book(bodyOf(calendar.eventTypeId, AT, 'Zoe', dry))
    expect(status).toBe(200)
    expect(body.status).toBe('success')
    expect(await traces(calendar)).toEqual(before)
    const made = await book(bodyOf(calendar.eventTypeId, AT))
    expect(made.status).toBe(201)
    const tried = body.data as unknown as Record<string, unknown>
    expect(Object.keys(tried).sort()).toEqual(Object.keys(made.body).sort())
    const { id, uid, iCalUID, createdAt, updatedAt, isDryRun, attendees, ...same } = tried
    expect({ id, uid, iCalUID, createdAt, updatedAt }).toEqual({
      ...{ id: null, uid: null, iCalUID: null, createdAt: null, updatedAt: null },
    })
    expect(isDryRun).toBe(true)
    expect(made.body).toMatchObject(same)
    expect(made.body.attendees).toMatchObject(
      (attendees as { id: null }[]).map(({ id: none, ...attendee }) => attendee),
    )
  })

  test('409 for a start that is taken, 400 for one that is past, 404 for a lost response', async () => {
    const calendar = await createCalendar()
    const id = calendar.eventTypeId
    await book(bodyOf(id, AT))
    expect((await book(bodyOf(id, AT, 'Yan', dry))).status).toBe(409)
    expect((await book(bodyOf(id, '2027-02-01T15:00:00Z', 'Yan', dry))).status).toBe(400)
    const lost = { ...dry, routingFormResponse: 'none-of-that-kind' }
    const { status } = await book(bodyOf(id, '2027-03-04T15:00:00Z', 'Yan', lost))
    expect(status).toBe(404)
  })

  test('200 for a further seat, which is not taken; 409 for a second of one person', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 2 })
    const id = calendar.eventTypeId
    await book(bodyOf(id, AT, 'Ann'))
    const { status, body } = await book(bodyOf(id, AT, 'Bob', dry))
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id: null, uid: null, isDryRun: true, meetingUrl: null })
    expect((await book(bodyOf(id, AT, 'Ann', dry))).status).toBe(409)
    expect((await book(bodyOf(id, AT, 'Cleo'))).status).toBe(201)
  })

  test('422 to move a booking, and for an instant meeting', async () => {
    const { eventTypeId } = await createCalendar()
    const { body: made } = await book(bodyOf(eventTypeId, AT))
    const move = { ...dry, rescheduleUid: made.uid }
    for (const answer of [
      await book(bodyOf(eventTypeId, '2027-03-04T15:00:00Z', 'Zoe', move)),
      await book(bodyOf(eventTypeId, AT, 'Zoe', dry), '/api/book/instant-event'),
    ]) {
      expect(answer.status).toBe(422)
      expect(answer.body.details).toMatchObject([{ field: '_isDryRun' }])
    }
  })
})

describe('POST /api/book/recurring-event with _isDryRun', () => {
  test('200 with every date, and nothing is written; 409 with the dates that are taken', async () => {
    const calendar = await createCalendar()
    const id = calendar.eventTypeId
    const dates = [AT, '2027-03-10T16:00:00.000Z']
    const before = await traces(calendar)
    const [first, second] = dates.map(date => bodyOf(id, date))
    const { status, body } = await book([first!, { ...second, ...dry }], SERIES)
    expect(status).toBe(200)
    expect(body.data).toMatchObject(
      dates.map(startTime => ({ startTime, id: null, isDryRun: true })),
    )
    expect(await traces(calendar)).toEqual(before)
    await book(bodyOf(id, dates[1]!))
    const taken = await book([{ ...first, ...dry }, second!], SERIES)
    expect(taken.status).toBe(409)
    expect(taken.body.details).toMatchObject([{ field: '1.start' }])
  })
})
