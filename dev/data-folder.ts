import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure, messageOf } from './failure.ts'
import { isAlive, readStartTime } from './processes.ts'

/** The folder that holds everything the local platform keeps. */
export interface DataFolder {
  path: string
  /** The absolute path of a file in it. */
  file(name: string): string
  /** Remembers processes that the next start has to end if this one is killed. */
  rememberProcesses(pids: number[]): void
  /** Lets another platform use the folder. */
  release(): void
}

/**
 * Makes the folder when missing and takes it for this process. Fails with a line for the person
 * when it cannot be written or another running platform has it.
 */
export async function claimDataFolder(folder: string): Promise<DataFolder> {
  const root = path.resolve(folder)
  const file = (name: string) => path.join(root, name)
  try {
    makeFolder(root)
    await takeFolder(root)
    await endLeftovers(file('children.pid'))
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(
      `The data folder ${root} cannot be used (${messageOf(error)}): set DATA_DIR to a folder that you may write`,
    )
  }
  return {
    path: root,
    file,
    rememberProcesses: pids =>
      writeFileSync(file('children.pid'), pids.map(describeProcess).join('\n')),
    release() {
      rmSync(file('children.pid'), { force: true })
      rmSync(file('platform.pid'), { force: true })
    },
  }
}

/** After this long, who found the claim of a dead process at the same moment as we has written theirs. */
const SETTLING_MILLISECONDS = 200

/** Claims the folder, of several who do so at once for one of them. */
async function takeFolder(root: string): Promise<void> {
  const claim = path.join(root, 'platform.pid')
  const isLeftOver = existsSync(claim)
  // Somebody is about to write it.
  if (isLeftOver && readText(claim) === '') await sleep(SETTLING_MILLISECONDS)
  requireNoOwner(root)
  try {
    writeFileSync(claim, describeProcess(process.pid), { flag: isLeftOver ? 'w' : 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return takeFolder(root)
    throw error
  }
  if (!isLeftOver) return
  await sleep(SETTLING_MILLISECONDS)
  requireNoOwner(root)
}

function requireNoOwner(root: string): void {
  const owner = findOwner(root)
  if (owner === undefined) return
  throw new Failure(
    `${root} is in use by process ${owner}: stop that one, or choose another folder, for example DATA_DIR=.data2 npm start`,
  )
}

/** With the folders above it. Node's own way never comes back where nothing can be made, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(path.dirname(folder))
  mkdirSync(folder)
}

/** The process id of the platform that runs on this folder, when one does. */
export function findOwner(folder: string): number | undefined {
  return findProcess(readText(path.join(folder, 'platform.pid')))
}

/** An id alone may have gone to another program since: the start time tells them apart. */
function describeProcess(pid: number): string {
  return `${pid} ${readStartTime(pid)}`
}

function findProcess(description: string): number | undefined {
  const pid = Number(description.split(' ')[0])
  const lives = pid > 0 && pid !== process.pid && isAlive(pid)
  return lives && describeProcess(pid) === description ? pid : undefined
}

/** The functions of a killed platform would go on holding its port. */
async function endLeftovers(file: string): Promise<void> {
  for (const description of readText(file).split('\n')) {
    const pid = findProcess(description)
    if (pid === undefined) continue
    process.kill(pid, 'SIGKILL')
    while (isAlive(pid)) await sleep(10)
  }
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
