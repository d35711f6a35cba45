import { type SQL, sql } from 'drizzle-orm'
import { members, users } from '#drizzle/schema/accounts.ts'
import { occupancies } from '#drizzle/schema/appointments.ts'
import { holds } from '#drizzle/schema/bookings.ts'
import { eventTypeHosts, eventTypes, outOfOffice, schedules } from '#drizzle/schema/calendar.ts'
import { epochMinutes, json, jsonArray, jsonRow } from '#lib/db/json.ts'
import { isLetIn } from '#lib/db/let-in.ts'
import type { Slots } from '#lib/db/query.ts'
import { isHeld, isNotOf, spansOf } from '#lib/domain/occupancies/queries.ts'
import type { StoredSchedule } from '#lib/domain/schedules/hours.ts'

/** When somebody is away, in minutes since the epoch, and who takes their bookings then. */
export interface AwayFacts {
  start: number
  end: number
  toUserId: number | null
}

/** Someone who may host. `busy` is flat spans, in minutes since the epoch. */
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
  away: AwayFacts[]
  /** Of a stand-in: the host in whose place, and on whose turn, they host. */
  turnOf?: number
}

/** What the facts of an event type are asked with. */
export interface EventParams {
  eventTypeId: number
  from: string
  to: string
  now: string
  /** The booking that is being moved, which does not stand in its own way. */
  exclude: number | null
  /** The holds that are being used up. */
  holds: readonly string[]
  /** The key of who books. */
  person: string | null
  count: number
}

const e = eventTypes

const window = (p: Slots<EventParams>): SQL =>
  sql`tstzrange(${p.from}::timestamptz, ${p.to}::timestamptz)`

/** What takes a host's time. */
const busy = (p: Slots<EventParams>): SQL =>
  spansOf(sql`${occupancies.accountId} = ${p.account}
    and ${occupancies.personId} = h.person_id and ${occupancies.blocked} && ${window(p)}
    and ${isHeld(p.now)} and ${isNotOf('booking', p.exclude)}
    and (${occupancies.source} <> 'hold' or ${occupancies.sourceId} <> all(array(
      select ${holds.id} from ${holds} where ${holds.accountId} = ${p.account}
        and ${holds.uid} = any(${p.holds}::text[]))))`)

const inWindow = (p: Slots<EventParams>): SQL =>
  sql`${outOfOffice.endTime} > ${p.from}::timestamptz
    and ${outOfOffice.startTime} < ${p.to}::timestamptz`

const away = (p: Slots<EventParams>): SQL =>
  jsonArray(
    json({
      start: epochMinutes(outOfOffice.startTime),
      end: epochMinutes(outOfOffice.endTime),
      toUserId: outOfOffice.toUserId,
    }),
    sql`from ${outOfOffice} where ${outOfOffice.accountId} = ${p.account}
      and ${outOfOffice.userId} = h.user_id and ${inWindow(p)} order by ${outOfOffice.startTime}`,
  )

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

/** The facts of the people that `rows` names. */
const people = (p: Slots<EventParams>, rows: SQL): SQL =>
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
    sql`from (${rows}) h join ${users} on ${users.id} = h.user_id order by h.user_id`,
  )

/** Nobody new is led to who left. */
const isHostOf = sql`${members.accountId} = ${e.accountId}
  and ${members.userId} = coalesce(${eventTypeHosts.userId}, ${e.userId}) and ${isLetIn(members)}`

/** An event type with its hosts, if it has more than its owner. */
const typeWithHosts = sql`${e} left join ${eventTypeHosts}
  on ${eventTypeHosts.accountId} = ${e.accountId} and ${eventTypeHosts.eventTypeId} = ${e.id}`

const isAsked = (p: Slots<EventParams>): SQL =>
  sql`${e.accountId} = ${p.account} and ${e.id} = ${p.eventTypeId}::int`

/** The hosts of an event type. */
export const hosts = (p: Slots<EventParams>): SQL =>
  people(
    p,
    sql`select ${members.userId} as user_id, ${members.personId} as person_id,
        coalesce(${eventTypeHosts.isFixed}, false) as is_fixed,
        coalesce(${eventTypeHosts.weight}, 100) as weight,
        coalesce(${eventTypeHosts.priority}, 2) as priority,
        coalesce(${eventTypeHosts.assigned}, 0) as assigned,
        coalesce(${eventTypeHosts.calibration}, 0) as calibration,
        ${e.scheduleId} as event_schedule_id, ${eventTypeHosts.scheduleId} as host_schedule_id
      from ${typeWithHosts} join ${members} on ${isHostOf} where ${isAsked(p)}`,
  )

/** Whoever takes over while hosts are away, and while those are away, and so forth. */
export const standIns = (p: Slots<EventParams>): SQL =>
  people(
    p,
    sql`with recursive covering (user_id) as (
        select ${outOfOffice.toUserId} from ${typeWithHosts} join ${outOfOffice}
          on ${outOfOffice.accountId} = ${p.account}
          and ${outOfOffice.userId} = coalesce(${eventTypeHosts.userId}, ${e.userId})
        where ${isAsked(p)} and ${outOfOffice.toUserId} is not null and ${inWindow(p)}
        union
        select ${outOfOffice.toUserId} from covering join ${outOfOffice}
          on ${outOfOffice.accountId} = ${p.account} and ${outOfOffice.userId} = covering.user_id
        where ${outOfOffice.toUserId} is not null and ${inWindow(p)}
      )
      select ${members.userId} as user_id, ${members.personId} as person_id, false as is_fixed,
        0 as weight, 0 as priority, 0 as assigned, 0 as calibration,
        (select ${e.scheduleId} from ${e} where ${isAsked(p)}) as event_schedule_id,
        null::int as host_schedule_id
      from covering join ${members} on ${members.accountId} = ${p.account}
        and ${members.userId} = covering.user_id and ${isLetIn(members)}`,
  )
