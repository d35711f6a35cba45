import { ApiError, badRequest, conflict, invalid, notFound } from '#lib/core/errors.ts'
import { nextHost } from '#lib/scheduling/fair.ts'
import type { EventFacts, EventTypeFacts, HostFacts } from './facts.ts'
import { type Ask, type Offered, offerAt } from './offers.ts'
import type { NewBooking } from './schema.ts'

/** Minutes since the epoch. */
export const minutesOf = (date: Date): number => date.getTime() / 60_000

/** The event type, or 404. */
export const requireType = (facts: EventFacts): EventTypeFacts =>
  facts.eventType ?? notFound('Event type')

/** The length of a booking: the event type's own, or one of its options. */
export function lengthOf(
  type: EventTypeFacts,
  input: { start: Date; end?: Date | undefined },
): number {
  if (!input.end) return type.length
  const length = minutesOf(input.end) - minutesOf(input.start)
  const options = [type.length, ...type.lengthOptions]
  if (!options.includes(length))
    invalid({ field: 'end', message: `must be ${options.join(' or ')} minutes after start` })
  return length
}

/** An offered start; 400 for one that nobody could ever have, 409 for one that is taken. */
export function requireOffer(facts: EventFacts, ask: Ask, start: Date): Offered {
  const type = requireType(facts)
  const offered = offerAt(facts, ask, minutesOf(start))
  if (offered) return offered
  if (minutesOf(start) < ask.now + type.notice)
    badRequest('booking_time_out_of_bounds_error: it is too soon or past', [
      { field: 'start', message: `must be at least ${type.notice} minutes ahead` },
    ])
  return conflict('no_available_users_found_error: this time is not available', [
    { field: 'start', message: 'is not one of the offered starts' },
  ])
}

/** The hosts of a booking: all who must be there, and of those who take turns the next. */
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
  const rotating = facts.hosts.filter(h => !h.isFixed)
  const open = free.filter(h => !h.isFixed && !tried.has(h.userId))
  if (fixed.some(h => tried.has(h.userId)) || (rotating.length > 0 && open.length === 0))
    refuseTaken()
  if (rotating.length === 0) return fixed
  const id = nextHost(
    rotating.map(({ userId: id, ...host }) => ({ ...host, id })),
    new Set(open.map(h => h.userId)),
  )
  const chosen = open.find(h => h.userId === id) ?? open[0]!
  return [...fixed, chosen]
}

const refuseTaken = (): never =>
  conflict('no_available_users_found_error: this time was taken a moment ago', [
    { field: 'start', message: 'is not one of the offered starts' },
  ])

/** Refuses more bookings ahead than an event type lets one person have. */
export function requireFewActive(facts: EventFacts): void {
  const type = requireType(facts)
  const max = type.maximumActiveBookings
  if (max !== null && facts.active >= max)
    throw new ApiError('CONFLICT', `booking_limit_error: at most ${max} bookings ahead per person`)
}

/** Whether a new booking waits for its host's word: unless it starts later than the threshold. */
export function needsConfirmation(type: EventTypeFacts, start: Date, now: Date): boolean {
  if (!type.requiresConfirmation) return false
  const { confirmationNotice } = type
  if (!confirmationNotice) return true
  const unit = { minutes: 1, hours: 60, days: 1440 }[confirmationNotice.unit]
  return minutesOf(start) - minutesOf(now) < confirmationNotice.count * unit
}

/** Where the meeting is: what was answered, else the event type's first place. */
export function placeOf(
  type: EventTypeFacts,
  input: NewBooking,
  uid: string,
): { location: string | null; meetingUrl: string | null } {
  const [first] = type.locations
  const answered = input.responses.location
  const said = typeof answered === 'string' ? answered : answered?.optionValue || answered?.value
  const location =
    said || first?.value || first?.link || first?.address || first?.phone || first?.type || null
  if (location === null) return { location, meetingUrl: null }
  if (location === 'integrations:jitsi' || first?.type === 'integrations:jitsi')
    return { location: 'integrations:jitsi', meetingUrl: `https://meet.jit.si/almanac-${uid}` }
  return { location, meetingUrl: /^https?:\/\//.test(location) ? location : null }
}
