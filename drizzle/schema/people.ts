import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  primaryKey,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { members, ofAccount, people, users } from './accounts.ts'
import { services } from './catalog.ts'
import { instant, lower, owned, ownedKey, stamps, within } from './columns.ts'
import { locations } from './company.ts'
import { table } from './lazy.ts'

/** Someone who books. The totals are kept by the writes that change them. */
export const customers = table(
  'customers',
  {
    ...owned(),
    name: text().notNull(),
    email: text(),
    phone: text(),
    notes: text(),
    gender: text(),
    dateOfBirth: date('date_of_birth', { mode: 'string' }),
    timeZone: text('time_zone'),
    language: text(),
    totalBookings: integer('total_bookings').notNull().default(0),
    totalSpent: integer('total_spent').notNull().default(0),
    lastBookedAt: instant('last_booked_at'),
    smsConsent: boolean('sms_consent').notNull().default(false),
    deletedAt: instant('deleted_at'),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'customers'),
    ofAccount(t, 'customers'),
    uniqueIndex('customers_email').on(t.accountId, lower(t.email)).where(sql`deleted_at is null`),
    index('customers_spent').on(t.accountId, t.totalSpent, t.id),
    index('customers_top').on(t.accountId, t.totalSpent, t.totalBookings, t.id),
    index('customers_booked').on(t.accountId, t.totalBookings, t.totalSpent, t.id),
    index('customers_name').on(t.accountId, lower(t.name), t.id),
    index('customers_created').on(t.accountId, t.createdAt, t.id),
    index('customers_phone').on(t.accountId, t.phone),
  ],
)

/** Someone who gives services. `all_services` until the business names which. */
export const employees = table(
  'employees',
  {
    ...owned(),
    personId: integer('person_id').notNull(),
    userId: integer('user_id'),
    name: text().notNull(),
    email: text().notNull(),
    phone: text(),
    role: text({ enum: ['owner', 'admin', 'manager', 'staff'] })
      .notNull()
      .default('staff'),
    bio: text(),
    avatarUrl: text('avatar_url'),
    color: text(),
    timeZone: text('time_zone').notNull(),
    allServices: boolean('all_services').notNull().default(true),
    commissionRate: numeric('commission_rate', { precision: 7, scale: 4, mode: 'number' }),
    lastBookedAt: instant('last_booked_at'),
    active: boolean().notNull().default(true),
    deletedAt: instant('deleted_at'),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'employees'),
    within(t, t.personId, people, 'employees_person_fk'),
    foreignKey({ name: 'employees_user_fk', columns: [t.userId], foreignColumns: [users.id] }),
    uniqueIndex('employees_email').on(t.accountId, lower(t.email)).where(sql`deleted_at is null`),
    uniqueIndex('employees_person').on(t.accountId, t.personId).where(sql`deleted_at is null`),
  ],
)

/**
 * That a member has asked an employee to sign in. It is open until it ends: by its `outcome`, or when
 * the time of its link is over. Nothing of the link is kept: lib/domain/messaging/invitation.ts signs
 * it anew. The address is the employee's as it was: another one is somebody else's.
 */
export const invitations = table(
  'invitations',
  {
    ...owned(),
    employeeId: integer('employee_id').notNull(),
    email: text().notNull(),
    /** Who asks. */
    userId: integer('user_id').notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    endedAt: instant('ended_at'),
    outcome: text({ enum: ['accepted', 'declined', 'revoked', 'replaced'] }),
  },
  t => [
    ownedKey(t, 'invitations'),
    within(t, t.employeeId, employees, 'invitations_employee_fk'),
    foreignKey({
      name: 'invitations_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
    uniqueIndex('invitations_open').on(t.accountId, t.employeeId).where(sql`ended_at is null`),
    index('invitations_made').on(t.accountId, t.createdAt),
    check('invitations_outcome', sql`(ended_at is null) = (outcome is null)`),
  ],
)

/** What an employee gives, where they do not give everything. */
export const employeeServices = table(
  'employee_services',
  {
    accountId: integer('account_id').notNull(),
    employeeId: integer('employee_id').notNull(),
    serviceId: integer('service_id').notNull(),
  },
  t => [
    primaryKey({
      name: 'employee_services_pkey',
      columns: [t.accountId, t.employeeId, t.serviceId],
    }),
    within(t, t.employeeId, employees, 'employee_services_employee_fk'),
    within(t, t.serviceId, services, 'employee_services_service_fk'),
    index('employee_services_service').on(t.accountId, t.serviceId),
  ],
)

/** Where an employee works. Without a row here: everywhere. */
export const employeeLocations = table(
  'employee_locations',
  {
    accountId: integer('account_id').notNull(),
    employeeId: integer('employee_id').notNull(),
    locationId: integer('location_id').notNull(),
  },
  t => [
    primaryKey({
      name: 'employee_locations_pkey',
      columns: [t.accountId, t.employeeId, t.locationId],
    }),
    within(t, t.employeeId, employees, 'employee_locations_employee_fk'),
    within(t, t.locationId, locations, 'employee_locations_location_fk'),
    index('employee_locations_location').on(t.accountId, t.locationId),
  ],
)

/**
 * Working hours of an employee, in general (`location_id` null) or at one place. Local wall-clock in
 * the place's zone, else the employee's. The JSON is lib/domain/staff/schema.ts `ScheduleHours`.
 */
export const employeeSchedules = table(
  'employee_schedules',
  {
    ...owned(),
    employeeId: integer('employee_id').notNull(),
    locationId: integer('location_id'),
    weekly: jsonb().notNull(),
    overrides: jsonb().notNull().default([]),
    timeOff: jsonb('time_off').notNull().default([]),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'employee_schedules'),
    within(t, t.employeeId, employees, 'employee_schedules_employee_fk'),
    within(t, t.locationId, locations, 'employee_schedules_location_fk'),
    unique('employee_schedules_place')
      .on(t.accountId, t.employeeId, t.locationId)
      .nullsNotDistinct(),
  ],
)
