import { type SQL, sql } from 'drizzle-orm'
import { users } from '#drizzle/schema/accounts.ts'
import { bookingAttendees, bookingHosts, bookings } from '#drizzle/schema/bookings.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import { json, jsonArray, jsonRow } from '#lib/db/json.ts'
import { ownerOf } from '#lib/db/owner.ts'
import { from, named } from '#lib/db/query.ts'
import { bookingPath } from '#lib/domain/event-types/address.ts'

const b = bookings
const e = eventTypes
const a = bookingAttendees

// Made when a query is: an isolate that sends no message needs none of it (docs/decisions/0013).
const person = () => ({ name: users.name, email: users.email })

const organizer = () => sql`coalesce(
  (select ${json(person())} from ${users} where ${users.id} = ${b.userId}),
  ${ownerOf(b.accountId)})`

const hosts = () =>
  jsonArray(
    json({ userId: users.id, ...person(), timeZone: users.timeZone, locale: users.locale }),
    sql`from ${bookingHosts} join ${users} on ${users.id} = ${bookingHosts.userId}
    where ${bookingHosts.accountId} = ${b.accountId} and ${bookingHosts.bookingId} = ${b.id}
    order by (${users.id} = ${b.userId}) desc, ${users.id}`,
  )

const attendees = () =>
  jsonArray(
    json({
      id: a.id,
      name: a.name,
      email: a.email,
      phoneNumber: a.phoneNumber,
      timeZone: a.timeZone,
      locale: a.locale,
      isGuest: a.isGuest,
      noShow: a.noShow,
      seatUid: a.seatUid,
      responses: a.responses,
    }),
    sql`from ${a} where ${a.accountId} = ${b.accountId} and ${a.bookingId} = ${b.id} order by ${a.id}`,
  )

const eventType = () =>
  jsonRow(
    json({
      id: e.id,
      title: e.title,
      path: bookingPath(),
      isRecurring: sql`(${e.recurrence} is not null)`,
      hideOrganizerEmail: e.hideOrganizerEmail,
      seatsShowAttendees: e.seatsShowAttendees,
      interfaceLanguage: e.interfaceLanguage,
      successRedirectUrl: e.successRedirectUrl,
      bookingFields: e.bookingFields,
      disableCancelling: e.disableCancelling,
      disableRescheduling: e.disableRescheduling,
      allowReschedulingPast: e.allowReschedulingPastBookings,
    }),
    sql`from ${e} where ${e.accountId} = ${b.accountId} and ${e.id} = ${b.eventTypeId}`,
  )

/** Other dates of the booking's series. */
export const other = named(bookings, 'other')

const dateOf = (table: typeof bookings) => ({
  id: table.id,
  uid: table.uid,
  version: table.version,
  status: table.status,
  startTime: table.startTime,
  endTime: table.endTime,
})

const datesWhere = (condition: SQL): SQL =>
  jsonArray(
    json(dateOf(other)),
    sql`from ${from(other)} where ${other.accountId} = ${b.accountId} and ${condition}
      order by ${other.startTime}`,
  )

/** A row of `bookings` as messages and pages tell of it, with those of its dates that are meant. */
export const shownBooking = (dates: SQL): SQL =>
  json({
    ...dateOf(b),
    title: b.title,
    description: b.description,
    location: b.location,
    meetingUrl: b.meetingUrl,
    price: b.price,
    currency: b.currency,
    cancellationReason: b.cancellationReason,
    rejectionReason: b.rejectionReason,
    reschedulingReason: b.reschedulingReason,
    isSeated: b.isSeated,
    rating: b.rating,
    ratingFeedback: b.ratingFeedback,
    noShowHost: b.noShowHost,
    recurringEventId: b.recurringEventId,
    responses: b.responses,
    eventType: eventType(),
    organizer: organizer(),
    hosts: hosts(),
    attendees: attendees(),
    dates: datesWhere(dates),
  })

/** The booking that a claimed message `c` is about, with the dates that it tells of. */
export const bookingOfMessage = (): SQL => sql`case when c.subject = 'booking' then (
  select ${shownBooking(sql`${other.id} in (select jsonb_array_elements_text(c.data -> 'bookingIds')::int)`)}
  from ${b} where ${b.accountId} = c.account_id and ${b.id} = c.subject_id) end`
