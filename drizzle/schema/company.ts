import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  numeric,
  text,
} from 'drizzle-orm/pg-core'
import { ofAccount } from './accounts.ts'
import { instant, owned, ownedKey, stamps, within } from './columns.ts'
import { table } from './lazy.ts'

/** A named group of locations. */
export const districts = table(
  'districts',
  {
    ...owned(),
    name: text().notNull(),
    region: text(),
    description: text(),
    ...stamps(),
  },
  t => [ownedKey(t, 'districts'), ofAccount(t, 'districts')],
)

/** A place where services are given; its time zone rules the hours worked there. */
export const locations = table(
  'locations',
  {
    ...owned(),
    name: text().notNull(),
    address: text(),
    city: text(),
    state: text(),
    postalCode: text('postal_code'),
    country: text(),
    timeZone: text('time_zone').notNull(),
    phone: text(),
    email: text(),
    latitude: doublePrecision(),
    longitude: doublePrecision(),
    districtId: integer('district_id'),
    openingHours: jsonb('opening_hours'),
    active: boolean().notNull().default(true),
    deletedAt: instant('deleted_at'),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'locations'),
    ofAccount(t, 'locations'),
    within(t, t.districtId, districts, 'locations_district_fk'),
    index('locations_district').on(t.accountId, t.districtId),
  ],
)

/** A tax in percent, on top of a price (`additive`) or contained in it (`inclusive`). */
export const taxes = table(
  'taxes',
  {
    ...owned(),
    name: text().notNull(),
    rate: numeric({ precision: 6, scale: 4, mode: 'number' }).notNull(),
    type: text({ enum: ['additive', 'inclusive'] })
      .notNull()
      .default('additive'),
    scope: text({ enum: ['services', 'products', 'both'] })
      .notNull()
      .default('both'),
    locationId: integer('location_id'),
    isDefault: boolean('is_default').notNull().default(false),
    active: boolean().notNull().default(true),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'taxes'),
    ofAccount(t, 'taxes'),
    within(t, t.locationId, locations, 'taxes_location_fk'),
    check('taxes_rate', sql`rate >= 0 and rate < 100`),
  ],
)
