import type { NeonQueryFunction } from '@neondatabase/serverless'

/** One SQL statement with its parameters, `$1`, `$2`, … */
export interface Statement {
  text: string
  params: readonly unknown[]
}

/** Rows as the wire has them: every value text or null. */
export type Cells = readonly (readonly (string | null)[])[]

/**
 * A database reached in round trips. Several statements in one trip are one transaction (READ
 * COMMITTED): all of them take effect or none does.
 */
export interface Db {
  trip(statements: readonly Statement[]): Promise<Cells[]>
}

/** A statement that the database refused. `constraint` is the name of what it broke, if any. */
export class DbError extends Error {
  constructor(
    message: string,
    readonly code: string,
    readonly constraint: string | undefined,
    readonly detail: string | undefined,
  ) {
    super(message)
  }
}

/** SQLSTATEs after which the same batch may well succeed: deadlock, serialization failure. */
const AGAIN = new Set(['40P01', '40001'])
const MAX_TRIES = 4

interface PgFields {
  message: string
  code?: string
  constraint?: string
  detail?: string
}

/** The database's own fields of an error, from whichever driver threw it. */
function toDbError(error: unknown): unknown {
  const found = error as PgFields & { cause?: PgFields }
  const fields = found.code ? found : (found.cause ?? found)
  return fields.code && /^[0-9A-Z]{5}$/.test(fields.code)
    ? new DbError(fields.message, fields.code, fields.constraint, fields.detail)
    : error
}

/** Runs a transaction again when it fell to a deadlock: it changed nothing. */
export async function retrying<R>(run: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (thrown) {
      const error = toDbError(thrown)
      if (!(error instanceof DbError && AGAIN.has(error.code)) || attempt === MAX_TRIES) throw error
    }
  }
}

const RAW = { getTypeParser: () => (value: string) => value }

/** Loads the driver when the first statement is sent, and not while the isolate starts (docs/decisions/0013). */
async function openNeon(url: string, endpoint?: string): Promise<NeonQueryFunction<true, false>> {
  const { neon, neonConfig } = await import('@neondatabase/serverless')
  if (endpoint) neonConfig.fetchEndpoint = endpoint
  return neon(url, { arrayMode: true, fullResults: false })
}

/**
 * Postgres over Neon's SQL-over-HTTP. `endpoint` leads to another server that speaks it; without one
 * the driver derives Neon's own from the host in `url`.
 */
export function connect(url: string, endpoint?: string): Db {
  // Not its promise: in a Worker one request cannot wait for what another has begun.
  let sql: NeonQueryFunction<true, false> | undefined
  return {
    trip: statements =>
      retrying(async () => {
        sql ??= await openNeon(url, endpoint)
        const { query, transaction } = sql
        const one = (s: Statement) => query(s.text, s.params as unknown[], { types: RAW })
        const [only] = statements
        const rows =
          statements.length === 1 && only
            ? [await one(only)]
            : await transaction(statements.map(one))
        return rows as unknown as Cells[]
      }),
  }
}
