import type { Scope } from './scopes.ts'

/** What a member may be allowed to do, as `noun.verb`. The 403 names the one that was missing. */
const PERMISSIONS = [
  'catalog.read',
  'catalog.write',
  'products.read',
  'products.write',
  'stock.read',
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
  'profile.read',
  'profile.write',
  'credentials.read',
  'credentials.write',
] as const
/** One thing that a member may be allowed to do. */
export type Permission = (typeof PERMISSIONS)[number]

/** What a member can be in an account, the mightiest first. */
export const ROLES = ['owner', 'admin', 'manager', 'staff'] as const
/** A member's part in an account. */
export type Role = (typeof ROLES)[number]

/** The roles that are not above one. */
export const rolesUpTo = (role: Role): readonly Role[] => ROLES.slice(ROLES.indexOf(role))

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
 * absences, forms, workflows), and what any visitor of the booking page sees. Everybody has their own
 * profile and credentials (keys, clients that they made, applications that they connected).
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
    'profile.read',
    'profile.write',
    'credentials.read',
    'credentials.write',
  ]),
}

/** Whether a role includes a permission. */
export const roleMay = (role: Role, permission: Permission): boolean => GRANTS[role].has(permission)

const BUSINESS_READ: readonly Scope[] = ['SERVICES_READ', 'SERVICES_WRITE', 'FULL_ACCESS']
const BUSINESS_WRITE: readonly Scope[] = ['SERVICES_WRITE', 'FULL_ACCESS']
const CALENDAR_READ: readonly Scope[] = ['READ_BOOKING', 'BOOKING_WRITE', 'FULL_ACCESS']
const CALENDAR_WRITE: readonly Scope[] = ['BOOKING_WRITE', 'FULL_ACCESS']
const TIME_READ: readonly Scope[] = [
  'READ_BOOKING',
  'SERVICES_READ',
  'BOOKING_WRITE',
  'SERVICES_WRITE',
  'FULL_ACCESS',
]
const TIME_WRITE: readonly Scope[] = ['BOOKING_WRITE', 'SERVICES_WRITE', 'FULL_ACCESS']
const ALL: readonly Scope[] = ['FULL_ACCESS']

/**
 * The scopes of which an OAuth token needs one, the least first. What can be changed can be read. No
 * token makes credentials: they would outlive it. What is a member's own (`x.own`) takes what changing
 * takes; who only reads it asks for the scope of reading (`requireScope`).
 */
const TAKES: Record<Permission, readonly Scope[]> = {
  'catalog.read': BUSINESS_READ,
  'catalog.write': BUSINESS_WRITE,
  'appointments.read': TIME_READ,
  'appointments.write': TIME_WRITE,
  'appointments.own': TIME_WRITE,
  'availability.read': TIME_READ,
  'customers.read': BUSINESS_READ,
  'customers.write': BUSINESS_WRITE,
  'employees.read': BUSINESS_READ,
  'employees.write': BUSINESS_WRITE,
  'schedules.read': BUSINESS_READ,
  'schedules.write': BUSINESS_WRITE,
  'schedules.own': BUSINESS_WRITE,
  'company.read': BUSINESS_READ,
  'company.write': BUSINESS_WRITE,
  'resources.read': BUSINESS_READ,
  'resources.write': BUSINESS_WRITE,
  'products.read': BUSINESS_READ,
  'products.write': BUSINESS_WRITE,
  'stock.read': BUSINESS_READ,
  'invoices.read': BUSINESS_READ,
  'invoices.write': BUSINESS_WRITE,
  'insights.read': BUSINESS_READ,
  'calendar.read': CALENDAR_READ,
  'calendar.write': CALENDAR_WRITE,
  'calendar.own': CALENDAR_WRITE,
  'taxes.read': BUSINESS_READ,
  'taxes.write': BUSINESS_WRITE,
  'money.write': ALL,
  'roles.write': ALL,
  'billing.write': ALL,
  'connections.read': BUSINESS_READ,
  'connections.write': ALL,
  'profile.read': ['READ_PROFILE', 'FULL_ACCESS'],
  'profile.write': ALL,
  'credentials.read': ALL,
  'credentials.write': [],
}

/** The scopes that include a permission, the least first; none where no token has it. */
export const scopesFor = (permission: Permission): readonly Scope[] => TAKES[permission]
