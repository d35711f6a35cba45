import { is, Name, type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, PgColumn, PgTimestampString } from 'drizzle-orm/pg-core'

/** What a field of a JSON object may be made from. */
export type Field = AnyPgColumn | SQL

/** An instant as the interface writes it: UTC, milliseconds, `Z`. */
export const iso = (value: Field): SQL =>
  sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** An instant as minutes since the Unix epoch, the unit of lib/scheduling. */
export const epochMinutes = (value: Field): SQL =>
  sql`(extract(epoch from ${value}) / 60)::double precision`

/** An instant as milliseconds since the Unix epoch. */
export const epochMillis = (value: Field): SQL =>
  sql`round(extract(epoch from ${value}) * 1000)::bigint`

const plain = (field: Field): Field =>
  is(field, PgColumn) && is(field, PgTimestampString) ? iso(field) : field

/**
 * A JSON object of named fields; timestamps become ISO text. Of a record that is answered say which it is,
 * `json<Customer>({…})`: it has each of that one's fields then, and no other.
 */
export function json<R extends object = Record<string, unknown>>(
  fields: {
    readonly [K in keyof R]-?: Field
  },
): SQL {
  const parts = Object.entries<Field>(fields).map(
    ([name, field]) => sql`${plain(field)} as ${new Name(name)}`,
  )
  // Of the ways to make an object this is the fastest, and it writes no needless spaces.
  return sql`(select row_to_json(o) from (select ${sql.join(parts, sql`, `)}) o)`
}

/** A JSON object, or null where `column` is null: the far side of a left join. */
export const jsonIf = (column: AnyPgColumn, fields: Record<string, Field>): SQL =>
  sql`case when ${column} is null then null else ${json(fields)} end`

/** A JSON array of one value per row of `rest` (`from … where … order by …`); `[]` without rows. */
export const jsonArray = (value: SQL | AnyPgColumn, rest: SQL): SQL =>
  sql`coalesce((select json_agg(x.j) from (select ${value} as j ${rest}) x), '[]'::json)`

/** The JSON of at most one row, else null. */
export const jsonRow = (value: SQL, rest: SQL): SQL => sql`(select ${value} ${rest} limit 1)`
