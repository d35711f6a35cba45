import { type SQL, sql } from 'drizzle-orm'
import { members } from '#drizzle/schema/accounts.ts'
import { appointments } from '#drizzle/schema/appointments.ts'
import { services } from '#drizzle/schema/catalog.ts'
import { lower } from '#drizzle/schema/columns.ts'
import { locations } from '#drizzle/schema/company.ts'
import {
  employeeLocations,
  employeeServices,
  employees,
  invitations,
} from '#drizzle/schema/people.ts'
import { json, jsonArray } from '#lib/db/json.ts'
import { idsOf, type ListSpec } from '#lib/db/list.ts'
import { query } from '#lib/db/query.ts'
import type { Employee } from './schema.ts'

const isNamed = sql`exists (select from ${employeeServices}
  where ${employeeServices.accountId} = ${employees.accountId}
    and ${employeeServices.employeeId} = ${employees.id}
    and ${employeeServices.serviceId} = ${services.id})`

/** Whether an employee gives a service, in a query that joins both: all of them, or this by name. */
const givesService = sql`(${employees.allServices} or ${isNamed})`

/** Whether an employee works at a location: they name none, or this one. */
const worksAt = (locationId: SQL): SQL => {
  const own = sql`from ${employeeLocations}
    where ${employeeLocations.accountId} = ${employees.accountId}
      and ${employeeLocations.employeeId} = ${employees.id}`
  return sql`(not exists (select ${own})
    or exists (select ${own} and ${employeeLocations.locationId} = ${locationId}))`
}

/** Whether an employee signs in, or was asked to: by what is so at the instant `now` of the query. */
export const inviteStatus: SQL = sql`case when ${employees.userId} is not null then 'accepted'
  else coalesce((select case when ${invitations.expiresAt} > ${sql.placeholder('now')}::timestamptz
      then 'invited' else 'expired' end from ${invitations}
    where ${invitations.accountId} = ${employees.accountId}
      and ${invitations.employeeId} = ${employees.id} and ${invitations.endedAt} is null), 'none') end`

/** How employees are listed. */
export const employeeList: Omit<ListSpec, 'table'> = {
  record: json<Employee>({
    id: employees.id,
    name: employees.name,
    email: employees.email,
    phone: employees.phone,
    role: employees.role,
    allServices: employees.allServices,
    serviceIds: jsonArray(
      services.id,
      sql`from ${services} where ${services.accountId} = ${employees.accountId}
        and ${services.deletedAt} is null and ${givesService} order by ${services.id}`,
    ),
    locationIds: jsonArray(
      locations.id,
      sql`from ${employeeLocations} join ${locations}
          on ${locations.accountId} = ${employeeLocations.accountId}
          and ${locations.id} = ${employeeLocations.locationId} and ${locations.deletedAt} is null
        where ${employeeLocations.accountId} = ${employees.accountId}
          and ${employeeLocations.employeeId} = ${employees.id} order by ${locations.id}`,
    ),
    bio: employees.bio,
    avatarUrl: employees.avatarUrl,
    color: employees.color,
    timeZone: employees.timeZone,
    active: employees.active,
    commissionRate: sql`${employees.commissionRate}::double precision`,
    userId: employees.userId,
    inviteStatus,
    createdAt: employees.createdAt,
    updatedAt: employees.updatedAt,
  }),
  where: sql`${employees.deletedAt} is null`,
  orders: {
    name: { by: lower(employees.name), type: 'text' },
    createdAt: { by: employees.createdAt, type: 'timestamptz' },
  },
  filters: {
    active: given => sql`${employees.active} = ${given.active}::boolean`,
    serviceId: given => sql`exists (select from ${services}
      where ${services.accountId} = ${employees.accountId} and ${services.deletedAt} is null
        and ${services.id} = ${given.serviceId}::int and ${givesService})`,
    locationId: given => sql`exists (select from ${locations}
      where ${locations.accountId} = ${employees.accountId} and ${locations.deletedAt} is null
        and ${locations.id} = ${given.locationId}::int and ${worksAt(sql`${locations.id}`)})`,
  },
  names: { serviceId: idsOf(services), locationId: idsOf(locations) },
  search: sql`(${employees.name} || ' ' || ${employees.email})`,
}

/** The person that this batch just inserted. */
export const newestPerson: SQL = sql.raw(`currval('people_id_seq')::int`)

/** Whether an employee who gives all services still does when every one of them is named. */
export const stillAllServices = (named: readonly number[]): SQL =>
  sql`${employees.allServices} and not exists (select from ${services}
    where ${services.accountId} = ${employees.accountId} and ${services.deletedAt} is null
      and ${services.id} <> all(${sql.param(named)}::int[]))`

/** Fails with `employees_role` when the employee's role is not `role` already. */
export const keepRole = query<{ id: number; role: string }, unknown>(
  p => sql`select must(not exists (select from ${employees}
    where ${employees.accountId} = ${p.account} and ${employees.id} = ${p.id}::int
      and ${employees.role} <> ${p.role}), 'employees_role')`,
)

/** Gives the member that an employee is a role that the employee does not have yet. */
export const passRoleOn = query<{ id: number; role: string }, unknown>(
  p => sql`update ${members} set role = ${p.role} from ${employees}
    where ${members.accountId} = ${p.account} and ${employees.accountId} = ${p.account}
      and ${employees.id} = ${p.id}::int and ${employees.role} <> ${p.role}
      and ${members.userId} = ${employees.userId}`,
)

/** Fails with `members_rank` when the employee is a member of a role above staff. */
export const requireStaff = query<{ id: number }, unknown>(
  p => sql`select must(not exists (select from ${employees}, ${members}
    where ${employees.accountId} = ${p.account} and ${employees.id} = ${p.id}::int
      and ${members.accountId} = ${p.account} and ${members.personId} = ${employees.personId}
      and ${members.role} <> 'staff'), 'members_rank')`,
)

/** Fails with `members_owner` when the account has no owner left. */
export const requireOwner = query<object, unknown>(
  p => sql`select must(exists (select from ${members}
    where ${members.accountId} = ${p.account} and ${members.role} = 'owner'), 'members_owner')`,
)

/** Makes bookings of an employee wait: their foreign key takes a lock on the same row. */
export const lockEmployee = query<{ id: number }, unknown>(
  p => sql`select 1 from ${employees}
    where ${employees.accountId} = ${p.account} and ${employees.id} = ${p.id}::int for update`,
)

/** Fails with `employees_booked` when an employee has live appointments that are not over. */
export const requireUnbooked = query<{ id: number; now: string }, unknown>(
  p => sql`select must(not exists (select from ${appointments}
    where ${appointments.accountId} = ${p.account} and ${appointments.employeeId} = ${p.id}::int
      and ${appointments.status} in ('pending', 'approved')
      and ${appointments.endTime} > ${p.now}::timestamptz), 'employees_booked')`,
)

/** Ends an employee's open invitation, if there is one; with an `address`, one to another alone. */
export const endOpen = query<
  { employeeId: number; outcome: 'revoked' | 'replaced'; address: string | null; now: string },
  unknown
>(
  p => sql`update ${invitations} set ended_at = ${p.now}::timestamptz, outcome = ${p.outcome}
    where ${invitations.accountId} = ${p.account} and ${invitations.employeeId} = ${p.employeeId}::int
      and ${invitations.endedAt} is null and lower(${invitations.email}) is distinct from lower(${p.address}::text)`,
)
