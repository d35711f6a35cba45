import { sql } from 'drizzle-orm'
import { idempotencyKeys, webSessions } from '#drizzle/schema/accounts.ts'
import { bookingCodes } from '#drizzle/schema/bookings.ts'
import type { System } from '#lib/core/context.ts'
import { sweep, sweepOf } from '#lib/db/sweep.ts'

const expired = [idempotencyKeys, webSessions, bookingCodes].map(table =>
  sweepOf(table, now => sql`${table.expiresAt} <= ${now}`),
)

/** Deletes answers of Idempotency-Keys, web sessions and codes that have expired. */
export async function dropExpired({ db, now }: System): Promise<void> {
  for (const statement of expired) await sweep(db, statement, now)
}
