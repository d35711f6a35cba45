import { type SQL, sql } from 'drizzle-orm'
import { users } from '#drizzle/schema/accounts.ts'
import { eventTypeHosts, eventTypes, teams } from '#drizzle/schema/calendar.ts'
import { json, jsonArray } from '#lib/db/json.ts'
import { isUserLetIn } from '#lib/db/let-in.ts'
import { idsOf, type ListSpec } from '#lib/db/list.ts'
import { query } from '#lib/db/query.ts'
import { managedBy, seenBy, type TeamReach, teamReach, userIds } from '#lib/domain/teams/reach.ts'
import type { Host } from '#lib/scheduling/fair.ts'
import type { EventType } from './schema.ts'

const e = eventTypes

/** The id of the event type that this batch just inserted. */
export const newest = sql.raw(`currval('event_types_id_seq')::int`)

const hosts = jsonArray(
  json({
    userId: eventTypeHosts.userId,
    name: users.name,
    isFixed: eventTypeHosts.isFixed,
    weight: eventTypeHosts.weight,
    priority: eventTypeHosts.priority,
    scheduleId: eventTypeHosts.scheduleId,
  }),
  sql`from ${eventTypeHosts} join ${users} on ${users.id} = ${eventTypeHosts.userId}
    where ${eventTypeHosts.accountId} = ${e.accountId}
      and ${eventTypeHosts.eventTypeId} = ${e.id}
      and ${isUserLetIn(e.accountId, eventTypeHosts.userId)} order by ${eventTypeHosts.userId}`,
)

/** What may be missing altogether: null unless `condition`. */
const when = (condition: SQL, fields: Record<string, SQL>): SQL =>
  sql`case when ${condition} then ${json(fields)} end`

const record = json<EventType>({
  id: e.id,
  userId: e.userId,
  teamId: e.teamId,
  title: e.title,
  slug: e.slug,
  description: e.description,
  length: e.length,
  lengthInMinutes: e.length,
  lengthInMinutesOptions: e.lengthOptions,
  hidden: e.hidden,
  color: e.color,
  customName: e.customName,
  locations: e.locations,
  bookingFields: e.bookingFields,
  metadata: e.metadata,
  slotInterval: e.slotInterval,
  offsetStart: e.offsetStart,
  minimumBookingNotice: e.minimumBookingNotice,
  beforeEventBuffer: e.beforeEventBuffer,
  afterEventBuffer: e.afterEventBuffer,
  bookingWindow: e.bookingWindow,
  bookingLimitsCount: e.bookingLimitsCount,
  bookingLimitsDuration: e.bookingLimitsDuration,
  bookerActiveBookingsLimit: when(sql`${e.maximumActiveBookings} is not null`, {
    maximumActiveBookings: sql`${e.maximumActiveBookings}`,
    offerReschedule: sql`${e.offerReschedule}`,
  }),
  onlyShowFirstAvailableSlot: e.onlyShowFirstAvailableSlot,
  requiresConfirmation: e.requiresConfirmation,
  confirmationPolicy: when(sql`${e.requiresConfirmation}`, {
    type: sql`case when ${e.confirmationNotice} is null then 'always' else 'time' end`,
    noticeThreshold: sql`${e.confirmationNotice}`,
    blockUnconfirmedBookingsInBooker: sql`true`,
  }),
  recurrence: e.recurrence,
  seats: when(sql`${e.seatsPerTimeSlot} is not null`, {
    seatsPerTimeSlot: sql`${e.seatsPerTimeSlot}`,
    showAttendeeInfo: sql`${e.seatsShowAttendees}`,
    showAvailabilityCount: sql`${e.seatsShowAvailabilityCount}`,
  }),
  disableGuests: e.disableGuests,
  disableCancelling: e.disableCancelling,
  disableRescheduling: e.disableRescheduling,
  allowReschedulingPastBookings: e.allowReschedulingPastBookings,
  allowReschedulingCancelledBookings: e.allowReschedulingCancelledBookings,
  requiresBookerEmailVerification: e.requiresBookerEmailVerification,
  hideOrganizerEmail: e.hideOrganizerEmail,
  successRedirectUrl: e.successRedirectUrl,
  interfaceLanguage: e.interfaceLanguage,
  price: e.price,
  currency: e.currency,
  scheduleId: e.scheduleId,
  instantMeetingExpiryTimeOffsetInSeconds: e.instantExpirySeconds,
  schedulingType: e.schedulingType,
  hosts,
  createdAt: e.createdAt,
  updatedAt: e.updatedAt,
})

/** How event types are listed; `own` leaves those of others out. */
export const eventTypeList: ListSpec = {
  table: e,
  record,
  orders: {
    title: { by: sql`lower(${e.title})`, type: 'text' },
    length: { by: e.length, type: 'int' },
  },
  filters: {
    own: given => seenBy(e, sql`${given.own}`),
    userId: given => sql`${e.userId} = ${given.userId}::int`,
    teamId: given => sql`${e.teamId} = ${given.teamId}::int`,
    hidden: given => sql`${e.hidden} = ${given.hidden}::boolean`,
  },
  names: { userId: userIds, teamId: idsOf(teams) },
  search: sql`${e.title} || ' ' || coalesce(${e.description}, '')`,
}

/** One event type; null unless the user may see it. */
export const eventTypeRecord = query<{ id: number; own: number | null }, EventType>(
  p => sql`select ${record} from ${e} where ${e.accountId} = ${p.account}
    and ${e.id} = ${p.id}::int and ${seenBy(e, p.own)}`,
)

/** The event type that this batch just inserted. */
export const newEventTypeRecord = query<object, EventType>(
  p => sql`select ${record} from ${e} where ${e.accountId} = ${p.account} and ${e.id} = ${newest}`,
)

/** What making an event type takes: who may manage the team, and the slugs that are taken. */
export interface OwnerFacts {
  /** Null when the team does not exist for the user. */
  team: TeamReach | null
  slugs: string[]
}

interface Owner {
  userId: number | null
  teamId: number | null
  own: number | null
  base: string
}

/** Whose an event type may be made. */
export const ownerFacts = query<Owner, OwnerFacts>(
  p =>
    sql`select ${json({
      team: teamReach(p),
      slugs: jsonArray(
        e.slug,
        sql`from ${e} where ${e.accountId} = ${p.account}
          and ${e.userId} is not distinct from ${p.userId}::int
          and ${e.teamId} is not distinct from ${p.teamId}::int
          and (${e.slug} = ${p.base} or ${e.slug} like ${p.base} || '-%')`,
      ),
    })}`,
)

/** What changing an event type takes. */
export interface EventTypeFacts {
  isManaged: boolean
  userId: number | null
  teamId: number | null
  turn: number
  hasSeats: boolean
  hasRecurrence: boolean
  hosts: Host[]
}

/** What changing an event type needs to know beforehand. */
export const eventTypeFacts = query<{ id: number; own: number | null }, EventTypeFacts | null>(
  p => sql`select ${json({
    isManaged: managedBy(e, p.own),
    userId: e.userId,
    teamId: e.teamId,
    turn: e.turn,
    hasSeats: sql`${e.seatsPerTimeSlot} is not null`,
    hasRecurrence: sql`${e.recurrence} is not null`,
    hosts: jsonArray(
      json({
        id: eventTypeHosts.userId,
        weight: eventTypeHosts.weight,
        assigned: eventTypeHosts.assigned,
        calibration: eventTypeHosts.calibration,
        isFixed: eventTypeHosts.isFixed,
      }),
      sql`from ${eventTypeHosts} where ${eventTypeHosts.accountId} = ${p.account}
        and ${eventTypeHosts.eventTypeId} = ${e.id}`,
    ),
  })} from ${e} where ${e.accountId} = ${p.account} and ${e.id} = ${p.id}::int
    and ${seenBy(e, p.own)}`,
)
