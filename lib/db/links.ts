import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { into, variants } from './query.ts'
import type { OwnedTable, Write } from './write.ts'

/** A table of pairs: `owner` is the side that the pairs are set from. */
export interface LinkTable {
  table: OwnedTable
  owner: PgColumn
  other: PgColumn
}

const known = variants<Record<string, unknown>, unknown>()

/**
 * Makes `others` the whole set that the owner is linked to. An id of another account fails on the
 * foreign key.
 * @param id the owner's id, or undefined for the row this batch just inserted (`newest`)
 */
export function setLinks(
  write: Write,
  { table, owner, other }: LinkTable,
  id: number | undefined,
  newest: SQL,
  others: readonly number[],
): void {
  const key = `${owner.uniqueName}:${owner.name}:${other.name}`
  const ownerId = (p: Record<string, SQL>) => (id === undefined ? newest : sql`${p.id}::int`)
  if (id !== undefined)
    write.run(
      known(
        `${key}:clear`,
        p => sql`delete from ${table} where ${table.accountId} = ${p.account}
          and ${owner} = ${p.id}::int and ${other} <> all(${p.others}::int[])`,
      ),
      { id, others },
    )
  if (others.length > 0)
    write.run(
      known(
        `${key}:${id === undefined ? 'new' : 'set'}`,
        p => sql`insert into ${into(table, owner, other)}
          select ${p.account}::int, ${ownerId(p)}, o from unnest(${p.others}::int[]) as o
          on conflict do nothing`,
      ),
      { id, others },
    )
}

/**
 * Fails the write with `<table>_gone` (404) unless each of `ids` is a row of this account that is not
 * deleted: a foreign key would let the deleted pass. They cannot be deleted until the write is done.
 * `ids` holds each id once.
 */
export function requireLive(
  write: Write,
  table: OwnedTable & { id: PgColumn; deletedAt: PgColumn },
  ids: readonly number[],
): void {
  const name = getTableName(table)
  if (ids.length > 0)
    write.run(
      known(
        `${name}:live`,
        p => sql`with live as (select from ${table} where ${table.accountId} = ${p.account}
          and ${table.id} = any(${p.ids}::int[]) and ${table.deletedAt} is null
          order by ${table.id} for share)
          select must((select count(*) from live) = cardinality(${p.ids}::int[]),
            ${sql.raw(`'${name}_gone'`)})`,
      ),
      { ids },
    )
}
