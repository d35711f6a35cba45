import type { SQL } from 'drizzle-orm'
import { people } from '#drizzle/schema/accounts.ts'
import { services } from '#drizzle/schema/catalog.ts'
import { locations } from '#drizzle/schema/company.ts'
import { employeeLocations, employeeServices, employees } from '#drizzle/schema/people.ts'
import { type Member, may, requirePermission } from '#lib/core/context.ts'
import { crud } from '#lib/core/crud.ts'
import { requireLive, setLinks } from '#lib/db/links.ts'
import type { Write } from '#lib/db/write.ts'
import { companyZone } from '#lib/domain/company/operations.ts'
import {
  employeeList,
  endOpen,
  keepRole,
  lockEmployee,
  newestPerson,
  passRoleOn,
  requireOwner,
  requireStaff,
  requireUnbooked,
  stillAllServices,
} from './queries.ts'
import { type Employee, EmployeeFilter, NewEmployee } from './schema.ts'

type Input = Partial<typeof NewEmployee._zod.output>

/**
 * Those who give services. A deleted employee is kept for the appointments they had, and is let in no
 * more (lib/db/let-in.ts).
 */
export const employee = crud<Employee>()({
  noun: 'employee',
  label: 'Employee',
  table: employees,
  New: NewEmployee,
  Filter: EmployeeFilter,
  list: employeeList,
  read: 'employees.read',
  write: 'employees.write',
  defaults: m => ({
    personId: newestPerson,
    timeZone: companyZone(m.accountId),
  }),
  columns: ({ serviceIds, locationIds: _elsewhere, allServices, ...columns }: Input, id) => ({
    ...columns,
    allServices: givesAll(id, serviceIds, allServices),
  }),
  before: (write, id, input: Input, m) => {
    if (id === undefined) write.insert(people, {})
    setRole(write, id, input, m)
    if (id !== undefined && input.email !== undefined) endInvitation(write, id, input.email, m)
    requireLive(write, services, input.serviceIds ?? [])
    requireLive(write, locations, input.locationIds ?? [])
  },
  links: link,
  beforeRemove: (write, id, m) => {
    // They lose their access with it: whoever may not take a role may not take its access.
    if (!may(m, 'roles.write')) write.run(requireStaff, { id })
    endInvitation(write, id, null, m)
    write.run(requireUnbooked, { id, now: m.now.toISOString() })
  },
  soft: true,
})

/**
 * Whether the employee gives all services; `serviceIds` decides where it names some. A record sent
 * back as it was read says both: it stays what it was.
 */
function givesAll(id: number | undefined, serviceIds?: readonly number[], allServices?: boolean) {
  if (!serviceIds) return allServices
  if (serviceIds.length === 0) return allServices ?? true
  return id === undefined || !allServices ? false : stillAllServices(serviceIds)
}

/**
 * Who may not give roles may only make staff, and send a role back as it is. A new role is the
 * member's as well, if the employee is one.
 */
function setRole(write: Write, id: number | undefined, { role }: Input, m: Member): void {
  if (role === undefined) return
  if (id === undefined) {
    if (role !== 'staff') requirePermission(m, 'roles.write')
  } else if (may(m, 'roles.write')) write.run(passRoleOn, { id, role }).run(requireOwner, {})
  else write.run(keepRole, { id, role })
}

/** Who was invited at another address, or is deleted, is invited no more. */
function endInvitation(write: Write, employeeId: number, address: string | null, m: Member): void {
  const now = m.now.toISOString()
  write.run(lockEmployee, { id: employeeId })
  write.run(endOpen, { employeeId, outcome: 'revoked', address, now })
}

function link(write: Write, id: number | undefined, newest: SQL, input: Input): void {
  const { employeeId: owner, serviceId: service } = employeeServices
  const { employeeId: worker, locationId: location } = employeeLocations
  const { serviceIds, locationIds } = input
  if (serviceIds)
    setLinks(write, { table: employeeServices, owner, other: service }, id, newest, serviceIds)
  if (locationIds) {
    const places = { table: employeeLocations, owner: worker, other: location }
    setLinks(write, places, id, newest, locationIds)
  }
}
