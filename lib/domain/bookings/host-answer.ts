import type { Base, Visitor } from '#lib/core/context.ts'
import { conflict, notFound } from '#lib/core/errors.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import type { Write } from '#lib/db/write.ts'
import { readAnswerToken } from '../messaging/bookings/answer-link.ts'
import { tellBookings } from '../messaging/bookings/queue.ts'
import { freeTime } from '../occupancies/writes.ts'
import { emitBookings } from './events.ts'
import {
  CHANGED,
  changeBooking,
  enterByUid,
  type Known,
  knownSeries,
  readKnown,
  requireMove,
} from './known.ts'

/** What waits for one word of the host: of a series all that still waits, else the booking alone. */
async function waitingWith(tenant: Tenant, was: Known): Promise<Known[]> {
  const { recurringEventId } = was
  if (recurringEventId === null) return [was]
  const series = await tenant.read(knownSeries, { recurringEventId })
  return series.filter(b => b.status === 'pending')
}

/** Accepts a booking that waits for its host's word, and all of its series that do. */
export async function addConfirm(
  write: Write,
  base: Base,
  tenant: Tenant,
  was: Known,
): Promise<number[]> {
  if (was.status === 'awaiting_host') conflict('An instant meeting is accepted by joining it')
  requireMove(was, 'accepted')
  const all = await waitingWith(tenant, was)
  for (const one of all) changeBooking(write, base, one, { status: 'accepted' })
  const ids = all.map(b => b.id)
  emitBookings(write, base, 'BOOKING_CONFIRMED', ids)
  tellBookings(write, base, 'confirmed', ids)
  return ids
}

/** Turns down a booking that waits for its host's word, and all of its series that do. */
export async function addReject(
  write: Write,
  base: Base,
  tenant: Tenant,
  was: Known,
  reason: string | null,
): Promise<number[]> {
  requireMove(was, 'rejected')
  const all = await waitingWith(tenant, was)
  for (const one of all)
    changeBooking(write, base, one, { status: 'rejected', rejectionReason: reason })
  const ids = all.map(b => b.id)
  freeTime(write, 'booking', ids)
  emitBookings(write, base, 'BOOKING_REJECTED', ids)
  tellBookings(write, base, 'rejected', ids)
  return ids
}

/** A host's answer by the link of an e-mail. */
export interface HostAnswer {
  token: string
  answer: 'confirm' | 'decline'
  reason?: string | null | undefined
  /** The version that the host has seen: what was changed since is not answered unseen. */
  version?: number | undefined
}

/** What an answer made of the bookings: those of a series that waited, together. */
export interface Answered {
  uid: string
  status: 'accepted' | 'rejected'
  bookingIds: number[]
}

/**
 * Confirms or declines by the link that a host was sent; of a series all dates that wait.
 * @throws NOT_FOUND when the link is forged, has ended, or its reader hosts the booking no more
 * @throws CONFLICT when it was answered already, or has changed since it was looked at
 */
export async function answerByToken(v: Visitor, input: HostAnswer): Promise<Answered> {
  const { uid, userId } =
    (await readAnswerToken(v.settings, input.token, v.now)) ?? notFound('Link')
  const tenant = await enterByUid(v, uid)
  return lookingAgain(CHANGED, async () => {
    const was = await readKnown(tenant, { uid })
    if (!was.hostIds.includes(userId)) notFound('Booking')
    if (input.version !== undefined && input.version !== was.version && was.status === 'pending')
      conflict('The booking has changed; please look at it again')
    const isYes = input.answer === 'confirm'
    const write = tenant.write(isYes ? 'booking.confirm' : 'booking.reject', was.id)
    const bookingIds = isYes
      ? await addConfirm(write, v, tenant, was)
      : await addReject(write, v, tenant, was, input.reason ?? null)
    return write.commit({ uid, status: isYes ? 'accepted' : 'rejected', bookingIds } as const)
  })
}
