import { type SQL, sql } from 'drizzle-orm'
import { occupancies } from '#drizzle/schema/appointments.ts'
import { epochMinutes } from '#lib/db/json.ts'

/**
 * What some blocks of one person take, as JSON of flat spans in minutes since the epoch: they never
 * overlap, so their edges in order are the spans.
 * @param which which blocks
 */
export const spansOf = (which: SQL): SQL => sql`coalesce((
  select json_agg(edge order by edge) from (
    select ${epochMinutes(sql`lower(${occupancies.blocked})`)} as s,
      ${epochMinutes(sql`upper(${occupancies.blocked})`)} as e
    from ${occupancies} where ${which}
  ) o, lateral (values (o.s), (o.e)) as v(edge)), '[]'::json)`

/** Whether a block still counts: a hold is over at some time. */
export const isHeld = (now: SQL): SQL =>
  sql`(${occupancies.expiresAt} is null or ${occupancies.expiresAt} > ${now}::timestamptz)`

/** Whether a block is of anything but one thing, by its id; null: it may be of any. */
export const isNotOf = (source: 'appointment' | 'booking', id: SQL): SQL =>
  sql`(${id}::int is null or ${occupancies.source} <> ${sql.raw(`'${source}'`)}
    or ${occupancies.sourceId} <> ${id}::int)`
