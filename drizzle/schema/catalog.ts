import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  numeric,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { ofAccount } from './accounts.ts'
import { instant, owned, ownedKey, shelf, stamps, within } from './columns.ts'
import { locations } from './company.ts'
import { table } from './lazy.ts'

/** A shelf of the catalog that services stand on. */
export const categories = table(
  'categories',
  {
    ...owned(),
    ...shelf(),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'categories'),
    ofAccount(t, 'categories'),
    uniqueIndex('categories_slug').on(t.accountId, t.slug),
  ],
)

/** Something that customers book. Durations and buffers in minutes, money in cents. */
export const services = table(
  'services',
  {
    ...owned(),
    name: text().notNull(),
    slug: text().notNull(),
    description: text(),
    duration: integer().notNull().default(60),
    price: integer().notNull().default(0),
    currency: text().notNull().default('usd'),
    categoryId: integer('category_id'),
    locationId: integer('location_id'),
    bufferTimeBefore: integer('buffer_time_before').notNull().default(0),
    bufferTimeAfter: integer('buffer_time_after').notNull().default(0),
    maxCapacity: integer('max_capacity').notNull().default(1),
    depositType: text('deposit_type', { enum: ['none', 'fixed', 'percentage'] })
      .notNull()
      .default('none'),
    depositAmount: numeric('deposit_amount', { precision: 12, scale: 2, mode: 'number' })
      .notNull()
      .default(0),
    enableRecurring: boolean('enable_recurring').notNull().default(false),
    enableGroupBooking: boolean('enable_group_booking').notNull().default(false),
    minNoticeMinutes: integer('min_notice_minutes'),
    horizonDays: integer('horizon_days'),
    slotIntervalMinutes: integer('slot_interval_minutes'),
    color: text(),
    imageUrl: text('image_url'),
    position: integer().notNull().default(0),
    active: boolean().notNull().default(true),
    deletedAt: instant('deleted_at'),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'services'),
    ofAccount(t, 'services'),
    within(t, t.categoryId, categories, 'services_category_fk'),
    within(t, t.locationId, locations, 'services_location_fk'),
    uniqueIndex('services_slug').on(t.accountId, t.slug).where(sql`deleted_at is null`),
    index('services_category').on(t.accountId, t.categoryId),
    // A visitor names a service by its id alone.
    uniqueIndex('services_id').on(t.id),
    check('services_duration', sql`duration between 1 and 1500`),
    check(
      'services_deposit',
      sql`deposit_amount >= 0 and (deposit_type <> 'percentage' or deposit_amount <= 100)`,
    ),
  ],
)

/** An add-on to services: more to pay and, perhaps, more time. */
export const extras = table(
  'extras',
  {
    ...owned(),
    name: text().notNull(),
    description: text(),
    price: integer().notNull().default(0),
    duration: integer().notNull().default(0),
    maxQuantity: integer('max_quantity').notNull().default(1),
    active: boolean().notNull().default(true),
    ...stamps(),
  },
  t => [ownedKey(t, 'extras'), ofAccount(t, 'extras')],
)

/** Which extras go with which services. */
export const extraServices = table(
  'extra_services',
  {
    accountId: integer('account_id').notNull(),
    extraId: integer('extra_id').notNull(),
    serviceId: integer('service_id').notNull(),
  },
  t => [
    primaryKey({ name: 'extra_services_pkey', columns: [t.accountId, t.serviceId, t.extraId] }),
    within(t, t.extraId, extras, 'extra_services_extra_fk').onDelete('cascade'),
    within(t, t.serviceId, services, 'extra_services_service_fk'),
    index('extra_services_extra').on(t.accountId, t.extraId),
  ],
)
