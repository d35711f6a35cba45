import { type SQL, sql } from 'drizzle-orm'
import { idempotencyKeys, webSessions } from '#drizzle/schema/accounts.ts'
import { bookingCodes } from '#drizzle/schema/bookings.ts'
import type { System } from '#lib/core/context.ts'
import { entrance } from '#lib/db/query.ts'

/** Rows per statement: short enough that nobody waits for its locks. */
const BATCH = 1000
const MAX_ROUNDS = 50

/** Deletes some rows that have expired and counts them; rows that another run holds are passed over. */
const dropSome = (table: SQL) =>
  entrance<{ now: string }, number>(
    p => sql`with dropped as (
      delete from ${table} where ctid in (
        select ctid from ${table} where expires_at <= ${p.now}::timestamptz
        limit ${sql.raw(String(BATCH))} for update skip locked
      ) returning 1
    ) select count(*) from dropped`,
  )

const sweeps = [
  dropSome(sql`${idempotencyKeys}`),
  dropSome(sql`${webSessions}`),
  dropSome(sql`${bookingCodes}`),
]

/** Deletes answers of Idempotency-Keys, web sessions and codes that have expired, in bounded batches. */
export async function dropExpired(system: System): Promise<void> {
  const now = system.now.toISOString()
  for (const sweep of sweeps)
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const [rows] = await system.db.trip([sweep.with({ now })])
      if (Number(rows?.[0]?.[0]) < BATCH) break
    }
}
