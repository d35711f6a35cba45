import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { startBackend } from './backend.ts'
import { closeConnections, send } from './client.ts'
import { digits, median, printTable } from './report.ts'
import {
  bundleDeployed,
  bundleWorker,
  CONFIG,
  cpuMicroseconds,
  HELLO,
  startWorker,
} from './worker.ts'

const ROUNDS = 3
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Seconds from `npm start` until it says that it is ready; then it is stopped. */
async function startOnce(dataDir: string): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, ['--import', 'tsx', 'dev/start.ts'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const ready = await new Promise<number>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', chunk => {
      output += chunk
      if (/^ready /m.test(output)) resolve(performance.now() - began)
    })
    ended.then(() => reject(new Error(`npm start ended by itself:\n${output}`)))
  })
  child.kill('SIGINT')
  await ended
  return ready / 1000
}

async function timeStarts(): Promise<void> {
  const rows: [string, number[]][] = [
    ['no data folder: initdb, migrations, demo', []],
    ['a data folder from before', []],
  ]
  for (let round = 0; round < ROUNDS; round++) {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'almanac-bench-'))
    try {
      for (const [, times] of rows) times.push(await startOnce(dataDir))
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  }
  printTable(
    `start: seconds until npm start is ready (median of ${ROUNDS})`,
    ['', 's'],
    rows.map(([name, times]) => [name, digits(median(times))]),
  )
}

/** The CPU of a fresh workerd until its first answer, and the time that answer took, in ms. */
async function firstAnswer(code: string, bindings: Record<string, string>) {
  const worker = await startWorker(code, bindings)
  try {
    const began = performance.now()
    await send(worker.port, { method: 'GET', path: '/none', key: '' }, 404)
    const wait = performance.now() - began
    return { cpu: cpuMicroseconds(worker.pid) / 1000, wait }
  } finally {
    closeConnections()
    await worker.stop()
  }
}

async function measureFunctions(): Promise<void> {
  const backend = await startBackend()
  try {
    const { bindings } = await backend.createDatabase('start')
    const functions = CONFIG.functions.filter(({ paths }) => paths.length > 0)
    const sides = [{ name: 'hello world', code: HELLO, plain: 0, zipped: 0 }]
    for (const { key, main } of functions) {
      const code = await bundleWorker(path.relative(ROOT, main))
      const deployed = await bundleDeployed(path.relative(ROOT, main))
      const [plain, zipped] = [deployed.length, gzipSync(deployed).length].map(n => n / 1024)
      sides.push({ name: key, code, plain: plain ?? 0, zipped: zipped ?? 0 })
    }
    const found = sides.map(() => [] as { cpu: number; wait: number }[])
    for (let round = 0; round < ROUNDS; round++)
      for (const [i, { code }] of sides.entries()) found[i]!.push(await firstAnswer(code, bindings))
    const cpu = found.map(runs => median(runs.map(run => run.cpu)))
    printTable(
      `start: a fresh isolate of each function until its first answer (median of ${ROUNDS})`,
      ['', 'KiB', 'KiB, gzip', 'CPU ms', 'above hello', 'answer ms'],
      sides.map(({ name, plain, zipped }, i) => [
        name,
        plain === 0 ? '-' : digits(plain),
        zipped === 0 ? '-' : digits(zipped),
        digits(cpu[i]!),
        digits(cpu[i]! - cpu[0]!),
        digits(median(found[i]!.map(run => run.wait))),
      ]),
    )
  } finally {
    await backend.stop()
  }
}

/** How long the platform takes to start, and a function to wake up. */
export async function run(): Promise<void> {
  await timeStarts()
  await measureFunctions()
}
