import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findFreePort } from '#dev/loopback.ts'

const ROOT = path.resolve(import.meta.dirname, '..')

/** What `npm start` runs, in a process of its own that a test may kill. */
export interface SpawnedPlatform {
  url: string
  dataDir: string
  /** The keys of the demo businesses, by plan: free, pro, enterprise. */
  keys(): string[]
  /** Kills it with everything it has started, as a power cut does. */
  kill(): Promise<void>
  /** Starts it again on the same data. */
  start(): Promise<void>
  /** Ends it and takes its data away. */
  stop(): Promise<void>
}

/** Starts the platform in a process group of its own; ready when this resolves. */
export async function spawnPlatform(): Promise<SpawnedPlatform> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'almanac-spawned-'))
  const port = await findFreePort()
  let running: ChildProcess | undefined
  const start = async () => {
    const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port) }
    const args = ['--import', 'tsx', 'dev/start.ts']
    running = spawn(process.execPath, args, { cwd: ROOT, env, detached: true })
    await ready(running)
  }
  const kill = async () => {
    const child = running
    running = undefined
    if (!child?.pid) return
    const gone = new Promise(resolve => child.once('exit', resolve))
    process.kill(-child.pid, 'SIGKILL')
    await gone
  }
  await start()
  return {
    url: `http://localhost:${port}`,
    dataDir,
    keys() {
      const text = readFileSync(path.join(dataDir, 'demo.json'), 'utf8')
      const { accounts } = JSON.parse(text) as { accounts: { apiKey: string }[] }
      return accounts.map(({ apiKey }) => apiKey)
    },
    kill,
    start,
    async stop() {
      await kill()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

function ready(child: ChildProcess): Promise<void> {
  let output = ''
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk
      if (/^ready /m.test(output)) resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', code => reject(new Error(`It ended with ${code}: ${output}`)))
  })
}
