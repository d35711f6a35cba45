import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './client.ts'
import { entrance, lookUp, type Query } from './query.ts'

/** Rows per statement: short enough that nobody waits for its locks. */
const BATCH = 1000
/** So many that a run ends within a Worker's limit of requests. */
const MAX_ROUNDS = 100

/** Deletes some rows that are over at `now`; those that another run holds are passed over. */
export const sweepOf = (
  table: PgTable,
  isOver: (now: SQL) => SQL,
): Query<{ now: string }, number> =>
  entrance(
    p => sql`with dropped as (
      delete from ${table} where ctid in (
        select ctid from ${table} where ${isOver(sql`${p.now}::timestamptz`)}
        limit ${sql.raw(String(BATCH))} for update skip locked
      ) returning 1
    ) select count(*) from dropped`,
  )

/** Sweeps in bounded batches, until nothing is left or the run has done its share. */
export async function sweep(
  db: Db,
  statement: Query<{ now: string }, number>,
  now: Date,
): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++)
    if ((await lookUp(db, statement, { now: now.toISOString() })) < BATCH) return
}
