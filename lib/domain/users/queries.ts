import { sql } from 'drizzle-orm'
import { apiKeys, members, users } from '#drizzle/schema/accounts.ts'
import { schedules } from '#drizzle/schema/calendar.ts'
import { nameOfWeekday } from '#lib/db/days.ts'
import { json } from '#lib/db/json.ts'
import { isLetIn } from '#lib/db/let-in.ts'
import type { ListSpec } from '#lib/db/list.ts'
import { query } from '#lib/db/query.ts'
import type { ApiKey, Me } from './schema.ts'

/** The member of this account that a user is. */
export const meRecord = query<{ userId: number }, Me>(
  p => sql`select ${json<Me>({
    id: users.id,
    username: users.username,
    email: users.email,
    name: users.name,
    bio: users.bio,
    avatarUrl: users.avatarUrl,
    timeFormat: users.timeFormat,
    weekStart: nameOfWeekday(users.weekStart),
    timeZone: users.timeZone,
    locale: users.locale,
    defaultScheduleId: sql`(select ${schedules.id} from ${schedules}
      where ${schedules.accountId} = ${p.account} and ${schedules.userId} = ${users.id}
        and ${schedules.isDefault})`,
    organizationId: members.accountId,
    role: members.role,
    createdAt: users.createdAt,
    updatedAt: users.updatedAt,
  })} from ${users} join ${members} on ${members.accountId} = ${p.account}
    and ${members.userId} = ${users.id} where ${users.id} = ${p.userId}::int`,
)

/** The address that a user signs in with. */
export const emailOf = query<{ userId: number }, string | null>(
  p => sql`select to_json(${users.email}) from ${users} join ${members}
    on ${members.accountId} = ${p.account} and ${members.userId} = ${users.id}
    where ${users.id} = ${p.userId}::int`,
)

/**
 * The user of the account whose e-mail address or username it is, else whose name it is alone; not one who
 * left.
 */
export const userNamed = query<{ who: string }, number | null>(
  p => sql`with called as (
      select ${users.id}, lower(${p.who}) in (lower(${users.email}), lower(${users.username}))
        as is_own
      from ${users} join ${members}
        on ${members.accountId} = ${p.account} and ${members.userId} = ${users.id}
      where ${isLetIn(members)}
        and lower(${p.who}) in (lower(${users.email}), lower(${users.username}), lower(${users.name}))
    ) select id from called where is_own or (select count(*) from called) = 1
    order by is_own desc limit 1`,
)

/** Changes a profile; `change` is JSON by column, what it does not name stays. */
export const changeProfile = query<{ userId: number; change: string; now: string }, unknown>(
  p => sql`update ${users} set
    name = coalesce(c.name, ${users.name}),
    username = coalesce(c.username, ${users.username}),
    time_zone = coalesce(c.time_zone, ${users.timeZone}),
    time_format = coalesce(c.time_format, ${users.timeFormat}),
    week_start = coalesce(c.week_start, ${users.weekStart}),
    locale = coalesce(c.locale, ${users.locale}),
    bio = case when ${p.change}::jsonb ? 'bio' then c.bio else ${users.bio} end,
    avatar_url =
      case when ${p.change}::jsonb ? 'avatar_url' then c.avatar_url else ${users.avatarUrl} end,
    updated_at = ${p.now}::timestamptz
  from jsonb_to_record(${p.change}::jsonb) as c(name text, username text, time_zone text,
    time_format smallint, week_start smallint, locale text, bio text, avatar_url text)
  where ${users.id} = ${p.userId}::int and exists (select from ${members}
    where ${members.accountId} = ${p.account} and ${members.userId} = ${users.id})`,
)

/** How the live API keys of one user are listed. */
export const apiKeyList: ListSpec = {
  table: apiKeys,
  record: json<ApiKey>({
    id: apiKeys.id,
    note: apiKeys.note,
    hint: apiKeys.hint,
    createdAt: apiKeys.createdAt,
    expiresAt: apiKeys.expiresAt,
    lastUsedAt: apiKeys.lastUsedAt,
  }),
  where: sql`${apiKeys.revokedAt} is null`,
  filters: { userId: given => sql`${apiKeys.userId} = ${given.userId}::int` },
  search: sql`coalesce(${apiKeys.note}, '')`,
}

/** The hash of a live key of a user. */
export const hashOfKey = query<{ id: number; userId: number }, string | null>(
  p => sql`select to_json(${apiKeys.hash}) from ${apiKeys} where ${apiKeys.accountId} = ${p.account}
    and ${apiKeys.id} = ${p.id}::int and ${apiKeys.userId} = ${p.userId}::int
    and ${apiKeys.revokedAt} is null`,
)
