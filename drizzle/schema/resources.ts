import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, primaryKey, text } from 'drizzle-orm/pg-core'
import { services } from './catalog.ts'
import { instantRange, owned, ownedKey, stamps, within } from './columns.ts'
import { locations } from './company.ts'
import { table } from './lazy.ts'

/** A room, a station or a piece of equipment that appointments share. */
export const resources = table(
  'resources',
  {
    ...owned(),
    locationId: integer('location_id').notNull(),
    name: text().notNull(),
    type: text({ enum: ['equipment', 'room', 'station'] })
      .notNull()
      .default('equipment'),
    description: text(),
    quantity: integer().notNull().default(1),
    active: boolean().notNull().default(true),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'resources'),
    within(t, t.locationId, locations, 'resources_location_fk'),
    index('resources_location').on(t.accountId, t.locationId),
    check('resources_quantity', sql`quantity >= 0`),
  ],
)

/** What a service needs while it is given. */
export const serviceResources = table(
  'service_resources',
  {
    accountId: integer('account_id').notNull(),
    serviceId: integer('service_id').notNull(),
    resourceId: integer('resource_id').notNull(),
    quantity: integer().notNull().default(1),
  },
  t => [
    primaryKey({
      name: 'service_resources_pkey',
      columns: [t.accountId, t.serviceId, t.resourceId],
    }),
    within(t, t.serviceId, services, 'service_resources_service_fk'),
    within(t, t.resourceId, resources, 'service_resources_resource_fk').onDelete('cascade'),
    index('service_resources_resource').on(t.accountId, t.resourceId),
  ],
)

/**
 * Who uses a resource when: one row per appointment or group session. The sum over any instant never
 * exceeds the resource's quantity (lib/domain/resources/writes.ts locks the resource and checks).
 */
export const resourceBookings = table(
  'resource_bookings',
  {
    accountId: integer('account_id').notNull(),
    resourceId: integer('resource_id').notNull(),
    source: text({ enum: ['appointment', 'session'] }).notNull(),
    sourceId: integer('source_id').notNull(),
    quantity: integer().notNull(),
    during: instantRange('during').notNull(),
  },
  t => [
    primaryKey({
      name: 'resource_bookings_pkey',
      columns: [t.accountId, t.source, t.sourceId, t.resourceId],
    }),
    within(t, t.resourceId, resources, 'resource_bookings_resource_fk').onDelete('cascade'),
    check('resource_bookings_quantity', sql`quantity > 0`),
  ],
)
