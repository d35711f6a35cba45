import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inject } from 'vitest'
import { withDatabase } from '#dev/database.ts'
import { type Platform, startPlatform } from '#dev/platform.ts'

/** A platform that no other test file shares, on which time passes only when a job is fired. */
export interface OwnPlatform extends Platform {
  /** Runs a job to its end as if it were `now`. */
  fireJob(job: string, now?: Date): Promise<void>
}

/** What most tests on them ask; each function more costs start time. */
const SOME = ['appointments', 'bookings', 'catalog', 'company', 'jobs', 'people', 'web']

/** A database with the tables of the template and nothing in them. */
async function copyDatabase(): Promise<string> {
  const template = new URL(inject('template'))
  const name = `own_${crypto.randomUUID().replaceAll('-', '')}`
  const copy = `create database ${name} template ${template.pathname.slice(1)}`
  const databaseUrl = new URL(`/${name}`, template).href
  await withDatabase(new URL('/postgres', template).href, client => client.query(copy))
  return databaseUrl
}

/** Starts one, with an empty database; `stop` takes everything away again. */
export async function startOwnPlatform(functions: 'some' | 'all' = 'some'): Promise<OwnPlatform> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'almanac-own-'))
  const platform = await startPlatform({
    ...{ dataDir, port: 0, databaseUrl: await copyDatabase() },
    ...(functions === 'some' ? { functions: SOME } : {}),
    ephemeral: true,
    withoutTriggers: true,
  })
  return {
    ...platform,
    async fireJob(job, now = new Date()) {
      const url = `${platform.url}/_dev/cron/${job}?now=${now.toISOString()}`
      const answer = await fetch(url, { method: 'POST' })
      if (!answer.ok) throw new Error(`Job ${job}: ${answer.status} ${await answer.text()}`)
    },
    async stop() {
      await platform.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
