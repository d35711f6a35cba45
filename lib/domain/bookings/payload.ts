import { type SQL, sql } from 'drizzle-orm'
import { members, users } from '#drizzle/schema/accounts.ts'
import { bookingAttendees, bookings } from '#drizzle/schema/bookings.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import { type Field, iso, json, jsonArray } from '#lib/db/json.ts'
import { from, named, type Slots } from '#lib/db/query.ts'
import type { EventType } from '#lib/events/catalog.ts'
import type { Emission } from '#lib/events/emit.ts'
import { addressOf } from './actors.ts'

/** What the payload of an event about a booking is given beside the booking's row. */
export interface PayloadParams {
  seat: string | null
  reason: string | null
  givenBackBy: string | null
  previousStart: string | null
  previousEnd: string | null
  previousUrl: string | null
  by: string | null
  joinUrl: string | null
  recording: string | null
}
type Given = Slots<PayloadParams & Emission>

const b = bookings
const a = bookingAttendees
const organizer = named(users, 'organizer')

/** How far a zone is ahead of UTC when the meeting begins, in minutes. */
const utcOffset = (zone: Field): SQL => sql`(extract(epoch from ${b.startTime} at time zone ${zone}
  - ${b.startTime} at time zone 'UTC') / 60)::int`

/** The host; while there is none, the owner of the business. */
const host = sql`(select ${json({
  id: organizer.id,
  name: organizer.name,
  email: organizer.email,
  username: organizer.username,
  timeZone: organizer.timeZone,
  language: json({ locale: organizer.locale }),
  timeFormat: organizer.timeFormat,
  utcOffset: utcOffset(organizer.timeZone),
})} from ${members} join ${from(organizer)} on ${organizer.id} = ${members.userId}
  where ${members.accountId} = ${b.accountId}
    and (${members.userId} = ${b.userId} or ${b.userId} is null and ${members.role} = 'owner')
  order by ${members.createdAt} limit 1)`

const attendees = (p: Given, extra: Record<string, Field> = {}): SQL =>
  jsonArray(
    json({
      name: a.name,
      email: a.email,
      timeZone: a.timeZone,
      language: json({ locale: a.locale }),
      phoneNumber: a.phoneNumber,
      utcOffset: utcOffset(a.timeZone),
      ...extra,
    }),
    sql`from ${a} where ${a.accountId} = ${b.accountId} and ${a.bookingId} = ${b.id}
      and (${p.seat}::text is null or ${a.seatUid} = ${p.seat}::text) order by ${a.id}`,
  )

/** What whoever has the seat answered, or whoever booked. */
const answers = (p: Given): SQL => sql`coalesce((select ${a.responses} from ${a}
  where ${a.accountId} = ${b.accountId} and ${a.seatUid} = ${p.seat}::text), ${b.responses})`

/** What the questions are called that every booking answers. */
const LABELS = sql.raw(
  `'${JSON.stringify({
    name: 'Name',
    email: 'E-mail',
    attendeePhoneNumber: 'Telephone',
    guests: 'Guests',
    notes: 'Notes',
    location: 'Place',
    rescheduleReason: 'Reason for moving it',
  })}'::jsonb`,
)

/** Answers with the labels of their questions: all, or those to the event type's own. */
const labelled = (p: Given, value: SQL, key: SQL, own = false): SQL =>
  sql`(select coalesce(json_object_agg(${key}, ${value}), '{}') from jsonb_each(${answers(p)}) r
    ${sql.raw(own ? '' : 'left')} join jsonb_to_recordset(coalesce(${eventTypes.bookingFields}, '[]'))
      as q(slug text, label text) on q.slug = r.key)`

const label = sql`coalesce(q.label, ${LABELS} ->> r.key, r.key)`
const answer = sql`json_build_object('label', ${label}, 'value', r.value)`

/** The booking as it is after the change: what every event about one says. */
const shared = (p: Given): Record<string, Field> => ({
  id: b.id,
  uid: b.uid,
  title: b.title,
  type: sql`coalesce(${eventTypes.slug}, 'deleted')`,
  startTime: b.startTime,
  endTime: b.endTime,
  organizer: host,
  attendees: attendees(p),
  status: sql`upper(${b.status}::text)`,
  eventTypeId: b.eventTypeId,
  bookingId: b.id,
  eventTitle: eventTypes.title,
  eventDescription: eventTypes.description,
  description: b.description,
  additionalNotes: sql`${answers(p)} ->> 'notes'`,
  location: sql`coalesce(${b.meetingUrl}, ${b.location})`,
  // No calendar or other application of the host's takes part yet.
  destinationCalendar: sql`null`,
  hideCalendarNotes: sql`false`,
  appsStatus: sql`'[]'::json`,
  responses: labelled(p, answer, sql`r.key`),
  userFieldsResponses: labelled(p, answer, sql`r.key`, true),
  customInputs: labelled(p, sql`r.value`, label, true),
  metadata: b.metadata,
  length: sql`(extract(epoch from ${b.endTime} - ${b.startTime}) / 60)::int`,
  price: b.price,
  currency: b.currency,
  requiresConfirmation: sql`(${b.status} = 'pending')`,
  recurringEventId: b.recurringEventId,
  seatsPerTimeSlot: eventTypes.seatsPerTimeSlot,
  seatsShowAttendees: eventTypes.seatsShowAttendees,
  seatReferenceUid: sql`${p.seat}::text`,
})

/** What single events say beside that. */
const DETAILS: Partial<Record<EventType, (p: Given) => Record<string, Field>>> = {
  BOOKING_RESCHEDULED: p => ({
    rescheduleId: b.id,
    rescheduleUid: b.uid,
    rescheduleStartTime: sql`${p.previousStart}::text`,
    rescheduleEndTime: sql`${p.previousEnd}::text`,
    rescheduledBy: addressOf(sql`${p.by}::text`),
    reschedulingReason: b.reschedulingReason,
  }),
  BOOKING_CANCELLED: p => ({
    // A seat that was given back is cancelled, whatever becomes of the others.
    status: sql`'CANCELLED'::text`,
    cancellationReason: sql`coalesce(${p.reason}::text, ${b.cancellationReason})`,
    cancelledBy: addressOf(sql`coalesce(${p.givenBackBy}::text, ${b.cancelledBy})`, p.seat),
  }),
  BOOKING_REJECTED: () => ({ rejectionReason: b.rejectionReason }),
  BOOKING_NO_SHOW_UPDATED: p => ({
    message: sql`'No-show status updated'::text`,
    bookingUid: b.uid,
    noShowHost: b.noShowHost,
    attendees: attendees(p, { noShow: a.noShow }),
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

/** The payload of an event about a booking, for a statement that reads `bookings` and its event type. */
export const payloadOf = (type: EventType, p: Given): SQL =>
  json({ ...shared(p), ...DETAILS[type]?.(p) })
