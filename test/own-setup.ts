import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'
import { claimDataFolder, findOwner } from '#dev/data-folder.ts'
import { migrateDatabase, withDatabase } from '#dev/database.ts'
import { startPostgres } from '#dev/postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the platforms that workers start, and the database that theirs are copies of. */
    own: { folder: string; template: string }
  }
}

/** Starts one Postgres for the platforms that workers start, with an empty database to copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = mkdtempSync(path.join(tmpdir(), 'almanac-own-'))
  const folder = path.join(root, 'platforms')
  mkdirSync(folder)
  const postgres = await startPostgres({ dataDir: path.join(root, 'postgres'), ephemeral: true })
  const template = new URL('/template_platform', postgres.url).href
  await withDatabase(postgres.url, client => client.query('create database template_platform'))
  await migrateDatabase(template)
  project.provide('own', { folder, template })
  return async () => {
    for (const name of readdirSync(folder)) await endPlatform(path.join(folder, name))
    await postgres.stop()
    rmSync(root, { recursive: true, force: true })
  }
}

/** Ends what a worker's platform left running, as the next start on its folder does. */
async function endPlatform(dataDir: string): Promise<void> {
  // The worker itself may still be ending.
  for (let n = 0; n < 100 && findOwner(dataDir); n++) await sleep(100)
  const folder = await claimDataFolder(dataDir)
  folder.release()
}
