import pg from 'pg'
import { tcpDb } from '#dev/operator.ts'
import type { Base, Member, Visitor } from '#lib/core/context.ts'
import { ApiError, notConfigured } from '#lib/core/errors.ts'
import type { Db } from '#lib/db/client.ts'
import { meaningOf } from '#lib/db/meanings.ts'
import { Tenant } from '#lib/db/tenant.ts'
import { platform } from '../../platform.ts'

/** The platform's database over TCP: operations without the way to them, where many are wanted. */
export function openDb(connections = 4): { pool: pg.Pool; db: Db } {
  const pool = new pg.Pool({ connectionString: platform().databaseUrl, max: connections })
  return { pool, db: tcpDb(pool) }
}

const TEXT = { getTypeParser: () => (value: string) => value }

/** Carries each write out and takes it back: all that is tried finds the same database. */
export const pretending = ({ pool, db }: { pool: pg.Pool; db: Db }): Db => ({
  trip: async statements => {
    if (statements.length === 1) return db.trip(statements)
    const client = await pool.connect()
    try {
      await client.query('begin')
      const results: string[][][] = []
      for (const { text, params } of statements) {
        const query = { text, values: [...params], rowMode: 'array' as const, types: TEXT }
        results.push((await client.query(query)).rows as string[][])
      }
      return results
    } finally {
      await client.query('rollback')
      client.release()
    }
  },
})

/** Counts the round trips to a database. */
export function counting(db: Db): Db & { trips: number } {
  const counted = {
    trips: 0,
    trip: (statements: Parameters<Db['trip']>[0]) => {
      counted.trips++
      return db.trip(statements)
    },
  }
  return counted
}

function baseOf(db: Db, now: Date, via: Base['via']): Base {
  const requestId = 'test'
  const admission = () => Promise.resolve()
  const unused = () => notConfigured('a provider')
  return {
    now,
    elapsed: () => 0,
    requestId,
    admission,
    db,
    via,
    settings: {
      publicUrl: '',
      secret: '',
      emailFrom: '',
      allowLoopback: false,
      deliveriesAtOnce: 5,
    },
    ports: { email: unused, sms: unused, dns: unused, poster: unused, video: unused },
    after: () => {},
    enter: id => new Tenant(db, id, { userId: null, via, requestId, now, admission }),
  }
}

export const visitorAt = (db: Db, now: Date): Visitor => ({
  ...baseOf(db, now, 'public'),
  kind: 'visitor',
  address: '::1',
})

/** The owner of an account. */
export function ownerAt(
  db: Db,
  now: Date,
  { accountId, userId }: { accountId: number; userId: number },
): Member {
  const base = baseOf(db, now, 'api')
  const who = { accountId, userId, personId: 0, employeeId: null }
  return {
    ...base,
    ...who,
    kind: 'member',
    tenant: base.enter(accountId),
    role: 'owner',
    plan: 'enterprise',
    scopes: null,
  }
}

/** Runs an operation and answers the status that a request would get; a fault of ours is thrown. */
export async function statusOf(work: Promise<unknown>, success = 201): Promise<number> {
  try {
    await work
    return success
  } catch (thrown) {
    const error = meaningOf(thrown)
    if (error instanceof ApiError) return error.status
    throw thrown
  }
}

/** A database that holds the first write back until it is told to go on. */
export function gated(db: Db): { db: Db; arrived: Promise<void>; goOn(): void } {
  let arrive = () => {}
  let goOn = () => {}
  const arrived = new Promise<void>(resolve => {
    arrive = resolve
  })
  const gate = new Promise<void>(resolve => {
    goOn = resolve
  })
  const trip: Db['trip'] = async statements => {
    if (statements.length > 1) {
      arrive()
      await gate
    }
    return db.trip(statements)
  }
  return { db: { trip }, arrived, goOn: () => goOn() }
}
