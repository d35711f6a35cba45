/**
 * How fast slots are found, beside a plain sweep over the same input: `node --import tsx
 * bench/slots.ts`. Both sides go from schedules and busy ranges to `{ date: [{ start, ids }] }`
 * with ISO texts; times are CPU-bound medians of many rounds after warming up.
 */
import { execFileSync } from 'node:child_process'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import { dateKey, parseDate } from '#lib/scheduling/dates.ts'
import type { Schedule } from '#lib/scheduling/hours.ts'
import { type NamedHost, offers } from '#lib/scheduling/offers.ts'
import { groupByDay, type SlotRules } from '#lib/scheduling/slots.ts'
import { formatUtc, offsetAt } from '#lib/scheduling/zone.ts'

const ZONES = ['America/New_York', 'Europe/Berlin', 'Australia/Sydney', 'Asia/Kathmandu']
const VISITOR = 'Europe/London'
const DAY = 1440
const OPENS = 9 * 60
const CLOSES = 17 * 60
/** A window with changes of clocks in it, in three of the zones. */
const FROM = parseDate('2026-02-15') * DAY

type Listing = Record<string, { start: string; ids: number[] }[]>
type Host = NamedHost<number>

const RULES: SlotRules = {
  duration: 30,
  bufferBefore: 0,
  bufferAfter: 10,
  interval: 15,
  earliest: FROM + 600,
  latest: FROM + 365 * DAY,
}

/** Repeatable pseudo-random numbers below `limit` (Lehmer's generator, modulus 2^31 - 1). */
function numbers(seed: number): (limit: number) => number {
  let state = seed
  return limit => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
}

function makeHosts(count: number, days: number, busyEach: number): Host[] {
  const next = numbers(42)
  return Array.from({ length: count }, (_, id) => {
    const weekly = [1, 2, 3, 4, 5].map(day => ({
      day,
      intervals: [{ start: '09:00', end: '17:00' }],
    }))
    const schedule: Schedule = { timeZone: ZONES[id % ZONES.length]!, weekly }
    const step = Math.floor((days * DAY) / busyEach)
    const busy = Array.from({ length: busyEach }, (_, i) => {
      const start = FROM + i * step + next(step >> 2)
      return [start, start + 10 + next(step >> 1)]
    }).flat()
    return { id, schedule, busy }
  })
}

function listOurs(hosts: readonly Host[], days: number): Listing {
  const listing: Listing = {}
  const found = offers(RULES, hosts, FROM, FROM + days * DAY)
  for (const [date, items] of groupByDay(VISITOR, found)) {
    listing[date] = items.map(({ start, ids }) => ({ start: formatUtc(start), ids }))
  }
  return listing
}

/**
 * The least that the same answer takes, with the same formatting, for these hosts only.
 * Each day's offset at noon is the offset of its working hours here: nobody works at night.
 */
function listPlainly(hosts: readonly Host[], days: number): Listing {
  const ids = new Map<number, number[]>()
  for (const host of hosts) sweepPlainly(host, days, ids)
  const listing: Listing = {}
  for (const start of [...ids.keys()].sort((a, b) => a - b)) {
    const date = dateKey(Math.floor((start + offsetAt(VISITOR, start)) / DAY))
    listing[date] ??= []
    listing[date].push({ start: formatUtc(start), ids: ids.get(start)! })
  }
  return listing
}

function sweepPlainly(host: Host, days: number, ids: Map<number, number[]>): void {
  const { busy, id } = host
  const { duration, interval, bufferAfter, earliest } = RULES
  let next = 0
  for (let day = FROM / DAY - 1; day <= FROM / DAY + days; day++) {
    const weekday = (day + 4) % 7
    if (weekday === 0 || weekday === 6) continue
    const midnight = day * DAY - offsetAt(host.schedule.timeZone, day * DAY + 720)
    for (let s = midnight + OPENS; s + duration <= midnight + CLOSES; s += interval) {
      if (s < earliest || s >= FROM + days * DAY) continue
      while (next < busy.length && busy[next + 1]! <= s) next += 2
      if (next < busy.length && busy[next]! < s + duration + bufferAfter) continue
      const known = ids.get(s)
      if (known) known.push(id)
      else ids.set(s, [id])
    }
  }
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!
}

/** Median milliseconds of both, run in turn so that a busy machine slows both alike. */
function compare(ours: () => unknown, plain: () => unknown, rounds: number): [number, number] {
  const times: [number[], number[]] = [[], []]
  for (let round = -Math.ceil(rounds / 3); round < rounds; round++) {
    for (const [side, job] of [ours, plain].entries()) {
      const start = performance.now()
      job()
      if (round >= 0) times[side]!.push(performance.now() - start)
    }
  }
  return [median(times[0]), median(times[1])]
}

const CASES = [
  { name: '1 employee, 30 days, 200 busy', hosts: 1, days: 30, busyEach: 200, rounds: 3000 },
  { name: '20 employees, 30 days, 4,000 busy', hosts: 20, days: 30, busyEach: 200, rounds: 300 },
  { name: '100 employees, 89 days, 50,000 busy', hosts: 100, days: 89, busyEach: 500, rounds: 60 },
]

/** The first question of a new isolate: load the code, learn a zone, list a month. */
const FIRST_CALL = `
  import { performance } from 'node:perf_hooks'
  import { hostStarts } from './lib/scheduling/offers.ts'
  const intervals = [{ start: '09:00', end: '17:00' }]
  const weekly = [1, 2, 3, 4, 5].map(day => ({ day, intervals }))
  const rules = ${JSON.stringify(RULES)}
  const host = timeZone => ({ schedule: { timeZone, weekly }, busy: [] })
  const month = zone => {
    const start = performance.now()
    hostStarts(rules, host(zone), ${FROM}, ${FROM + 30 * DAY})
    return performance.now() - start
  }
  const before = performance.now()
  if (process.argv.includes('--warm-intl')) Intl.DateTimeFormat.supportedLocalesOf('en-US')
  const engine = performance.now() - before
  export const times = [month('Europe/Berlin'), month('America/New_York'), engine]`

/** Milliseconds of the first zone's call, of a second zone's, and of the engine's own start. */
async function firstCalls(): Promise<{ process: number[]; isolate: number[]; warm: number[] }> {
  const resolveDir = fileURLToPath(new URL('..', import.meta.url))
  const bundle = async (last: string) => {
    const stdin = { contents: FIRST_CALL + last, resolveDir, loader: 'js' as const }
    const options = { stdin, bundle: true, write: false, platform: 'node' } as const
    return (await build({ ...options, format: 'cjs' })).outputFiles[0]!.text
  }
  const child = await bundle('\nconsole.log(JSON.stringify(times))')
  const inWorker = await bundle(
    "\nimport('node:worker_threads').then(w => w.parentPort.postMessage(times))",
  )
  const spawn = (...flags: string[]): number[] =>
    JSON.parse(
      execFileSync(process.execPath, ['--eval', child, '--', ...flags], { encoding: 'utf8' }),
    )
  const isolates: number[][] = []
  for (let i = 0; i < 5; i++) {
    isolates.push(
      await new Promise((resolve, reject) => {
        new Worker(inWorker, { eval: true }).once('message', resolve).once('error', reject)
      }),
    )
  }
  const runs = (flags: string[]) => Array.from({ length: 5 }, () => spawn(...flags))
  return { process: each(runs([])), isolate: each(isolates), warm: each(runs(['--warm-intl'])) }
}

/** The median of each column. */
function each(rows: number[][]): number[] {
  return rows[0]!.map((_, column) => median(rows.map(row => row[column]!)))
}

function row(name: string, ...cells: string[]): void {
  console.log(name.padEnd(52) + cells.map(cell => cell.padStart(10)).join(''))
}

/** Runs the comparison and prints its tables. Fails if the two sides do not list the same. */
export async function run(): Promise<void> {
  row('slots (median, warm)', 'ours ms', 'plain ms', 'ratio', 'starts')
  for (const { name, hosts: count, days, busyEach, rounds } of CASES) {
    const hosts = makeHosts(count, days, busyEach)
    const listing = listOurs(hosts, days)
    if (JSON.stringify(listing) !== JSON.stringify(listPlainly(hosts, days))) {
      throw new Error(`${name}: the two listings differ`)
    }
    const starts = Object.values(listing).flat()
    const free = starts.reduce((sum, { ids }) => sum + ids.length, 0)
    const [ours, plain] = compare(
      () => listOurs(hosts, days),
      () => listPlainly(hosts, days),
      rounds,
    )
    row(name, ours.toFixed(3), plain.toFixed(3), (ours / plain).toFixed(2), String(free))
  }
  const first = await firstCalls()
  const print = (name: string, [one, two]: number[]) => row(name, one!.toFixed(2), two!.toFixed(2))
  console.log()
  row('first call: a month, one employee (median of 5)', '1st zone', '2nd zone')
  print('new isolate in a running process', first.isolate)
  print('new process, Intl used before', first.warm)
  print('new process', first.process)
  console.log(`of a new process, loading the engine's Intl data: ${first.warm[2]!.toFixed(2)} ms`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run()
