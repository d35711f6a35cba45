import { badRequest, conflict, invalid, notFound } from '#lib/core/errors.ts'
import { nextHost } from '#lib/scheduling/fair.ts'
import { formatUtc } from '#lib/scheduling/zone.ts'
import type { EventFacts, EventTypeFacts, TakenFacts } from './facts.ts'
import type { HostFacts } from './host-facts.ts'
import { hostsAsked } from './named.ts'
import { type Ask, type Offered, offerAt, windowOf } from './offers.ts'

/** Minutes since the epoch. */
export const minutesOf = (date: Date): number => date.getTime() / 60_000

/** The event type, or 404. */
export const requireType = (facts: EventFacts): EventTypeFacts =>
  facts.eventType ?? notFound('Event type')

/** How long a booking may be: as its event type is, or as one of its options. Minutes. */
export const lengthsOf = (type: EventTypeFacts): number[] => [type.length, ...type.lengthOptions]

/** The length of a booking: the event type's own, or one of its options. */
export function lengthOf(
  type: EventTypeFacts,
  input: { start: Date; end?: Date | undefined },
): number {
  if (!input.end) return type.length
  const length = minutesOf(input.end) - minutesOf(input.start)
  const options = lengthsOf(type)
  if (!options.includes(length))
    invalid({ field: 'end', message: `must be ${options.join(' or ')} minutes after start` })
  return length
}

/** An offered start; 400 for one that nobody could have now, 409 for one that is taken. */
export function requireOffer(facts: EventFacts, ask: Ask, start: Date, field = 'start'): Offered {
  const offered = offerAt(facts, ask, minutesOf(start))
  if (offered) return offered
  const fault = boundsFault(facts, ask, start)
  if (fault) badRequest(`booking_time_out_of_bounds_error: ${fault}`, [{ field, message: fault }])
  const { seats } = requireType(facts)
  const isFull = (b: TakenFacts) =>
    seats !== null && b.seats >= seats && b.start === minutesOf(start)
  if (facts.taken.some(isFull))
    conflict('booking_seats_full_error: no seat is left', [{ field, message: 'no seat is left' }])
  return conflict('no_available_users_found_error: this time is not available', [
    { field, message: 'is not one of the offered starts' },
  ])
}

/** Why a start is not within the notice and the window of an event type; undefined where it is. */
export function boundsFault(facts: EventFacts, ask: Ask, start: Date): string | undefined {
  const type = requireType(facts)
  const at = minutesOf(start)
  if (at < ask.now + type.notice)
    return `is too soon or past: it must be at least ${type.notice} minutes ahead`
  const { earliest, latest } = windowOf(facts, type, ask.now)
  if (at < earliest) return `is too early: the first that can be booked is ${formatUtc(earliest)}`
  if (at > latest) return `is too late: it can be booked until ${formatUtc(Math.floor(latest))}`
  return undefined
}

/**
 * Whose places a booking takes (lib/domain/bookings/stand-ins.ts says who hosts in them): all who must
 * be there, and of those who take turns the next.
 */
export function chooseHosts(
  facts: EventFacts,
  offered: Offered,
  tried: ReadonlySet<number>,
): HostFacts[] {
  const type = requireType(facts)
  const free = facts.hosts.filter(h => offered.hostIds.includes(h.userId))
  if (type.schedulingType !== 'roundRobin') {
    if (free.some(h => tried.has(h.userId))) refuseTaken()
    return free
  }
  const fixed = free.filter(h => h.isFixed)
  const rotating = hostsAsked(type, facts).filter(h => !h.isFixed)
  const open = free.filter(h => !h.isFixed && !tried.has(h.userId))
  if (fixed.some(h => tried.has(h.userId)) || (rotating.length > 0 && open.length === 0))
    refuseTaken()
  if (rotating.length === 0) return fixed
  const id = nextHost(
    facts.hosts.map(({ userId: id, ...host }) => ({ ...host, id })),
    new Set(open.map(h => h.userId)),
  )
  const chosen = open.find(h => h.userId === id) ?? open[0]!
  return [...fixed, chosen]
}

const refuseTaken = (): never =>
  conflict('no_available_users_found_error: this time was taken a moment ago', [
    { field: 'start', message: 'is not one of the offered starts' },
  ])

/**
 * Refuses more bookings ahead than an event type lets one person have. Who is offered to move one
 * instead is told which by its start; not by its identifier, with which whoever knows the address could
 * cancel it.
 */
export function requireFewActive(facts: EventFacts, more = 1): void {
  const { maximumActiveBookings: max, offerReschedule } = requireType(facts)
  if (max === null || facts.active.length + more <= max) return
  const [next] = facts.active
  const refusal = `booking_limit_error: at most ${max} bookings ahead per person`
  const start = next && formatUtc(next.start)
  if (offerReschedule && next)
    conflict(`${refusal}; the one at ${start} can be moved instead`, [
      { field: 'start', message: `there is a booking at ${start} that can be moved` },
    ])
  conflict(refusal)
}

/** Whether a new booking waits for its host's word: unless it starts later than the threshold. */
export function needsConfirmation(type: EventTypeFacts, start: Date, now: Date): boolean {
  if (!type.requiresConfirmation) return false
  const { confirmationNotice } = type
  if (!confirmationNotice) return true
  const unit = { minutes: 1, hours: 60, days: 1440 }[confirmationNotice.unit]
  return minutesOf(start) - minutesOf(now) < confirmationNotice.count * unit
}
