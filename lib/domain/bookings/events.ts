import { sql } from 'drizzle-orm'
import { bookings } from '#drizzle/schema/bookings.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import type { Base } from '#lib/core/context.ts'
import type { Query } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import type { EventType } from '#lib/events/catalog.ts'
import { type Emission, emitFrom } from '#lib/events/emit.ts'
import { runWorkflows, type Trigger } from '../workflows/trigger.ts'
import { type PayloadParams, payloadOf } from './payload.ts'

/** What an event tells beside the booking as it is after the change. */
export interface EventDetails {
  /** The seat that the event is about, in a booking with seats. */
  seat?: string
  /** Why a seat was given back, and who said so; of a whole booking its row tells. */
  givenBack?: { reason: string | null; by: string }
  /** Where a booking was before it was moved (ISO 8601), or where it was to be joined. */
  previous?: { start?: string; end?: string; by?: string | null; url?: string | null }
  /** Where a recording, and a transcript of it by format, can be fetched. */
  recording?: { recording: string | null; transcription?: Record<string, string> }
  /** The link by which a host joins an instant meeting. */
  connectAndJoinUrl?: string
}

interface Params extends PayloadParams {
  ids: readonly number[]
}

const b = bookings

const emitters = new Map<EventType, Query<Params & Emission, unknown>>()

function emitterOf(type: EventType): Query<Params & Emission, unknown> {
  let found = emitters.get(type)
  if (!found) {
    found = emitFrom<Params>(p => ({
      subject: 'booking',
      subjectId: b.id,
      version: b.version,
      eventTypeId: b.eventTypeId,
      payload: payloadOf(type, p),
      from: sql`from ${b}
        left join ${eventTypes} on ${eventTypes.accountId} = ${b.accountId}
          and ${eventTypes.id} = ${b.eventTypeId}
        where ${b.accountId} = ${p.account} and ${b.id} = any(${p.ids}::int[]) order by ${b.startTime}`,
    }))
    emitters.set(type, found)
  }
  return found
}

/** Which workflows an event sets off. */
const TRIGGERS: Partial<Record<EventType, Trigger>> = {
  BOOKING_CREATED: 'newEvent',
  BOOKING_CONFIRMED: 'newEvent',
  BOOKING_REQUESTED: 'bookingRequested',
  BOOKING_REJECTED: 'bookingRejected',
  BOOKING_RESCHEDULED: 'rescheduleEvent',
  BOOKING_CANCELLED: 'eventCancelled',
  BOOKING_PAYMENT_INITIATED: 'bookingPaymentInitiated',
  BOOKING_PAID: 'bookingPaid',
}

/**
 * Emits one event for each of some bookings, and sets off the workflows that wait for it, in the batch
 * that changed them.
 */
export function emitBookings(
  write: Write,
  base: Base,
  type: EventType,
  ids: readonly number[],
  { seat, givenBack, previous = {}, recording, connectAndJoinUrl }: EventDetails = {},
): void {
  write.run(emitterOf(type), {
    type,
    ids,
    now: base.now.toISOString(),
    seat: seat ?? null,
    reason: givenBack?.reason ?? null,
    givenBackBy: givenBack?.by ?? null,
    previousStart: previous.start ?? null,
    previousEnd: previous.end ?? null,
    previousUrl: previous.url ?? null,
    by: previous.by ?? null,
    joinUrl: connectAndJoinUrl ?? null,
    recording: recording ? JSON.stringify(recording) : null,
  })
  const trigger = TRIGGERS[type]
  if (trigger) runWorkflows(write, base, trigger, { subject: 'booking', ids, seat })
}
