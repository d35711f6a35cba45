import { sql } from 'drizzle-orm'
import { members, people, users } from '#drizzle/schema/accounts.ts'
import { employees, invitations } from '#drizzle/schema/people.ts'
import { type Member, requirePermission } from '#lib/core/context.ts'
import type { Page } from '#lib/core/json.ts'
import type { Role } from '#lib/core/permissions.ts'
import type { Paging } from '#lib/core/schemas.ts'
import { json, jsonRow } from '#lib/db/json.ts'
import { isLetIn } from '#lib/db/let-in.ts'
import { lister } from '#lib/db/list.ts'
import { inviteStatus } from '#lib/domain/staff/queries.ts'
import type { Outcome } from './schema.ts'

/** Somebody of the business: a member, an employee, or both. */
export interface Colleague {
  /** The person. */
  id: number
  /** Null for one who does not sign in. */
  userId: number | null
  /** Null for one who gives no services. */
  employeeId: number | null
  name: string
  email: string
  role: Role
  inviteStatus: 'none' | 'invited' | 'accepted' | 'expired'
  /** The last time that they were invited, as who is no member. */
  invitation: { id: number; expiresAt: string; outcome: Outcome | null; inviter: string } | null
}

const i = invitations

const lastInvitation = jsonRow(
  json({
    id: i.id,
    expiresAt: i.expiresAt,
    outcome: i.outcome,
    inviter: sql`(select name from ${users} u where u.id = ${i.userId})`,
  }),
  sql`from ${i} where ${i.accountId} = ${employees.accountId} and ${i.employeeId} = ${employees.id}
    and ${employees.userId} is null order by ${i.id} desc`,
)

const name = sql`coalesce(${users.name}, ${employees.name})`
const email = sql`coalesce(${users.email}, ${employees.email})`

const page = lister<Colleague>({
  table: people,
  record: json({
    id: people.id,
    userId: users.id,
    employeeId: employees.id,
    name,
    email,
    role: sql`coalesce(${members.role}, ${employees.role})`,
    inviteStatus: sql`case when ${users.id} is null then ${inviteStatus} else 'accepted' end`,
    invitation: lastInvitation,
  }),
  joins: sql`left join ${members} on ${members.accountId} = ${people.accountId}
      and ${members.personId} = ${people.id} and ${isLetIn(members)}
    left join ${users} on ${users.id} = ${members.userId}
    left join ${employees} on ${employees.accountId} = ${people.accountId}
      and ${employees.personId} = ${people.id} and ${employees.deletedAt} is null`,
  where: sql`(${users.id} is not null or ${employees.id} is not null)`,
  orders: { name: { by: sql`lower(${name})`, type: 'text' } },
  defaultOrder: 'name',
  search: sql`(${name} || ' ' || ${email})`,
})

/** Everybody of the business by name, those among them who were asked to sign in, and how that stands. */
export async function listColleagues(m: Member, filter: Paging): Promise<Page<Colleague>> {
  requirePermission(m, 'employees.read')
  return page(m.tenant, { ...filter, now: m.now.toISOString() })
}
