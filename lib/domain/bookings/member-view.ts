import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { users } from '#drizzle/schema/accounts.ts'
import { bookingAttendees, bookingHosts, bookings } from '#drizzle/schema/bookings.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import type { Member } from '#lib/core/context.ts'
import { existing, type Json, type Page } from '#lib/core/json.ts'
import { momentInCompany } from '#lib/db/days.ts'
import { json, jsonArray, jsonIf } from '#lib/db/json.ts'
import { idsOf, lister, type Order } from '#lib/db/list.ts'
import { from, named, query } from '#lib/db/query.ts'
import { ownFilter, ownUser, userIds } from '#lib/domain/teams/reach.ts'
import { addressOf } from './actors.ts'
import type { BookingHost, MemberAttendee, MemberBooking } from './answer.ts'
import { isNamed, type Which } from './known.ts'
import type { BookingFilter, BookingView } from './member-schema.ts'

const b = bookings
const a = bookingAttendees
const host = named(users, 'h')

const attendeesOf = (record: SQL, condition: SQL): SQL =>
  jsonArray(
    record,
    sql`from ${a} where ${a.accountId} = ${b.accountId} and ${a.bookingId} = ${b.id}
      and ${condition} order by ${a.id}`,
  )

const record = json<MemberBooking>({
  id: b.id,
  uid: b.uid,
  title: b.title,
  description: b.description,
  status: b.status,
  start: b.startTime,
  end: b.endTime,
  duration: sql`(extract(epoch from ${b.endTime} - ${b.startTime}) / 60)::int`,
  eventTypeId: b.eventTypeId,
  eventType: jsonIf(eventTypes.id, { id: eventTypes.id, slug: eventTypes.slug }),
  hosts: jsonArray(
    json<BookingHost>({
      id: host.id,
      name: host.name,
      email: host.email,
      username: host.username,
      timeZone: host.timeZone,
    }),
    sql`from ${bookingHosts} join ${from(host)} on ${host.id} = ${bookingHosts.userId}
      where ${bookingHosts.accountId} = ${b.accountId} and ${bookingHosts.bookingId} = ${b.id}
      order by ${host.id}`,
  ),
  attendees: attendeesOf(
    json<MemberAttendee>({
      id: a.id,
      name: a.name,
      email: a.email,
      displayEmail: a.email,
      timeZone: a.timeZone,
      language: a.locale,
      phoneNumber: a.phoneNumber,
      absent: a.noShow,
      seatUid: a.seatUid,
    }),
    sql`not ${a.isGuest}`,
  ),
  guests: attendeesOf(sql`to_json(${a.email})`, sql`${a.isGuest}`),
  location: b.location,
  meetingUrl: b.meetingUrl,
  absentHost: b.noShowHost,
  cancellationReason: b.cancellationReason,
  cancelledByEmail: addressOf(b.cancelledBy),
  rejectionReason: b.rejectionReason,
  reschedulingReason: b.reschedulingReason,
  rescheduledByEmail: addressOf(b.rescheduledBy),
  recurringBookingUid: b.recurringEventId,
  bookingFieldsResponses: b.responses,
  metadata: b.metadata,
  tracking: b.tracking,
  price: b.price,
  currency: b.currency,
  paid: b.paid,
  rating: b.rating,
  ratingFeedback: b.ratingFeedback,
  source: b.source,
  icsUid: b.uid,
  version: b.version,
  createdAt: b.createdAt,
  updatedAt: b.updatedAt,
})

const joins = sql`left join ${eventTypes} on ${eventTypes.accountId} = ${b.accountId}
  and ${eventTypes.id} = ${b.eventTypeId}`

/** Whether a user organizes or hosts a booking. */
const isOf = (userId: SQL): SQL => sql`(${b.userId} = ${userId}::int or exists (
  select from ${bookingHosts} where ${bookingHosts.accountId} = ${b.accountId}
    and ${bookingHosts.bookingId} = ${b.id} and ${bookingHosts.userId} = ${userId}::int))`

/** A booking as a member of the account sees it; of one user alone where `userId` is given. */
export const bookingById = query<
  { id: number | null; uid: string | null; userId: number | null },
  MemberBooking
>(
  p => sql`select ${record} from ${b} ${joins} where ${b.accountId} = ${p.account}
    and ${isNamed(p)}
    and (${p.userId}::int is null or ${isOf(p.userId)})`,
)

const found = named(bookings, 'found')

/** Each part has an index of its own: bookings_search and booking_attendees_search. */
const isFound = (holds: (text: SQL | AnyPgColumn) => SQL): SQL => sql`${b.id} in (
  select ${found.id} from ${from(found)} where ${found.accountId} = ${b.accountId}
    and ${holds(found.title)}
  union all select ${a.bookingId} from ${a} where ${a.accountId} = ${b.accountId}
    and ${holds(sql`(${a.name} || ' ' || coalesce(${a.email}, '') || ' '
      || coalesce(${a.phoneNumber}, ''))`)})`

const byStart: Order = { by: b.startTime, type: 'timestamptz' }

const pages = lister<MemberBooking>({
  table: bookings,
  record,
  joins,
  // By the name of the field here, and by the one that lists of appointments have.
  orders: { start: byStart, startTime: byStart },
  defaultOrder: '-start',
  filters: {
    status: given => sql`${b.status} = ${given.status}`,
    live: () => sql`${b.status} in ('accepted', 'pending', 'awaiting_host')`,
    recurring: () => sql`${b.recurringEventId} is not null`,
    from: given => sql`${b.startTime} >= ${momentInCompany(given, 'from', 0)}`,
    to: given => sql`${b.startTime} < ${momentInCompany(given, 'to', 1)}`,
    endsAfter: given => sql`${b.endTime} > ${given.endsAfter}::timestamptz`,
    endsBefore: given => sql`${b.endTime} <= ${given.endsBefore}::timestamptz`,
    eventTypeId: given => sql`${b.eventTypeId} = ${given.eventTypeId}::int`,
    userId: given => isOf(given.userId!),
    own: given => isOf(given.own!),
    attendeeEmail: given => sql`exists (select from ${a}
      where ${a.accountId} = ${b.accountId} and ${a.bookingId} = ${b.id}
        and lower(${a.email}) = lower(${given.attendeeEmail}))`,
    attendeePhoneNumber: given => sql`exists (select from ${a}
      where ${a.accountId} = ${b.accountId} and ${a.bookingId} = ${b.id}
        and ${a.phoneNumber} = ${given.attendeePhoneNumber})`,
  },
  search: isFound,
  hasPhones: true,
  names: { eventTypeId: idsOf(eventTypes), userId: userIds },
})

/** What a way of looking at bookings means at an instant, in the words of the filters. */
function meaningOfView(view: BookingView, now: string): Record<string, unknown> {
  if (view === 'upcoming') return { live: true, endsAfter: now }
  if (view === 'past') return { live: true, endsBefore: now }
  if (view === 'recurring') return { live: true, endsAfter: now, recurring: true }
  return view === 'unconfirmed' ? { status: 'pending', endsAfter: now } : { status: view }
}

/**
 * Bookings: everybody's, or those that a member of staff hosts. Upcoming ones begin with the next,
 * others with the latest.
 */
export async function listBookings(
  m: Member,
  { status, ...filter }: BookingFilter,
): Promise<Page<MemberBooking>> {
  const isAhead = status === 'upcoming' || status === 'recurring' || status === 'unconfirmed'
  return pages(m.tenant, {
    ...filter,
    sort: filter.sort ?? (isAhead ? 'start' : '-start'),
    own: ownFilter(m),
    ...(status && meaningOfView(status, m.now.toISOString())),
  })
}

/**
 * One booking, by id or by its public identifier.
 * @throws NOT_FOUND when it does not exist, or is one that a member of staff does not host
 */
export async function findBooking(m: Member, { id, uid }: Which): Promise<Json<MemberBooking>> {
  const userId = ownUser(m, 'calendar.read')
  const record = await m.tenant.text(bookingById, { id: id ?? null, uid: uid ?? null, userId })
  return existing(record, 'Booking')
}
