import type { Base, Member, Visitor } from '#lib/core/context.ts'
import { ApiError, badRequest, type Detail, invalid } from '#lib/core/errors.ts'
import type { Json } from '#lib/core/json.ts'
import { newUid } from '#lib/core/text.ts'
import { lookingAgain, QUEUE } from '#lib/db/meanings.ts'
import type { Write } from '#lib/db/write.ts'
import { keyOf, personOf } from '#lib/domain/attendees/person.ts'
import { occurrences } from '#lib/scheduling/recurrence.ts'
import type { SeriesBooking, TriedSeries } from './answer.ts'
import { withAnswers } from './answers.ts'
import { requireVerified } from './codes.ts'
import { lengthOf, minutesOf, needsConfirmation, requireFewActive, requireType } from './decide.ts'
import type { EventFacts, EventTypeFacts } from './facts.ts'
import { zoneOf } from './offers.ts'
import { placeOf } from './places.ts'
import { bookerOf, readFacts } from './read.ts'
import { bookedByIds } from './record.ts'
import type { NewBooking, NewSeries } from './schema.ts'
import { planSeries } from './series.ts'
import { hostsAt } from './stand-ins.ts'
import { triedOf } from './tried.ts'
import { addBookings, type Draft, releaseHolds } from './write.ts'

const LOOK_AGAIN = new Set(['event_types_turn', 'occupancies_no_overlap'])

/** The longest step between two occurrences, in days. */
const STEP_DAYS = { daily: 1, weekly: 7, monthly: 31, yearly: 366 }

/**
 * Books a series of an event type: all of it or, with the dates that are taken, none; or, where they may
 * be skipped, what is left.
 * @throws CONFLICT with `details[{field: "3.start"}]` for each date that is not offered
 */
export const createSeries = (
  v: Visitor,
  input: NewSeries,
  m?: Member,
): Promise<Json<SeriesBooking[]>> =>
  bookAll({ v, m }, input, (write, { drafts, skipped }) =>
    write.commit(
      write.answer(bookedByIds, { ids: drafts.map(d => d.id), skipped: JSON.stringify(skipped) }),
    ),
  )

/**
 * Tries a series: every check that `createSeries` makes, and nothing is kept.
 * @throws as `createSeries`
 */
export const trySeries = (v: Visitor, input: NewSeries, m?: Member): Promise<TriedSeries[]> =>
  bookAll({ v, m }, input, async (write, { drafts, skipped }) => {
    await write.rehearse()
    return drafts.map(draft => ({ ...triedOf(v, draft), recurrence: { id: null, skipped } }))
  })

/** Whether a series, or any date of it, is only to be tried: then all of it is. */
export const isTried = (input: NewSeries): boolean =>
  [input].flat().some(({ _isDryRun }) => _isDryRun)

async function bookAll<R>(
  { v, m }: { v: Visitor; m: Member | undefined },
  input: NewSeries,
  finish: (write: Write, drafted: Drafted) => Promise<R>,
): Promise<R> {
  const bodies = Array.isArray(input) ? input : [input]
  const [first] = bodies
  if (!first) return invalid({ field: '0', message: 'required' })
  requireAlike(bodies)
  requireNew(input, bodies)
  const { base, tenant } = await bookerOf(v, first, m)
  return lookingAgain(
    LOOK_AGAIN,
    async () => {
      const { eventTypeId, responses } = first
      const named = { holders: bodies, person: keyOf(personOf(responses)), named: first }
      const asked = { eventTypeId, ...named, ...window(input, bodies) }
      const facts = await readFacts(base, tenant, asked)
      await requireVerified(base, tenant, requireType(facts), first)
      const dates = { starts: startsOf(facts, input, bodies), bodies, isList: Array.isArray(input) }
      const drafted = draftsOf(base, facts, dates)
      const write = tenant.write('booking.create', drafted.drafts[0]?.id)
      releaseHolds(write, bodies)
      addBookings(write, base, drafted.drafts)
      return finish(write, drafted)
    },
    QUEUE,
  )
}

/** The body of one date of a series. */
type SeriesBody = NewBooking &
  Pick<Exclude<NewSeries, unknown[]>, 'onConflict' | 'recurringEventId'>

/** What all dates of a series have in common, or leave to the first of them. */
const ALIKE = ['eventTypeId', 'recurringEventId', 'teamMemberEmail', 'routedTeamMemberIds'] as const

function requireAlike([first, ...others]: readonly SeriesBody[]): void {
  for (const [at, body] of others.entries())
    for (const field of ALIKE)
      if (body[field] !== undefined && String(body[field]) !== String(first?.[field]))
        invalid({ field: `${at + 1}.${field}`, message: 'must be the same in all occurrences' })
}

/** What a booking that stands is named by: a series is new. */
const STANDING = ['rescheduleUid', 'bookingUid'] as const

function requireNew(input: NewSeries, bodies: readonly SeriesBody[]): void {
  for (const [at, body] of bodies.entries())
    for (const field of STANDING)
      if (body[field] !== undefined)
        invalid({
          field: Array.isArray(input) ? `${at}.${field}` : field,
          message: 'is not for a series: it is booked anew',
        })
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
  const rule = type.recurrence
  if (Array.isArray(input)) {
    const most = rule?.occurrences ?? bodies.length
    if (bodies.length > most)
      invalid({ field: `${most}`, message: `must be at most ${most} dates` })
    return bodies.map(b => b.start)
  }
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

/** The bookings of a series, and the dates of it that are left out. */
interface Drafted {
  drafts: Draft[]
  skipped: string[]
}

/** The dates that are asked for: each has a body of its own (`isList`), or all have the first. */
interface Dates {
  starts: readonly Date[]
  bodies: readonly SeriesBody[]
  isList: boolean
}

/** Tells faults of the body of one date of a list under its position: `1.responses.name`. */
function ofDate<R>({ isList }: Dates, at: number, work: () => R): R {
  try {
    return work()
  } catch (error) {
    if (!isList || !(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR') throw error
    const under = ({ field, message }: Detail) => ({ field: `${at}.${field}`, message })
    return invalid(...(error.details ?? []).map(under))
  }
}

/** How long each of the dates is: what the first says, or else the event type. */
function lengthOfAll(type: EventTypeFacts, dates: Dates): number {
  const [length = type.length, ...others] = dates.bodies.map((body, at) =>
    at === 0 || body.end ? ofDate(dates, at, () => lengthOf(type, body)) : undefined,
  )
  for (const [at, other] of others.entries())
    if (other !== undefined && other !== length)
      invalid({ field: `${at + 1}.end`, message: `must be ${length} minutes after start, as of 0` })
  return length
}

function draftsOf(base: Base, facts: EventFacts, asked: Dates): Drafted {
  const { starts, bodies } = asked
  const type = requireType(facts)
  const first = bodies[0]!
  const length = lengthOfAll(type, asked)
  const bodyAt = (at: number) => bodies[at] ?? first
  const maySkip = (at: number) => bodyAt(at).onConflict === 'skip'
  const { dates, places } = planSeries(facts, { now: minutesOf(base.now), length }, starts, maySkip)
  requireFewActive(facts, dates.length)
  const id = first.recurringEventId ?? newUid()
  const status = needsConfirmation(type, starts[dates[0]!]!, base.now) ? 'pending' : 'accepted'
  // Counted from the first that is booked: by it no other series has the same identifier.
  const draftAt = (at: number, index: number): Draft => {
    const start = starts[at]!
    const uid = newUid()
    const input = ofDate(asked, at, () => withAnswers(type, bodyAt(at)))
    return {
      ...{ id: facts.ids[at]!, uid, type, status, start, input, seatUid: null },
      hosts: hostsAt(facts, places, minutesOf(start)),
      end: new Date(start.getTime() + length * 60_000),
      place: ofDate(asked, at, () => placeOf(type, input, uid, base)),
      series: { id, index },
    }
  }
  const skipped = starts.filter((_, at) => !dates.includes(at)).map(start => start.toISOString())
  return { drafts: dates.map(draftAt), skipped }
}
