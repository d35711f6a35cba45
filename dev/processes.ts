import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Whether a process with this id exists. One that has ended but was not yet reaped counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it exists and belongs to someone else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  return readState(pid) !== 'Z'
}

/** The command line of a process, empty when it has ended. */
export function readCommandLine(pid: number): string {
  if (existsSync('/proc/self/cmdline')) return readProc(pid, 'cmdline').replaceAll('\0', ' ')
  return spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout ?? ''
}

/** The children of a process, this one unless said, whose command line contains `name`. */
export function findChildren(name: string, of: number = process.pid): number[] {
  return listProcesses()
    .filter(({ parent }) => parent === of)
    .map(({ pid }) => pid)
    .filter(pid => readCommandLine(pid).includes(name))
}

function listProcesses(): { pid: number; parent: number }[] {
  if (existsSync('/proc/self/stat')) {
    const pids = readdirSync('/proc').filter(entry => /^\d+$/.test(entry))
    return pids.map(pid => ({ pid: Number(pid), parent: Number(statFields(Number(pid))[1]) }))
  }
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return (stdout ?? '').split('\n').map(line => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number)
    return { pid: pid ?? 0, parent: parent ?? 0 }
  })
}

/**
 * Runs `load`, then takes away the handlers of termination signals that it added: libraries that
 * end the process themselves would cut off an orderly stop.
 */
export async function withoutSignalHandlers<T>(load: () => Promise<T>): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const before = signals.map(signal => new Set(process.listeners(signal)))
  const result = await load()
  signals.forEach((signal, index) => {
    for (const listener of process.listeners(signal))
      if (!before[index]?.has(listener)) process.off(signal, listener)
  })
  return result
}

/** When a process began, as a text that only this process has; empty where that is not to be had. */
export function readStartTime(pid: number): string {
  return statFields(pid)[19] ?? ''
}

function readState(pid: number): string {
  return statFields(pid)[0] ?? ''
}

/** The fields of /proc/<pid>/stat that follow the program's name, which may hold spaces itself. */
function statFields(pid: number): string[] {
  const text = readProc(pid, 'stat')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
