import { getTableColumns, getTableName, is, SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgInsertValue, PgTable, PgUpdateSetSource } from 'drizzle-orm/pg-core'
import { auditLog } from '#drizzle/schema/accounts.ts'
import { bounded } from '#lib/core/bounded.ts'
import type { Claim } from '#lib/core/idempotency.ts'
import { Json, toText } from '#lib/core/json.ts'
import type { Acting } from './actor.ts'
import type { Statement } from './client.ts'
import { lostTo } from './meanings.ts'
import { bare, into, type Query, type Queue, query } from './query.ts'

/** A table whose rows belong to an account. */
export type OwnedTable = PgTable & { accountId: PgColumn }
type WithId = OwnedTable & { id: PgColumn }

/** A row to insert; the account is added. Values may be SQL. */
export type NewRow<T extends OwnedTable> = Omit<PgInsertValue<T>, 'accountId'>
/** Columns to change. Values may be SQL. */
export type Change<T extends OwnedTable> = Omit<PgUpdateSetSource<T>, 'accountId' | 'id'>

const inserts = bounded<string>()
const changes = bounded<Query<Record<string, unknown>, unknown>>()

/** One text for any number of rows: they travel as one JSON parameter. */
function insertText(name: string, columns: readonly PgColumn[]): string {
  const key = `${name}:${columns.map(c => c.name).join()}`
  let text = inserts.get(key)
  if (!text) {
    const names = columns.map(c => `"${c.name}"`).join(', ')
    const types = columns.map(c => `"${c.name}" ${c.getSQLType()}`).join(', ')
    text = `insert into "${name}" (${names}) select ${names} from jsonb_to_recordset($1::jsonb) as r(${types})`
    inserts.set(key, text)
  }
  return text
}

/** The same with some columns made by SQL, for every row alike. */
const insertMade = (
  table: OwnedTable,
  columns: readonly PgColumn[],
  made: readonly (SQL | undefined)[],
): Query<{ rows: string }, unknown> =>
  query(p => {
    const names = columns.filter(c => c.name !== 'account_id')
    const values = columns.map((c, i) => made[i] ?? sql.raw(`r."${c.name}"`)).slice(1)
    const types = columns
      .filter((_, i) => !made[i])
      .map(c => sql.raw(`"${c.name}" ${c.getSQLType()}`))
    return sql`insert into ${into(table, ...names)}
      select r.account_id, ${sql.join(values, sql`, `)}
      from jsonb_to_recordset(${p.rows}::jsonb) as r(${sql.join(types, sql`, `)})`
  })

const entriesOf = (columns: object): [string, unknown][] =>
  Object.entries(columns).filter(([, value]) => value !== undefined)

/** What is made by SQL does not travel. */
const plain = (value: unknown): unknown => (is(value, SQL) ? undefined : value)

/** The rows of one insert are all made alike: what the first leaves out would be lost of the others. */
function requireSameColumns(rows: readonly Record<string, unknown>[], keys: readonly string[]) {
  const known = new Set(keys)
  for (const row of rows)
    for (const [key, value] of Object.entries(row))
      if (value !== undefined && !known.has(key))
        throw new Error(`The first row of an insert has no ${key}, another one has`)
}

const forWire = (column: PgColumn, value: unknown): unknown =>
  column.getSQLType() === 'jsonb' && value !== null ? JSON.stringify(value) : value

/** Loses on purpose, which aborts the transaction. */
const takeBack = query<object, unknown>(
  p => sql`select must(${p.account}::int is null, 'rehearsal_over')`,
)

/**
 * Everything one operation changes, sent as one transaction in one round trip. Guards (`must`) abort
 * it whole; the name of a guard, like that of a constraint, has its meaning in lib/db/meanings.ts.
 */
export class Write {
  readonly #statements: Statement[] = []
  readonly #queues: [statement: number, queue: Queue][] = []
  #answer: number | undefined

  constructor(
    private readonly account: Acting,
    private readonly action: string,
    private readonly subjectId?: number,
  ) {}

  /** Adds rows of one table. */
  insert<T extends OwnedTable>(table: T, rows: NewRow<T> | readonly NewRow<T>[]): this {
    const list = (Array.isArray(rows) ? rows : [rows]) as Record<string, unknown>[]
    if (list.length === 0) return this
    const columns = getTableColumns(table) as Record<string, PgColumn>
    const keys = ['accountId', ...Object.keys(list[0]!)].filter(
      k => list[0]![k] !== undefined || k === 'accountId',
    )
    requireSameColumns(list, keys)
    const used = keys.map(k => columns[k]!)
    const wire = list.map(row =>
      Object.fromEntries(
        keys.map((k, i) => [
          used[i]!.name,
          k === 'accountId' ? this.account.accountId : plain(row[k]),
        ]),
      ),
    )
    const made = keys.map(k => list[0]![k]).map(value => (is(value, SQL) ? value : undefined))
    if (made.some(Boolean))
      return this.run(insertMade(table, used, made), { rows: JSON.stringify(wire) })
    this.#statements.push({
      text: insertText(getTableName(table), used),
      params: [JSON.stringify(wire)],
    })
    return this
  }

  /**
   * Changes one row by id, guarded: without a row (gone, or `expected` no longer true) the whole
   * write fails with `guard`, whose meaning the caller is told.
   * @param expected a condition in SQL, or columns with the values that they must still have
   */
  change<T extends WithId>(
    table: T,
    id: number,
    change: Change<T>,
    guard: string,
    expected?: SQL | Change<T>,
  ): this {
    const columns = getTableColumns(table) as Record<string, PgColumn>
    const sets = entriesOf(change)
    const still = is(expected, SQL) ? [] : entriesOf(expected ?? {})
    const cacheable = sets.every(([, v]) => !is(v, SQL)) && !is(expected, SQL)
    const key = `${getTableName(table)}:${sets.map(([k]) => k)}:${still.map(([k]) => k)}:${guard}`
    const build = () =>
      query<Record<string, unknown>, unknown>(p => {
        const set = ([k, v]: [string, unknown]) =>
          sql`${bare(columns[k]!)} = ${is(v, SQL) ? v : p[`set_${k}`]}`
        const where = still.map(
          ([k]) => sql`and ${columns[k]!} is not distinct from ${p[`was_${k}`]}`,
        )
        return sql`with changed as (
          update ${table} set ${sql.join(sets.map(set), sql`, `)}
          where ${table.accountId} = ${p.account} and ${table.id} = ${p.id}
            ${is(expected, SQL) ? sql`and ${expected}` : sql.join(where, sql` `)}
          returning 1
        ) select must(exists(select from changed), ${sql.raw(`'${guard}'`)})`
      })
    let statement = cacheable ? changes.get(key) : undefined
    if (!statement) {
      statement = build()
      if (cacheable) changes.set(key, statement)
    }
    const values = sets.map(([k, v]) => [`set_${k}`, is(v, SQL) ? null : forWire(columns[k]!, v)])
    const was = still.map(([k, v]) => [`was_${k}`, v])
    return this.run(statement, { ...Object.fromEntries([...values, ...was]), id })
  }

  /** Adds any statement of this account. */
  run<P extends object>(statement: Query<P, unknown>, params: P): this {
    if (statement.queues) this.#queues.push([this.#statements.length, statement.queues])
    this.#statements.push(statement.with({ ...params, account: this.account.accountId }))
    return this
  }

  /** Makes the value of a query, read after everything before it, the answer of the write. */
  answer<P extends object, R>(record: Query<P, R>, params: P): Answer<R> {
    this.#answer = this.#statements.length
    this.run(record, params)
    return new Answer<R>(record.with({ ...params, account: this.account.accountId }))
  }

  /**
   * Sends it all. The result of `answer()`, or a value made beforehand, is what the caller gets and
   * what an Idempotency-Key repeats.
   * @throws DbError naming the constraint or guard that was lost
   */
  commit<R>(answer: Answer<R>): Promise<Json<R>>
  commit<R>(answer: R): Promise<R>
  commit(answer: unknown): Promise<unknown> {
    return this.send(answer, claim =>
      claim.storing(answer instanceof Answer ? answer.statement : toText(answer ?? null)),
    )
  }

  /**
   * As `commit`, for an answer that holds a secret and is shown this once: an Idempotency-Key keeps
   * nothing of it, and answers 409 to whoever repeats the request.
   */
  commitSecret<R>(answer: Answer<R>): Promise<Json<R>>
  commitSecret<R>(answer: R): Promise<R>
  commitSecret(answer: unknown): Promise<unknown> {
    return this.send(answer, claim => claim.noting())
  }

  /**
   * Tries it all and takes all of it back: what `commit` would refuse is refused in the same words,
   * by the same constraints and guards, and nothing is kept or queued.
   * @throws DbError naming the constraint or guard that would be lost
   */
  async rehearse(): Promise<void> {
    await this.account.actor.admission()
    this.run(takeBack, {})
    try {
      await this.account.trip(this.#statements)
    } catch (error) {
      if (lostTo(error) !== 'rehearsal_over') throw error
    }
  }

  private async send(answer: unknown, keep: (claim: Claim) => Statement): Promise<unknown> {
    const { claim } = this.account.actor
    await this.account.actor.admission()
    if (claim && !claim.made) await this.account.trip([])
    this.audit()
    const statements = [...this.#statements]
    if (claim?.made && !claim.stored) statements.push(keep(claim))
    const results = await this.account.trip(statements)
    if (claim?.made) claim.stored = true
    const queued = this.#queues.filter(([at]) => results[at]?.length).map(([, queue]) => queue)
    if (queued.length > 0) this.account.actor.onQueued?.(new Set(queued))
    if (!(answer instanceof Answer)) return answer
    return new Json(results[this.#answer ?? 0]?.[0]?.[0] ?? 'null')
  }

  private audit(): void {
    const { userId, via, requestId, now } = this.account.actor
    const { action, subjectId } = this
    this.insert(auditLog, { at: now.toISOString(), userId, via, action, subjectId, requestId })
  }
}

/** The answer of a write, read in its own batch. */
class Answer<R> {
  declare readonly shape?: R
  constructor(readonly statement: Statement) {}
}
