import { sql } from 'drizzle-orm'
import { bookingHosts } from '#drizzle/schema/bookings.ts'
import { type Base, type Member, requirePermission, type Visitor } from '#lib/core/context.ts'
import { badRequest, conflict, forbidden, invalid } from '#lib/core/errors.ts'
import type { Json } from '#lib/core/json.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import { into, query } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import type { Write } from '#lib/db/write.ts'
import { formatUtc } from '#lib/scheduling/zone.ts'
import { tellBookings } from '../messaging/bookings/queue.ts'
import { blockTime, freeTime } from '../occupancies/writes.ts'
import type { Booking, MemberBooking } from './answer.ts'
import {
  chooseHosts,
  lengthOf,
  minutesOf,
  needsConfirmation,
  requireOffer,
  requireType,
} from './decide.ts'
import { emitBookings } from './events.ts'
import type { EventFacts, EventTypeFacts } from './facts.ts'
import type { HostFacts } from './host-facts.ts'
import {
  CHANGED,
  changeBooking,
  isOwn,
  type Known,
  readKnown,
  requireOwn,
  type Which,
} from './known.ts'
import { bookingById } from './member-view.ts'
import type { HostsNamed } from './named.ts'
import type { Offered } from './offers.ts'
import { type Place, placeAt, placeOf } from './places.ts'
import { isTooLateToMove } from './policy.ts'
import { readFacts } from './read.ts'
import { bookedById } from './record.ts'
import { addRelocation, emitPlace } from './relocate.ts'
import type { BookingStatus, NewBooking } from './schema.ts'
import { hostsAt } from './stand-ins.ts'
import { titleOf } from './title.ts'
import { blocksOf, guardLimits, releaseHolds } from './write.ts'

/** Somebody changed the booking, or booked what it counts with, between reading and writing. */
const LOOK_AGAIN = new Set([...CHANGED, 'event_types_turn'])

/** A new time for a booking. */
interface Move {
  start: Date
  end?: Date | undefined
  reason?: string | null | undefined
  by: string | null
  holdUid?: string | undefined
  /** Where it is from now on, by the event type as it is; left out, where it was. */
  place?: ((type: EventTypeFacts) => Place) | undefined
  /** Whoever is named must be its host: a booking that is moved keeps its hosts. */
  named?: HostsNamed | undefined
}

/**
 * Moves the booking that somebody holds the public identifier of. It keeps its identifier; one that
 * needs confirmation waits for it again. With the time that it has it stays as it is, but for another
 * place. A member who may change it does so in the name of its host.
 * @throws NOT_FOUND for a booking that is not in the account of its event type
 */
export function rescheduleByUid(
  base: Visitor | Member,
  tenant: Tenant,
  uid: string,
  input: NewBooking,
): Promise<Json<Booking>> {
  const { start, end, holdUid, responses, rescheduledBy } = input
  const place = responses.location
    ? (type: EventTypeFacts) => placeOf(type, input, uid, base)
    : undefined
  const move = { start, end, holdUid, place, reason: responses.rescheduleReason, named: input }
  return lookingAgain(LOOK_AGAIN, async () => {
    const was = await readKnown(tenant, { uid })
    if (was.eventTypeId !== input.eventTypeId)
      invalid({ field: 'eventTypeId', message: 'is not the event type of the booking' })
    const host = base.kind === 'member' && isOwn(base, was) ? base : undefined
    if (was.isSeated && !host) forbidden('A booking with seats is moved by its host')
    const by = rescheduledBy ?? (host ? `user:${host.userId}` : (responses.email ?? 'attendee'))
    const write = await moved(base, tenant, was, { ...move, by }, host !== undefined)
    return write.commit(write.answer(bookedById, { id: was.id, seat: null }))
  })
}

/**
 * Moves a booking in the name of its host: it stays confirmed if it was.
 * @param move `by` is the e-mail address of who asked for it, where that is not the member; `location`
 * another place, also one that the event type does not have
 */
export async function rescheduleBooking(
  m: Member,
  {
    id,
    uid,
    by = `user:${m.userId}`,
    location,
    ...move
  }: Omit<Move, 'by' | 'place'> &
    Which & { by?: string | undefined; location?: string | undefined },
): Promise<Json<MemberBooking>> {
  requirePermission(m, 'calendar.own')
  return lookingAgain(LOOK_AGAIN, async () => {
    const was = await readKnown(m.tenant, { id, uid })
    requireOwn(m, was)
    const place = location === undefined ? undefined : () => placeAt(location, was.uid, m)
    const write = await moved(m, m.tenant, was, { ...move, by, place }, true)
    return write.commit(write.answer(bookingById, { id: was.id, uid: null, userId: null }))
  })
}

/** The write that gives a booking its new time, on the same hosts or whoever takes over from them. */
async function moved(base: Base, tenant: Tenant, was: Known, move: Move, byHost: boolean) {
  const eventTypeId = was.eventTypeId ?? 0
  const { start, named } = move
  const window = { from: start, to: start, count: 0 }
  const asked = { eventTypeId, ...window, exclude: was.id, holders: [move], named }
  const facts = await readFacts(base, tenant, asked)
  const type = requireType(facts)
  requireMovable(type, was, base, byHost)
  const length = move.end ? lengthOf(type, move) : was.end - was.start
  const place = move.place?.(type)
  const write = tenant.write('booking.reschedule', was.id)
  if (place && isSameTime(was, start, length)) {
    addRelocation(write, base, was, place)
    return write
  }
  const offered = requireOffer(facts, { now: minutesOf(base.now), length }, start)
  const hosts = hostsAt(facts, placesOf(facts, was, offered), offered.start)
  const end = new Date(start.getTime() + length * 60_000)
  const status = statusOf(type, was, move, base, byHost)
  const isAsItWas =
    isSameTime(was, start, length) && status === was.status && !isWithOthers(was, hosts)
  if (!isAsItWas) addMove(write, base, was, { ...{ type, hosts, start, end, status, place }, move })
  return write
}

/** What was decided of a move. */
interface Moved {
  type: EventTypeFacts
  hosts: readonly HostFacts[]
  start: Date
  end: Date
  status: BookingStatus
  place: Place | undefined
  move: Move
}

/** Everything that moves a booking, added to a write. */
function addMove(
  write: Write,
  base: Base,
  was: Known,
  { type, hosts, start, end, status, place, move }: Moved,
): void {
  const ids = hosts.map(h => h.userId)
  const hostsChange = isWithOthers(was, hosts)
  changeBooking(write, base, was, {
    startTime: start.toISOString(),
    endTime: end.toISOString(),
    status,
    userId: hosts[0]?.userId ?? was.userId,
    ...(hostsChange && hosts[0] && { title: titleOf(type, { ...was, host: hosts[0].name }) }),
    ...place,
    reschedulingReason: move.reason ?? null,
    rescheduledBy: move.by,
    cancellationReason: null,
    cancelledBy: null,
    startedAt: null,
    endedAt: null,
    roomAt: null,
  })
  if (hostsChange) write.run(replaceHosts, { id: was.id, ids })
  guardLimits(write, type)
  releaseHolds(write, [move])
  freeTime(write, 'booking', [was.id])
  blockTime(write, base.now, blocksOf({ id: was.id, type, hosts, start, end }))
  const previous = { start: formatUtc(was.start), end: formatUtc(was.end), by: move.by }
  emitBookings(write, base, 'BOOKING_RESCHEDULED', [was.id], { previous })
  tellBookings(write, base, 'changed', [was.id], { previous })
  if (status === 'pending') emitBookings(write, base, 'BOOKING_REQUESTED', [was.id])
  if (place) emitPlace(write, base, was, place)
}

const isWithOthers = (was: Known, hosts: readonly HostFacts[]): boolean =>
  hosts
    .map(h => h.userId)
    .toSorted()
    .join() !== was.hostIds.toSorted().join()

/** Whether a live booking is to be when it is already. */
const isSameTime = (was: Known, start: Date, length: number): boolean =>
  (was.status === 'accepted' || was.status === 'pending') &&
  was.start === minutesOf(start) &&
  was.end - was.start === length

const replaceHosts = query<{ id: number; ids: readonly number[] }, unknown>(
  p => sql`with gone as (
    delete from ${bookingHosts} where ${bookingHosts.accountId} = ${p.account}
      and ${bookingHosts.bookingId} = ${p.id}::int and ${bookingHosts.userId} <> all(${p.ids}::int[])
  ) insert into ${into(bookingHosts, bookingHosts.bookingId, bookingHosts.userId)}
    select ${p.account}::int, ${p.id}::int, unnest(${p.ids}::int[]) on conflict do nothing`,
)

/**
 * The places of the hosts whom the booking has. One who took over from another, or hosts no more,
 * has none: then it is whoever's turn it is.
 */
function placesOf(facts: EventFacts, was: Known, offered: Offered): HostFacts[] {
  const places = facts.hosts.filter(h => was.hostIds.includes(h.userId))
  if (places.length < was.hostIds.length) return chooseHosts(facts, offered, new Set())
  if (places.some(h => !offered.hostIds.includes(h.userId)))
    conflict('hosts_unavailable_for_booking: the host is not free then', [
      { field: 'start', message: 'is not one of the offered starts of this host' },
    ])
  return places
}

/** What its host moves is accepted by that. What guests move may wait for confirmation again. */
function statusOf(
  type: EventTypeFacts,
  was: Known,
  { start }: Move,
  { now }: Base,
  byHost: boolean,
): BookingStatus {
  if (byHost) return 'accepted'
  return was.status === 'pending' || needsConfirmation(type, start, now) ? 'pending' : 'accepted'
}

/** What is over, or is not to be moved (so late), stays where it is. */
function requireMovable(type: EventTypeFacts, was: Known, base: Base, byHost: boolean): void {
  if (was.status === 'rejected' || (was.status === 'cancelled' && !type.allowReschedulingCancelled))
    conflict('cancelled_bookings_cannot_be_rescheduled: book anew')
  if (was.status === 'awaiting_host') conflict('An instant meeting cannot be moved')
  const now = minutesOf(base.now)
  if (was.end <= now && !type.allowReschedulingPast)
    badRequest('booking_time_out_of_bounds_error: the meeting is over')
  if (!byHost && isTooLateToMove(type.disableRescheduling, was.start, now))
    conflict('This meeting cannot be moved any more')
}
