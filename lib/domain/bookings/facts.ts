import { type SQL, sql } from 'drizzle-orm'
import { accounts, members, users } from '#drizzle/schema/accounts.ts'
import { occupancies } from '#drizzle/schema/appointments.ts'
import { bookingAttendees, bookings, holds } from '#drizzle/schema/bookings.ts'
import { eventTypeHosts, eventTypes, outOfOffice, schedules } from '#drizzle/schema/calendar.ts'
import { epochMinutes, json, jsonArray, jsonRow } from '#lib/db/json.ts'
import { query, type Slots } from '#lib/db/query.ts'
import type { StoredSchedule } from '#lib/domain/schedules/hours.ts'

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
  disableGuests: boolean
  disableRescheduling: { disabled?: boolean; minutesBefore?: number } | null
  allowReschedulingPast: boolean
  locations: { type: string; value?: string; link?: string; address?: string; phone?: string }[]
  price: number
  currency: string
  schedulingType: 'roundRobin' | 'collective' | null
  instantExpirySeconds: number
  turn: number
}

/** How far ahead it can be booked. */
export type BookingWindow =
  | { type: 'range'; value: [string, string] }
  | { type: 'calendarDays' | 'businessDays'; value: number }

/** How many bookings, or minutes of them, a day, week, month or year may have. */
export type Limits = { day?: number; week?: number; month?: number; year?: number }

/** Someone who may host. `busy` and `away` are flat spans, in minutes since the epoch. */
export interface HostFacts {
  userId: number
  personId: number
  name: string
  email: string
  username: string
  timeZone: string
  isFixed: boolean
  weight: number
  priority: number
  assigned: number
  calibration: number
  schedule: StoredSchedule | null
  busy: number[]
  away: number[]
}

/** A live booking of the event type. */
export interface TakenFacts {
  id: number
  uid: string
  start: number
  end: number
  seats: number
  userId: number | null
}

/** What offering and booking takes, in one statement. */
export interface EventFacts {
  account: { name: string; timeZone: string }
  eventType: EventTypeFacts | null
  hosts: HostFacts[]
  /** Live bookings of the event type: in the window, or in all periods that limits count. */
  taken: TakenFacts[]
  active: number
  ids: number[]
  holdId: number
}

/** What the facts of an event type are asked with. */
export interface EventParams {
  eventTypeId: number
  from: string
  to: string
  now: string
  /** The booking that is being moved, which does not stand in its own way. */
  exclude: number | null
  /** The hold that is being used up. */
  hold: string | null
  email: string | null
  count: number
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
      onlyFirst: e.onlyShowFirstAvailableSlot,
      requiresConfirmation: e.requiresConfirmation,
      confirmationNotice: e.confirmationNotice,
      recurrence: e.recurrence,
      seats: e.seatsPerTimeSlot,
      showCount: e.seatsShowAvailabilityCount,
      disableGuests: e.disableGuests,
      disableRescheduling: e.disableRescheduling,
      allowReschedulingPast: e.allowReschedulingPastBookings,
      locations: e.locations,
      price: e.price,
      currency: e.currency,
      schedulingType: e.schedulingType,
      instantExpirySeconds: e.instantExpirySeconds,
      turn: e.turn,
    }),
    sql`from ${e} where ${e.accountId} = ${p.account} and ${e.id} = ${p.eventTypeId}::int`,
  )

const window = (p: Slots<EventParams>): SQL =>
  sql`tstzrange(${p.from}::timestamptz, ${p.to}::timestamptz)`

/** Edges of what takes a host's time, in order: blocks of one person never overlap. */
const busy = (
  p: Slots<EventParams>,
): SQL => sql`coalesce((select json_agg(edge order by edge) from (
    select ${epochMinutes(sql`lower(${occupancies.blocked})`)} as s,
      ${epochMinutes(sql`upper(${occupancies.blocked})`)} as f
    from ${occupancies} where ${occupancies.accountId} = ${p.account}
      and ${occupancies.personId} = h.person_id and ${occupancies.blocked} && ${window(p)}
      and (${occupancies.expiresAt} is null or ${occupancies.expiresAt} > ${p.now}::timestamptz)
      and (${p.exclude}::int is null or ${occupancies.source} <> 'booking'
        or ${occupancies.sourceId} <> ${p.exclude}::int)
      and (${p.hold}::text is null or ${occupancies.source} <> 'hold' or ${occupancies.sourceId} <>
        coalesce((select ${holds.id} from ${holds} where ${holds.accountId} = ${p.account}
          and ${holds.uid} = ${p.hold}::text), 0))
  ) o, lateral (values (o.s), (o.f)) as v(edge)), '[]'::json)`

const away = (p: Slots<EventParams>): SQL => sql`coalesce((select json_agg(edge) from (
    select ${epochMinutes(outOfOffice.startTime)} as s, ${epochMinutes(outOfOffice.endTime)} as f
    from ${outOfOffice} where ${outOfOffice.accountId} = ${p.account}
      and ${outOfOffice.userId} = h.user_id and ${outOfOffice.endTime} > ${p.from}::timestamptz
      and ${outOfOffice.startTime} < ${p.to}::timestamptz
  ) o, lateral (values (o.s), (o.f)) as v(edge)), '[]'::json)`

/** The event type's schedule, else the host's for it, else the host's own default. */
const schedule = (p: Slots<EventParams>): SQL =>
  jsonRow(
    json({
      timeZone: schedules.timeZone,
      availability: schedules.availability,
      overrides: schedules.overrides,
    }),
    sql`from ${schedules} where ${schedules.accountId} = ${p.account}
      and (${schedules.id} = coalesce(h.event_schedule_id, h.host_schedule_id)
        or (coalesce(h.event_schedule_id, h.host_schedule_id) is null
          and ${schedules.userId} = h.user_id and ${schedules.isDefault}))`,
  )

const hosts = (p: Slots<EventParams>): SQL =>
  jsonArray(
    json({
      userId: sql`h.user_id`,
      personId: sql`h.person_id`,
      name: users.name,
      email: users.email,
      username: users.username,
      timeZone: users.timeZone,
      isFixed: sql`h.is_fixed`,
      weight: sql`h.weight`,
      priority: sql`h.priority`,
      assigned: sql`h.assigned`,
      calibration: sql`h.calibration`,
      schedule: schedule(p),
      busy: busy(p),
      away: away(p),
    }),
    sql`from (
        select ${members.userId} as user_id, ${members.personId} as person_id,
          coalesce(${eventTypeHosts.isFixed}, false) as is_fixed,
          coalesce(${eventTypeHosts.weight}, 100) as weight,
          coalesce(${eventTypeHosts.priority}, 2) as priority,
          coalesce(${eventTypeHosts.assigned}, 0) as assigned,
          coalesce(${eventTypeHosts.calibration}, 0) as calibration,
          ${e.scheduleId} as event_schedule_id, ${eventTypeHosts.scheduleId} as host_schedule_id
        from ${e} left join ${eventTypeHosts} on ${eventTypeHosts.accountId} = ${e.accountId}
            and ${eventTypeHosts.eventTypeId} = ${e.id}
          join ${members} on ${members.accountId} = ${e.accountId}
            and ${members.userId} = coalesce(${eventTypeHosts.userId}, ${e.userId})
        where ${e.accountId} = ${p.account} and ${e.id} = ${p.eventTypeId}::int
      ) h join ${users} on ${users.id} = h.user_id order by h.user_id`,
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
      userId: bookings.userId,
      seats: sql`case when ${bookings.isSeated} then (select count(*)::int from ${bookingAttendees}
        where ${bookingAttendees.accountId} = ${bookings.accountId}
          and ${bookingAttendees.bookingId} = ${bookings.id}) else 0 end`,
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
const active = (p: Slots<EventParams>): SQL => sql`(select count(*)::int from ${bookings}
  join ${bookingAttendees} on ${bookingAttendees.accountId} = ${bookings.accountId}
    and ${bookingAttendees.bookingId} = ${bookings.id}
  where ${bookings.accountId} = ${p.account} and ${bookings.eventTypeId} = ${p.eventTypeId}::int
    and ${bookings.status} in ('accepted', 'pending') and ${bookings.endTime} > ${p.now}::timestamptz
    and (${p.exclude}::int is null or ${bookings.id} <> ${p.exclude}::int)
    and lower(${bookingAttendees.email}) = lower(${p.email}::text))`

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
      taken: taken(p),
      active: active(p),
      ids: sql`(select coalesce(json_agg(nextval('bookings_id_seq')::int), '[]')
      from generate_series(1, ${p.count}::int))`,
      holdId: sql`nextval('holds_id_seq')::int`,
    })}`,
)
