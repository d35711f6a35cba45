import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findFreePort } from '#dev/loopback.ts'
import { findChildren } from '#dev/processes.ts'

const ROOT = path.resolve(import.meta.dirname, '..')

/** What `npm start` writes for a person who wants to sign in. */
interface Demo {
  baseUrl: string
  accounts: { plan: string; apiKey: string; staff: { apiKey: string } }[]
  oauth: Record<
    'confidential' | 'public' | 'unapproved',
    { clientId: string; clientSecret?: string; redirectUri: string }
  >
}

/** What `npm start` runs, in a process of its own that a test may kill. */
export interface SpawnedPlatform {
  url: string
  dataDir: string
  /** What commands need that work on its data. */
  env: NodeJS.ProcessEnv
  demo(): Demo
  /** The keys of the demo businesses, by plan: free, pro, enterprise. */
  keys(): string[]
  /** The processes that it has started whose command line contains `name`. */
  children(name: string): number[]
  /** What it has printed since its last start. */
  output(): string
  /** Waits until it has ended by itself; its exit code. */
  ended(): Promise<number | null>
  /** Ends it as Ctrl-C does; its exit code. */
  interrupt(): Promise<number | null>
  /** Kills it with everything it has started, as a power cut does. */
  kill(): Promise<void>
  /** Starts it again on the same data; what it printed until it was ready. */
  start(): Promise<string>
  /** Ends it and takes its data away. */
  stop(): Promise<void>
}

/** Starts the platform in a process group of its own; ready when this resolves. */
export async function spawnPlatform(): Promise<SpawnedPlatform> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'almanac-spawned-'))
  const port = await findFreePort()
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port) }
  let running: ChildProcess | undefined
  let output = ''
  const start = () => {
    const args = ['--import', 'tsx', 'dev/start.ts']
    const child = spawn(process.execPath, args, { cwd: ROOT, env, detached: true })
    running = child
    output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        output += chunk
      })
    return ready(child, () => output)
  }
  const end = (signal: 'SIGINT' | 'SIGKILL') => {
    const child = running
    running = undefined
    if (!child?.pid) return null
    const gone = new Promise<number | null>(resolve => child.once('exit', resolve))
    process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal)
    return gone
  }
  const kill = async () => {
    await end('SIGKILL')
  }
  const demo = () => JSON.parse(readFileSync(path.join(dataDir, 'demo.json'), 'utf8')) as Demo
  await start()
  return {
    ...{ url: `http://localhost:${port}`, dataDir, env, demo, start, kill },
    keys: () => demo().accounts.map(({ apiKey }) => apiKey),
    children: name => findChildren(name, running?.pid),
    output: () => output,
    ended: async () => exitOf(running),
    interrupt: async () => end('SIGINT'),
    async stop() {
      await kill()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function ready(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const read = () => {
      if (/^ready /m.test(output())) resolve(output())
    }
    child.stdout?.on('data', read)
    child.once('exit', code => reject(new Error(`It ended with ${code}: ${output()}`)))
  })
}

function exitOf(child: ChildProcess | undefined): Promise<number | null> | number | null {
  if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
  return new Promise(resolve => child.once('exit', resolve))
}
