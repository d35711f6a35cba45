import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { accounts, apiKeys, members, users, webSessions } from '#drizzle/schema/accounts.ts'
import { appointments } from '#drizzle/schema/appointments.ts'
import { bookingRecordings, bookings } from '#drizzle/schema/bookings.ts'
import { eventTypes, routingFormResponses, routingForms, teams } from '#drizzle/schema/calendar.ts'
import { services } from '#drizzle/schema/catalog.ts'
import { oauthClients, oauthGrants } from '#drizzle/schema/oauth.ts'
import { employees } from '#drizzle/schema/people.ts'
import type { Plan } from '#lib/core/context.ts'
import type { Role } from '#lib/core/permissions.ts'
import type { Scope } from '#lib/core/scopes.ts'
import { epochMillis, json, jsonArray } from './json.ts'
import { isLetIn } from './let-in.ts'
import { entrance, from, named, type Query } from './query.ts'

/**
 * The only queries that look across accounts: each takes something that is unique everywhere (the
 * hash of a secret, a public identifier) and answers with the account it leads to.
 */

/** Who a credential stands for. `expiresAt` is in milliseconds since the epoch. */
export interface Identity {
  accountId: number
  userId: number
  personId: number
  employeeId: number | null
  role: Role
  plan: Plan
  expiresAt: number | null
  /** How far an OAuth token reaches, and which resources it is for. */
  token?: { scopes: readonly Scope[]; audience: readonly string[] }
}

const m = named(members, 'm')

const identity = (expiresAt: ReturnType<typeof sql>) =>
  json({
    accountId: sql`m.account_id`,
    userId: sql`m.user_id`,
    personId: sql`m.person_id`,
    employeeId: sql`(select e.id from ${employees} e where e.account_id = m.account_id
      and e.person_id = m.person_id and e.deleted_at is null)`,
    role: sql`m.role`,
    plan: sql`a.plan`,
    expiresAt: epochMillis(expiresAt),
  })

/** A live API key by its hash; notes its use, at most once a minute. */
export const identityOfKey: Query<{ hash: string; now: string }, Identity | null> = entrance(
  p => sql`with used as (
      update ${apiKeys} set last_used_at = ${p.now}::timestamptz
      where hash = ${p.hash}
        and (last_used_at is null or last_used_at < ${p.now}::timestamptz - interval '1 minute')
    )
    select ${identity(sql`k.expires_at`)}
    from ${apiKeys} k
    join ${from(m)} on m.account_id = k.account_id and m.user_id = k.user_id and ${isLetIn(m)}
    join ${accounts} a on a.id = k.account_id
    where k.hash = ${p.hash} and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > ${p.now}::timestamptz)`,
)

/** A live web session by the hash of its cookie. */
export const identityOfSession: Query<{ hash: string; now: string }, Identity | null> = entrance(
  p => sql`select ${identity(sql`s.expires_at`)}
    from ${webSessions} s
    join ${from(m)} on m.account_id = s.account_id and m.user_id = s.user_id and ${isLetIn(m)}
    join ${accounts} a on a.id = s.account_id
    where s.hash = ${p.hash} and s.expires_at > ${p.now}::timestamptz`,
)

/** The user of a live grant of an approved client; notes its use, at most once a minute. */
export const identityOfGrant: Query<
  { accountId: number; id: number; now: string },
  Identity | null
> = entrance(
  p => sql`with used as (
      update ${oauthGrants} set last_used_at = ${p.now}::timestamptz
      where account_id = ${p.accountId}::int and id = ${p.id}::int
        and (last_used_at is null or last_used_at < ${p.now}::timestamptz - interval '1 minute')
    )
    select ${identity(sql`g.expires_at`)}
    from ${oauthGrants} g
    join ${oauthClients} c on c.id = g.client_id and c.status = 'approved'
    join ${from(m)} on m.account_id = g.account_id and m.user_id = g.user_id and ${isLetIn(m)}
    join ${accounts} a on a.id = g.account_id
    where g.account_id = ${p.accountId}::int and g.id = ${p.id}::int and g.revoked_at is null`,
)

/** What signing in needs to know of an e-mail address. */
export interface SignInFacts {
  userId: number
  accountId: number
  email: string
  passwordHash: string | null
  /** Whether they are let into that account; it is the first of those that let them in. */
  isLetIn: boolean
  /** How many businesses let them in. */
  businesses: number
}

const signInFacts = sql`select ${json({
  userId: sql`u.id`,
  accountId: sql`m.account_id`,
  email: sql`u.email`,
  passwordHash: sql`u.password_hash`,
  isLetIn: isLetIn(m),
  businesses: sql`(select count(*)::int from ${from(m)} where m.user_id = u.id and ${isLetIn(m)})`,
})} from ${users} u join ${from(m)} on m.user_id = u.id`

/** Those first that let the user in, then those that they made or joined first. */
const firstJoined = sql`${isLetIn(m)} desc, m.created_at, m.account_id limit 1`

/** A user by e-mail address, with an account of theirs. */
export const userByEmail: Query<{ email: string }, SignInFacts | null> = entrance(
  p => sql`${signInFacts} where lower(u.email) = lower(${p.email}) order by ${firstJoined}`,
)

/** A user by id, with an account of theirs: for who proves otherwise who they are. */
export const userById: Query<{ userId: number }, SignInFacts | null> = entrance(
  p => sql`${signInFacts} where u.id = ${p.userId}::int order by ${firstJoined}`,
)

/** A business that a user works for. */
export interface Business {
  id: number
  name: string
  role: Role
}

/** The businesses that a user is let into, by name. */
export const businessesOf: Query<{ userId: number }, Business[]> = entrance(
  p =>
    sql`select ${jsonArray(
      json({ id: sql`a.id`, name: sql`a.name`, role: sql`m.role` }),
      sql`from ${from(m)} join ${accounts} a on a.id = m.account_id
      where m.user_id = ${p.userId}::int and ${isLetIn(m)} order by lower(a.name), a.id`,
    )}`,
)

/** A row that an entrance leads to, and the account that it is in. */
interface Found {
  accountId: number
  id: number
}

const found = ({ accountId, id }: Record<keyof Found, AnyPgColumn>) =>
  json<Found>({ accountId, id })

/** A row by its public identifier. */
const byUid = (
  table: PgTable & Record<keyof Found | 'uid', AnyPgColumn>,
): Query<{ uid: string }, Found | null> =>
  entrance(p => sql`select ${found(table)} from ${table} where ${table.uid} = ${p.uid}`)

/** The rows of the business that has a subdomain, in any case. */
const ofSubdomain = (table: PgTable & { accountId: AnyPgColumn }, subdomain: SQL): SQL =>
  sql`from ${accounts} join ${table} on ${table.accountId} = ${accounts.id}
    where lower(${accounts.subdomain}) = lower(${subdomain})`

/** An appointment by its public identifier. */
export const appointmentByUid = byUid(appointments)

/** The account whose booking page has a subdomain, in any case. */
export const accountBySubdomain: Query<{ subdomain: string }, { accountId: number } | null> =
  entrance(
    p => sql`select ${json({ accountId: accounts.id })} from ${accounts}
      where lower(${accounts.subdomain}) = lower(${p.subdomain})`,
  )

/** The account that a live service belongs to. Service ids come from one sequence for all. */
export const accountOfService: Query<{ id: number }, { accountId: number } | null> = entrance(
  p => sql`select ${json({ accountId: services.accountId })} from ${services}
    where ${services.id} = ${p.id}::int and ${services.deletedAt} is null`,
)

/** The account that an event type belongs to. Event type ids come from one sequence for all. */
export const accountOfEventType: Query<{ id: number }, { accountId: number } | null> = entrance(
  p => sql`select ${json({ accountId: eventTypes.accountId })} from ${eventTypes}
    where ${eventTypes.id} = ${p.id}::int`,
)

/** A booking by its public identifier. */
export const bookingByUid = byUid(bookings)

/**
 * The booking that is met in a room of ours: by the uid in the room's name, or by the provider's id of
 * the room. `isTold` says whether a recording of that kind and id was told of.
 */
export const bookingByRoom: Query<
  { uid: string | null; roomId: string | null; kind: string; externalId: string },
  (Found & { isTold: boolean }) | null
> = entrance(
  p => sql`select ${json({
    accountId: bookings.accountId,
    id: bookings.id,
    isTold: sql`exists (select from ${bookingRecordings}
      where ${bookingRecordings.accountId} = ${bookings.accountId}
        and ${bookingRecordings.kind} = ${p.kind} and ${bookingRecordings.externalId} = ${p.externalId})`,
  })} from ${bookings} where ${bookings.location} = 'integrations:daily'
    and (${bookings.uid} = ${p.uid}::text or ${bookings.roomId} = ${p.roomId}::text)`,
)

/** A routing form by its id, which comes from one sequence for all. */
export const formById: Query<{ formId: number }, Found | null> = entrance(
  p => sql`select ${found(routingForms)} from ${routingForms}
    where ${routingForms.id} = ${p.formId}::int`,
)

/** A routing form by its address: the subdomain of its business and its slug, in any case. */
export const formByAddress: Query<{ subdomain: string; slug: string }, Found | null> = entrance(
  p => sql`select ${found(routingForms)} ${ofSubdomain(routingForms, p.subdomain)}
    and lower(${routingForms.slug}) = lower(${p.slug})`,
)

/** A response to a routing form by its public identifier. */
export const formResponseByUid = byUid(routingFormResponses)

/** A user by username, in any case, with the first account that lets them in. */
export const userByUsername: Query<{ username: string }, Found | null> = entrance(
  p => sql`select ${json<Found>({ accountId: sql`m.account_id`, id: sql`u.id` })}
    from ${users} u join ${from(m)} on m.user_id = u.id
    where lower(u.username) = lower(${p.username}) order by ${firstJoined}`,
)

/** A user who has an event type at a slug, and the account that it is in. */
export const userByEventType: Query<{ username: string; slug: string }, Found | null> = entrance(
  p => sql`select ${found({ accountId: eventTypes.accountId, id: users.id })}
    from ${users} join ${eventTypes} on ${eventTypes.userId} = ${users.id}
    where lower(${users.username}) = lower(${p.username}) and ${eventTypes.slug} = ${p.slug}`,
)

/** A team by the subdomain of its business and its slug. */
export const teamByAddress: Query<{ subdomain: string; teamSlug: string }, Found | null> = entrance(
  p => sql`select ${found(teams)} ${ofSubdomain(teams, p.subdomain)}
    and ${teams.slug} = ${p.teamSlug}`,
)
