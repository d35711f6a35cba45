import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { people } from './accounts.ts'
import { services } from './catalog.ts'
import { instant, instantRange, owned, ownedKey, stamps, within } from './columns.ts'
import { locations } from './company.ts'
import { table } from './lazy.ts'
import { customers, employees } from './people.ts'

/**
 * Every block of a person's time, whatever it comes from. The exclusion constraint
 * `occupancies_no_overlap` refuses two overlapping blocks of one person: there is no other guard
 * against double booking, and none is needed. Blocks with `expires_at` (holds, offers) are deleted
 * by the next booking of that person once they are past it.
 */
export const occupancies = table(
  'occupancies',
  {
    accountId: integer('account_id').notNull(),
    personId: integer('person_id').notNull(),
    source: text({ enum: ['appointment', 'session', 'booking', 'hold', 'offer'] }).notNull(),
    sourceId: integer('source_id').notNull(),
    blocked: instantRange('blocked').notNull(),
    expiresAt: instant('expires_at'),
  },
  t => [
    primaryKey({
      name: 'occupancies_pkey',
      columns: [t.accountId, t.source, t.sourceId, t.personId],
    }),
    foreignKey({
      name: 'occupancies_person_fk',
      columns: [t.accountId, t.personId],
      foreignColumns: [people.accountId, people.id],
    }).onUpdate('cascade'),
    // Blocks that end by themselves are few among all of a person's.
    index('occupancies_expiring')
      .on(t.accountId, t.personId, t.expiresAt)
      .where(sql`expires_at is not null`),
    check('occupancies_blocked', sql`not isempty(blocked)`),
  ],
)

/** A row of repeated appointments that were made together. */
export const appointmentSeries = table(
  'appointment_series',
  {
    ...owned(),
    rule: text({ enum: ['weekly', 'biweekly', 'monthly'] }).notNull(),
    count: smallint().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  t => [ownedKey(t, 'appointment_series')],
)

/** One start of a group service; seats are appointments that point here. */
export const groupSessions = table(
  'group_sessions',
  {
    ...owned(),
    serviceId: integer('service_id').notNull(),
    employeeId: integer('employee_id'),
    locationId: integer('location_id'),
    startTime: instant('start_time').notNull(),
    endTime: instant('end_time').notNull(),
    capacity: integer().notNull(),
    taken: integer().notNull().default(0),
  },
  t => [
    ownedKey(t, 'group_sessions'),
    within(t, t.serviceId, services, 'group_sessions_service_fk'),
    within(t, t.employeeId, employees, 'group_sessions_employee_fk'),
    within(t, t.locationId, locations, 'group_sessions_location_fk'),
    unique('group_sessions_start')
      .on(t.accountId, t.serviceId, t.startTime, t.employeeId, t.locationId)
      .nullsNotDistinct(),
    check('group_sessions_capacity', sql`taken between 0 and capacity`),
  ],
)

/** A customer's booking of a service, or one seat of a group session. */
export const appointments = table(
  'appointments',
  {
    ...owned(),
    uid: text().notNull(),
    serviceId: integer('service_id').notNull(),
    customerId: integer('customer_id'),
    employeeId: integer('employee_id'),
    locationId: integer('location_id'),
    status: text({ enum: ['pending', 'approved', 'canceled', 'completed'] }).notNull(),
    startTime: instant('start_time').notNull(),
    endTime: instant('end_time').notNull(),
    bufferBefore: integer('buffer_before').notNull().default(0),
    bufferAfter: integer('buffer_after').notNull().default(0),
    price: integer().notNull().default(0),
    currency: text().notNull(),
    depositAmount: integer('deposit_amount').notNull().default(0),
    taxAmount: integer('tax_amount').notNull().default(0),
    totalAmount: integer('total_amount').notNull().default(0),
    amountPaid: integer('amount_paid').notNull().default(0),
    amountRefunded: integer('amount_refunded').notNull().default(0),
    paymentStatus: text('payment_status', {
      enum: ['unpaid', 'deposit_paid', 'paid', 'partially_refunded', 'refunded'],
    })
      .notNull()
      .default('unpaid'),
    seriesId: integer('series_id'),
    seriesIndex: smallint('series_index'),
    recurrenceRule: text('recurrence_rule'),
    recurrenceCount: smallint('recurrence_count'),
    sessionId: integer('session_id'),
    isGroupBooking: boolean('is_group_booking').notNull().default(false),
    persons: smallint().notNull().default(1),
    attendees: jsonb().notNull().default([]),
    extras: jsonb().notNull().default([]),
    customFields: jsonb('custom_fields').notNull().default({}),
    timeZone: text('time_zone'),
    notes: text(),
    internalNotes: text('internal_notes'),
    cancellationReason: text('cancellation_reason'),
    cancelledBy: text('cancelled_by'),
    noShow: boolean('no_show').notNull().default(false),
    source: text({
      enum: ['api', 'public', 'portal', 'mcp', 'partner', 'extension', 'import', 'routing'],
    }).notNull(),
    /** While it is pending: when it is canceled unless it was confirmed. Null: never by itself. */
    confirmBy: instant('confirm_by'),
    /** The start of which the customer was reminded. */
    remindedFor: instant('reminded_for'),
    version: integer().notNull().default(0),
    hiddenAt: instant('hidden_at'),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'appointments'),
    within(t, t.serviceId, services, 'appointments_service_fk'),
    within(t, t.customerId, customers, 'appointments_customer_fk'),
    within(t, t.employeeId, employees, 'appointments_employee_fk'),
    within(t, t.locationId, locations, 'appointments_location_fk'),
    within(t, t.seriesId, appointmentSeries, 'appointments_series_fk'),
    within(t, t.sessionId, groupSessions, 'appointments_session_fk'),
    uniqueIndex('appointments_uid').on(t.uid),
    index('appointments_start').on(t.accountId, t.startTime, t.id).where(sql`hidden_at is null`),
    index('appointments_employee').on(t.accountId, t.employeeId, t.startTime),
    index('appointments_customer').on(t.accountId, t.customerId, t.startTime),
    index('appointments_service').on(t.accountId, t.serviceId, t.startTime),
    index('appointments_pending').on(t.accountId, t.startTime).where(sql`status = 'pending'`),
    index('appointments_to_confirm').on(t.confirmBy).where(sql`status = 'pending'`),
    index('appointments_to_remind')
      .on(t.startTime)
      .where(sql`status = 'approved' and reminded_for is distinct from start_time`),
    index('appointments_session').on(t.accountId, t.sessionId).where(sql`session_id is not null`),
    index('appointments_series').on(t.accountId, t.seriesId).where(sql`series_id is not null`),
    check('appointments_times', sql`end_time > start_time`),
    index('appointments_no_show').on(t.accountId, t.startTime).where(sql`no_show`),
    check('appointments_price', sql`price >= 0`),
    check('appointments_refunded', sql`amount_refunded between 0 and amount_paid`),
  ],
)
