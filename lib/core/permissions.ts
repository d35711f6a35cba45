/** What a member may be allowed to do, as `noun.verb`. The 403 names the one that was missing. */
export const PERMISSIONS = [
  'catalog.read',
  'catalog.write',
  'products.read',
  'products.write',
  'appointments.read',
  'appointments.write',
  'appointments.own',
  'availability.read',
  'customers.read',
  'customers.write',
  'employees.read',
  'employees.write',
  'schedules.read',
  'schedules.write',
  'schedules.own',
  'company.read',
  'company.write',
  'resources.read',
  'resources.write',
  'calendar.read',
  'calendar.write',
  'calendar.own',
  'invoices.read',
  'invoices.write',
  'insights.read',
  'taxes.read',
  'taxes.write',
  'money.write',
  'roles.write',
  'billing.write',
  'connections.read',
  'connections.write',
] as const
/** One thing that a member may be allowed to do. */
export type Permission = (typeof PERMISSIONS)[number]

/** What a member can be in an account, the mightiest first. */
export const ROLES = ['owner', 'admin', 'manager', 'staff'] as const
/** A member's part in an account. */
export type Role = (typeof ROLES)[number]

const MANAGER_LACKS: readonly Permission[] = [
  'taxes.write',
  'money.write',
  'roles.write',
  'billing.write',
  'connections.write',
]

/**
 * What each role may do: owner and admin everything; a manager everything but money settings, roles,
 * billing and connections; staff their own appointments, schedule and calendar (event types, hours,
 * absences, forms, workflows), and what any visitor of the booking page sees.
 */
const GRANTS: Record<Role, ReadonlySet<Permission>> = {
  owner: new Set(PERMISSIONS),
  admin: new Set(PERMISSIONS),
  manager: new Set(PERMISSIONS.filter(p => !MANAGER_LACKS.includes(p))),
  staff: new Set<Permission>([
    'catalog.read',
    'products.read',
    'appointments.own',
    'availability.read',
    'schedules.own',
    'company.read',
    'resources.read',
    'calendar.own',
  ]),
}

/** Whether a role includes a permission. */
export const roleMay = (role: Role, permission: Permission): boolean => GRANTS[role].has(permission)
