import { type SQL, sql } from 'drizzle-orm'
import { occupancies } from '#drizzle/schema/appointments.ts'
import { into, query } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'

/** What a block of a person's time comes from. */
export type BlockSource = 'appointment' | 'session' | 'booking' | 'hold' | 'offer'

/** A block of a person's time: `[from, to)` as ISO instants, buffers included. */
export interface Block {
  personId: number
  source: BlockSource
  id: number
  from: string
  to: string
  /** After this instant the block makes room for whoever books next. */
  expiresAt?: string
}

const MINUTE_MS = 60_000

/** The range that a booking takes of a person's time, with its buffers in minutes. */
export const blockedRange = (
  start: Date,
  end: Date,
  { bufferBefore, bufferAfter }: { bufferBefore: number; bufferAfter: number },
): { from: string; to: string } => ({
  from: new Date(start.getTime() - bufferBefore * MINUTE_MS).toISOString(),
  to: new Date(end.getTime() + bufferAfter * MINUTE_MS).toISOString(),
})

const ranges = (rows: SQL): SQL => sql`jsonb_to_recordset(${rows}::jsonb) as b("personId" int,
  source text, id int, "from" timestamptz, "to" timestamptz, "expiresAt" timestamptz)`

/** Blocks in the way that are past their time (holds, offers) make room for whoever books next. */
const clearExpired = query<{ rows: string; now: string }, unknown>(
  p => sql`delete from ${occupancies} using ${ranges(p.rows)}
    where ${occupancies.accountId} = ${p.account} and ${occupancies.personId} = b."personId"
      and ${occupancies.blocked} && tstzrange(b.from, b.to)
      and ${occupancies.expiresAt} <= ${p.now}::timestamptz`,
)

const insertBlocks = query<{ rows: string; count: number }, unknown>(
  p => sql`with made as (
    insert into ${into(
      occupancies,
      occupancies.personId,
      occupancies.source,
      occupancies.sourceId,
      occupancies.blocked,
      occupancies.expiresAt,
    )}
    select ${p.account}::int, b."personId", b.source, b.id, tstzrange(b.from, b.to), b."expiresAt"
    from ${ranges(p.rows)} order by b."personId", b.from
    on conflict do nothing returning 1
  ) select must((select count(*) from made) = ${p.count}::int, 'occupancies_no_overlap')`,
)

/** Takes people's time; if any of it is taken the whole write fails. */
export function blockTime(write: Write, now: Date, blocks: readonly Block[]): void {
  if (blocks.length === 0) return
  const rows = JSON.stringify(blocks)
  write.run(clearExpired, { rows, now: now.toISOString() })
  write.run(insertBlocks, { rows, count: blocks.length })
}

const removeBlocks = query<{ source: BlockSource; ids: readonly number[] }, unknown>(
  p => sql`delete from ${occupancies} where ${occupancies.accountId} = ${p.account}
    and ${occupancies.source} = ${p.source} and ${occupancies.sourceId} = any(${p.ids}::int[])`,
)

/** Gives back all time that some bookings took. */
export const freeTime = (write: Write, source: BlockSource, ids: readonly number[]): void => {
  write.run(removeBlocks, { source, ids })
}
