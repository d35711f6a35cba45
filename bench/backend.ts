import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { MIGRATIONS_FOLDER, migrateDatabase, withDatabase } from '#dev/database.ts'
import { startNeonEndpoint } from '#dev/neon.ts'
import { startPostgres } from '#dev/postgres.ts'
import type { RedisBackend } from '#dev/redis-backend.ts'
import { createMemoryRedis } from '#dev/redis-memory.ts'
import { startUpstashEndpoint } from '#dev/upstash.ts'
import { stopOnInterrupt } from './interrupt.ts'

/** A migrated database, and what a Worker needs to reach it. */
export interface BenchDatabase {
  /** Over TCP. */
  url: string
  bindings: Record<string, string>
}

/** Postgres, the SQL endpoints and a Redis, in a folder that goes away again. */
export interface Backend {
  /** Makes a database with all tables and no rows. */
  createDatabase(name: string): Promise<BenchDatabase>
  stop(): Promise<void>
}

const SECRET = 'bench'

/** Starts the services that the Workers of a bench talk to. Nothing in it has to last. */
export async function startBackend(): Promise<Backend> {
  const folder = mkdtempSync(path.join(tmpdir(), 'almanac-bench-'))
  const stoppers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const stopper of stoppers.splice(0).reverse()) await stopper()
  }
  stoppers.push(stopOnInterrupt(stop))
  try {
    const postgres = await startPostgres({
      dataDir: path.join(folder, 'postgres'),
      ephemeral: true,
    })
    stoppers.push(postgres.stop)
    const redis = await startUpstashEndpoint({ backend: endlessRedis(), token: SECRET })
    stoppers.push(redis.stop)
    await migrateDatabase(postgres.url, MIGRATIONS_FOLDER)
    const createDatabase = async (name: string): Promise<BenchDatabase> => {
      const url = postgres.url.replace(/[^/]*$/, name)
      await withDatabase(postgres.url.replace(/[^/]*$/, 'template1'), client =>
        client.query(`create database ${name} template postgres`),
      )
      const neon = await startNeonEndpoint({ databaseUrl: url, password: SECRET, connections: 40 })
      stoppers.push(neon.stop)
      const bindings = {
        DELIVERIES_AT_ONCE: '48',
        DATABASE_URL: neon.connectionString,
        NEON_FETCH_ENDPOINT: neon.url,
        UPSTASH_REDIS_REST_URL: redis.url,
        UPSTASH_REDIS_REST_TOKEN: SECRET,
        PUBLIC_URL: 'http://localhost',
        APP_SECRET: SECRET,
        // Set, so that what a deployment does about e-mail is done here too; nobody is sent any.
        RESEND_API_KEY: 're_bench',
      }
      return { url, bindings }
    }
    return { createDatabase, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Counts are started anew before the lowest limit of a minute could be reached. */
const SCRIPTS_PER_WINDOW = 50

/** A Redis whose rate limits count as usual and are never used up. */
function endlessRedis(): RedisBackend {
  const redis = createMemoryRedis()
  let scripts = 0
  return {
    ...redis,
    async call(command) {
      const isScript = /^eval/i.test(command[0] ?? '')
      if (isScript && ++scripts % SCRIPTS_PER_WINDOW === 0) await redis.call(['FLUSHALL'])
      return redis.call(command)
    },
  }
}
