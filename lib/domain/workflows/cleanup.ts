import { sql } from 'drizzle-orm'
import { jobRuns } from '#drizzle/schema/events.ts'
import type { Base } from '#lib/core/context.ts'
import { entrance } from '#lib/db/query.ts'

/** A run looks back a day at most; the day before that is kept for whoever wonders. */
const dropRuns = entrance<{ now: string }, unknown>(
  p => sql`delete from ${jobRuns} where until < ${p.now}::timestamptz - interval '2 days'`,
)

/** Forgets how far the clock had come days ago. */
export async function dropOldRuns(base: Base): Promise<void> {
  await base.db.trip([dropRuns.with({ now: base.now.toISOString() })])
}
