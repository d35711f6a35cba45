import { type SQL, sql } from 'drizzle-orm'
import { accounts, apiKeys, members, users, webSessions } from '#drizzle/schema/accounts.ts'
import { json } from '#lib/db/json.ts'
import { entrance, query } from '#lib/db/query.ts'

/** The ids that a new account will have, and the names near those it wants that are taken. */
export interface SignUpFacts {
  accountId: number
  userId: number
  personId: number
  scheduleId: number
  usernames: string[]
  subdomains: string[]
}

/** Ids for a new user, and the usernames near the one they want that are taken. */
const newUser = (p: { username: SQL }) => ({
  userId: sql`nextval('users_id_seq')::int`,
  personId: sql`nextval('people_id_seq')::int`,
  scheduleId: sql`nextval('schedules_id_seq')::int`,
  usernames: sql`(select coalesce(json_agg(lower(username)), '[]') from ${users}
    where lower(username) = ${p.username} or lower(username) like ${p.username} || '-%')`,
})

/** What signing up needs: the names that are taken, and ids for what it makes. */
export const signUpFacts = entrance<{ username: string; subdomain: string }, SignUpFacts>(
  p =>
    sql`select ${json({
      ...newUser(p),
      accountId: sql`nextval('accounts_id_seq')::int`,
      subdomains: sql`(select coalesce(json_agg(lower(subdomain)), '[]') from ${accounts}
      where lower(subdomain) = ${p.subdomain} or lower(subdomain) like ${p.subdomain} || '-%')`,
    })}`,
)

/** What a new member needs: the usernames that are taken, and ids. */
export const memberFacts = entrance<
  { username: string },
  Omit<SignUpFacts, 'accountId' | 'subdomains'>
>(p => sql`select ${json(newUser(p))}`)

/** Makes others wait who lock the account as well: each then sees what the one before has left. */
export const lockAccount = query<object, unknown>(
  p => sql`select 1 from ${accounts} where ${accounts.id} = ${p.account} for no key update`,
)

/** Makes an account with an id that was taken before; `policy` is JSON of a `BookingPolicy`. */
export const insertAccount = query<
  {
    name: string
    subdomain: string
    plan: string
    timeZone: string
    policy: string
    now: string
  },
  unknown
>(
  p => sql`insert into accounts
      (id, name, subdomain, plan, time_zone, booking_policy, created_at, updated_at)
    values (${p.account}::int, ${p.name}, ${p.subdomain}, ${p.plan}, ${p.timeZone},
      ${p.policy}::jsonb, ${p.now}::timestamptz, ${p.now}::timestamptz)`,
)

/** Makes a user with an id that was taken before; their account comes with their membership. */
export const insertUser = query<
  {
    id: number
    email: string
    username: string
    name: string
    passwordHash: string
    timeZone: string
    now: string
  },
  unknown
>(
  p => sql`insert into users
      (id, email, username, name, password_hash, time_zone, created_at, updated_at)
    values (${p.id}::int, ${p.email}, ${p.username}, ${p.name}, ${p.passwordHash}, ${p.timeZone},
      ${p.now}::timestamptz, ${p.now}::timestamptz)`,
)

/** Ends a web session by the hash of its cookie. */
export const deleteSession = query<{ hash: string }, unknown>(
  p => sql`delete from ${webSessions}
    where ${webSessions.accountId} = ${p.account} and ${webSessions.hash} = ${p.hash}`,
)

/** The kept password of a user of the account. */
export const passwordOf = query<
  { userId: number },
  { email: string; passwordHash: string | null } | null
>(
  p => sql`select ${json({ email: users.email, passwordHash: users.passwordHash })}
    from ${users} join ${members}
    on ${members.accountId} = ${p.account} and ${members.userId} = ${users.id}
    where ${users.id} = ${p.userId}::int`,
)

/** Gives a user of the account another password in place of the one that was read; guarded. */
export const changePasswordFrom = query<
  { userId: number; was: string | null; passwordHash: string; now: string },
  unknown
>(
  p => sql`with changed as (
      update ${users} set password_hash = ${p.passwordHash}, updated_at = ${p.now}::timestamptz
      where ${users.id} = ${p.userId}::int and ${users.passwordHash} is not distinct from ${p.was}
        and exists (select from ${members} where ${members.accountId} = ${p.account}
          and ${members.userId} = ${users.id})
      returning 1
    ) select must(exists(select from changed), 'users_password')`,
)

/** Ends a user's web sessions in every account they are in, but for the one of hash `keep`. */
export const endSessions = query<{ userId: number; keep: string | null }, unknown>(
  p => sql`delete from ${webSessions} using ${members}
    where ${members.userId} = ${p.userId}::int and ${webSessions.accountId} = ${members.accountId}
      and ${webSessions.userId} = ${members.userId}
      and ${webSessions.hash} is distinct from ${p.keep}`,
)

/** The id that a new key will have. */
export const nextKeyId = query<object, number>(() => sql`select nextval('api_keys_id_seq')::int`)

/** Revokes a key of a user; guarded. */
export const revokeKey = query<{ id: number; userId: number; now: string }, unknown>(
  p => sql`with revoked as (
      update ${apiKeys} set revoked_at = ${p.now}::timestamptz
      where ${apiKeys.accountId} = ${p.account} and ${apiKeys.id} = ${p.id}::int
        and ${apiKeys.userId} = ${p.userId}::int and ${apiKeys.revokedAt} is null
      returning 1
    ) select must(exists(select from revoked), 'api_keys_gone')`,
)
