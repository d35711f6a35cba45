import { setTimeout as sleep } from 'node:timers/promises'
import { makeTeamType } from '#dev/team.ts'
import { startBackend } from './backend.ts'
import { makeBusiness } from './business.ts'
import { captureStatements } from './capture.ts'
import { type Case, casesOf, slotsCase } from './cases.ts'
import { closeConnections, send, time } from './client.ts'
import { digits, median, printTable, repeat } from './report.ts'
import { bundleWorker, cpuMicroseconds, type RunningWorker, startWorker } from './worker.ts'

const ROUNDS = 7
const SECONDS = 20
const SEQUENTIAL = 80
const CONCURRENT = 128
const CLIENTS = 16
const APPOINTMENTS = 10_000

interface Sample {
  cpu: number
  p50: number
  perSecond: number
}

/** One round: requests one after another for CPU and latency, then many at once for throughput. */
async function sample({ pid, port }: RunningWorker, { ask, status }: Case): Promise<Sample> {
  const work = () => send(port, ask(), status)
  const before = cpuMicroseconds(pid)
  const { each } = await time(SEQUENTIAL, 1, work)
  // Work after the answer counts as well.
  await sleep(10)
  const cpu = (cpuMicroseconds(pid) - before) / SEQUENTIAL
  const { all } = await time(CONCURRENT, CLIENTS, work)
  return { cpu, p50: median(each), perSecond: (CONCURRENT / all) * 1000 }
}

const middle = (samples: readonly Sample[], field: keyof Sample): number =>
  median(samples.map(s => s[field]))

/** Samples of several Workers for one request, in turn, so that a busy machine slows all alike. */
async function compare(workers: readonly RunningWorker[], one: Case): Promise<Sample[][]> {
  const samples: Sample[][] = workers.map(() => [])
  await repeat(ROUNDS, SECONDS, async (round, counts) => {
    for (let i = 0; i < workers.length; i++) {
      const side = round % 2 === 0 ? i : workers.length - 1 - i
      const found = await sample(workers[side]!, one)
      if (counts) samples[side]!.push(found)
    }
  })
  return samples
}

/** What the two answer must be the same, for a booking but its identifiers and times. */
async function requireSame(ours: RunningWorker, bare: RunningWorker, one: Case): Promise<number> {
  const texts = [
    await send(ours.port, one.ask(), one.status),
    await send(bare.port, one.ask(), one.status),
  ]
  const shown = texts.map(text =>
    one.status === 201 ? JSON.stringify(Object.keys(JSON.parse(text) as object)) : text,
  )
  if (shown[0] !== shown[1]) throw new Error(`${one.name}: the two Workers answer differently`)
  return Buffer.byteLength(texts[0]!)
}

async function bookAtOnce(workers: readonly RunningWorker[], booking: Case): Promise<string[][]> {
  const rows: string[][] = []
  for (const clients of [16, 32]) {
    const rates: number[][] = workers.map(() => [])
    for (let round = 0; round < 3; round++)
      for (const [side, { port }] of workers.entries()) {
        const { all } = await time(8 * clients, clients, () => send(port, booking.ask(), 201))
        rates[side]!.push((8 * clients * 1000) / all)
      }
    const [ours = 0, bare = 0] = rates.map(median)
    rows.push([`${clients} clients`, digits(ours), digits(bare), (bare / ours).toFixed(2)])
  }
  return rows
}

async function rowOf(ours: RunningWorker, bare: RunningWorker, one: Case): Promise<string[]> {
  const bytes = await requireSame(ours, bare, one)
  const [a = [], b = []] = await compare([ours, bare], one)
  const cpu = [middle(a, 'cpu'), middle(b, 'cpu')] as const
  return [
    one.name,
    ...cpu.map(digits),
    (cpu[0] / cpu[1]).toFixed(2),
    digits(middle(a, 'p50')),
    digits(middle(b, 'p50')),
    digits(middle(a, 'perSecond')),
    digits(middle(b, 'perSecond')),
    (bytes / 1024).toFixed(1),
  ]
}

/** Worker CPU, latency and throughput of the functions, beside a bare Worker that does the same. */
export async function run(): Promise<void> {
  const backend = await startBackend()
  const workers: RunningWorker[] = []
  try {
    const database = await backend.createDatabase('functions')
    const business = await makeBusiness(database.url, APPOINTMENTS)
    const eventTypeId = await makeTeamType(database.url, business.account, business.month.from)
    const CAPTURED = await captureStatements(database.url, business, eventTypeId)
    const start = async (main: string, bindings = {}) => {
      const worker = await startWorker(await bundleWorker(main), {
        ...database.bindings,
        ...bindings,
      })
      workers.push(worker)
      return worker
    }
    const appointments = await start('functions/appointments/index.ts')
    const partners = await start('functions/partners/index.ts')
    const bare = await start('bench/bare.ts', { CAPTURED })
    const slots = slotsCase(business, eventTypeId)
    const cases = casesOf(business)
    const rows: string[][] = []
    for (const one of [slots, ...cases])
      rows.push(await rowOf(one === slots ? partners : appointments, bare, one))
    printTable(
      `functions: worker CPU per request, beside a bare Worker (medians of rounds in turn)`,
      ['', 'ours µs', 'bare µs', 'ratio', 'p50 ms', 'bare', `req/s, ${CLIENTS}`, 'bare', 'KiB'],
      rows,
    )
    const title = 'functions: bookings per second, many clients, fifty employees'
    printTable(
      title,
      ['', 'ours', 'bare', 'ratio'],
      await bookAtOnce([appointments, bare], cases.at(-1)!),
    )
  } finally {
    closeConnections()
    for (const worker of workers) await worker.stop()
    await backend.stop()
  }
}
