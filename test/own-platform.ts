import { mkdtempSync } from 'node:fs'
import path from 'node:path'
import { inject } from 'vitest'
import { withDatabase } from '#dev/database.ts'
import { type Platform, type PlatformOptions, startPlatform } from '#dev/platform.ts'

/** A platform that no other test file uses meanwhile, on which time passes only when a job is fired. */
export interface OwnPlatform extends Platform {
  /** Runs a job to its end as if it were `now`. */
  fireJob(job: string, now?: Date): Promise<void>
}

/** That of this worker, whose files use it in turn. */
let own: Promise<OwnPlatform> | undefined

/** This worker's own platform, with an empty database; it is ended when all tests are. */
export async function emptyOwnPlatform(): Promise<OwnPlatform> {
  own ??= startOther({})
  const platform = await own
  await withDatabase(platform.databaseUrl, client =>
    client.query(
      `do $$ begin
         execute (select 'truncate ' || string_agg(format('%I', tablename), ', ') from pg_tables
                  where schemaname = 'public');
       end $$`,
    ),
  )
  return platform
}

/** One more, for a test that needs it otherwise. */
export async function startOther(options: Partial<PlatformOptions>): Promise<OwnPlatform> {
  const { folder, template } = inject('own')
  const platform = await startPlatform({
    ...{ dataDir: mkdtempSync(path.join(folder, 'platform-')), port: 0 },
    ...{ databaseUrl: await copyDatabase(template), ephemeral: true, withoutTriggers: true },
    ...options,
  })
  return {
    ...platform,
    async fireJob(job, now = new Date()) {
      const url = `${platform.url}/_dev/cron/${job}?now=${now.toISOString()}`
      const answer = await fetch(url, { method: 'POST' })
      if (!answer.ok) throw new Error(`Job ${job}: ${answer.status} ${await answer.text()}`)
    },
  }
}

/** A database of its own with the tables of the template. */
async function copyDatabase(template: string): Promise<string> {
  const name = `own_${crypto.randomUUID().replaceAll('-', '')}`
  const copy = `create database ${name} template ${new URL(template).pathname.slice(1)}`
  await withDatabase(new URL('/postgres', template).href, client => client.query(copy))
  return new URL(`/${name}`, template).href
}
