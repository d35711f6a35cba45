import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { DataFolder } from './data-folder.ts'
import { emptyDatabase, isEmpty, MIGRATIONS_FOLDER, migrateDatabase } from './database.ts'
import { Failure, messageOf } from './failure.ts'

/** What a seed gets to work with. */
export interface SeedContext {
  /** The platform's address; the functions answer already. */
  url: string
  /** The database over TCP. */
  databaseUrl: string
  /** What the functions get as their environment. */
  bindings: Record<string, string>
  now: Date
  log(line: string): void
}

/** Fills an empty database; what it returns is written to `<DATA_DIR>/demo.json`. */
export type Seed = (context: SeedContext) => Promise<unknown>

/** While this file is there, a seed is under way or was cut off. */
const SEEDING = 'seeding'

/**
 * Brings the schema up to date and tells how many migrations ran. A seed that was cut off has left a
 * half: our own database then begins anew.
 */
export async function migrateUnlessHalfSeeded(
  options: { databaseUrl?: string; migrationsFolder?: string },
  databaseUrl: string,
  folder: DataFolder,
  log: (line: string) => void,
): Promise<number> {
  if (wasCutOff(folder)) {
    if (options.databaseUrl) {
      throw new Failure(
        `Filling the database of DATABASE_URL was cut off: make that database empty, delete ${folder.file(SEEDING)}, then start again`,
      )
    }
    log('filling the database was cut off: beginning anew')
    await emptyDatabase(databaseUrl)
    rmSync(folder.file(SEEDING))
  }
  return migrateDatabase(databaseUrl, options.migrationsFolder ?? MIGRATIONS_FOLDER)
}

function wasCutOff(folder: DataFolder): boolean {
  try {
    readFileSync(folder.file(SEEDING))
    return true
  } catch {
    return false
  }
}

/** What an earlier start wrote down of the demo stays true: it may have answered at another port. */
function keepDemoTrue(url: string, folder: DataFolder, log: (line: string) => void): void {
  const file = folder.file('demo.json')
  const shown = path.relative('.', file)
  const more = 'npm run account:create -- --email you@example.org makes another account'
  try {
    const demo = JSON.parse(readFileSync(file, 'utf8')) as { baseUrl?: string }
    if (demo.baseUrl === url) return
    writeFileSync(file, `${JSON.stringify({ ...demo, baseUrl: url }, null, 2)}\n`)
  } catch (error) {
    log(`${shown} cannot be read (${messageOf(error)}): ${more}`)
  }
}

/** Fills an empty database, and writes down what is needed to sign in. */
export async function seedWhenEmpty(
  seed: Seed,
  platform: Pick<SeedContext, 'url' | 'databaseUrl' | 'bindings'>,
  folder: DataFolder,
  log: (line: string) => void,
): Promise<void> {
  const { url, databaseUrl, bindings } = platform
  if (!(await isEmpty(databaseUrl))) return keepDemoTrue(url, folder, log)
  log('the database is empty: filling it with a demo business')
  writeFileSync(folder.file(SEEDING), '')
  const demo = await seed({ url, databaseUrl, bindings, now: new Date(), log })
  if (demo !== undefined)
    writeFileSync(folder.file('demo.json'), `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  rmSync(folder.file(SEEDING))
  log(`what you need to sign in is in ${path.relative('.', folder.file('demo.json'))}`)
}
