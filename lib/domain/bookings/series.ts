import { ApiError, badRequest, conflict, type Detail, invalid } from '#lib/core/errors.ts'
import { boundsFault, chooseHosts, minutesOf, requireType } from './decide.ts'
import type { EventFacts, EventTypeFacts } from './facts.ts'
import type { HostFacts } from './host-facts.ts'
import { roomOf } from './limits.ts'
import { hostsAsked, takesTurns } from './named.ts'
import { type Ask, type Offered, offerAt, zoneOf } from './offers.ts'

/** What of a series is booked: the positions of its dates, and whose places they take. */
export interface SeriesPlan {
  dates: readonly number[]
  places: HostFacts[]
}

/**
 * Which dates of a series are booked, by the host who can take the most of them: one series has one
 * host. Those that may be skipped are left out where they are not free.
 * @param maySkip whether the date at a position may be left out
 * @throws BAD_REQUEST with the same details for dates outside of the notice or the window
 * @throws CONFLICT with `details[{field: "3.start"}]` for dates that are not free and may not be
 * skipped, and when nothing is left
 */
export function planSeries(
  facts: EventFacts,
  ask: Ask,
  starts: readonly Date[],
  maySkip: (position: number) => boolean,
): SeriesPlan {
  const type = requireType(facts)
  requireDistinct(starts, ask.length)
  const offers = starts.map(start => offerAt(facts, ask, minutesOf(start)))
  const open = withinLimits(facts, ask, starts, at => offers[at] !== undefined)
  const missing = starts.map((_, at) => at).filter(at => !open.includes(at))
  requireWithin(
    facts,
    ask,
    starts,
    missing.filter(at => !maySkip(at)),
  )
  if (open.length === 0 || !missing.every(maySkip)) refuseTaken(starts, missing)
  const required = offers.filter((_, at) => !maySkip(at))
  const hostIds = mostlyFree(
    type,
    facts,
    open.map(at => offers[at]!),
    required,
  )
  const places = chooseHosts(facts, { start: 0, hostIds, seatsTaken: 0 }, new Set())
  const isWithAll = (at: number) => places.every(p => offers[at]?.hostIds.includes(p.userId))
  return { dates: withinLimits(facts, ask, starts, isWithAll), places }
}

/** The positions of dates that are free and leave the limits kept, those before each counted. */
function withinLimits(
  facts: EventFacts,
  { length }: Ask,
  starts: readonly Date[],
  isFree: (position: number) => boolean,
): number[] {
  const room = roomOf(requireType(facts), zoneOf(facts), facts.taken)
  return starts.flatMap((date, at) => {
    const start = minutesOf(date)
    if (!isFree(at) || !room.within(start, length)) return []
    room.note({ start, end: start + length })
    return [at]
  })
}

/** All who are always there, and of those who take turns whoever is free on the most dates. */
function mostlyFree(
  type: EventTypeFacts,
  facts: EventFacts,
  open: readonly Offered[],
  required: readonly (Offered | undefined)[],
): number[] {
  const asked = hostsAsked(type, facts)
  const turning = asked.filter(h => takesTurns(type, h)).map(h => h.userId)
  const fixed = asked.filter(h => !takesTurns(type, h)).map(h => h.userId)
  if (turning.length === 0) return fixed
  const able = turning.filter(id => required.every(o => o?.hostIds.includes(id)))
  if (able.length === 0)
    conflict(`hosts_unavailable_for_booking: no host of "${type.title}" is free on all dates`)
  const datesOf = (id: number) => open.filter(o => o.hostIds.includes(id)).length
  const most = Math.max(...able.map(datesOf))
  return [...fixed, ...able.filter(id => datesOf(id) === most)]
}

/** 400 where dates that are not to be skipped are not within the notice and the window. */
function requireWithin(
  facts: EventFacts,
  ask: Ask,
  starts: readonly Date[],
  missing: readonly number[],
): void {
  const faults = missing.flatMap((at): Detail[] => {
    const message = boundsFault(facts, ask, starts[at]!)
    return message === undefined ? [] : [{ field: `${at}.start`, message }]
  })
  if (faults.length > 0)
    badRequest('booking_time_out_of_bounds_error: some dates cannot be booked', faults)
}

const refuseTaken = (starts: readonly Date[], missing: readonly number[]): never => {
  const details = missing.map(
    (at): Detail => ({
      field: `${at}.start`,
      message: `${starts[at]!.toISOString()} is not available`,
    }),
  )
  throw new ApiError('CONFLICT', 'no_available_users_found_error: some dates are taken', details)
}

/** Occurrences that overlap each other could not all be hosted. */
function requireDistinct(starts: readonly Date[], length: number): void {
  const sorted = starts.map(minutesOf).sort((a, b) => a - b)
  const at = sorted.findIndex((start, i) => i > 0 && start - sorted[i - 1]! < length)
  if (at > 0) invalid({ field: `${at}.start`, message: 'overlaps another occurrence' })
}
