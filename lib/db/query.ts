import { type Column, fillPlaceholders, getTableName, is, Name, SQL, sql, Table } from 'drizzle-orm'
import { type AnyPgColumn, alias, PgColumn, PgDialect, type PgTable } from 'drizzle-orm/pg-core'
import { bounded } from '#lib/core/bounded.ts'
import type { Db, Statement } from './client.ts'

const dialect = new PgDialect()

/** The placeholders of a query, by name; `account` is filled in by the tenant. */
export type Slots<P> = { readonly [K in keyof P | 'account']: SQL }

const slots = new Proxy({} as Record<string, SQL>, {
  get: (_, name: string) => sql`${sql.placeholder(name)}`,
})

/** What is sent after a write: rows that wait to be. */
export type Queue = 'messages' | 'deliveries'

/**
 * A statement whose text is built once per isolate and then only filled. Its single cell is the JSON
 * text of an `R`.
 */
export class Query<P extends object, R> {
  declare readonly result?: R
  #compiled: { text: string; params: unknown[] } | undefined
  constructor(
    private readonly build: (p: Slots<P>) => SQL,
    private readonly scope: 'tenant' | 'anyone',
    /** What its rows wait for, if for anything. */
    readonly queues?: Queue,
  ) {}

  /** The statement for one call. */
  with(params: P & { account?: number }): Statement {
    this.#compiled ??= this.compile()
    const { text, params: names } = this.#compiled
    return { text, params: fillPlaceholders(names, params as Record<string, unknown>) }
  }

  private compile() {
    const built = this.build(slots as Slots<P>)
    if (this.scope === 'tenant') requireTenancy(built)
    const { sql: text, params } = dialect.sqlToQuery(built)
    return { text, params }
  }
}

/** A query on the tables of one account: refused when a table in it is not tied to the account. */
export const query = <P extends object, R>(build: (p: Slots<P>) => SQL): Query<P, R> =>
  new Query<P, R>(build, 'tenant')

/** A statement on the tables of one account that queues something, and returns a row for each. */
export const queueing = <P extends object>(
  queue: Queue,
  build: (p: Slots<P>) => SQL,
): Query<P, unknown> => new Query<P, unknown>(build, 'tenant', queue)

/** A query across accounts. For lib/db/entrances.ts, credentials and jobs alone. */
export const entrance = <P extends object, R>(build: (p: Slots<P>) => SQL): Query<P, R> =>
  new Query<P, R>(build, 'anyone')

/** One round trip: the value of a query across accounts. */
export async function lookUp<P extends object, R>(
  db: Db,
  query: Query<P, R>,
  params: P,
): Promise<R> {
  const [rows] = await db.trip([query.with(params)])
  return JSON.parse(rows?.[0]?.[0] ?? 'null') as R
}

/**
 * A family of queries that differ by what is asked for (filters, order): each variant is built once
 * and found by its name.
 */
export function variants<P extends object, R>() {
  const known = bounded<Query<P, R>>()
  return (name: string, build: (p: Slots<P>) => SQL): Query<P, R> => {
    let found = known.get(name)
    if (!found) {
      found = query<P, R>(build)
      known.set(name, found)
    }
    return found
  }
}

/** A tenant's statement may not name an owned table without naming its account_id as well. */
function requireTenancy(built: SQL): void {
  const tables = new Set<string>()
  const tied = new Set<string>()
  const walk = (chunk: unknown): void => {
    if (is(chunk, SQL)) chunk.queryChunks.forEach(walk)
    else if (Array.isArray(chunk)) chunk.forEach(walk)
    else if (is(chunk, Table)) {
      if ('accountId' in chunk) tables.add(getTableName(chunk))
    } else if (is(chunk, PgColumn) && chunk.name === 'account_id')
      tied.add(getTableName((chunk as Column).table))
  }
  walk(built)
  for (const table of tables)
    if (!tied.has(table)) throw new Error(`A query reads ${table} without its account_id`)
}

/** A second name for a table, for queries that need it twice. Use `from()` to introduce it. */
export const named = <T extends PgTable>(table: T, name: string): T => alias(table, name) as T

const ORIGINAL_NAME = Symbol.for('drizzle:OriginalName')

/** Introduces a table made by `named()`: `"services" "s"`. */
export const from = (table: PgTable): SQL =>
  sql`${new Name((table as unknown as Record<symbol, string>)[ORIGINAL_NAME] ?? '')} ${table}`

/** The target of an INSERT … SELECT: its first column is always account_id. */
export const into = (table: PgTable & { accountId: AnyPgColumn }, ...columns: AnyPgColumn[]): SQL =>
  sql`${new Name(getTableName(table))} (${sql.join([table.accountId, ...columns].map(bare), sql`, `)})`

/** A column's bare name, for the left side of SET and column lists. */
export const bare = (column: AnyPgColumn): Name => new Name(column.name)
