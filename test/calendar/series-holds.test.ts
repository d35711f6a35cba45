import { describe, expect, it } from 'vitest'
import { createEventType } from '#lib/domain/event-types/operations.ts'
import { NewEventType } from '#lib/domain/event-types/schema.ts'
import { queryDatabase } from '../database.ts'
import { asOwner, bodyOf, book, type Calendar, clock, createCalendar } from './world.ts'

const SERIES = '/api/book/recurring-event'
const DATES = ['2027-03-03T15:00:00Z', '2027-03-10T15:00:00Z', '2027-03-17T14:00:00Z']
const ELSEWHERE = '2027-03-05T15:00:00Z'
const LONGER = { title: 'Longer', lengthInMinutes: 60 }

/** Holds a slot; the answer is what a booking names. */
async function hold({ account, eventTypeId }: Calendar, slotStart: string, at: object = clock) {
  const path = '/api/extension/slots/reservations'
  const { status, body } = await account.client.post(path, { eventTypeId, slotStart }, { ...at })
  if (status !== 201) throw new Error(`Holding ${slotStart} was ${status}`)
  return String(body.reservationUid)
}

const holdAll = (calendar: Calendar) => Promise.all(DATES.map(date => hold(calendar, date)))

/** The dates as an array, each with a hold of its own where there is one for its position. */
const dated = ({ eventTypeId }: Calendar, holds: Record<number, string | undefined>, more = {}) =>
  DATES.map((date, at) => bodyOf(eventTypeId, date, 'Zoe', { holdUid: holds[at], ...more }))

/** Books an array, and answers the status and what is wrong with which date. */
async function bookDates(body: object, path = SERIES) {
  const reply = await book(body, path)
  const faults = reply.body.details as unknown as { field: string }[] | undefined
  return [reply.status, faults?.map(({ field }) => field)]
}

/** How many of an account's blocks of time come from holds, and how many from bookings. */
async function taken({ account }: Calendar) {
  const rows = await queryDatabase<{ source: string }>(
    'select source from occupancies where account_id = $1',
    [account.accountId],
  )
  const of = (source: string) => rows.filter(row => row.source === source).length
  return { holds: of('hold'), bookings: of('booking') }
}

describe('POST /api/book/recurring-event with holds', () => {
  it('201 where every date is held by who books it; each hold is used up', async () => {
    const calendar = await createCalendar()
    const holds = await holdAll(calendar)
    expect(await bookDates(dated(calendar, holds))).toEqual([201, undefined])
    expect(await taken(calendar)).toEqual({ holds: 0, bookings: 3 })
    const kept = await queryDatabase('select 1 from holds where account_id = $1', [
      calendar.account.accountId,
    ])
    expect(kept).toEqual([])
  })

  it('409 naming the date that somebody else holds; no hold is used up', async () => {
    const calendar = await createCalendar()
    const [first, , third] = await holdAll(calendar)
    const before = { holds: 3, bookings: 0 }
    const guess = 'A'.repeat(22)
    for (const second of [undefined, guess, first, third]) {
      const asked = dated(calendar, [first, second, third])
      expect(await bookDates(asked)).toEqual([409, ['1.start']])
      expect(await taken(calendar)).toEqual(before)
    }
  })

  it('409 for a date whose hold is of another time or over, like one booking; 201 where it is free', async () => {
    const calendar = await createCalendar()
    const { eventTypeId } = calendar
    const other = await hold(calendar, ELSEWHERE)
    const taker = await hold(calendar, DATES[1]!)
    const over = await hold(calendar, DATES[2]!, { 'x-test-now': '2027-03-01T11:55:00Z' })
    const one = bodyOf(eventTypeId, DATES[1]!, 'Zoe', { holdUid: other })
    expect(await bookDates(one, '/api/book/event')).toEqual([409, ['start']])
    expect(await bookDates(dated(calendar, { 1: other, 2: over }))).toEqual([409, ['1.start']])
    expect(await bookDates(dated(calendar, { 0: other, 1: taker, 2: over }))).toEqual([
      201,
      undefined,
    ])
    expect(await taken(calendar)).toEqual({ holds: 0, bookings: 3 })
  })

  it('201 by the hold of another event type of the host, none by the hold of another account', async () => {
    const [calendar, foreign] = await Promise.all([createCalendar(), createCalendar()])
    const longer = await asOwner(calendar, m => createEventType(m, NewEventType.parse(LONGER)))
    const held = await hold({ account: calendar.account, eventTypeId: longer.read().id }, DATES[1]!)
    const theirs = await hold(foreign, DATES[1]!)
    expect(await bookDates(dated(calendar, { 1: theirs }))).toEqual([409, ['1.start']])
    expect(await bookDates(dated(calendar, { 1: held }))).toEqual([201, undefined])
    expect(await taken(calendar)).toEqual({ holds: 0, bookings: 3 })
    expect(await taken(foreign)).toEqual({ holds: 1, bookings: 0 })
  })

  it('201 leaving out a date that is taken: its hold is given up with the others', async () => {
    const calendar = await createCalendar()
    const other = await hold(calendar, ELSEWHERE)
    await hold(calendar, DATES[1]!)
    const asked = dated(calendar, { 1: other }, { onConflict: 'skip' })
    expect(await bookDates(asked)).toEqual([201, undefined])
    expect(await taken(calendar)).toEqual({ holds: 1, bookings: 2 })
  })

  it('200 of a trial, which keeps the holds', async () => {
    const calendar = await createCalendar()
    const holds = await holdAll(calendar)
    const asked = dated(calendar, holds, { _isDryRun: true })
    expect(await bookDates(asked)).toEqual([200, undefined])
    expect(await taken(calendar)).toEqual({ holds: 3, bookings: 0 })
  })

  it('201 once of 12 at the same moment by the same holds, 409 for the others', async () => {
    const calendar = await createCalendar()
    const asked = dated(calendar, await holdAll(calendar))
    const replies = await Promise.all(Array.from({ length: 12 }, () => bookDates(asked)))
    const statuses = replies.map(([status]) => status).sort()
    expect(statuses).toEqual([201, ...Array(11).fill(409)])
    expect(await taken(calendar)).toEqual({ holds: 0, bookings: 3 })
  })
})
