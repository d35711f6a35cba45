import { sql } from 'drizzle-orm'
import { bookingAttendees } from '#drizzle/schema/bookings.ts'
import { type Base, type Member, may, requirePermission, type Visitor } from '#lib/core/context.ts'
import { conflict, forbidden, invalid } from '#lib/core/errors.ts'
import { lookingAgain, QUEUE } from '#lib/db/meanings.ts'
import { query } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import type { Write } from '#lib/db/write.ts'
import { tellBookings } from '../messaging/bookings/queue.ts'
import { freeTime } from '../occupancies/writes.ts'
import { minutesOf } from './decide.ts'
import { emitBookings } from './events.ts'
import {
  CHANGED,
  changeBooking,
  enterByUid,
  findKnown,
  isOwn,
  type Known,
  knownSeries,
  readKnown,
  requireMove,
  requireOwn,
} from './known.ts'
import type { Cancellation } from './schema.ts'

/** What cancelling answers. */
export interface Cancelled {
  message: string
  onlyRemovedAttendee: boolean
  bookingId: number
  bookingUid: string
  /** All that were cancelled, when it was more than one of a series. */
  cancelledUids: string[]
}

interface Order {
  reason: string | null
  by: string
  byHost: boolean
  seat: string | undefined
  remaining: boolean
  subsequent: boolean
}

const orderOf = (input: Cancellation, by: string, byHost: boolean): Order => ({
  reason: input.reason ?? input.cancellationReason ?? null,
  by,
  byHost,
  seat: input.seatReferenceUid,
  remaining: input.allRemainingBookings ?? false,
  subsequent: input.cancelSubsequentBookings ?? false,
})

/**
 * Cancels the booking, or gives back the seat, that somebody holds the public identifier of. A member
 * of its account who may change it does so in the name of its host, and can name it by its id.
 */
export async function cancelByUid(v: Visitor, input: Cancellation, m?: Member): Promise<Cancelled> {
  if (m && (await isForHost(m, input))) return cancelBooking(m, input)
  const uid = input.uid ?? invalid({ field: 'uid', message: 'required' })
  const tenant = await enterByUid(v, uid)
  return cancel(v, tenant, { uid }, orderOf(input, input.cancelledBy ?? 'attendee', false))
}

/** Whether a member names a booking that is theirs to change; or one by an id, which only members know. */
async function isForHost(m: Member, { id, uid }: Cancellation): Promise<boolean> {
  if (!may(m, 'calendar.own')) return false
  if (uid === undefined) return id !== undefined
  const was = await findKnown(m.tenant, { uid })
  return was !== null && isOwn(m, was)
}

/** Cancels a booking in the name of its host. */
export async function cancelBooking(m: Member, input: Cancellation): Promise<Cancelled> {
  requirePermission(m, 'calendar.own')
  const { id, uid } = input
  if (id === undefined && uid === undefined) invalid({ field: 'uid', message: 'required' })
  const order = orderOf(input, `user:${m.userId}`, true)
  return cancel(m, m.tenant, { id, uid }, order, was => requireOwn(m, was))
}

function cancel(
  base: Base,
  tenant: Tenant,
  which: { id?: number | undefined; uid?: string | undefined },
  order: Order,
  check: (was: Known) => void = () => {},
): Promise<Cancelled> {
  const attempt = async () => {
    const was = await readKnown(tenant, which)
    check(was)
    requireMove(was, 'cancelled')
    if (!order.byHost && was.end <= minutesOf(base.now)) conflict('The meeting is over')
    if (!order.byHost && was.disableCancelling)
      conflict('This meeting cannot be cancelled by guests')
    if (was.isSeated && !order.byHost && !order.seat)
      forbidden('A booking with seats is cancelled by its host; seatReferenceUid gives back a seat')
    const write = tenant.write('booking.cancel', was.id)
    if (order.seat) return giveBackSeat(write, base, was, order)
    const all = await meant(base, tenant, was, order)
    for (const one of all) addCancel(write, base, one, order)
    tellBookings(
      write,
      base,
      'cancelled',
      all.map(b => b.id),
    )
    return write.commit({
      message: 'The booking is cancelled',
      onlyRemovedAttendee: false,
      bookingId: was.id,
      bookingUid: was.uid,
      cancelledUids: all.map(b => b.uid),
    })
  }
  // Seats are given back one after another, by as many as have one.
  return lookingAgain(CHANGED, attempt, order.seat ? QUEUE : undefined)
}

/** The booking alone, or with it those of its series that are still to come. */
async function meant(base: Base, tenant: Tenant, was: Known, order: Order): Promise<Known[]> {
  const { recurringEventId } = was
  if (recurringEventId === null || !(order.remaining || order.subsequent)) return [was]
  const series = await tenant.read(knownSeries, { recurringEventId })
  const now = minutesOf(base.now)
  return series.filter(b =>
    order.subsequent ? b.start >= was.start : b.start > now || b.id === was.id,
  )
}

/** Everything that cancels one booking but the e-mails, added to a write. */
export function addCancel(
  write: Write,
  base: Base,
  was: Known,
  { reason, by }: { reason: string | null; by: string },
  seat?: string,
): void {
  changeBooking(write, base, was, {
    status: 'cancelled',
    cancellationReason: reason,
    cancelledBy: by,
    joinHash: null,
  })
  freeTime(write, 'booking', [was.id])
  emitBookings(write, base, 'BOOKING_CANCELLED', [was.id], seat === undefined ? {} : { seat })
}

const removeSeat = query<{ id: number; seat: string }, unknown>(
  p => sql`with removed as (
    delete from ${bookingAttendees} where ${bookingAttendees.accountId} = ${p.account}
      and ${bookingAttendees.bookingId} = ${p.id}::int and ${bookingAttendees.seatUid} = ${p.seat}
    returning 1
  ) select must(exists(select from removed), 'booking_attendees_gone')`,
)

/** Gives back one seat; with the last one the booking itself is cancelled. */
async function giveBackSeat(
  write: Write,
  base: Base,
  was: Known,
  order: Order,
): Promise<Cancelled> {
  const seat = order.seat ?? ''
  const isLast = was.seats === 1
  if (isLast) {
    // The seat is checked by its guard; the row stays, as the record of who had booked.
    write.run(requireSeatOf, { id: was.id, seat })
    addCancel(write, base, was, order, seat)
    tellBookings(write, base, 'cancelled', [was.id], { seat })
  } else {
    changeBooking(write, base, was, {})
    emitBookings(write, base, 'BOOKING_CANCELLED', [was.id], { seat, givenBack: order })
    tellBookings(write, base, 'cancelled', [was.id], { seat })
    write.run(removeSeat, { id: was.id, seat })
  }
  return write.commit({
    message: isLast ? 'The booking is cancelled' : 'The seat is free again',
    onlyRemovedAttendee: !isLast,
    bookingId: was.id,
    bookingUid: was.uid,
    cancelledUids: isLast ? [was.uid] : [],
  })
}

const requireSeatOf = query<{ id: number; seat: string }, unknown>(
  p => sql`select must(exists (select from ${bookingAttendees}
    where ${bookingAttendees.accountId} = ${p.account} and ${bookingAttendees.bookingId} = ${p.id}::int
      and ${bookingAttendees.seatUid} = ${p.seat}), 'booking_attendees_gone')`,
)
