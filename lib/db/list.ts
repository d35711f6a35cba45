import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { badQuery } from '#lib/core/errors.ts'
import { Json, type Page } from '#lib/core/json.ts'
import type { Paging } from '#lib/core/schemas.ts'
import { base64url, fromBase64url } from '#lib/core/text.ts'
import { type Slots, variants } from './query.ts'
import type { Tenant } from './tenant.ts'
import type { OwnedTable } from './write.ts'

type Given = Record<string, SQL>
type WithId = OwnedTable & { id: AnyPgColumn }

/** What identifies the rows of a table. */
export interface AnyId {
  table: OwnedTable
  id: AnyPgColumn
}

/** The ids of a table, for a filter whose id has to be of one of its rows (`names`). */
export const idsOf = (table: WithId): AnyId => ({ table, id: table.id })

/** An order of a list: an expression that is never null, and its SQL type. */
export interface Order {
  by: SQL | AnyPgColumn
  type: 'timestamptz' | 'text' | 'int' | 'bigint'
}

/** Whether a text holds every word that is searched for. */
type Holds = (text: SQL | AnyPgColumn) => SQL

/** What makes a list: the rows, the JSON of one, and what may be asked of it. */
export interface ListSpec {
  table: WithId
  record: SQL
  /** More tables: `left join …`. */
  joins?: SQL
  /** What every listed row fulfils. */
  where?: SQL
  /** Orders by name; every list can also be sorted by `id`. */
  orders?: Record<string, Order>
  /** `name` or `-name`; newest first where nothing is said. */
  defaultOrder?: string
  /** Conditions by the name of the parameter that switches them on. */
  filters?: Record<string, (given: Given) => SQL>
  /** Whose ids the filters by id take: one that the account does not have is 404. */
  names?: Record<string, AnyId>
  /** The text that `search` looks for its words in, or the condition that asks so of several. */
  search?: SQL | ((holds: Holds) => SQL)
  /** The text has telephone numbers: one that is searched for may be written with separators. */
  hasPhones?: true
}

const DEFAULT_LIMIT = 50

type Params = Record<string, unknown>
type Filter = Paging & Params

/** A function that answers pages of a list by keyset: stable under inserts and deletes. */
export function lister<T>(spec: ListSpec) {
  const known = variants<Params, unknown>()
  const orders: Record<string, Order> = {
    ...spec.orders,
    id: { by: spec.table.id, type: 'bigint' },
  }
  return async (tenant: Tenant, { limit = DEFAULT_LIMIT, ...filter }: Filter): Promise<Page<T>> => {
    const sort = filter.sort ?? spec.defaultOrder ?? '-id'
    const by = sort.replace(/^-/, '')
    const order = Object.hasOwn(orders, by) ? orders[by]! : unknownSort(Object.keys(orders))
    const after = filter.cursor === undefined ? undefined : readCursor(filter.cursor, sort)
    const asked = Object.keys(spec.filters ?? {}).filter(name => filter[name] !== undefined)
    const wanted = spec.search ? patternsOf(filter.search, spec.hasPhones) : []
    const searching = wanted.length > 0
    const name = [sort, after ? 'after' : '', searching ? 'search' : '', ...asked].join('|')
    const statement = known(name, p =>
      page(spec, p as Slots<Params>, order, {
        descending: sort.startsWith('-'),
        after: after !== undefined,
        conditions: [
          ...asked.map(f => spec.filters![f]!(p as Given)),
          ...(searching ? [searched(spec.search!, p as Given)] : []),
        ],
        guards: asked.flatMap(f => nameGuard(spec.names?.[f], p as Given, f)),
      }),
    )
    const [cells] = await tenant.rows(statement, {
      ...filter,
      limit,
      afterValue: after?.value,
      afterId: after?.id,
      pattern: wanted[0],
      patterns: searching ? wanted : undefined,
    })
    const next = cells?.[1]
    return {
      items: new Json<T[]>(cells?.[0] ?? '[]'),
      limit,
      nextCursor: next ? writeCursor(sort, JSON.parse(next) as [string, number]) : null,
    }
  }
}

/** A telephone number as people write it; kept are its digits, and the + before them. */
const PHONE = /^\+?[(\d][\d\s().-]{5,}$/

/** The words of a search as patterns that take them for what they are, the longest first. */
const patternsOf = (search = '', hasPhones = false): string[] =>
  (hasPhones && PHONE.test(search) ? search.replace(/[^+\d]/g, '') : search)
    .split(/\s+/)
    .filter(word => word !== '')
    .sort((x, y) => y.length - x.length)
    .map(word => `%${word.replace(/[\\%_]/g, '\\$&')}%`)

/** The longest word is what an index looks for; the others are looked for in what it finds. */
function searched(search: NonNullable<ListSpec['search']>, p: Given): SQL {
  const holds: Holds = text =>
    sql`(${text} ilike ${p.pattern} and ${text} ilike all(${p.patterns}::text[]))`
  return typeof search === 'function' ? search(holds) : holds(search)
}

interface PageOptions {
  descending: boolean
  after: boolean
  conditions: SQL[]
  guards: SQL[]
}

/** Fails with `<table>_gone` where no row has the id; deleted ones count, for records still name them. */
const nameGuard = (named: AnyId | undefined, given: Given, filter: string): SQL[] =>
  named
    ? [
        sql`(select must(exists (select from ${named.table}
          where ${named.table.accountId} = ${given.account} and ${named.id} = ${given[filter]}::int),
          ${sql.raw(`'${getTableName(named.table)}_gone'`)}))`,
      ]
    : []

/** One row past the limit tells whether there is a next page. */
function page(spec: ListSpec, p: Slots<Params>, order: Order, options: PageOptions): SQL {
  const { table } = spec
  const direction = sql.raw(options.descending ? 'desc' : 'asc')
  const past = sql.raw(options.descending ? '<' : '>')
  const where = [
    sql`${table.accountId} = ${p.account}`,
    ...(spec.where ? [spec.where] : []),
    ...options.conditions,
    ...(options.after
      ? [
          sql`(${order.by}, ${table.id}) ${past} (${p.afterValue}::${sql.raw(order.type)}, ${p.afterId}::bigint)`,
        ]
      : []),
  ]
  return sql`with page as (
    select ${spec.record} as j, (${order.by})::text as s, ${table.id} as id,
      row_number() over (order by ${order.by} ${direction}, ${table.id} ${direction}) as n
    from ${table} ${spec.joins ?? sql``}
    where ${sql.join(where, sql` and `)}
    order by ${order.by} ${direction}, ${table.id} ${direction}
    limit ${p.limit}::int + 1
  )
  select coalesce(json_agg(j order by n) filter (where n <= ${p.limit}::int), '[]')::text,
    (select json_build_array(s, id) from page
      where n = ${p.limit}::int and (select count(*) from page) > ${p.limit}::int)::text
    ${options.guards.length > 0 ? sql`, ${sql.join(options.guards, sql`, `)}` : sql``}
  from page`
}

const unknownSort = (names: string[]): never => {
  const options = names.flatMap(n => [`"${n}"`, `"-${n}"`]).join(', ')
  return badQuery({ field: 'sort', message: `expected one of ${options}` })
}

const writeCursor = (sort: string, [value, id]: [string, number]): string =>
  base64url(new TextEncoder().encode(JSON.stringify([sort, value, id])))

function readCursor(cursor: string, sort: string): { value: string; id: number } {
  try {
    const text = new TextDecoder().decode(fromBase64url(cursor))
    const [forSort, value, id] = JSON.parse(text) as [unknown, unknown, unknown]
    if (forSort === sort && typeof value === 'string' && Number.isSafeInteger(id))
      return { value, id: id as number }
  } catch {
    // Whatever is wrong with it, the answer is the same.
  }
  return badQuery({ field: 'cursor', message: 'is not a cursor of this list in this order' })
}
