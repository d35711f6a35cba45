import { describe, expect, test } from 'vitest'
import { queryDatabase } from '../database.ts'
import { AT, booked, kindsOf } from './mail.ts'
import {
  bodyOf,
  book,
  type Calendar,
  createCalendar,
  eventsOf,
  setHosts,
  usersOf,
} from './world.ts'

const SERIES = '/api/book/recurring-event'
const recurrence = JSON.stringify({ frequency: 'weekly', interval: 1, occurrences: 10 })
/** The dates of a series from `AT`, a week apart by New York's clocks. */
const DATES = [
  ...['2027-03-03T15:00:00.000Z', '2027-03-10T15:00:00.000Z', '2027-03-17T14:00:00.000Z'],
  ...['2027-03-24T14:00:00.000Z', '2027-03-31T14:00:00.000Z', '2027-04-07T14:00:00.000Z'],
  ...['2027-04-14T14:00:00.000Z', '2027-04-21T14:00:00.000Z', '2027-04-28T14:00:00.000Z'],
  '2027-05-05T14:00:00.000Z',
]
const SEVENTH = DATES[6]!
const skip = { onConflict: 'skip' }

interface Dated {
  userId: number
  startTime: string
  recurringEventId: string
  recurrence: { id: string; skipped: string[] }
}

/** Books a series, by one body with a count. */
const bookTen = async ({ eventTypeId }: Calendar, more: object = skip, count = 10) => {
  const reply = await book(
    { ...bodyOf(eventTypeId, AT, 'Series', more), recurrenceCount: count },
    SERIES,
  )
  return { ...reply, list: reply.body as unknown as Dated[] }
}

const indexesOf = async ({ account }: Calendar) =>
  (
    await queryDatabase<{ i: number }>(
      `select recurring_index as i from bookings
       where account_id = $1 and recurring_event_id is not null order by 1`,
      [account.accountId],
    )
  ).map(row => row.i)

describe('POST /api/book/recurring-event with onConflict "skip"', () => {
  test('201 with nine of ten where the seventh is taken, telling which was left out', async () => {
    const calendar = await createCalendar({ recurrence })
    await booked(calendar, {}, SEVENTH)
    const refused = await bookTen(calendar, { onConflict: 'fail' })
    expect([refused.status, refused.body.details]).toMatchObject([409, [{ field: '6.start' }]])
    expect(await indexesOf(calendar)).toEqual([])
    const { status, list } = await bookTen(calendar)
    expect(status).toBe(201)
    expect(list.map(b => b.startTime)).toEqual(DATES.filter(date => date !== SEVENTH))
    for (const { recurrence, recurringEventId } of list)
      expect(recurrence).toEqual({ id: recurringEventId, skipped: [SEVENTH] })
    expect(await indexesOf(calendar)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    const events = await eventsOf(calendar)
    expect(events.filter(type => type === 'BOOKING_CREATED')).toHaveLength(10)
    // One letter each to the one who booked and to the host, for the booking and for the series.
    const kinds = await kindsOf(calendar)
    expect(kinds).toEqual(['event_confirmed', 'event_confirmed', 'host_booked', 'host_booked'])
  })

  test('409 naming every date where none is free, and nothing is booked', async () => {
    const calendar = await createCalendar({ recurrence })
    await bookTen(calendar)
    const { status, body } = await bookTen(calendar)
    expect([status, body.details]).toMatchObject([409, { length: 10 }])
    expect(await indexesOf(calendar)).toHaveLength(10)
  })

  test('201 of an array leaves out those dates alone that may be; 409 for the others', async () => {
    const calendar = await createCalendar()
    await booked(calendar, {}, DATES[1])
    const bodies = (more: object[]) =>
      more.map((m, n) => bodyOf(calendar.eventTypeId, DATES[n]!, 'Z', m))
    const refused = await book(bodies([skip, {}, skip]), SERIES)
    expect([refused.status, refused.body.details]).toMatchObject([409, [{ field: '1.start' }]])
    const { status, body } = await book(bodies([{}, skip, {}]), SERIES)
    expect(status).toBe(201)
    expect(body).toMatchObject([
      { startTime: DATES[0], recurrence: { skipped: [DATES[1]] } },
      { startTime: DATES[2] },
    ])
  })

  test('201 by the host who is free on the most dates', async () => {
    const calendar = await createCalendar({ recurrence })
    const [a, b] = (await usersOf(calendar)) as [number, number]
    await setHosts(calendar, 'roundRobin', [a, b])
    for (const [date, host] of [
      [DATES[0]!, a],
      [DATES[1]!, b],
      [DATES[2]!, b],
      [DATES[3]!, b],
    ] as const)
      expect(await booked(calendar, { routedTeamMemberIds: [host] }, date)).toBeTruthy()
    // a is free on two dates more, though it is b's turn.
    await queryDatabase('update event_type_hosts set assigned = 9 where user_id = $1', [a])
    const refused = await bookTen(calendar, {}, 5)
    expect(refused.body.message).toContain('hosts_unavailable_for_booking')
    const { status, list } = await bookTen(calendar, skip, 5)
    expect([status, list.map(b => b.userId)]).toEqual([201, [a, a, a, a]])
    expect(list[0]?.recurrence.skipped).toEqual([DATES[0]])
  })

  test('201 by a host who is free on the dates that may not be left out', async () => {
    const calendar = await createCalendar()
    const [a, b] = (await usersOf(calendar)) as [number, number]
    await setHosts(calendar, 'roundRobin', [a, b])
    await booked(calendar, { routedTeamMemberIds: [a] }, DATES[0])
    for (const date of [DATES[1], DATES[2]])
      await booked(calendar, { routedTeamMemberIds: [b] }, date)
    const bodies = [{}, skip, skip].map((more, n) =>
      bodyOf(calendar.eventTypeId, DATES[n]!, 'Z', more),
    )
    const { status, body } = await book(bodies, SERIES)
    expect([status, body]).toMatchObject([201, [{ userId: b, startTime: DATES[0] }]])
  })

  test('201 leaves out what is over a limit, counting what is booked alone', async () => {
    const limits = { booking_limits_count: '{"month": 3}' }
    const calendar = await createCalendar({ recurrence, ...limits })
    await booked(calendar, {}, DATES[1])
    const { list } = await bookTen(calendar)
    expect(list.map(b => b.startTime)).toEqual([
      ...[DATES[0], DATES[2]],
      ...[DATES[5], DATES[6], DATES[7], DATES[9]],
    ])
    expect(list[0]?.recurrence.skipped).toEqual([DATES[1], DATES[3], DATES[4], DATES[8]])
  })

  test('201 where more bookings ahead are not allowed than are left', async () => {
    const calendar = await createCalendar({ recurrence, maximum_active_bookings: 9 })
    await booked(calendar, {}, SEVENTH)
    expect((await bookTen(calendar)).status).toBe(201)
  })

  test('201 for series at once that leave out what they lose to one another', async () => {
    const calendar = await createCalendar({ recurrence })
    const replies = await Promise.all(
      [0, 1, 2].map(n =>
        book(
          { ...bodyOf(calendar.eventTypeId, DATES[n]!, `S${n}`, skip), recurrenceCount: 4 },
          SERIES,
        ),
      ),
    )
    for (const { status, body } of replies) {
      if (status !== 201) expect(body.details).toHaveLength(4)
      else {
        const list = body as unknown as Dated[]
        expect(list.length + list[0]!.recurrence.skipped.length).toBe(4)
      }
    }
    const blocks = await queryDatabase('select 1 from occupancies where account_id = $1', [
      calendar.account.accountId,
    ])
    expect(blocks).toHaveLength(6)
  })

  test('200 for a trial, telling what would be left out', async () => {
    const calendar = await createCalendar({ recurrence })
    await booked(calendar, {}, SEVENTH)
    const { status, body } = await bookTen(calendar, { ...skip, _isDryRun: true })
    expect([status, body.data]).toMatchObject([200, { length: 9 }])
    const [first] = body.data as unknown as Dated[]
    expect(first?.recurrence).toEqual({ id: null, skipped: [SEVENTH] })
    expect(await indexesOf(calendar)).toEqual([])
  })
})
