import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { Failure, messageOf } from './failure.ts'
import { findRunningPostgres, isPackaged, startPostgres } from './postgres.ts'

/** A database that can be reached over TCP. */
export interface Database {
  url: string
  stop(): Promise<void>
}

/** Where the migrations lie. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../drizzle/migrations', import.meta.url))

/** Any number that other programs on the same server do not lock on. */
const MIGRATION_LOCK = 727_265_001

/**
 * For commands that need the database without the whole platform: the given server, the packaged
 * Postgres that a running platform has started on `dataDir`, or else one of our own until `stop`.
 */
export async function openDatabase(options: {
  databaseUrl?: string
  dataDir: string
}): Promise<Database> {
  const url = options.databaseUrl ?? findRunningPostgres(postgresFolder(options.dataDir))?.url
  if (!url) return startPostgres({ dataDir: postgresFolder(options.dataDir) })
  return { url, stop: async () => {} }
}

/** The folder of the packaged Postgres within the data folder. */
export function postgresFolder(dataDir: string): string {
  return path.resolve(dataDir, 'postgres')
}

/**
 * Connects, runs `use`, disconnects. Fails with a line for the person when the server cannot be
 * reached.
 */
export async function withDatabase<T>(
  databaseUrl: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect(databaseUrl)
  // A connection lost while idle must not end the process; the next query reports it.
  client.on('error', () => {})
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl))
    throw new Failure('DATABASE_URL must look like postgres://user:password@host:5432/database')
  try {
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 5_000,
    })
    await client.connect()
    return client
  } catch (error) {
    requireWholeData(error, isPackaged(databaseUrl))
    throw new Failure(
      `DATABASE_URL cannot be used: ${hidePassword(databaseUrl)} does not let us in (${messageOf(error)}). Start that server or correct the address; without DATABASE_URL the packaged Postgres is used`,
    )
  }
}

/**
 * Errors of these classes (system error, damaged data) are no one's but the data folder's; nor is
 * anything else for which our own server, which lets everybody in, refuses to.
 */
function requireWholeData(error: unknown, isOurs = false): void {
  if (!(error instanceof pg.DatabaseError)) return
  if (!isOurs && !/^(58|XX)/.test(error.code ?? '')) return
  throw new Failure(
    `The database is damaged (${messageOf(error)}): restore its data folder from a copy, or delete it to begin with an empty database, then start again`,
  )
}

function hidePassword(databaseUrl: string): string {
  return databaseUrl.replace(/\/\/([^:/@]+):[^@]*@/, '//$1:***@')
}

/**
 * Brings the schema up to date and tells how many migrations were run. All of them run in one
 * transaction: a failure changes nothing. Two at once wait for each other.
 */
export async function migrateDatabase(
  databaseUrl: string,
  migrationsFolder: string = MIGRATIONS_FOLDER,
): Promise<number> {
  if (!existsSync(path.join(migrationsFolder, 'meta', '_journal.json'))) return 0
  return withDatabase(databaseUrl, async client => {
    await requireUnicode(client, databaseUrl)
    try {
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
      const before = await countMigrations(client)
      await migrate(drizzle(client), { migrationsFolder })
      return (await countMigrations(client)) - before
    } catch (error) {
      const reason = error instanceof Error && error.cause ? error.cause : error
      requireWholeData(reason)
      throw new Failure(
        `A migration in ${path.relative('.', migrationsFolder)} failed and nothing was changed: ${messageOf(reason)}. Correct the migration, or use an empty database`,
      )
    }
  })
}

/** In another encoding most of what people write could not be kept. */
async function requireUnicode(client: pg.Client, databaseUrl: string): Promise<void> {
  const { rows } = await client.query('show server_encoding')
  const encoding = rows[0].server_encoding as string
  if (encoding !== 'UTF8')
    throw new Failure(
      `The database ${hidePassword(databaseUrl)} keeps its text in ${encoding}: make one with create database … encoding 'UTF8' template template0, and name that in DATABASE_URL`,
    )
}

async function countMigrations(client: pg.Client): Promise<number> {
  const table = 'drizzle.__drizzle_migrations'
  const known = await client.query('select to_regclass($1) is not null as known', [table])
  if (!known.rows[0].known) return 0
  return (await client.query(`select count(*)::int as count from ${table}`)).rows[0].count
}

/** Whether nobody has signed up yet: there is no account, or no such table. */
export async function isEmpty(databaseUrl: string): Promise<boolean> {
  return withDatabase(databaseUrl, async client => {
    const table = await client.query(`select to_regclass('public.accounts') is not null as known`)
    if (!table.rows[0].known) return true
    const { rows } = await client.query('select exists(select from public.accounts) as found')
    return !rows[0].found
  })
}

/** Takes everything out of the database, the record of migrations included. */
export async function emptyDatabase(databaseUrl: string): Promise<void> {
  await withDatabase(databaseUrl, client =>
    client.query(
      'drop schema if exists drizzle cascade; drop schema public cascade; create schema public',
    ),
  )
}
