import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

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
