import { type SQL, sql } from 'drizzle-orm'
import { members, users } from '#drizzle/schema/accounts.ts'
import { bookingAttendees, bookings } from '#drizzle/schema/bookings.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import type { Base } from '#lib/core/context.ts'
import { type Field, iso, json, jsonArray, jsonIf } from '#lib/db/json.ts'
import type { Query, Slots } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import type { EventType } from '#lib/events/catalog.ts'
import { type Emission, emitFrom } from '#lib/events/emit.ts'
import { runWorkflows, type Trigger } from '../workflows/trigger.ts'

/** What an event tells beside the booking as it is after the change. */
export interface EventDetails {
  /** The seat that the event is about, in a booking with seats. */
  seat?: string
  /** Where a booking was before it was moved (ISO 8601), or where it was to be joined. */
  previous?: { start?: string; end?: string; by?: string | null; url?: string | null }
  /** Where a recording, and a transcript of it by format, can be fetched. */
  recording?: { recording: string | null; transcription?: Record<string, string> }
  /** The link by which a host joins an instant meeting. */
  connectAndJoinUrl?: string
}

interface Params {
  ids: readonly number[]
  seat: string | null
  previousStart: string | null
  previousEnd: string | null
  previousUrl: string | null
  by: string | null
  joinUrl: string | null
  recording: string | null
}
type Given = Slots<Params & Emission>

const b = bookings

const owner = sql`(select row_to_json(o) from (
  select ${users.name} as name, ${users.email} as email from ${members}
    join ${users} on ${users.id} = ${members.userId}
  where ${members.accountId} = ${b.accountId} and ${members.role} = 'owner'
  order by ${members.createdAt} limit 1) o)`

const attendees = (p: Given, extra: Record<string, Field> = {}): SQL =>
  jsonArray(
    json({
      name: bookingAttendees.name,
      email: bookingAttendees.email,
      timeZone: bookingAttendees.timeZone,
      ...extra,
    }),
    sql`from ${bookingAttendees} where ${bookingAttendees.accountId} = ${b.accountId}
      and ${bookingAttendees.bookingId} = ${b.id}
      and (${p.seat}::text is null or ${bookingAttendees.seatUid} = ${p.seat}::text)
      order by ${bookingAttendees.id}`,
  )

/** The booking as it is after the change: what every event about one says. */
const shared = (p: Given): Record<string, Field> => ({
  id: b.id,
  uid: b.uid,
  title: b.title,
  type: sql`coalesce(${eventTypes.slug}, 'deleted')`,
  startTime: b.startTime,
  endTime: b.endTime,
  organizer: sql`coalesce(${jsonIf(users.id, { name: users.name, email: users.email })}, ${owner})`,
  attendees: attendees(p),
  status: b.status,
  eventTypeId: b.eventTypeId,
  bookingId: b.id,
  eventTitle: eventTypes.title,
  description: b.description,
  location: sql`coalesce(${b.meetingUrl}, ${b.location})`,
  responses: b.responses,
  metadata: b.metadata,
  length: sql`(extract(epoch from ${b.endTime} - ${b.startTime}) / 60)::int`,
  price: b.price,
  currency: b.currency,
  requiresConfirmation: sql`(${b.status} = 'pending')`,
  recurringEventId: b.recurringEventId,
})

/** What single events say beside that. */
const DETAILS: Partial<Record<EventType, (p: Given) => Record<string, Field>>> = {
  BOOKING_RESCHEDULED: p => ({
    rescheduleUid: b.uid,
    rescheduleStartTime: sql`${p.previousStart}::text`,
    rescheduleEndTime: sql`${p.previousEnd}::text`,
    rescheduledBy: sql`${p.by}::text`,
  }),
  BOOKING_CANCELLED: () => ({
    cancellationReason: b.cancellationReason,
    cancelledBy: b.cancelledBy,
  }),
  BOOKING_REJECTED: () => ({ rejectionReason: b.rejectionReason }),
  BOOKING_NO_SHOW_UPDATED: p => ({
    message: sql`'No-show status updated'::text`,
    bookingUid: b.uid,
    noShowHost: b.noShowHost,
    attendees: attendees(p, { noShow: bookingAttendees.noShow }),
  }),
  MEETING_URL_CHANGED: p => ({
    bookingUid: b.uid,
    oldUrl: sql`${p.previousUrl}::text`,
    newUrl: sql`coalesce(${b.meetingUrl}, ${b.location})`,
  }),
  RECORDING_READY: p => ({ downloadLink: sql`${p.recording}::json ->> 'recording'` }),
  RECORDING_TRANSCRIPTION_GENERATED: p => ({ downloadLinks: sql`${p.recording}::json` }),
  INSTANT_MEETING: p => ({
    connectAndJoinUrl: sql`${p.joinUrl}::text`,
    eventTypeTitle: eventTypes.title,
    expiresAt: iso(b.joinExpiresAt),
  }),
}

const emitters = new Map<EventType, Query<Params & Emission, unknown>>()

function emitterOf(type: EventType): Query<Params & Emission, unknown> {
  let found = emitters.get(type)
  if (!found) {
    found = emitFrom<Params>(p => ({
      subject: 'booking',
      subjectId: b.id,
      version: b.version,
      eventTypeId: b.eventTypeId,
      payload: json({ ...shared(p), ...DETAILS[type]?.(p) }),
      from: sql`from ${b}
        left join ${eventTypes} on ${eventTypes.accountId} = ${b.accountId}
          and ${eventTypes.id} = ${b.eventTypeId}
        left join ${users} on ${users.id} = ${b.userId}
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
  { seat, previous = {}, recording, connectAndJoinUrl }: EventDetails = {},
): void {
  write.run(emitterOf(type), {
    type,
    ids,
    now: base.now.toISOString(),
    seat: seat ?? null,
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
