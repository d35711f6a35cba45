import { sql } from 'drizzle-orm'
import { events } from '#drizzle/schema/events.ts'
import type { System } from '#lib/core/context.ts'
import { sweep, sweepOf } from '#lib/db/sweep.ts'

/** Events, and the log of their deliveries, are kept for 30 days. */
const old = sweepOf(events, now => sql`${events.createdAt} < ${now} - interval '30 days'`)

/** Deletes old events with their deliveries. */
export const dropOldEvents = ({ db, now }: System): Promise<void> => sweep(db, old, now)
