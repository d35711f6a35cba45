import { type SQL, sql } from 'drizzle-orm'
import { users } from '#drizzle/schema/accounts.ts'
import { bookingAttendees, bookingHosts, bookings } from '#drizzle/schema/bookings.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import { json, jsonArray, jsonIf } from '#lib/db/json.ts'
import { type ListSpec, lister } from '#lib/db/list.ts'
import { query } from '#lib/db/query.ts'
import type { Booking } from './schema.ts'

const b = bookings

const joins = sql`left join ${eventTypes} on ${eventTypes.accountId} = ${b.accountId}
    and ${eventTypes.id} = ${b.eventTypeId}
  left join ${users} on ${users.id} = ${b.userId}`

const ofBooking = sql`from ${bookingAttendees} where ${bookingAttendees.accountId} = ${b.accountId}
  and ${bookingAttendees.bookingId} = ${b.id}`

/** The attendees of a booking. */
const attendees = jsonArray(
  json({
    id: bookingAttendees.id,
    name: bookingAttendees.name,
    email: bookingAttendees.email,
    timeZone: bookingAttendees.timeZone,
    locale: bookingAttendees.locale,
    phoneNumber: bookingAttendees.phoneNumber,
    noShow: bookingAttendees.noShow,
  }),
  sql`${ofBooking} order by ${bookingAttendees.id}`,
)

/** The attendees as one of them sees them: in a booking with seats the others by name at most. */
function attendeesFor(seat: SQL): SQL {
  const isOwn = sql`(not ${b.isSeated} or ${bookingAttendees.seatUid} = ${seat}::text)`
  return jsonArray(
    json({
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

const hosts = jsonArray(
  sql`(select row_to_json(o) from (select h.id as id, h.name as name, h.username as username,
    h.time_zone as "timeZone") o)`,
  sql`from ${bookingHosts} join users h on h.id = ${bookingHosts.userId}
    where ${bookingHosts.accountId} = ${b.accountId} and ${bookingHosts.bookingId} = ${b.id}
    order by h.id`,
)

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

const forMembers = {
  ...shared,
  responses: b.responses,
  metadata: b.metadata,
  tracking: b.tracking,
  cancelledBy: b.cancelledBy,
  rescheduledBy: b.rescheduledBy,
  isSeated: b.isSeated,
  noShowHost: b.noShowHost,
  rating: b.rating,
  source: b.source,
  version: b.version,
  hosts,
  attendees,
}

/** What the one who booked is told: the host without an address, and of seats theirs alone. */
const forVisitors = (seat: SQL) => ({
  ...shared,
  responses: sql`case when ${b.isSeated} then (select ${bookingAttendees.responses}
    from ${bookingAttendees} where ${bookingAttendees.accountId} = ${b.accountId}
      and ${bookingAttendees.seatUid} = ${seat}::text) else ${b.responses} end`,
  metadata: b.metadata,
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
  p => sql`select ${json(forVisitors(p.seat))} from ${b} ${joins}
    where ${b.accountId} = ${p.account} and ${b.id} = ${p.id}::int`,
)

/** The bookings of a series as their maker is answered, in order. */
export const bookedByIds = query<{ ids: readonly number[] }, Booking[]>(
  p =>
    sql`select ${jsonArray(
      json(forVisitors(sql`null`)),
      sql`from ${b} ${joins} where ${b.accountId} = ${p.account} and ${b.id} = any(${p.ids}::int[])
      order by ${b.startTime}`,
    )}`,
)

/** Whether a member hosts or owns a booking, for those who see their own alone. */
const isOf = (userId: SQL): SQL => sql`(${b.userId} = ${userId}::int or exists (
  select from ${bookingHosts} where ${bookingHosts.accountId} = ${b.accountId}
    and ${bookingHosts.bookingId} = ${b.id} and ${bookingHosts.userId} = ${userId}::int))`

/** A booking as a member of the account sees it; of one user alone where `userId` is given. */
export const bookingById = query<
  { id: number | null; uid: string | null; userId: number | null },
  Booking
>(
  p => sql`select ${json(forMembers)} from ${b} ${joins} where ${b.accountId} = ${p.account}
    and (${b.id} = ${p.id}::int or ${b.uid} = ${p.uid}::text)
    and (${p.userId}::int is null or ${isOf(p.userId)})`,
)

const spec: ListSpec = {
  table: bookings,
  record: json(forMembers),
  joins,
  orders: { startTime: { by: b.startTime, type: 'timestamptz' } },
  defaultOrder: '-startTime',
  filters: {
    status: given => sql`${b.status} = ${given.status}`,
    from: given => sql`${b.startTime} >= ${given.from}::timestamptz`,
    to: given => sql`${b.startTime} < ${given.to}::timestamptz`,
    endsAfter: given => sql`${b.endTime} > ${given.endsAfter}::timestamptz`,
    eventTypeId: given => sql`${b.eventTypeId} = ${given.eventTypeId}::int`,
    userId: given => isOf(given.userId!),
    attendeeEmail: given => sql`exists (select from ${bookingAttendees}
      where ${bookingAttendees.accountId} = ${b.accountId}
        and ${bookingAttendees.bookingId} = ${b.id}
        and lower(${bookingAttendees.email}) = lower(${given.attendeeEmail}))`,
  },
  search: sql`${b.title} || ' ' || coalesce((select string_agg(${bookingAttendees.name} || ' '
    || ${bookingAttendees.email}, ' ') from ${bookingAttendees}
    where ${bookingAttendees.accountId} = ${b.accountId}
      and ${bookingAttendees.bookingId} = ${b.id}), '')`,
}

/** Pages of bookings. */
export const bookingPages = lister<Booking>(spec)
