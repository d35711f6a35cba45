import { type SQL, sql } from 'drizzle-orm'
import { members, users } from '#drizzle/schema/accounts.ts'
import { schedules } from '#drizzle/schema/calendar.ts'
import { json } from '#lib/db/json.ts'
import type { ListSpec } from '#lib/db/list.ts'
import { query } from '#lib/db/query.ts'
import { ownedBy, userIds } from '#lib/domain/teams/reach.ts'
import type { UserSchedule } from './schema.ts'

const s = schedules

const record = json<UserSchedule>({
  id: s.id,
  ownerId: s.userId,
  name: s.name,
  timeZone: s.timeZone,
  isDefault: s.isDefault,
  availability: s.availability,
  overrides: s.overrides,
  createdAt: s.createdAt,
  updatedAt: s.updatedAt,
})

/** How schedules are listed: in the order they were made. `own` leaves those of others out. */
export const scheduleList: ListSpec = {
  table: s,
  record,
  defaultOrder: 'id',
  orders: { name: { by: sql`lower(${s.name})`, type: 'text' } },
  filters: {
    own: given => ownedBy(s, sql`${given.own}`),
    ownerId: given => sql`${s.userId} = ${given.ownerId}::int`,
  },
  names: { ownerId: userIds },
  search: sql`${s.name}`,
}

interface Which {
  id: number
  own: number | null
}

/** One schedule; null unless it is the user's or `own` is null. */
export const scheduleRecord = query<Which, UserSchedule>(
  p => sql`select ${record} from ${s} where ${s.accountId} = ${p.account} and ${s.id} = ${p.id}::int
    and ${ownedBy(s, p.own)}`,
)

/** The schedule that this batch just inserted. */
export const newScheduleRecord = query<object, UserSchedule>(
  p => sql`select ${record} from ${s} where ${s.accountId} = ${p.account}
    and ${s.id} = currval('schedules_id_seq')::int`,
)

/** The owner of a schedule; null unless the user may change it. */
export const scheduleOwner = query<Which, { userId: number } | null>(
  p => sql`select ${json({ userId: s.userId })} from ${s} where ${s.accountId} = ${p.account}
    and ${s.id} = ${p.id}::int and ${ownedBy(s, p.own)}`,
)

/** Makes other changes of a user's schedules wait, so that each sees what the last one left. */
export const lockSchedules = query<{ userId: number }, unknown>(
  p => sql`select 1 from ${members} where ${members.accountId} = ${p.account}
    and ${members.userId} = ${p.userId}::int for no key update`,
)

/** Makes no schedule of a user the default, for the one that will be. */
export const clearDefault = query<{ userId: number; now: string }, unknown>(
  p => sql`update ${s} set is_default = false, updated_at = ${p.now}::timestamptz
    where ${s.accountId} = ${p.account} and ${s.userId} = ${p.userId}::int and ${s.isDefault}`,
)

/** Fails where a schedule is the default: it can neither be deleted nor be the default no more. */
export const requireOther = query<{ id: number }, unknown>(
  p => sql`select must(not exists (select from ${s} where ${s.accountId} = ${p.account}
    and ${s.id} = ${p.id}::int and ${s.isDefault}), 'schedules_is_default')`,
)

/** Whether a user has no default schedule, as SQL for a new row. */
export const hasNoDefault = (accountId: number, userId: number): SQL =>
  sql`not exists (select from ${s} where ${s.accountId} = ${accountId}
    and ${s.userId} = ${userId} and ${s.isDefault})`

/** The time zone of a user, as SQL for a new row. */
export const zoneOf = (userId: number): SQL =>
  sql`coalesce((select ${users.timeZone} from ${users} where ${users.id} = ${userId}), 'UTC')`
