import { Name, sql } from 'drizzle-orm'
import { apiKeys, members, users, webSessions } from '#drizzle/schema/accounts.ts'
import { occupancies } from '#drizzle/schema/appointments.ts'
import { schedules } from '#drizzle/schema/calendar.ts'
import { oauthGrants } from '#drizzle/schema/oauth.ts'
import { employees } from '#drizzle/schema/people.ts'
import { isLetIn } from '#lib/db/let-in.ts'
import { from, into, named, query } from '#lib/db/query.ts'
import { DEFAULT_AVAILABILITY } from '#lib/domain/schedules/hours.ts'

/** Who joins: a user, as an employee. */
interface Joining {
  employeeId: number
  userId: number
}

const e = employees
const o = occupancies
const m = named(members, 'm')

/**
 * What somebody still hosts who was a member before goes along to the person they are as an employee, so
 * that all of their time is one.
 */
export const moveTime = query<Joining & { now: string }, unknown>(
  p => sql`update ${o} set person_id = ${e.personId} from ${e}, ${from(m)}
    where ${o.accountId} = ${p.account} and ${e.accountId} = ${p.account}
      and ${e.id} = ${p.employeeId}::int and ${m.accountId} = ${p.account}
      and ${m.userId} = ${p.userId}::int and ${o.personId} = ${m.personId}
      and ${m.personId} <> ${e.personId} and upper(${o.blocked}) > ${p.now}::timestamptz`,
)

/**
 * Makes a user a member, with the role of the employee they are. Who was one before and is let in no more
 * becomes one anew; fails with `members_joined` for one who is let in.
 */
export const joinAccount = query<Joining & { now: string }, unknown>(
  p => sql`with joined as (
      insert into ${new Name('members')} as ${m} (account_id, user_id, person_id, role, created_at)
      select ${e.accountId}, ${p.userId}::int, ${e.personId}, ${e.role}, ${p.now}::timestamptz
      from ${e} where ${e.accountId} = ${p.account} and ${e.id} = ${p.employeeId}::int
      on conflict (account_id, user_id) do update set person_id = excluded.person_id,
        role = excluded.role, created_at = excluded.created_at
      where ${m.accountId} = ${p.account} and not ${isLetIn(m)}
      returning 1
    ) select must(exists(select from joined), 'members_joined')`,
)

/** What somebody had who was a member before stays ended: their keys, sessions and connected programs. */
export const endFormer = [
  query<Joining & { now: string }, unknown>(
    p => sql`update ${apiKeys} set revoked_at = ${p.now}::timestamptz
      where ${apiKeys.accountId} = ${p.account} and ${apiKeys.userId} = ${p.userId}::int
        and ${apiKeys.revokedAt} is null`,
  ),
  query<Joining & { now: string }, unknown>(
    p => sql`update ${oauthGrants} set revoked_at = ${p.now}::timestamptz
      where ${oauthGrants.accountId} = ${p.account} and ${oauthGrants.userId} = ${p.userId}::int
        and ${oauthGrants.revokedAt} is null`,
  ),
  query<Joining & { now: string }, unknown>(
    p => sql`delete from ${webSessions} where ${webSessions.accountId} = ${p.account}
      and ${webSessions.userId} = ${p.userId}::int`,
  ),
] as const

/** Gives a user a default schedule where they have none in the account, in their own zone. */
export const giveSchedule = query<{ userId: number; now: string }, unknown>(
  p => sql`insert into ${into(
    schedules,
    schedules.userId,
    schedules.name,
    schedules.timeZone,
    schedules.isDefault,
    schedules.availability,
    schedules.createdAt,
    schedules.updatedAt,
  )} select ${p.account}::int, ${users.id}, 'Working hours', ${users.timeZone}, true,
      ${sql.raw(`'${JSON.stringify(DEFAULT_AVAILABILITY)}'::jsonb`)}, ${p.now}::timestamptz,
      ${p.now}::timestamptz
    from ${users} where ${users.id} = ${p.userId}::int and not exists (select from ${schedules}
      where ${schedules.accountId} = ${p.account} and ${schedules.userId} = ${p.userId}::int
        and ${schedules.isDefault})`,
)
