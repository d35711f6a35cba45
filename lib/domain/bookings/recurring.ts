import type { Visitor } from '#lib/core/context.ts'
import { ApiError, badRequest, conflict, type Detail, invalid } from '#lib/core/errors.ts'
import type { Json } from '#lib/core/json.ts'
import { newUid } from '#lib/core/text.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import type { Write } from '#lib/db/write.ts'
import { occurrences } from '#lib/scheduling/recurrence.ts'
import { withAnswers } from './answers.ts'
import { requireVerified } from './codes.ts'
import { QUEUE } from './create.ts'
import {
  chooseHosts,
  lengthOf,
  minutesOf,
  needsConfirmation,
  requireFewActive,
  requireType,
} from './decide.ts'
import type { EventFacts, EventTypeFacts } from './facts.ts'
import { roomOf } from './limits.ts'
import { type Offered, offerAt, zoneOf } from './offers.ts'
import { enterByEventType, readFacts } from './read.ts'
import { bookedByIds } from './record.ts'
import type { Booking, NewBooking, NewSeries } from './schema.ts'
import { hostsAt } from './stand-ins.ts'
import { type Tried, triedOf } from './tried.ts'
import { addBookings, type Draft } from './write.ts'

const LOOK_AGAIN = new Set(['event_types_turn', 'occupancies_no_overlap'])

/** The longest step between two occurrences, in days. */
const STEP_DAYS = { daily: 1, weekly: 7, monthly: 31, yearly: 366 }

/**
 * Books a series of an event type: all of it or, with the dates that are taken, none.
 * @throws CONFLICT with `details[{field: "3.start"}]` for each date that is not offered
 */
export const createSeries = (v: Visitor, input: NewSeries): Promise<Json<Booking[]>> =>
  bookAll(v, input, (write, drafts) =>
    write.commit(write.answer(bookedByIds, { ids: drafts.map(d => d.id) })),
  )

/**
 * Tries a series: every check that `createSeries` makes, and nothing is kept.
 * @throws as `createSeries`
 */
export const trySeries = (v: Visitor, input: NewSeries): Promise<Tried[]> =>
  bookAll(v, input, async (write, drafts) => {
    await write.rehearse()
    return drafts.map(draft => triedOf(v, draft))
  })

/** Whether a series, or any date of it, is only to be tried: then all of it is. */
export const isTried = (input: NewSeries): boolean =>
  [input].flat().some(({ _isDryRun }) => _isDryRun)

async function bookAll<R>(
  v: Visitor,
  input: NewSeries,
  finish: (write: Write, drafts: readonly Draft[]) => Promise<R>,
): Promise<R> {
  const bodies = Array.isArray(input) ? input : [input]
  const [first] = bodies
  if (!first) return invalid({ field: '0', message: 'required' })
  if (bodies.some(b => b.eventTypeId !== first.eventTypeId))
    invalid({ field: '1.eventTypeId', message: 'must be the same in all occurrences' })
  const tenant = await enterByEventType(v, first.eventTypeId)
  return lookingAgain(
    LOOK_AGAIN,
    async () => {
      const { eventTypeId, holdUid, responses } = first
      const asked = { eventTypeId, holdUid, email: responses.email, ...window(input, bodies) }
      const facts = await readFacts(v, tenant, asked)
      await requireVerified(v, tenant, requireType(facts), first)
      const drafts = draftsOf(v, facts, startsOf(facts, input, bodies), bodies)
      const write = tenant.write('booking.create', drafts[0]?.id)
      addBookings(write, v, drafts)
      return finish(write, drafts)
    },
    QUEUE,
  )
}

const countOf = (input: NewSeries): number | undefined =>
  Array.isArray(input) ? input.length : (input.recurrenceCount ?? input.recurringCount)

/** A series may last years: the window is as long as its count could make it. */
function window(input: NewSeries, bodies: readonly NewBooking[]) {
  const starts = bodies.map(b => b.start.getTime())
  const from = new Date(Math.min(...starts))
  const last = Math.max(...starts)
  const count = countOf(input) ?? 52
  const days = Array.isArray(input) ? 0 : Math.min(count * STEP_DAYS.yearly, 3 * 366)
  return { from, to: new Date(last + days * 86_400_000), count }
}

/** The starts: those that were given, or those that the event type's recurrence makes. */
function startsOf(facts: EventFacts, input: NewSeries, bodies: readonly NewBooking[]): Date[] {
  const type = requireType(facts)
  if (type.seats !== null) badRequest('recurring_event_seats_error: seats cannot recur')
  if (Array.isArray(input)) return bodies.map(b => b.start)
  const rule = type.recurrence
  if (!rule) return badRequest('This event type does not recur')
  const count = countOf(input) ?? rule.occurrences
  if (count > rule.occurrences)
    invalid({ field: 'recurrenceCount', message: `must be at most ${rule.occurrences}` })
  const { frequency: freq, interval } = rule
  const start = minutesOf(input.start)
  return occurrences(zoneOf(facts), start, { freq, interval }, count).map(
    minutes => new Date(minutes * 60_000),
  )
}

function draftsOf(
  v: Visitor,
  facts: EventFacts,
  starts: readonly Date[],
  bodies: readonly NewBooking[],
): Draft[] {
  const type = requireType(facts)
  const [first] = bodies
  const length = lengthOf(type, first!)
  requireFewActive(facts, starts.length)
  const room = roomOf(type, zoneOf(facts), facts.taken)
  const offers = starts.map(date => {
    const start = minutesOf(date)
    // Those before it count as well.
    if (!room.within(start, length)) return undefined
    room.note({ start, end: start + length })
    return offerAt(facts, { now: minutesOf(v.now), length }, start)
  })
  refuseTaken(starts, offers)
  requireDistinct(starts, length)
  const places = chooseHosts(facts, common(type, offers), new Set())
  const id = seriesIdOf(bodies)
  return starts.map((start, index) => ({
    id: facts.ids[index]!,
    uid: newUid(),
    type,
    hosts: hostsAt(facts, places, minutesOf(start)),
    start,
    end: new Date(start.getTime() + length * 60_000),
    status: needsConfirmation(type, starts[0]!, v.now) ? 'pending' : 'accepted',
    input: withAnswers(type, bodies[index] ?? first!),
    seatUid: null,
    series: { id, index },
  }))
}

const seriesIdOf = (bodies: readonly (NewBooking & { recurringEventId?: string | undefined })[]) =>
  bodies[0]?.recurringEventId ?? newUid()

const refuseTaken = (starts: readonly Date[], offers: readonly (Offered | undefined)[]): void => {
  const details = starts.flatMap((start, i): Detail[] =>
    offers[i] ? [] : [{ field: `${i}.start`, message: `${start.toISOString()} is not available` }],
  )
  if (details.length > 0)
    throw new ApiError('CONFLICT', 'no_available_users_found_error: some dates are taken', details)
}

/** Occurrences that overlap each other could not all be hosted. */
function requireDistinct(starts: readonly Date[], length: number): void {
  const sorted = starts.map(minutesOf).sort((a, b) => a - b)
  const at = sorted.findIndex((start, i) => i > 0 && start - sorted[i - 1]! < length)
  if (at > 0) invalid({ field: `${at}.start`, message: 'overlaps another occurrence' })
}

/** The hosts who are free every time: one series has one host. */
function common(type: EventTypeFacts, offers: readonly (Offered | undefined)[]): Offered {
  const [first] = offers
  const hostIds = (first?.hostIds ?? []).filter(id => offers.every(o => o?.hostIds.includes(id)))
  if (hostIds.length === 0 || !first)
    conflict(`hosts_unavailable_for_booking: no host of "${type.title}" is free on all dates`)
  return { start: first?.start ?? 0, hostIds, seatsTaken: 0 }
}
