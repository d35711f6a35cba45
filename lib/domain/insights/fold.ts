import { sql } from 'drizzle-orm'
import { rollups } from '#drizzle/schema/rollups.ts'
import type { Base } from '#lib/core/context.ts'
import { entrance, lookUp } from '#lib/db/query.ts'

/** How many keys one transaction folds. */
const BATCH = 1000

const sums = sql`sum(pending), sum(approved), sum(completed), sum(canceled), sum(rejected),
  sum(no_shows), sum(host_no_shows), sum(minutes), sum(revenue)`

/**
 * Replaces the rows of some keys by their sum, in one statement, so that nobody ever sees a sum that
 * is not right. Of two at once each folds what it has deleted; rows that come meanwhile stay.
 */
const foldSome = entrance<{ limit: number }, number>(
  p => sql`with due as (
    select distinct account_id, kind, bucket, item_id, currency from ${rollups} where not folded
    limit ${p.limit}::int
  ), gone as (
    delete from ${rollups} r using due d
    where r.account_id = d.account_id and r.kind = d.kind and r.bucket = d.bucket
      and r.item_id = d.item_id and r.currency = d.currency
    returning r.*
  ), kept as (
    insert into ${rollups} (account_id, kind, bucket, item_id, currency, pending, approved,
      completed, canceled, rejected, no_shows, host_no_shows, minutes, revenue, folded)
    select account_id, kind, bucket, item_id, currency, ${sums}, true
    from gone group by account_id, kind, bucket, item_id, currency
    having (${sums}) is distinct from (0, 0, 0, 0, 0, 0, 0, 0, 0)
  ) select count(*) from due`,
)

/** Folds what was added to the rollups. @returns how many keys had anything to fold */
export async function foldRollups({ db }: Base): Promise<number> {
  let folded = 0
  for (;;) {
    const count = await lookUp(db, foldSome, { limit: BATCH })
    folded += count
    if (count < BATCH) return folded
  }
}
