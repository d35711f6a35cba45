import { sql } from 'drizzle-orm'
import { jobRuns } from '#drizzle/schema/events.ts'
import type { System } from '#lib/core/context.ts'
import { sweep, sweepOf } from '#lib/db/sweep.ts'

/** A run looks back a day at most; the day before that is kept for whoever wonders. */
const old = sweepOf(jobRuns, now => sql`${jobRuns.until} < ${now} - interval '2 days'`)

/** Forgets how far the clock had come days ago. */
export const dropOldRuns = ({ db, now }: System): Promise<void> => sweep(db, old, now)
