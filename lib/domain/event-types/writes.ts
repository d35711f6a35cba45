import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { eventTypeHosts, eventTypes, schedules, teamMembers } from '#drizzle/schema/calendar.ts'
import { workflowEventTypes } from '#drizzle/schema/workflows.ts'
import { isUserLetIn } from '#lib/db/let-in.ts'
import { bare, into, query } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import { managedBy } from '#lib/domain/teams/reach.ts'
import { calibrate, type Host } from '#lib/scheduling/fair.ts'
import type { HostInput } from './parts.ts'
import { newest } from './queries.ts'

const e = eventTypes
const h = eventTypeHosts
const m = teamMembers

/** Which event type: null means the one that this batch just inserted. */
interface Which {
  id: number | null
}
const meant = (p: { id: SQL }): SQL => sql`coalesce(${p.id}::int, ${newest})`

const hostColumns = [h.userId, h.isFixed, h.weight, h.priority, h.scheduleId, h.calibration]

const upsertHosts = query<Which & { hosts: string }, unknown>(
  p => sql`insert into ${into(h, h.eventTypeId, ...hostColumns)}
    select ${p.account}::int, ${meant(p)}, w."userId", w."isFixed", w.weight, w.priority,
      w."scheduleId", w.calibration
    from jsonb_to_recordset(${p.hosts}::jsonb) as w("userId" int, "isFixed" boolean, weight int,
      priority int, "scheduleId" int, calibration double precision)
    order by w."userId"
    on conflict (account_id, event_type_id, user_id) do update set ${sql.join(
      hostColumns.slice(1).map(column => sql`${bare(column)} = excluded.${bare(column)}`),
      sql`, `,
    )}`,
)

const dropOtherHosts = query<{ id: number; userIds: readonly number[] }, unknown>(
  p => sql`delete from ${h} where ${h.accountId} = ${p.account}
    and ${h.eventTypeId} = ${p.id}::int and ${h.userId} <> all(${p.userIds}::int[])`,
)

const hostAllMembers = query<{ teamId: number }, unknown>(
  p => sql`insert into ${into(h, h.eventTypeId, h.userId)}
    select ${p.account}::int, ${newest}, ${m.userId} from ${m}
    where ${m.accountId} = ${p.account} and ${m.teamId} = ${p.teamId}::int and ${m.accepted}
      and ${isUserLetIn(m.accountId, m.userId)}
    order by ${m.userId}`,
)

const requireMembers = query<Which, unknown>(
  p => sql`select must(not exists (
    select from ${h} join ${e} on ${e.accountId} = ${h.accountId} and ${e.id} = ${h.eventTypeId}
    where ${h.accountId} = ${p.account} and ${h.eventTypeId} = ${meant(p)}
      and not exists (select from ${m} where ${m.accountId} = ${h.accountId}
        and ${m.teamId} = ${e.teamId} and ${m.userId} = ${h.userId}
        and ${isUserLetIn(m.accountId, m.userId)})
  ), 'team_members_gone')`,
)

const requireOwnSchedules = query<Which, unknown>(
  p => sql`select must(not exists (
    select from ${e} join ${schedules} on ${schedules.accountId} = ${e.accountId}
      and ${schedules.id} = ${e.scheduleId} and ${schedules.userId} <> ${e.userId}
    where ${e.accountId} = ${p.account} and ${e.id} = ${meant(p)}
    union all
    select from ${h} join ${schedules} on ${schedules.accountId} = ${h.accountId}
      and ${schedules.id} = ${h.scheduleId} and ${schedules.userId} <> ${h.userId}
    where ${h.accountId} = ${p.account} and ${h.eventTypeId} = ${meant(p)}
  ), 'schedules_gone')`,
)

/** Fails the write (404) where a schedule is not of the user whose hours it is to be. */
export const guardSchedules = (write: Write, id: number | null): void => {
  write.run(requireOwnSchedules, { id })
}

const requireAll = query<{ ids: readonly number[]; own: number | null }, unknown>(
  p => sql`select must((select count(*) from ${e} where ${e.accountId} = ${p.account}
    and ${e.id} = any(${p.ids}::int[]) and ${managedBy(e, p.own)})
    = cardinality(${p.ids}::int[]), 'event_types_gone')`,
)

/** Fails the write (404) unless all event types are there; with `own`, that user's to change. */
export const guardEventTypes = (write: Write, ids: readonly number[], own: number | null): void => {
  write.run(requireAll, { ids, own })
}

/**
 * Makes `wanted` all hosts of an event type, each with a fair share from now on (lib/scheduling/fair).
 * @param id null for the event type that this batch just inserted
 * @param current the hosts until now
 */
export function setHosts(
  write: Write,
  id: number | null,
  wanted: readonly HostInput[],
  current: readonly Host[],
): void {
  const shares = wanted.map(({ userId, isFixed = false, weight = 100, ...rest }) => ({
    id: userId,
    userId,
    isFixed,
    weight,
    priority: rest.priority ?? 2,
    scheduleId: rest.scheduleId ?? null,
  }))
  const calibrations = calibrate(current, shares)
  const hosts = shares.map(({ id: _, ...share }, at) => ({
    ...share,
    calibration: calibrations[at],
  }))
  if (id !== null) write.run(dropOtherHosts, { id, userIds: wanted.map(host => host.userId) })
  write.run(upsertHosts, { id, hosts: JSON.stringify(hosts) }).run(requireMembers, { id })
}

/** Makes every member of a team a host of the event type that this batch just inserted. */
export const setAllMembers = (write: Write, teamId: number): void => {
  write.run(hostAllMembers, { teamId })
}

/** What a copy takes from elsewhere: the rest is that of the original. */
const NOT_COPIED = new Set([
  'accountId',
  'id',
  'userId',
  'teamId',
  'title',
  'slug',
  'description',
  'length',
  'schedulingType',
  'scheduleId',
  'turn',
  'createdAt',
  'updatedAt',
])
const copied = Object.entries<PgColumn>(getTableColumns(e))
  .filter(([name]) => !NOT_COPIED.has(name))
  .map(([, column]) => column)

/** What a copy differs in; null stays as it was. A `teamId` makes it the team's. */
interface Copy {
  id: number
  slug: string
  title: string
  description: string | null
  length: number | null
  teamId: number | null
  now: string
}

const insertCopy = query<Copy, unknown>(
  p => sql`insert into ${into(
    e,
    e.userId,
    e.teamId,
    e.title,
    e.slug,
    e.description,
    e.length,
    e.schedulingType,
    e.scheduleId,
    e.createdAt,
    e.updatedAt,
    ...copied,
  )}
  select ${p.account}::int, case when ${p.teamId}::int is null then ${e.userId} end,
    coalesce(${p.teamId}::int, ${e.teamId}), ${p.title}, ${p.slug},
    coalesce(${p.description}, ${e.description}), coalesce(${p.length}::int, ${e.length}),
    coalesce(${e.schedulingType}, case when ${p.teamId}::int is not null then 'roundRobin' end),
    case when ${p.teamId}::int is null or ${p.teamId}::int = ${e.teamId} then ${e.scheduleId} end,
    ${p.now}::timestamptz, ${p.now}::timestamptz, ${sql.join(copied, sql`, `)}
  from ${e} where ${e.accountId} = ${p.account} and ${e.id} = ${p.id}::int`,
)

const copyHosts = query<{ id: number }, unknown>(
  p => sql`insert into ${into(h, h.eventTypeId, h.userId, h.isFixed, h.weight, h.priority, h.scheduleId)}
    select ${p.account}::int, ${newest}, ${h.userId}, ${h.isFixed}, ${h.weight}, ${h.priority},
      ${h.scheduleId}
    from ${h} where ${h.accountId} = ${p.account} and ${h.eventTypeId} = ${p.id}::int
    order by ${h.userId}`,
)

const w = workflowEventTypes
const copyWorkflows = query<{ id: number }, unknown>(
  p => sql`insert into ${into(w, w.workflowId, w.eventTypeId)}
    select ${p.account}::int, ${w.workflowId}, ${newest} from ${w}
    where ${w.accountId} = ${p.account} and ${w.eventTypeId} = ${p.id}::int`,
)

/** Copies an event type with its workflows; with its hosts unless another team takes it. */
export function copyEventType(write: Write, copy: Copy, isWithHosts: boolean): void {
  const { id, teamId } = copy
  write.run(insertCopy, copy)
  if (isWithHosts) write.run(copyHosts, { id })
  else if (teamId !== null) setAllMembers(write, teamId)
  write.run(copyWorkflows, { id })
}
