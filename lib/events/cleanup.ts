import { sql } from 'drizzle-orm'
import { events } from '#drizzle/schema/events.ts'
import type { System } from '#lib/core/context.ts'
import { entrance } from '#lib/db/query.ts'

/** How long events, and the log of their deliveries, are kept. */
const KEPT_DAYS = 30

/** Rows per statement: short enough that nobody waits for its locks. */
const BATCH = 1000
const MAX_ROUNDS = 100

const dropSome = entrance<{ now: string }, number>(
  p => sql`with dropped as (
    delete from ${events} where (account_id, id) in (
      select account_id, id from ${events}
      where created_at < ${p.now}::timestamptz - ${sql.raw(String(KEPT_DAYS))} * interval '1 day'
      limit ${sql.raw(String(BATCH))} for update skip locked
    ) returning 1
  ) select count(*) from dropped`,
)

/** Deletes old events with their deliveries, in bounded batches. */
export async function dropOldEvents(system: System): Promise<void> {
  const now = system.now.toISOString()
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const [rows] = await system.db.trip([dropSome.with({ now })])
    if (Number(rows?.[0]?.[0]) < BATCH) return
  }
}
