import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from './failure.ts'
import { findFreePort } from './loopback.ts'
import { findLauncher, type Launcher } from './postgres-binaries.ts'
import { isAlive, readCommandLine } from './processes.ts'

/** What `startPostgres` needs. */
export interface PostgresOptions {
  /** The folder of the cluster; made when missing. */
  dataDir: string
  /** A free one when left out. */
  port?: number
  /** Nothing survives a crash: no fsync. For tests. */
  ephemeral?: boolean
  /** Told, in a line, that Postgres ended without having been asked to. */
  onLost?: ((line: string) => void) | undefined
}

/** A running Postgres on 127.0.0.1. */
export interface Postgres {
  url: string
  port: number
  /** Orderly shutdown; resolves when the process has ended. */
  stop(): Promise<void>
}

/** Reads where the Postgres of a data folder listens, when one runs there. */
export function findRunningPostgres(dataDir: string): { pid: number; url: string } | undefined {
  const lock = readLock(dataDir)
  return lock && isPostmasterOf(lock.pid, dataDir)
    ? { pid: lock.pid, url: postgresUrl(lock.port) }
    : undefined
}

/**
 * Starts the packaged Postgres on `dataDir`, making the cluster first when the folder is new. One
 * that still runs there is left over from a killed platform: it is stopped. Fails with a line for
 * the person when the folder is not usable.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const dataDir = path.resolve(options.dataDir)
  const launcher = findLauncher()
  if (!existsSync(path.join(dataDir, 'PG_VERSION'))) createCluster(launcher, dataDir)
  await removeLeftover(dataDir)
  const port = options.port ?? (await findFreePort())
  const child = await launchUntilReady(launcher, dataDir, port, options.ephemeral ?? false)
  const onLost = () =>
    options.onLost?.('Postgres ended by itself: start again, and it recovers what was saved')
  child.once('exit', onLost)
  const stop = () => {
    child.off('exit', onLost)
    return stopChild(child)
  }
  return { url: postgresUrl(port), port, stop }
}

function postgresUrl(port: number): string {
  return `postgres://postgres@127.0.0.1:${port}/postgres`
}

/** Whether an address is that of a Postgres that was started here. */
export const isPackaged = (databaseUrl: string): boolean =>
  databaseUrl === postgresUrl(Number(/:(\d+)\/postgres$/.exec(databaseUrl)?.[1]))

/** Builds the cluster beside its place and moves it there whole: a cut-off run leaves no half. */
function createCluster(launcher: Launcher, dataDir: string): void {
  const draft = `${dataDir}.new`
  rmSync(draft, { recursive: true, force: true })
  if (existsSync(dataDir)) {
    throw new Failure(
      `${dataDir} is not a Postgres data folder (PG_VERSION is missing): move it away or delete it, then start again`,
    )
  }
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  if (launcher.user) chownSync(draft, launcher.user.uid, launcher.user.gid)
  const initdb = launcher.wrap(path.join(launcher.folder, 'initdb'), [
    ...['-D', draft, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C'],
    ...['--no-sync', '--no-instructions'],
  ])
  const result = spawnSync(initdb.command, initdb.args, {
    encoding: 'utf8',
    cwd: draft,
    ...launcher.spawnUser,
  })
  if (result.status !== 0) {
    const said = faultIn(result.stderr ?? '')
    const reason = said || result.error?.message || `exit ${result.status}`
    throw new Failure(`Postgres could not make its data folder ${dataDir}: ${reason}`)
  }
  renameSync(draft, dataDir)
}

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=100',
  'timezone=UTC',
  'log_timezone=UTC',
  'jit=off',
  // A batch that lost a race is an ordinary answer; the caller gets it, the log need not.
  'log_min_messages=log',
]
const EPHEMERAL = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

async function launchUntilReady(
  launcher: Launcher,
  dataDir: string,
  port: number,
  ephemeral: boolean,
): Promise<ChildProcess> {
  const settings = ephemeral ? [...SETTINGS, ...EPHEMERAL] : SETTINGS
  const postgres = launcher.wrap(path.join(launcher.folder, 'postgres'), [
    ...['-D', dataDir, '-p', String(port)],
    ...settings.flatMap(setting => ['-c', setting]),
  ])
  for (let attempt = 1; ; attempt++) {
    const child = spawn(postgres.command, postgres.args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: dataDir,
      // Ctrl-C reaches the whole process group: Postgres has to outlive the requests in flight.
      detached: true,
      ...launcher.spawnUser,
    })
    const failure = await waitForReady(child)
    if (failure === undefined) return child
    // Backends of a killed postmaster need a moment to notice and let go of its memory.
    if (attempt < 25 && failure.includes('pre-existing shared memory')) await sleep(200)
    else throw new Failure(describeFailure(dataDir, failure))
  }
}

/** Undefined when Postgres accepts connections, what it wrote to stderr when it ended before. */
function waitForReady(child: ChildProcess): Promise<string | undefined> {
  return new Promise(resolve => {
    let output = ''
    const onData = (chunk: Buffer) => {
      output += chunk
      if (!output.includes('ready to accept connections')) return
      child.stderr?.off('data', onData)
      child.stderr?.resume()
      child.off('close', onEnd)
      resolve(undefined)
    }
    const onEnd = (code: number | null) => resolve(output || `it exited with ${code}`)
    child.stderr?.on('data', onData)
    child.once('error', error => resolve(error.message))
    child.once('close', onEnd)
  })
}

function describeFailure(dataDir: string, output: string): string {
  return `Postgres could not start on ${dataDir}: ${faultIn(output)}. Restore that folder from a copy, or delete it to begin with an empty database, then start again`
}

/** The line that says what went wrong: the last one that is called an error, else the last one. */
function faultIn(output: string): string {
  const lines = output.trim().split('\n')
  const faults = lines.filter(line => /(FATAL|PANIC|error):/.test(line))
  return (faults.at(-1) ?? lines.at(-1) ?? '').replace(/^.*?(FATAL|PANIC|error):\s*/, '')
}

function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise(resolve => {
    // SIGINT asks for a fast shutdown; one that hangs is ended, and recovers at the next start.
    const patience = setTimeout(() => child.kill('SIGQUIT'), 10_000)
    child.once('exit', () => {
      clearTimeout(patience)
      resolve()
    })
    child.kill('SIGINT')
  })
}

function readLock(dataDir: string): { pid: number; port: number } | undefined {
  const file = path.join(dataDir, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n')
  return { pid: Number(lines[0]), port: Number(lines[3]) }
}

/** The id may have gone to another program since, so its command line has to name the folder. */
function isPostmasterOf(pid: number, dataDir: string): boolean {
  return pid > 0 && isAlive(pid) && readCommandLine(pid).includes(path.resolve(dataDir))
}

/** Stops a Postgres that a killed platform left behind, and removes the lock of a dead one. */
async function removeLeftover(dataDir: string): Promise<void> {
  const lock = readLock(dataDir)
  if (!lock) return
  if (isPostmasterOf(lock.pid, dataDir)) {
    process.kill(lock.pid, 'SIGINT')
    for (let waited = 0; isAlive(lock.pid); waited += 50) {
      if (waited === 5_000) process.kill(lock.pid, 'SIGQUIT')
      if (waited >= 10_000)
        throw new Failure(
          `A Postgres left over from an earlier start (process ${lock.pid}) still holds ${dataDir}: end it, then start again`,
        )
      await sleep(50)
    }
  }
  rmSync(path.join(dataDir, 'postmaster.pid'), { force: true })
}
