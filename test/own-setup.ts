import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrateDatabase, withDatabase } from '#dev/database.ts'
import { startPostgres } from '#dev/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the database is that those of own platforms are copies of. */
    template: string
  }
}

/** Starts one Postgres for all platforms that tests start, with an empty database to copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'almanac-databases-'))
  const postgres = await startPostgres({ dataDir: path.join(folder, 'postgres'), ephemeral: true })
  const template = new URL('/template_platform', postgres.url).href
  await withDatabase(postgres.url, client => client.query('create database template_platform'))
  await migrateDatabase(template)
  project.provide('template', template)
  return async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
