import { type SQL, sql } from 'drizzle-orm'
import { users } from '#drizzle/schema/accounts.ts'
import { bookingAttendees, bookings } from '#drizzle/schema/bookings.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import { json, jsonArray, jsonIf } from '#lib/db/json.ts'
import { query } from '#lib/db/query.ts'
import type { Booking, BookingAttendee, SeriesBooking } from './answer.ts'
import { hostIds } from './known.ts'

const b = bookings

const joins = sql`left join ${eventTypes} on ${eventTypes.accountId} = ${b.accountId}
    and ${eventTypes.id} = ${b.eventTypeId}
  left join ${users} on ${users.id} = ${b.userId}`

const ofBooking = sql`from ${bookingAttendees} where ${bookingAttendees.accountId} = ${b.accountId}
  and ${bookingAttendees.bookingId} = ${b.id}`

/** The attendees as one of them sees them: in a booking with seats the others by name at most. */
function attendeesFor(seat: SQL): SQL {
  const isOwn = sql`(not ${b.isSeated} or ${bookingAttendees.seatUid} = ${seat}::text)`
  return jsonArray(
    json<BookingAttendee>({
      id: bookingAttendees.id,
      name: bookingAttendees.name,
      email: sql`case when ${isOwn} then ${bookingAttendees.email} end`,
      timeZone: bookingAttendees.timeZone,
      locale: bookingAttendees.locale,
      phoneNumber: sql`case when ${isOwn} then ${bookingAttendees.phoneNumber} end`,
      noShow: bookingAttendees.noShow,
    }),
    sql`${ofBooking} and (${isOwn} or ${eventTypes.seatsShowAttendees})
      order by ${isOwn} desc, ${bookingAttendees.id}`,
  )
}

const shared = {
  id: b.id,
  uid: b.uid,
  eventTypeId: b.eventTypeId,
  userId: b.userId,
  title: b.title,
  description: b.description,
  startTime: b.startTime,
  endTime: b.endTime,
  status: b.status,
  location: b.location,
  meetingUrl: b.meetingUrl,
  paid: b.paid,
  price: b.price,
  currency: b.currency,
  cancellationReason: b.cancellationReason,
  rejectionReason: b.rejectionReason,
  reschedulingReason: b.reschedulingReason,
  rescheduled: sql`(${b.rescheduledBy} is not null)`,
  recurringEventId: b.recurringEventId,
  iCalUID: b.uid,
  iCalSequence: b.version,
  eventType: jsonIf(eventTypes.id, {
    id: eventTypes.id,
    slug: eventTypes.slug,
    title: eventTypes.title,
    length: eventTypes.length,
  }),
  createdAt: b.createdAt,
  updatedAt: b.updatedAt,
}

/** What the one who booked is told: the host without an address, and of seats theirs alone. */
const forVisitors = (seat: SQL) => ({
  ...shared,
  responses: sql`case when ${b.isSeated} then (select ${bookingAttendees.responses}
    from ${bookingAttendees} where ${bookingAttendees.accountId} = ${b.accountId}
      and ${bookingAttendees.seatUid} = ${seat}::text) else ${b.responses} end`,
  metadata: b.metadata,
  tracking: b.tracking,
  videoCallUrl: b.meetingUrl,
  rating: b.rating,
  ratingFeedback: b.ratingFeedback,
  noShowHost: b.noShowHost,
  creationSource: b.source,
  luckyUsers: hostIds,
  user: jsonIf(users.id, {
    email: sql`null`,
    name: users.name,
    username: users.username,
    timeZone: users.timeZone,
  }),
  attendees: attendeesFor(seat),
  seatReferenceUid: sql`${seat}::text`,
  paymentRequired: sql`(${b.price} > 0 and not ${b.paid})`,
  payment: sql`'[]'::json`,
  references: sql`'[]'::json`,
  isDryRun: sql`false`,
})

/** A booking as its maker is answered. */
export const bookedById = query<{ id: number; seat: string | null }, Booking>(
  p => sql`select ${json<Booking>(forVisitors(p.seat))} from ${b} ${joins}
    where ${b.accountId} = ${p.account} and ${b.id} = ${p.id}::int`,
)

/** The bookings of a series as their maker is answered, in order. */
export const bookedByIds = query<{ ids: readonly number[]; skipped: string }, SeriesBooking[]>(
  p =>
    sql`select ${jsonArray(
      json<SeriesBooking>({
        ...forVisitors(sql`null`),
        recurrence: json({ id: b.recurringEventId, skipped: sql`${p.skipped}::json` }),
      }),
      sql`from ${b} ${joins} where ${b.accountId} = ${p.account} and ${b.id} = any(${p.ids}::int[])
      order by array_position(${p.ids}::int[], ${b.id})`,
    )}`,
)
