import pg from 'pg'
import type { Base, Member, Plan } from '#lib/core/context.ts'
import { notConfigured } from '#lib/core/errors.ts'
import { type Cells, type Db, retrying, type Statement } from '#lib/db/client.ts'
import { Tenant } from '#lib/db/tenant.ts'
import { stopwatch } from '#lib/http/clock.ts'
import { cloudflareDns } from '#lib/providers/dns/cloudflare.ts'
import { daily } from '#lib/providers/video/daily.ts'
import { httpPoster } from '#lib/providers/webhooks/http.ts'

const TEXT = { getTypeParser: () => (value: string) => value }

/** The database over TCP, for the operator's commands and the seed: the same trips, no HTTP. */
export function tcpDb(pool: pg.Pool): Db {
  const names = new Map<string, string>()
  const run = async (client: pg.Pool | pg.PoolClient, { text, params }: Statement) => {
    // Named statements are planned once a connection: the seed runs the same few hundreds of times.
    const name = names.get(text) ?? `s${names.size}`
    names.set(text, name)
    const values = [...params]
    const result = await client.query({ name, text, values, rowMode: 'array', types: TEXT })
    return result.rows as Cells
  }
  const transaction = async (statements: readonly Statement[]): Promise<Cells[]> => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const results: Cells[] = []
      for (const statement of statements) results.push(await run(client, statement))
      await client.query('commit')
      return results
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }
  return {
    trip: statements =>
      retrying(async () =>
        statements.length === 1 ? [await run(pool, statements[0]!)] : transaction(statements),
      ),
  }
}

/** An operator's caller: no request, no limits, straight to the database. */
export interface Operator {
  base: Base
  close(): Promise<void>
}

/** Makes the caller of commands that run beside the functions, such as `account:create`. */
export function operator(databaseUrl: string, now: Date): Operator {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 })
  pool.on('error', () => {})
  const db = tcpDb(pool)
  const requestId = `operator-${crypto.randomUUID()}`
  const admission = () => Promise.resolve()
  const base: Base = {
    now,
    elapsed: stopwatch(),
    requestId,
    via: 'api',
    db,
    settings: {
      publicUrl: '',
      secret: '',
      emailFrom: '',
      allowLoopback: true,
      deliveriesAtOnce: 5,
    },
    ports: {
      email: () => notConfigured('RESEND_API_KEY'),
      sms: () => notConfigured('TWILIO_ACCOUNT_SID'),
      video: () => daily({}),
      dns: () => cloudflareDns(),
      poster: () => httpPoster(() => performance.now()),
    },
    admission,
    after: () => {},
    enter: accountId =>
      new Tenant(db, accountId, { userId: null, via: 'operator', requestId, now, admission }),
  }
  return { base, close: () => pool.end() }
}

/** The owner of an account, for operations that a command or the seed carries out in their name. */
export const ownerOf = (
  base: Base,
  { accountId, userId, plan }: { accountId: number; userId: number; plan: Plan },
): Member => ({
  ...base,
  kind: 'member',
  tenant: base.enter(accountId),
  accountId,
  userId,
  personId: 0,
  employeeId: null,
  role: 'owner',
  plan,
  scopes: null,
})
