import type { IncomingHttpHeaders } from 'node:http'
import pg from 'pg'
import { messageOf } from './failure.ts'
import { type JsonReply, serveJson } from './loopback.ts'

/** A running stand-in for Neon's SQL over HTTP. */
export interface NeonEndpoint {
  /** For `neonConfig.fetchEndpoint`. */
  url: string
  /** What `neon()` is given: only a caller that sends it back is served. */
  connectionString: string
  /** Requests since the start: one query and one batch are one trip each. */
  trips(): number
  stop(): Promise<void>
}

interface Query {
  query: string
  params?: unknown[]
}

/** The driver copies these from a 400 onto its NeonDbError, so `code` and `constraint` arrive. */
const ERROR_FIELDS = [
  ...['severity', 'code', 'detail', 'hint', 'position', 'internalPosition', 'internalQuery'],
  ...['where', 'schema', 'table', 'column', 'dataType', 'constraint', 'file', 'line', 'routine'],
] as const

const ISOLATION: Record<string, string> = {
  ReadUncommitted: 'READ UNCOMMITTED',
  ReadCommitted: 'READ COMMITTED',
  RepeatableRead: 'REPEATABLE READ',
  Serializable: 'SERIALIZABLE',
}

/** Enough for every statement of the product; beyond it (lists of many lengths) none is kept. */
const MAX_PREPARED_STATEMENTS = 1_000

/**
 * Answers `POST /sql` as Neon does (a query, or a batch in one transaction) in front of any
 * Postgres, so that the functions use the same driver here as when deployed.
 * https://github.com/neondatabase/serverless
 */
export async function startNeonEndpoint(options: {
  databaseUrl: string
  password: string
  connections?: number
}): Promise<NeonEndpoint> {
  const connectionString = `postgresql://almanac:${options.password}@db.localhost/almanac`
  const pool = new pg.Pool({
    connectionString: options.databaseUrl,
    max: options.connections ?? 20,
    // The driver parses values itself and wants them as Postgres wrote them.
    types: { getTypeParser: () => (value: string) => value },
  })
  // An idle connection that breaks is replaced by the pool; the next query reports a lasting fault.
  pool.on('error', () => {})
  let trips = 0
  const server = await serveJson(async (request, body) => {
    if (request.method !== 'POST' || !request.url?.startsWith('/sql'))
      return { status: 404, body: { message: 'Only POST /sql is answered here' } }
    if (!sentTo(connectionString, request.headers['neon-connection-string']))
      return { status: 401, body: { message: 'Wrong connection string' } }
    trips++
    return answer(pool, body, request.headers)
  })
  return {
    url: `http://127.0.0.1:${server.port}/sql`,
    connectionString,
    trips: () => trips,
    async stop() {
      await server.stop()
      await pool.end()
    },
  }
}

/** The driver adds an `application_name` to the string it was given. */
function sentTo(expected: string, received: string | string[] | undefined): boolean {
  return typeof received === 'string' && received.split('?')[0] === expected
}

async function answer(pool: pg.Pool, body: string, headers: IncomingHttpHeaders) {
  const work = JSON.parse(body) as Query | { queries: Query[] }
  const run = () =>
    'queries' in work
      ? runBatch(pool, work.queries, beginStatement(headers))
      : runSingle(pool, work)
  try {
    return { status: 200, body: await run() }
  } catch (error) {
    if (!isStalePlan(error)) return errorReply(error)
    // The connection that held the plan is gone, and nothing was committed: once more.
    return run().then(result => ({ status: 200, body: result }), errorReply)
  }
}

/** A statement prepared before a migration changed its columns. */
function isStalePlan(error: unknown): boolean {
  return messageOf(error).includes('cached plan must not change result type')
}

function errorReply(error: unknown): JsonReply {
  const message = messageOf(error)
  if (!(error instanceof pg.DatabaseError)) return { status: 500, body: { message } }
  const fields = Object.fromEntries(ERROR_FIELDS.map(field => [field, error[field as 'code']]))
  return { status: 400, body: { message: error.message, ...fields } }
}

function beginStatement(headers: IncomingHttpHeaders): string {
  const modes: string[] = []
  const isolation = ISOLATION[String(headers['neon-batch-isolation-level'])]
  if (isolation) modes.push(`ISOLATION LEVEL ${isolation}`)
  const readOnly = headers['neon-batch-read-only']
  if (readOnly) modes.push(readOnly === 'true' ? 'READ ONLY' : 'READ WRITE')
  if (headers['neon-batch-deferrable'] === 'true') modes.push('DEFERRABLE')
  return `BEGIN ${modes.join(', ')}`
}

async function runSingle(pool: pg.Pool, query: Query) {
  return withClient(pool, client => runQuery(client, query))
}

async function runBatch(pool: pg.Pool, queries: Query[], begin: string) {
  return withClient(pool, async client => {
    await client.query(begin)
    try {
      const results = []
      for (const query of queries) results.push(await runQuery(client, query))
      await client.query('COMMIT')
      return { results }
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    }
  })
}

/** A connection goes back to the pool unless what happened makes it doubtful. */
async function withClient<T>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<T>) {
  const client = await pool.connect()
  let broken = false
  try {
    return await use(client)
  } catch (error) {
    broken = !(error instanceof pg.DatabaseError) || isStalePlan(error)
    throw error
  } finally {
    client.release(broken)
  }
}

const statementNames = new Map<string, string>()

/** One name per statement text: Postgres then parses it once per connection. */
function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known || statementNames.size >= MAX_PREPARED_STATEMENTS) return known
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}

async function runQuery(client: pg.PoolClient, { query, params }: Query) {
  const values = params ?? []
  const result = await client.query<unknown[]>({
    name: values.length > 0 ? statementName(query) : undefined,
    text: query,
    values,
    rowMode: 'array',
  })
  const { command, rowCount, rows, fields } = result
  return { command, rowCount, rows, fields, rowAsArray: true }
}
