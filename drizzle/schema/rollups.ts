import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, primaryKey, text } from 'drizzle-orm/pg-core'
import { ofAccount } from './accounts.ts'
import { instant } from './columns.ts'
import { table } from './lazy.ts'

/**
 * What insights add up. Triggers add a row for each change of an appointment, booking or customer, in
 * its transaction, and no row is ever changed: a job replaces several of one key by their sum. So the
 * sum of a key is right at any moment, and nobody waits for anybody.
 *
 * `bucket` is the start of a UTC day; for the kinds `appointment` and `booking`, which are for days and
 * hours by the company's clocks, of a quarter of an hour. `item_id` is the service, employee, event
 * type or host, 0 for none. `minutes` are of what was not canceled, `revenue` is in cents.
 */
export const rollups = table(
  'rollups',
  {
    accountId: integer('account_id').notNull(),
    id: bigint({ mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    kind: text({
      enum: ['service', 'employee', 'appointment', 'event_type', 'host', 'booking', 'customer'],
    }).notNull(),
    bucket: instant('bucket').notNull(),
    itemId: integer('item_id').notNull(),
    currency: text().notNull(),
    pending: integer().notNull(),
    approved: integer().notNull(),
    completed: integer().notNull(),
    canceled: integer().notNull(),
    rejected: integer().notNull(),
    noShows: integer('no_shows').notNull(),
    hostNoShows: integer('host_no_shows').notNull(),
    minutes: integer().notNull(),
    revenue: bigint({ mode: 'number' }).notNull(),
    folded: boolean().notNull().default(false),
  },
  t => [
    primaryKey({
      name: 'rollups_pkey',
      columns: [t.accountId, t.kind, t.bucket, t.itemId, t.currency, t.id],
    }),
    ofAccount(t, 'rollups'),
    index('rollups_unfolded')
      .on(t.accountId, t.kind, t.bucket, t.itemId, t.currency)
      .where(sql`not folded`),
  ],
)
