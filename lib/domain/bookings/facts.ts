import { type SQL, sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
import { bookingAttendees, bookingHosts, bookings } from '#drizzle/schema/bookings.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import { epochMinutes, json, jsonArray, jsonRow } from '#lib/db/json.ts'
import { isUserLetIn } from '#lib/db/let-in.ts'
import { query, type Slots } from '#lib/db/query.ts'
import { personKey } from '#lib/domain/attendees/queries.ts'
import { requiresNumber } from '#lib/domain/event-types/number.ts'
import type { BookingField, MeetingPlace } from '#lib/domain/event-types/parts.ts'
import { type EventParams, type HostFacts, hosts, standIns } from './host-facts.ts'

/** An event type as booking it needs to know it. */
export interface EventTypeFacts {
  id: number
  title: string
  slug: string
  description: string | null
  customName: string | null
  userId: number | null
  teamId: number | null
  length: number
  lengthOptions: number[]
  slotInterval: number | null
  offsetStart: number
  notice: number
  bufferBefore: number
  bufferAfter: number
  window: BookingWindow | null
  limitsCount: Limits
  limitsDuration: Limits
  maximumActiveBookings: number | null
  offerReschedule: boolean
  onlyFirst: boolean
  requiresConfirmation: boolean
  confirmationNotice: { unit: 'minutes' | 'hours' | 'days'; count: number } | null
  recurrence: {
    frequency: 'daily' | 'weekly' | 'monthly' | 'yearly'
    interval: number
    occurrences: number
  } | null
  seats: number | null
  showCount: boolean
  showAttendees: boolean
  disableGuests: boolean
  disableRescheduling: { disabled?: boolean; minutesBefore?: number } | null
  allowReschedulingPast: boolean
  allowReschedulingCancelled: boolean
  locations: MeetingPlace[]
  fields: BookingField[]
  price: number
  currency: string
  schedulingType: 'roundRobin' | 'collective' | null
  instantExpirySeconds: number
  /** Whether who books proves their e-mail address by a code. */
  verifiesEmail: boolean
  /** Whether who books has to give a telephone number. */
  requiresNumber: boolean
  turn: number
}

/** How far ahead it can be booked. Of a rolling one only days count that something is free on. */
export type BookingWindow =
  | { type: 'range'; value: [string, string] }
  | { type: 'calendarDays' | 'businessDays'; value: number; rolling?: boolean }

/** How many bookings, or minutes of them, a day, week, month or year may have. */
export type Limits = { day?: number; week?: number; month?: number; year?: number }

/** A live booking of the event type. */
export interface TakenFacts {
  id: number
  uid: string
  start: number
  end: number
  seats: number
  status: 'accepted' | 'pending'
  userId: number | null
  /** Of a meeting with seats: who hosts it and has not left. */
  hostIds: number[]
}

/** What offering and booking takes, in one statement. */
export interface EventFacts {
  account: { name: string; timeZone: string }
  eventType: EventTypeFacts | null
  hosts: HostFacts[]
  /** Those of the hosts who are wanted, where somebody is named. */
  named?: ReadonlySet<number> | undefined
  /** Who takes over from hosts who are away. */
  standIns: HostFacts[]
  /** Live bookings of the event type: in the window, or in all periods that limits count. */
  taken: TakenFacts[]
  /** The bookings that are ahead of the one who books, the next one first. */
  active: { uid: string; start: number }[]
  ids: number[]
  holdId: number
}

const e = eventTypes

const eventType = (p: Slots<EventParams>): SQL =>
  jsonRow(
    json({
      id: e.id,
      title: e.title,
      slug: e.slug,
      description: e.description,
      customName: e.customName,
      userId: e.userId,
      teamId: e.teamId,
      length: e.length,
      lengthOptions: e.lengthOptions,
      slotInterval: e.slotInterval,
      offsetStart: e.offsetStart,
      notice: e.minimumBookingNotice,
      bufferBefore: e.beforeEventBuffer,
      bufferAfter: e.afterEventBuffer,
      window: e.bookingWindow,
      limitsCount: e.bookingLimitsCount,
      limitsDuration: e.bookingLimitsDuration,
      maximumActiveBookings: e.maximumActiveBookings,
      offerReschedule: e.offerReschedule,
      onlyFirst: e.onlyShowFirstAvailableSlot,
      requiresConfirmation: e.requiresConfirmation,
      confirmationNotice: e.confirmationNotice,
      recurrence: e.recurrence,
      seats: e.seatsPerTimeSlot,
      showCount: e.seatsShowAvailabilityCount,
      showAttendees: e.seatsShowAttendees,
      disableGuests: e.disableGuests,
      disableRescheduling: e.disableRescheduling,
      allowReschedulingPast: e.allowReschedulingPastBookings,
      allowReschedulingCancelled: e.allowReschedulingCancelledBookings,
      locations: e.locations,
      fields: e.bookingFields,
      price: e.price,
      currency: e.currency,
      schedulingType: e.schedulingType,
      verifiesEmail: e.requiresBookerEmailVerification,
      requiresNumber: requiresNumber(),
      instantExpirySeconds: e.instantExpirySeconds,
      turn: e.turn,
    }),
    sql`from ${e} where ${e.accountId} = ${p.account} and ${e.id} = ${p.eventTypeId}::int`,
  )

const isLimited = sql`(${e.bookingLimitsCount} <> '{}'::jsonb or ${e.bookingLimitsDuration} <> '{}'::jsonb)`

/** With limits a year on both sides is looked at: the longest period that they count. */
const taken = (p: Slots<EventParams>): SQL =>
  jsonArray(
    json({
      id: bookings.id,
      uid: bookings.uid,
      start: epochMinutes(bookings.startTime),
      end: epochMinutes(bookings.endTime),
      status: bookings.status,
      userId: bookings.userId,
      seats: sql`case when ${bookings.isSeated} then (select count(*)::int from ${bookingAttendees}
        where ${bookingAttendees.accountId} = ${bookings.accountId}
          and ${bookingAttendees.bookingId} = ${bookings.id}) else 0 end`,
      hostIds: sql`case when ${bookings.isSeated} then ${jsonArray(
        bookingHosts.userId,
        sql`from ${bookingHosts} where ${bookingHosts.accountId} = ${bookings.accountId}
          and ${bookingHosts.bookingId} = ${bookings.id}
          and ${isUserLetIn(p.account, bookingHosts.userId)}`,
      )} else '[]' end`,
    }),
    sql`from ${bookings} join ${e} on ${e.accountId} = ${bookings.accountId}
        and ${e.id} = ${bookings.eventTypeId}
      where ${bookings.accountId} = ${p.account} and ${bookings.eventTypeId} = ${p.eventTypeId}::int
        and ${bookings.status} in ('accepted', 'pending')
        and (${p.exclude}::int is null or ${bookings.id} <> ${p.exclude}::int)
        and (${isLimited} or ${e.seatsPerTimeSlot} is not null)
        and ${bookings.startTime} >= ${p.from}::timestamptz
          - case when ${isLimited} then interval '366 days' else interval '0' end
        and ${bookings.startTime} < ${p.to}::timestamptz
          + case when ${isLimited} then interval '366 days' else interval '0' end
      order by ${bookings.startTime}`,
  )

/** Live bookings ahead of the one who books, for event types that limit them. */
const active = (p: Slots<EventParams>): SQL =>
  jsonArray(
    json({ uid: bookings.uid, start: epochMinutes(bookings.startTime) }),
    sql`from ${bookings} join ${bookingAttendees}
      on ${bookingAttendees.accountId} = ${bookings.accountId}
        and ${bookingAttendees.bookingId} = ${bookings.id}
      where ${bookings.accountId} = ${p.account} and ${bookings.eventTypeId} = ${p.eventTypeId}::int
        and ${bookings.status} in ('accepted', 'pending')
        and ${bookings.endTime} > ${p.now}::timestamptz
        and (${p.exclude}::int is null or ${bookings.id} <> ${p.exclude}::int)
        and ${personKey(bookingAttendees)} = ${p.person}::text
      order by ${bookings.startTime} limit 1001`,
  )

const account = (p: Slots<EventParams>): SQL =>
  sql`(select ${json({ name: accounts.name, timeZone: accounts.timeZone })}
    from ${accounts} where ${accounts.id} = ${p.account})`

/** Everything that offering slots of an event type, and booking one, needs to know. */
export const eventFacts = query<EventParams, EventFacts>(
  p =>
    sql`select ${json({
      account: account(p),
      eventType: eventType(p),
      hosts: hosts(p),
      standIns: standIns(p),
      taken: taken(p),
      active: active(p),
      ids: sql`(select coalesce(json_agg(nextval('bookings_id_seq')::int), '[]')
      from generate_series(1, ${p.count}::int))`,
      holdId: sql`nextval('holds_id_seq')::int`,
    })}`,
)
