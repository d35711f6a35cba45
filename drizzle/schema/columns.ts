import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  customType,
  type ForeignKeyBuilder,
  foreignKey,
  integer,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'

/** A UTC instant. Values travel as ISO 8601 text; the database keeps microseconds. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' })

/** A half-open range of instants, `[start, end)`. */
export const instantRange = customType<{ data: string; driverData: string }>({
  dataType: () => 'tstzrange',
})

/** Text that compares without regard to case: `Ann@x.org` and `ann@x.org` are one address. */
export const lower = (column: AnyPgColumn): SQL => sql`lower(${column})`

/** What every table of an account starts with; its primary key is (account_id, id). */
export const owned = () => ({
  accountId: integer('account_id').notNull(),
  id: integer().notNull().generatedByDefaultAsIdentity(),
})

/** When a row was made and last changed, by the clock of the request that did it. */
export const stamps = () => ({
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

/** A shelf that services or products stand on; `position` orders shelves, lowest first. */
export const shelf = () => ({
  name: text().notNull(),
  slug: text().notNull(),
  description: text(),
  color: text(),
  position: integer().notNull().default(0),
  active: boolean().notNull().default(true),
})

interface OwnedColumns {
  accountId: AnyPgColumn
  id: AnyPgColumn
}

/** The primary key of an owned table. */
export const ownedKey = (table: OwnedColumns, name: string) =>
  primaryKey({ name: `${name}_pkey`, columns: [table.accountId, table.id] })

/**
 * A foreign key that carries the account: a row can only point at a row of its own account, so a
 * foreign id in a request fails in the database even where the code forgot to ask.
 */
export const within = (
  table: { accountId: AnyPgColumn },
  column: AnyPgColumn,
  target: OwnedColumns,
  name: string,
): ForeignKeyBuilder =>
  foreignKey({
    name,
    columns: [table.accountId, column],
    foreignColumns: [target.accountId, target.id],
  })
