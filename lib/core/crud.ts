import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type * as z from 'zod'
import { type ListSpec, lister } from '#lib/db/list.ts'
import { lostTo } from '#lib/db/meanings.ts'
import { type Query, query, variants } from '#lib/db/query.ts'
import type { Change, NewRow, OwnedTable, Write } from '#lib/db/write.ts'
import { type Member, may, requirePermission } from './context.ts'
import { type Deleted, existing, type Json, type Page } from './json.ts'
import type { Permission } from './permissions.ts'
import { Paging } from './schemas.ts'
import { freeSlug, randomBelow, slugify } from './text.ts'

type CrudTable = OwnedTable & { id: PgColumn; createdAt: PgColumn; updatedAt: PgColumn }
type Row = Record<string, unknown>

/** What makes an ordinary resource: its table, its body, its JSON and who may touch it. */
export interface CrudSpec<T extends CrudTable, B extends z.ZodObject> {
  /** Singular, as in the audit log: `tax`. */
  noun: string
  /** The noun in messages: `Tax`. */
  label: string
  table: T
  /** What a create takes; a change takes the same fields, all optional. */
  New: B
  Filter?: z.ZodObject
  list: Omit<ListSpec, 'table'>
  /** What is answered to those who lack another permission, where that is less. */
  closed?: { needs: Permission; record: SQL }
  read: Permission
  write: Permission
  /**
   * The row's columns out of the body; the body itself unless it has fields of other tables. `id` is
   * undefined for a new row.
   */
  columns?(input: Row, id: number | undefined): Row
  /** Rows of other tables that belong to it; `id` is undefined for the row just inserted. */
  links?(write: Write, id: number | undefined, newest: SQL, input: Row, m: Member): void
  /** What a new row has beside the body. */
  defaults?(m: Member, input: Row): Row
  /** The unique index of the slug made from the name: `haircut`, `haircut-2`. */
  slug?: { index: string; column: PgColumn }
  /** A deleted row is kept, with `deleted_at` set: others still point to it. */
  soft?: boolean
  /** Says what is wrong with an input beyond its schema. `id` is undefined for a new row. */
  check?(input: Row, m: Member, id: number | undefined): void
  /** Guards, and rows of other tables that it needs; `id` is undefined for a new row. */
  before?(write: Write, id: number | undefined, input: Row, m: Member): void
  /** Guards of a delete. */
  beforeRemove?(write: Write, id: number, m: Member): void
}

const MAX_SLUG_TRIES = 12

/** The four ordinary operations on a resource, as plain functions. */
export function crud<R>() {
  return <T extends CrudTable, B extends z.ZodObject>(spec: CrudSpec<T, B>) => {
    type Input = z.output<B>
    const [table, name] = [spec.table, getTableName(spec.table)]
    const viewOf = viewsOf<R>(spec)
    const newest = sql.raw(`currval('${name}_id_seq')::int`)
    const columns = spec.columns ?? ((input: Row, _id: number | undefined) => input)
    const find = async (m: Member, { id }: { id: number }): Promise<Json<R>> => {
      requirePermission(m, spec.read)
      const record = await m.tenant.text(viewOf(m).byId.one, { id, now: m.now.toISOString() })
      return existing(record, spec.label)
    }
    return {
      label: spec.label,
      New: spec.New,
      Change: spec.New.partial(),
      Filter: Paging.extend(spec.Filter?.shape ?? {}),
      find,
      viewOf,
      list: async (m: Member, filter: Paging): Promise<Page<R>> => {
        requirePermission(m, spec.read)
        return viewOf(m).list(m.tenant, { ...filter, now: m.now.toISOString() })
      },
      create: async (m: Member, input: Input): Promise<Json<R>> => {
        requirePermission(m, spec.write)
        spec.check?.(input, m, undefined)
        return withSlug(m, spec, input, slug => {
          const at = m.now.toISOString()
          const write = m.tenant.write(`${spec.noun}.create`)
          const own = { ...spec.defaults?.(m, input), ...columns(input, undefined), ...slug }
          spec.before?.(write, undefined, input, m)
          write.insert(table, { ...own, createdAt: at, updatedAt: at } as unknown as NewRow<T>)
          spec.links?.(write, undefined, newest, input, m)
          return write.commit(write.answer(viewOf(m).byId.newest(newest), { now: at }))
        })
      },
      update: async (m: Member, { id, ...input }: { id: number } & Row): Promise<Json<R>> => {
        requirePermission(m, spec.write)
        spec.check?.(input, m, id)
        const write = m.tenant.write(`${spec.noun}.update`, id)
        spec.before?.(write, id, input, m)
        const change = { ...columns(input, id), updatedAt: m.now.toISOString() }
        write.change(table, id, change as unknown as Change<T>, `${name}_gone`, spec.list.where)
        spec.links?.(write, id, newest, input, m)
        return write.commit(write.answer(viewOf(m).byId.one, { id, now: change.updatedAt }))
      },
      remove: (m: Member, { id }: { id: number }) => removeOne(m, spec, id),
    }
  }
}

/** How records are listed and read, by what a member may see of them. */
function viewsOf<R>({
  table,
  list,
  closed,
}: Pick<CrudSpec<CrudTable, z.ZodObject>, 'table' | 'list' | 'closed'>) {
  const viewWith = (record: SQL) => {
    const spec = { table, ...list, record }
    return { list: lister<R>(spec), byId: recordById<R>(spec) }
  }
  const whole = viewWith(list.record)
  if (!closed) return () => whole
  const less = viewWith(closed.record)
  return (m: Member) => (may(m, closed.needs) ? whole : less)
}

type Removal = 'noun' | 'table' | 'write' | 'soft' | 'beforeRemove'

async function removeOne(
  m: Member,
  spec: Pick<CrudSpec<CrudTable, z.ZodObject>, Removal>,
  id: number,
): Promise<Deleted> {
  requirePermission(m, spec.write)
  const write = m.tenant.write(`${spec.noun}.delete`, id)
  spec.beforeRemove?.(write, id, m)
  if (spec.soft) softRemove(write, spec.table, id, m.now)
  else write.run(removal(spec.table), { id })
  return write.commit({ id, deleted: true })
}

/** Marks a row as deleted, guarded: without it the batch fails with `<table>_gone`. */
function softRemove(write: Write, table: CrudTable, id: number, now: Date): void {
  const change = { deletedAt: now.toISOString() } as unknown as Change<CrudTable>
  write.change(table, id, change, `${getTableName(table)}_gone`, sql`deleted_at is null`)
}

/** Finds a free slug and writes; whoever loses it to another in between looks again. */
async function withSlug<W>(
  m: Member,
  spec: Pick<CrudSpec<CrudTable, z.ZodObject>, 'table' | 'slug'>,
  input: Row,
  write: (slug: { slug?: string }) => Promise<W>,
): Promise<W> {
  if (!spec.slug) return write({})
  const { index, column } = spec.slug
  const base = slugify(String(input.slug ?? input.name))
  for (let attempt = 1; ; attempt++) {
    const taken = await m.tenant.read(takenSlugs(spec.table, column), { base })
    try {
      // Many at once would all take the same one again: who lost twice leaves some out.
      const skip = attempt < 3 ? 0 : randomBelow(4 * attempt)
      return await write({ slug: freeSlug(base, taken, skip) })
    } catch (error) {
      if (lostTo(error) !== index || attempt === MAX_SLUG_TRIES) throw error
    }
  }
}

const slugQueries = variants<{ base: string }, string[]>()
const takenSlugs = (table: CrudTable, column: PgColumn): Query<{ base: string }, string[]> =>
  slugQueries(
    getTableName(table),
    p => sql`select coalesce(json_agg(${column}), '[]') from ${table}
      where ${table.accountId} = ${p.account}
        and (${column} = ${p.base} or ${column} like ${p.base} || '-%')
        ${'deletedAt' in table ? sql`and deleted_at is null` : sql``}`,
  )

/** What lib/http/crud.ts needs of a resource, whether `crud()` made it or a hand did. */
export interface Resource {
  New: z.ZodObject
  Change: z.ZodObject
  Filter: z.ZodObject
  find(m: Member, which: { id: number }): Promise<unknown>
  list(m: Member, filter: Paging): Promise<Page<unknown>>
  create(m: Member, input: never): Promise<unknown>
  update(m: Member, change: { id: number }): Promise<unknown>
  remove(m: Member, which: { id: number }): Promise<unknown>
}

/**
 * Queries for one record's JSON: by id, and the one that this batch just inserted. `now` is for records
 * in which something goes by the clock.
 */
function recordById<R>(spec: ListSpec & { table: CrudTable | ListSpec['table'] }) {
  const select = (condition: (p: Record<string, SQL>) => SQL) =>
    query<{ id: number; now?: string }, R>(
      p => sql`select ${spec.record} from ${spec.table} ${spec.joins ?? sql``}
        where ${spec.table.accountId} = ${p.account} and ${condition(p)}
        ${spec.where ? sql`and ${spec.where}` : sql``}`,
    )
  let newest: Query<{ now?: string }, R> | undefined
  return {
    one: select(p => sql`${spec.table.id} = ${p.id}::int`),
    newest: (id: SQL): Query<{ now?: string }, R> => {
      newest ??= select(() => sql`${spec.table.id} = ${id}`) as unknown as Query<
        { now?: string },
        R
      >
      return newest
    },
  }
}

const removals = variants<{ id: number }, unknown>()

/** Deletes one row, guarded: without it the batch fails with `<table>_gone`. */
export function removal(table: OwnedTable & { id: PgColumn }): Query<{ id: number }, unknown> {
  const name = getTableName(table)
  return removals(
    name,
    p => sql`with removed as (
        delete from ${table} where ${table.accountId} = ${p.account} and ${table.id} = ${p.id}::int
        returning 1
      ) select must(exists(select from removed), ${sql.raw(`'${name}_gone'`)})`,
  )
}
