import { startBackend } from './backend.ts'
import { makeBusiness } from './business.ts'
import { type Case, casesOf } from './cases.ts'
import { closeConnections, send, time } from './client.ts'
import { digits, median, printTable, repeat } from './report.ts'
import { bundleWorker, type RunningWorker, startWorker } from './worker.ts'

const SIZES = [1_000, 10_000, 100_000, 1_000_000]
const ROUNDS = 7
const SECONDS = 60
const REQUESTS = 30

interface Side {
  worker: RunningWorker
  cases: Case[]
}

/** Medians of the rounds' p50, by case and size; from rounds in turn. */
async function measure(sides: readonly Side[]): Promise<number[][]> {
  const names = sides[0]!.cases.map(({ name }) => name)
  const found = names.map(() => sides.map(() => [] as number[]))
  await repeat(ROUNDS, SECONDS, async (_, counts) => {
    for (let i = 0; i < names.length; i++) {
      const times = sides.map(() => [] as number[])
      // The sizes take turns with every request: what slows the machine slows all of them.
      for (let n = 0; n < REQUESTS; n++)
        for (const [side, { worker, cases }] of sides.entries()) {
          const { ask, status } = cases[i]!
          const { all } = await time(1, 1, () => send(worker.port, ask(), status))
          times[side]!.push(all)
        }
      if (counts) for (const [side, each] of times.entries()) found[i]![side]!.push(median(each))
    }
  })
  return found.map(one => one.map(median))
}

/** Latency of the same requests in businesses of a thousand to a million appointments. */
export async function run(): Promise<void> {
  const backend = await startBackend()
  const sides: Side[] = []
  try {
    const modules = await bundleWorker('functions/appointments/index.ts')
    for (const size of SIZES) {
      const database = await backend.createDatabase(`growth_${size}`)
      const business = await makeBusiness(database.url, size)
      const worker = await startWorker(modules, database.bindings)
      sides.push({ worker, cases: casesOf(business) })
    }
    const figures = await measure(sides)
    printTable(
      `growth: p50 in ms by the appointments of the account (medians of rounds in turn)`,
      ['', ...SIZES.map(size => size.toLocaleString('en-US')), 'last / first'],
      figures.map((row, i) => [
        sides[0]!.cases[i]!.name,
        ...row.map(digits),
        (row.at(-1)! / row[0]!).toFixed(2),
      ]),
    )
  } finally {
    closeConnections()
    for (const { worker } of sides) await worker.stop()
    await backend.stop()
  }
}
