import { type SQL, sql } from 'drizzle-orm'
import { occupancies } from '#drizzle/schema/appointments.ts'
import { into, query } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import type { ServiceFacts } from './facts.ts'
import type { Status } from './schema.ts'

/** Pending and approved appointments take time; canceled and completed ones do not. */
export const isLive = (status: Status): boolean => status === 'pending' || status === 'approved'

const minutes = (count: number): number => count * 60_000

/** The range an appointment takes of its employee's time, buffers included. */
export const blockOf = (
  start: Date,
  end: Date,
  { bufferBefore, bufferAfter }: Pick<ServiceFacts, 'bufferBefore' | 'bufferAfter'>,
): { from: string; to: string } => ({
  from: new Date(start.getTime() - minutes(bufferBefore)).toISOString(),
  to: new Date(end.getTime() + minutes(bufferAfter)).toISOString(),
})

const ranges = (rows: SQL): SQL =>
  sql`jsonb_to_recordset(${rows}::jsonb)
    as b(source text, id int, "from" timestamptz, "to" timestamptz)`

/** Blocks in the way that are past their time (holds, offers) make room for whoever books next. */
const clearExpired = query<{ rows: string; personId: number; now: string }, unknown>(
  p => sql`delete from ${occupancies} using ${ranges(p.rows)}
    where ${occupancies.accountId} = ${p.account} and ${occupancies.personId} = ${p.personId}::int
      and ${occupancies.blocked} && tstzrange(b.from, b.to)
      and ${occupancies.expiresAt} <= ${p.now}::timestamptz`,
)

const insertBlocks = query<{ rows: string; count: number; personId: number }, unknown>(
  p => sql`with made as (
    insert into ${into(occupancies, occupancies.personId, occupancies.source, occupancies.sourceId, occupancies.blocked)}
    select ${p.account}::int, ${p.personId}::int, b.source, b.id, tstzrange(b.from, b.to)
    from ${ranges(p.rows)} order by b.from
    on conflict do nothing returning 1
  ) select must((select count(*) from made) = ${p.count}::int, 'occupancies_no_overlap')`,
)

/** A block of a person's time: what it comes from, and the range with its buffers. */
export interface Block {
  source: 'appointment' | 'session'
  id: number
  from: string
  to: string
}

/** Takes a person's time; if any of it is taken the whole write fails. */
export function blockTime(
  write: Write,
  now: Date,
  personId: number,
  blocks: readonly Block[],
): void {
  const rows = JSON.stringify(blocks)
  write.run(clearExpired, { personId, rows, now: now.toISOString() })
  write.run(insertBlocks, { personId, rows, count: blocks.length })
}

const freeBlock = query<{ source: string; id: number }, unknown>(
  p => sql`delete from ${occupancies} where ${occupancies.accountId} = ${p.account}
    and ${occupancies.source} = ${p.source} and ${occupancies.sourceId} = ${p.id}::int`,
)

/** Gives back the time that an appointment took. */
export const freeTime = (write: Write, id: number): void => {
  write.run(freeBlock, { source: 'appointment', id })
}
