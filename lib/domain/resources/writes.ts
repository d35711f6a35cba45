import { sql } from 'drizzle-orm'
import { resourceBookings, resources } from '#drizzle/schema/resources.ts'
import { into, query } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import { peakUse } from './queries.ts'

/** What a booking of resources is for: one appointment, or all seats of a group session together. */
export type ResourceUser = 'appointment' | 'session'

/** The resources that one appointment or group session needs throughout `[start, end)`. */
export interface ResourceUse {
  source: ResourceUser
  sourceId: number
  start: Date
  end: Date
  needs: readonly { resourceId: number; quantity: number }[]
}

const lockAll = query<{ ids: readonly number[] }, unknown>(
  p => sql`select 1 from ${resources}
    where ${resources.accountId} = ${p.account} and ${resources.id} = any(${p.ids}::int[])
    order by ${resources.id} for no key update`,
)

const rowsOf = sql`as n(source text, "sourceId" int, "resourceId" int, quantity int,
  "from" timestamptz, "to" timestamptz)`

const insertUses = query<{ rows: string }, unknown>(
  p => sql`insert into ${into(
    resourceBookings,
    resourceBookings.resourceId,
    resourceBookings.source,
    resourceBookings.sourceId,
    resourceBookings.quantity,
    resourceBookings.during,
  )}
    select ${p.account}::int, n."resourceId", n.source, n."sourceId", n.quantity,
      tstzrange(n.from, n.to)
    from jsonb_to_recordset(${p.rows}::jsonb) ${rowsOf}`,
)

const requireRoom = query<{ rows: string }, unknown>(
  p => sql`select must(not exists (
    select from jsonb_to_recordset(${p.rows}::jsonb) ${rowsOf}
    join ${resources} on ${resources.accountId} = ${p.account}
      and ${resources.id} = n."resourceId"
    where not ${resources.active}
      or ${peakUse(sql`tstzrange(n.from, n.to)`)} > ${resources.quantity}
  ), 'resources_free')`,
)

/**
 * Books resources for any number of appointments or sessions, in three statements: lock the resources
 * in the order of their ids, insert, and read what is in use now. Each statement sees what was
 * committed before it began, so the read must not be the statement that waited for the lock. The
 * whole write fails with `resources_free` when one of them is inactive or used beyond its quantity.
 */
export function bookResources(write: Write, uses: readonly ResourceUse[]): void {
  const rows = uses.flatMap(({ source, sourceId, start, end, needs }) => {
    const wanted = new Map<number, number>()
    for (const { resourceId, quantity } of needs)
      wanted.set(resourceId, (wanted.get(resourceId) ?? 0) + quantity)
    const times = { from: start.toISOString(), to: end.toISOString() }
    return [...wanted].map(([resourceId, quantity]) => ({
      source,
      sourceId,
      resourceId,
      quantity,
      ...times,
    }))
  })
  if (rows.length === 0) return
  const text = JSON.stringify(rows)
  write
    .run(lockAll, { ids: [...new Set(rows.map(row => row.resourceId))] })
    .run(insertUses, { rows: text })
    .run(requireRoom, { rows: text })
}

const removeUses = query<{ source: ResourceUser; ids: readonly number[] }, unknown>(
  p => sql`delete from ${resourceBookings} where ${resourceBookings.accountId} = ${p.account}
    and ${resourceBookings.source} = ${p.source}
    and ${resourceBookings.sourceId} = any(${p.ids}::int[])`,
)

/** Gives back all resources of appointments or sessions, by their ids. */
export function freeResources(write: Write, source: ResourceUser, ids: readonly number[]): void {
  write.run(removeUses, { source, ids })
}
