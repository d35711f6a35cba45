import { type Base, type Member, requirePermission, type Visitor } from '#lib/core/context.ts'
import { badRequest, conflict, forbidden } from '#lib/core/errors.ts'
import type { Json } from '#lib/core/json.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import { formatUtc } from '#lib/scheduling/zone.ts'
import { tellBookings } from '../messaging/bookings/queue.ts'
import { blockTime, freeTime } from '../occupancies/writes.ts'
import { lengthOf, minutesOf, needsConfirmation, requireOffer, requireType } from './decide.ts'
import { emitBookings } from './events.ts'
import { type EventFacts, eventFacts } from './facts.ts'
import { CHANGED, changeBooking, enterByUid, type Known, readKnown, requireOwn } from './known.ts'
import { REACH } from './offers.ts'
import { bookedById, bookingById } from './record.ts'
import type { Booking, NewBooking } from './schema.ts'
import { blocksOf, releaseHold } from './write.ts'

/** A new time for a booking. */
interface Move {
  start: Date
  end?: Date | undefined
  reason?: string | null | undefined
  by: string | null
  holdUid?: string | undefined
}

/**
 * Moves the booking that somebody holds the public identifier of. It keeps its identifier; one that
 * needs confirmation waits for it again.
 */
export async function rescheduleByUid(
  v: Visitor,
  uid: string,
  input: NewBooking,
): Promise<Json<Booking>> {
  const tenant = await enterByUid(v, uid)
  const move: Move = {
    start: input.start,
    end: input.end,
    reason: input.responses.rescheduleReason ?? null,
    by: input.rescheduledBy ?? input.responses.email,
    holdUid: input.holdUid,
  }
  return lookingAgain(CHANGED, async () => {
    const was = await readKnown(tenant, { uid })
    if (was.isSeated) forbidden('A booking with seats is moved by its host')
    const write = await moved(v, tenant, was, move, false)
    return write.commit(write.answer(bookedById, { id: was.id, seat: null }))
  })
}

/** Moves a booking in the name of its host: it stays confirmed if it was. */
export async function rescheduleBooking(
  m: Member,
  { id, uid, ...move }: Omit<Move, 'by'> & { id?: number | undefined; uid?: string | undefined },
): Promise<Json<Booking>> {
  requirePermission(m, 'calendar.own')
  return lookingAgain(CHANGED, async () => {
    const was = await readKnown(m.tenant, { id, uid })
    requireOwn(m, was)
    const write = await moved(m, m.tenant, was, { ...move, by: `user:${m.userId}` }, true)
    return write.commit(write.answer(bookingById, { id: was.id, uid: null, userId: null }))
  })
}

/** The write that gives a booking its new time, on the same hosts. */
async function moved(base: Base, tenant: Tenant, was: Known, move: Move, byHost: boolean) {
  const facts = await readFacts(base, tenant, was, move)
  const type = requireType(facts)
  requireMovable(facts, was, base, byHost)
  const length = move.end ? lengthOf(type, move) : was.end - was.start
  const offered = requireOffer(facts, { now: minutesOf(base.now), length }, move.start)
  const hosts = facts.hosts.filter(h => was.hostIds.includes(h.userId))
  if (hosts.some(h => !offered.hostIds.includes(h.userId)))
    conflict('hosts_unavailable_for_booking: the host is not free then', [
      { field: 'start', message: 'is not one of the offered starts of this host' },
    ])
  const end = new Date(move.start.getTime() + length * 60_000)
  const again =
    !byHost && was.status === 'accepted' && needsConfirmation(type, move.start, base.now)
  const write = tenant.write('booking.reschedule', was.id)
  changeBooking(write, base, was, {
    startTime: move.start.toISOString(),
    endTime: end.toISOString(),
    status: again ? 'pending' : was.status,
    reschedulingReason: move.reason ?? null,
    rescheduledBy: move.by,
    startedAt: null,
    endedAt: null,
  })
  releaseHold(write, move.holdUid)
  freeTime(write, 'booking', [was.id])
  blockTime(write, base.now, blocksOf({ id: was.id, type, hosts, start: move.start, end }))
  const previous = { start: formatUtc(was.start), end: formatUtc(was.end), by: move.by }
  emitBookings(write, base, 'BOOKING_RESCHEDULED', [was.id], { previous })
  tellBookings(write, base, 'changed', [was.id], { previous })
  if (again || was.status === 'pending') emitBookings(write, base, 'BOOKING_REQUESTED', [was.id])
  return write
}

function readFacts(base: Base, tenant: Tenant, was: Known, move: Move): Promise<EventFacts> {
  return tenant.read(eventFacts, {
    eventTypeId: was.eventTypeId ?? 0,
    from: formatUtc(minutesOf(move.start) - REACH),
    to: formatUtc(minutesOf(move.start) + REACH),
    now: base.now.toISOString(),
    exclude: was.id,
    hold: move.holdUid ?? null,
    email: null,
    count: 0,
  })
}

/** What is over, or is not to be moved (so late), stays where it is. */
function requireMovable(facts: EventFacts, was: Known, base: Base, byHost: boolean): void {
  if (was.status === 'cancelled' || was.status === 'rejected')
    conflict('cancelled_bookings_cannot_be_rescheduled: book anew')
  if (was.status === 'awaiting_host') conflict('An instant meeting cannot be moved')
  const type = requireType(facts)
  const now = minutesOf(base.now)
  if (was.end <= now && !type.allowReschedulingPast)
    badRequest('booking_time_out_of_bounds_error: the meeting is over')
  const { disabled = false, minutesBefore } = type.disableRescheduling ?? {}
  const tooLate = minutesBefore === undefined ? disabled : was.start - now < minutesBefore
  if (!byHost && tooLate) conflict('This meeting cannot be moved any more')
}
