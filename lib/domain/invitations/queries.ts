import { sql } from 'drizzle-orm'
import { accounts, members, users } from '#drizzle/schema/accounts.ts'
import { employees, invitations } from '#drizzle/schema/people.ts'
import type { Role } from '#lib/core/permissions.ts'
import { iso, json, jsonRow } from '#lib/db/json.ts'
import { isLetIn } from '#lib/db/let-in.ts'
import { from, named, query } from '#lib/db/query.ts'
import type { Invitation, Outcome, ShownInvitation } from './schema.ts'

const i = invitations
const e = employees
const m = named(members, 'm')

const ofEmployee = sql`${e} on ${e.accountId} = ${i.accountId} and ${e.id} = ${i.employeeId}`

/** What inviting somebody needs to know. */
export interface InviteFacts {
  /** Ids for what is made. */
  inviteId: number
  employeeId: number
  employee: { id: number; name: string; email: string; role: Role } | null
  /** Whether whoever has the address is a member already. */
  isMember: boolean
  /** When the oldest was sent of those that are as many as may be sent; null while they are fewer. */
  lastOf: string | null
}

/** Whom an invitation is for, and whether it may be sent; `max` of them since `since`. */
export const inviteFacts = query<
  { employeeId: number | null; email: string | null; since: string; max: number },
  InviteFacts
>(p => {
  const theirs = sql`from ${e} where ${e.accountId} = ${p.account} and ${e.deletedAt} is null
    and case when ${p.employeeId}::int is null then lower(${e.email}) = lower(${p.email}::text)
      else ${e.id} = ${p.employeeId}::int end`
  return sql`select ${json({
    inviteId: sql`nextval('invitations_id_seq')::int`,
    employeeId: sql`nextval('employees_id_seq')::int`,
    employee: jsonRow(json({ id: e.id, name: e.name, email: e.email, role: e.role }), theirs),
    isMember: sql`(exists (select ${theirs} and ${e.userId} is not null)
      or exists (select from ${from(m)} join ${users} on ${users.id} = ${m.userId}
        where ${m.accountId} = ${p.account} and ${isLetIn(m)}
          and lower(${users.email}) = lower(coalesce((select ${e.email} ${theirs}), ${p.email}::text))))`,
    lastOf: jsonRow(
      sql`to_json(${iso(i.createdAt)})`,
      sql`from ${i} where ${i.accountId} = ${p.account}
        and ${i.createdAt} > ${p.since}::timestamptz
        order by ${i.createdAt} desc offset ${p.max}::int - 1`,
    ),
  })}`
})

/** Goes after `lockAccount`, so that no others come meanwhile. Fails with `invitations_day` where `max` were sent since `since`. */
export const requireFew = query<{ since: string; max: number }, unknown>(
  p => sql`select must((select count(*) from ${i} where ${i.accountId} = ${p.account}
    and ${i.createdAt} > ${p.since}::timestamptz) < ${p.max}::int, 'invitations_day')`,
)

/** Fails with `invitations_whom` unless the employee is there, does not sign in, and has the address. */
export const requireWhom = query<{ employeeId: number; email: string }, unknown>(
  p => sql`select must(exists (select from ${e} where ${e.accountId} = ${p.account}
    and ${e.id} = ${p.employeeId}::int and ${e.deletedAt} is null and ${e.userId} is null
    and ${e.email} = ${p.email}), 'invitations_whom')`,
)

/** Fails with `invitations_rank` unless the employee's role is one of those. */
export const requireRole = query<{ employeeId: number; roles: readonly Role[] }, unknown>(
  p => sql`select must(exists (select from ${e} where ${e.accountId} = ${p.account}
    and ${e.id} = ${p.employeeId}::int and ${e.role} = any(${p.roles}::text[])), 'invitations_rank')`,
)

/** An invitation as it is answered. */
export const invitationRecord = query<{ id: number }, Invitation>(
  p =>
    sql`select ${json({
      inviteId: i.id,
      employeeId: i.employeeId,
      email: i.email,
      role: e.role,
      expiresAt: i.expiresAt,
    })} from ${i} join ${ofEmployee} where ${i.accountId} = ${p.account} and ${i.id} = ${p.id}::int`,
)

/** The role that an invitation is to. */
export const invitedRole = query<{ id: number }, Role | null>(
  p => sql`select to_json(${e.role}) from ${i} join ${ofEmployee}
    where ${i.accountId} = ${p.account} and ${i.id} = ${p.id}::int`,
)

/** An invitation as who holds its link sees it. */
export const shownInvitation = query<{ id: number }, ShownInvitation | null>(
  p => sql`select ${json({
    id: i.id,
    employeeId: i.employeeId,
    name: e.name,
    email: i.email,
    role: e.role,
    business: accounts.name,
    inviter: sql`(select ${json({ name: users.name, email: users.email })} from ${users}
      where ${users.id} = ${i.userId})`,
    expiresAt: i.expiresAt,
    outcome: i.outcome,
    user: jsonRow(
      json({ id: users.id, passwordHash: users.passwordHash }),
      sql`from ${users} where lower(${users.email}) = lower(${i.email})`,
    ),
  })} from ${i} join ${ofEmployee} join ${accounts} on ${accounts.id} = ${i.accountId}
    where ${i.accountId} = ${p.account} and ${i.id} = ${p.id}::int`,
)

/** Ends an open invitation; fails with `invitations_over` where it is over by now. */
export const endInvitation = query<{ id: number; outcome: Outcome; now: string }, unknown>(
  p => sql`with ended as (
      update ${i} set ended_at = ${p.now}::timestamptz, outcome = ${p.outcome}
      where ${i.accountId} = ${p.account} and ${i.id} = ${p.id}::int and ${i.endedAt} is null
        and ${i.expiresAt} > ${p.now}::timestamptz
      returning 1
    ) select must(exists(select from ended), 'invitations_over')`,
)

/** Links an employee to the user they are; fails with `invitations_over` unless it is who was invited. */
export const linkUser = query<{ id: number; userId: number; now: string }, unknown>(
  p => sql`with linked as (
      update ${e} set user_id = ${p.userId}::int, updated_at = ${p.now}::timestamptz
      from ${i} where ${i.accountId} = ${p.account} and ${i.id} = ${p.id}::int
        and ${e.accountId} = ${p.account} and ${e.id} = ${i.employeeId}
        and ${e.deletedAt} is null and ${e.userId} is null and lower(${e.email}) = lower(${i.email})
      returning 1
    ) select must(exists(select from linked), 'invitations_over')`,
)
