import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { sealSecret } from '#lib/events/sign.ts'
import { startBackend } from './backend.ts'
import { makeBusiness } from './business.ts'
import type { Order } from './loop.ts'
import { digits, median, printTable, repeat } from './report.ts'
import { bundleWorker, cpuMicroseconds, type RunningWorker, startWorker } from './worker.ts'

const ROUNDS = 5
const SECONDS = 60
/** As many as lib/events/deliver.ts has under way. */
const AT_ONCE = 48
const SECRET = 'bench'

interface Case {
  webhooks: number
  /** How long their receivers take, in milliseconds. */
  delay: number
  /** How many deliveries are spread over them. */
  count: number
  /** Whether the run is given them, as by a database that is elsewhere and answers at once. */
  isGiven?: boolean
}

const CASES: Case[] = [
  { webhooks: 8, delay: 50, count: 2000 },
  { webhooks: 1, delay: 50, count: 1000 },
  { webhooks: 8, delay: 10, count: 4000 },
  { webhooks: 8, delay: 0, count: 6000 },
  { webhooks: 1, delay: 0, count: 6000 },
  { webhooks: 8, delay: 0, count: 6000, isGiven: true },
  { webhooks: 1, delay: 0, count: 6000, isGiven: true },
]

/** A file of this folder in a process of its own, which tells the port it listens on. */
async function startProcess(file: string): Promise<RunningWorker> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)))
  const port = await new Promise<number>(resolve => child.once('message', n => resolve(Number(n))))
  const stop = () => new Promise<void>(resolve => child.once('exit', () => resolve()).kill())
  return { port, pid: child.pid ?? 0, stop }
}

const LEAVE = `with made as (
    insert into events (account_id, type, subject, subject_id, version, payload, created_at)
    select $1, 'SERVICE_BOOKING_CREATED', 'appointment', n, 1, $2::json, now()
    from generate_series(1, $3::int) n returning *
  )
  insert into deliveries (account_id, webhook_id, event_id, subject, subject_id, created_at)
  select $1, ($4::int[])[1 + made.subject_id % cardinality($4::int[])], made.id, made.subject,
    made.subject_id, made.created_at from made order by made.id`

const SUBSCRIBE = `insert into webhooks
    (account_id, subscriber_url, triggers, secret, created_at, updated_at)
  select $1, u, array['SERVICE_BOOKING_CREATED'], $3, now(), now() from unnest($2::text[]) u
  returning id`

const PAYLOAD = {
  ...{ id: 1, uid: 'kq3Zr0fQ4yqv9uB1mXn2Tw', title: 'Hot stone massage', type: 'hot-stone' },
  ...{ startTime: '2031-03-03T10:00:00.000Z', endTime: '2031-03-03T11:00:00.000Z' },
  organizer: { name: 'Noor Haas', email: 'noor@example.com' },
  attendees: [{ name: 'Ann Lee', email: 'ann@example.com', timeZone: 'America/New_York' }],
  ...{ status: 'approved', previousStatus: null, service: { id: 1, name: 'Hot stone massage' } },
  ...{ employee: { id: 1, name: 'Noor Haas' }, location: null, price: 9000, currency: 'usd' },
}

/** As long as that of a delivery. */
const BODY = JSON.stringify({
  ...{ triggerEvent: 'SERVICE_BOOKING_CREATED', createdAt: '2031-03-03T09:00:00.000Z' },
  payload: PAYLOAD,
})

/** The processes that have a part in it; the SQL endpoint is this one. */
const PARTS = ['worker', 'receiver', 'endpoint', 'postgres'] as const
type Part = (typeof PARTS)[number]

interface Timing {
  perSecond: number
  trips: number
  /** CPU of each process for one delivery, in microseconds. */
  cpu: Record<Part, number>
}

interface Side {
  port: number
  /** The processes of each part at the moment. */
  pids(): Promise<Record<Part, number[]>>
}

const cpuOf = async (side: Side): Promise<Record<Part, number>> => {
  const pids = await side.pids()
  const sum = (part: Part) => pids[part].reduce((all, pid) => all + (cpuMicroseconds(pid) || 0), 0)
  return eachPart(sum)
}

const sideOf = ({ port, pid }: RunningWorker, receiver: number, pool: pg.Pool): Side => ({
  port,
  pids: async () => {
    const { rows } = await pool.query<{ pid: number }>('select pid from pg_stat_activity')
    const postgres = rows.map(row => row.pid)
    return { worker: [pid], receiver: [receiver], endpoint: [process.pid], postgres }
  },
})

const eachPart = (value: (part: Part) => number): Record<Part, number> => ({
  worker: value('worker'),
  receiver: value('receiver'),
  endpoint: value('endpoint'),
  postgres: value('postgres'),
})

async function ask(side: Side, count: number, order?: Order): Promise<Timing> {
  const before = await cpuOf(side)
  const began = performance.now()
  const init = order ? { method: 'POST', body: JSON.stringify(order) } : {}
  const answer = await fetch(`http://127.0.0.1:${side.port}/`, init)
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  const { trips } = (await answer.json()) as { trips: number }
  const perSecond = (count * 1000) / (performance.now() - began)
  const after = await cpuOf(side)
  const cpu = eachPart(part => (after[part] - before[part]) / count)
  return { perSecond, trips, cpu }
}

/** What all cases run on. */
interface Stage {
  pool: pg.Pool
  accountId: number
  appSecret: string
  /** The receiver's port. */
  receiver: number
  /** The Worker that delivers, and sends the bare loop. */
  worker: Side
  /** The bare loop in Node. */
  node: Side
}

/** Subscribes the webhooks of one case, at addresses of its own, and measures their deliveries. */
async function measure(
  { pool, accountId, appSecret, receiver, worker, node }: Stage,
  { webhooks, delay, count, isGiven = false }: Case,
  at: number,
): Promise<Row> {
  const urls = Array.from(
    { length: webhooks },
    (_, n) => `http://127.0.0.1:${receiver}/${at}/${n}/${delay}`,
  )
  const kept = await sealSecret(appSecret, accountId, SECRET)
  const made = await pool.query<{ id: number }>(SUBSCRIBE, [accountId, urls, kept])
  const ids = made.rows.map(({ id }) => id)
  // To one webhook no more than 16 are under way.
  const atOnce = Math.min(AT_ONCE, 16 * webhooks)
  const order = { urls, count, atOnce, secret: SECRET, sealed: kept, body: BODY }
  const leave = async () => {
    if (isGiven) return
    await pool.query(LEAVE, [accountId, JSON.stringify(PAYLOAD), count, ids])
    // What this has left for Postgres to write is not the deliveries'.
    await pool.query('checkpoint')
  }
  const name = `${webhooks} webhooks, answered after ${delay} ms`
  const row = await compare(
    isGiven ? `${name}, given` : name,
    { worker, node },
    order,
    leave,
    isGiven,
  )
  const { rows: left } = await pool.query('select status, count(*)::int from deliveries group by 1')
  if (left.length !== 1) throw new Error(`Not all arrived: ${JSON.stringify(left)}`)
  return row
}

/** Deliveries a second, with all that is noted of them, beside a bare loop of signed requests. */
export async function run(): Promise<void> {
  const backend = await startBackend()
  const stoppers: (() => Promise<unknown>)[] = []
  try {
    const database = await backend.createDatabase('webhooks')
    await makeBusiness(database.url, 1)
    const pool = new pg.Pool({ connectionString: database.url, max: 1 })
    // Postgres ends with the bench, and tells what is still connected.
    pool.on('error', () => {})
    stoppers.push(() => pool.end())
    const [account] = (await pool.query<{ id: number }>('select min(id) as id from accounts')).rows
    const receiver = await startProcess('receiver.ts')
    stoppers.push(receiver.stop)
    const loop = await startProcess('loop-node.ts')
    stoppers.push(loop.stop)
    const worker = await startWorker(
      await bundleWorker('bench/deliver-worker.ts'),
      database.bindings,
    )
    stoppers.push(worker.stop)
    const [ours, node] = [worker, loop].map(one => sideOf(one, receiver.pid, pool)) as [Side, Side]
    const appSecret = database.bindings.APP_SECRET!
    const stage = {
      ...{ pool, accountId: account!.id, appSecret, receiver: receiver.port },
      ...{ worker: ours, node },
    }
    const rows: Row[] = []
    for (const [at, one] of CASES.entries()) rows.push(await measure(stage, one, at))
    printFigures(rows)
  } finally {
    for (const stopper of stoppers.reverse()) await stopper()
    await backend.stop()
  }
}

function printFigures(rows: readonly Row[]): void {
  printTable(
    'webhooks: deliveries, beside a bare loop of as many signed requests at once',
    ['', 'ours /s', 'bare /s', 'ours / bare', 'in Node /s', 'ours / Node', 'trips per 50'],
    rows.map(({ name, figures }) => [name, ...figures]),
  )
  printTable(
    'webhooks: CPU of each process for one delivery, ours and (bare), µs',
    ['', ...PARTS],
    rows.map(({ name, cpu }) => [name, ...cpu]),
  )
}

/** One case in the tables. */
interface Row {
  name: string
  figures: string[]
  cpu: string[]
}

async function compare(
  name: string,
  { worker, node }: Pick<Stage, 'worker' | 'node'>,
  order: Omit<Order, 'kind'>,
  leave: () => Promise<unknown>,
  isGiven: boolean,
): Promise<Row> {
  const ours: Timing[] = []
  const bare: Timing[] = []
  const inNode: Timing[] = []
  const plain: Order = { ...order, kind: 'bare' }
  await repeat(ROUNDS, SECONDS, async (_, counts) => {
    await leave()
    const mine = await ask(worker, order.count, isGiven ? { ...order, kind: 'given' } : undefined)
    const theirs = await ask(worker, order.count, plain)
    const nodes = await ask(node, order.count, plain)
    if (!counts) return
    ours.push(mine)
    bare.push(theirs)
    inNode.push(nodes)
  })
  const speed = (list: readonly Timing[]) => median(list.map(t => t.perSecond))
  // The machine's speed changes between rounds: each is compared within itself.
  const ratio = (list: readonly Timing[]) =>
    median(list.map((t, i) => (ours[i]?.perSecond ?? 0) / t.perSecond)).toFixed(2)
  const trips = median(ours.map(t => t.trips)) / (order.count / 50)
  const cpu = PARTS.map(part => {
    const [mine, theirs] = [ours, bare].map(list => digits(median(list.map(t => t.cpu[part]))))
    return `${mine} (${theirs})`
  })
  const figures = [
    ...[digits(speed(ours)), digits(speed(bare)), ratio(bare)],
    ...[digits(speed(inNode)), ratio(inNode), trips.toFixed(2)],
  ]
  return { name, figures, cpu }
}
