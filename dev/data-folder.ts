import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Failure, messageOf } from './failure.ts'
import { isAlive, readStartTime } from './processes.ts'

/** The folder that holds everything the local platform keeps. */
export interface DataFolder {
  path: string
  /** The absolute path of a file in it. */
  file(name: string): string
  /** Lets another platform use the folder. */
  release(): void
}

/**
 * Makes the folder when missing and takes it for this process. Fails with a line for the person
 * when it cannot be written or another running platform has it.
 */
export function claimDataFolder(folder: string): DataFolder {
  const root = path.resolve(folder)
  const file = (name: string) => path.join(root, name)
  try {
    mkdirSync(root, { recursive: true })
    const owner = findOwner(root)
    if (owner) {
      throw new Failure(
        `${root} is in use by process ${owner}: stop that one, or choose another folder, for example DATA_DIR=.data2 npm start`,
      )
    }
    writeFileSync(file('platform.pid'), `${process.pid} ${readStartTime(process.pid)}`)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(
      `The data folder ${root} cannot be used (${messageOf(error)}): set DATA_DIR to a folder that you may write`,
    )
  }
  return { path: root, file, release: () => rmSync(file('platform.pid'), { force: true }) }
}

/** The process id of the platform that runs on this folder, when one does. */
export function findOwner(folder: string): number | undefined {
  const [pid, startTime] = readText(path.join(folder, 'platform.pid')).split(' ')
  const id = Number(pid)
  if (!id || id === process.pid || !isAlive(id)) return undefined
  return readStartTime(id) === startTime ? id : undefined
}

/** The random secret of this folder (32 bytes, base64url), made at its first use. */
export function readSecret(folder: DataFolder): string {
  const known = readText(folder.file('secret')).trim()
  if (known) return known
  const secret = randomBytes(32).toString('base64url')
  writeFileSync(folder.file('secret'), `${secret}\n`, { mode: 0o600 })
  return secret
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
