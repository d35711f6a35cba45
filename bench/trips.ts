import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Platform, startPlatform } from '#dev/platform.ts'
import { type Business, FIRST_CUSTOMER, FIRST_EMPLOYEE, makeBusiness, SERVICE } from './business.ts'
import { newAppointment } from './capture.ts'
import { stopOnInterrupt } from './interrupt.ts'
import { printTable } from './report.ts'

interface Endpoint {
  method: string
  path: string
  body?: unknown
  /** Sent without credentials. */
  open?: boolean
}

/** The created record's id, for the endpoints that change it afterwards. */
type Made = Record<string, number>

const API = '/api/services'
const ROUNDS = 3

/** A customer whose e-mail address is new each time. */
const newCustomer = () => ({ name: 'Ann Park', email: `ann.${crypto.randomUUID()}@example.com` })

function reads({ month }: Business): Endpoint[] {
  const range = `from=${month.from}&to=${month.to}`
  const offer = `serviceId=${SERVICE.everybody}&${range}`
  const lists = ['appointments', 'services', 'categories', 'taxes', 'customers', 'employees']
  return [
    ...[...lists, 'resources', 'locations', 'districts', 'company-settings'],
    `employees/schedule?employeeId=${FIRST_EMPLOYEE}`,
    `availability?${offer}&employeeId=${FIRST_EMPLOYEE}`,
    `availability?${offer}`,
  ].map(name => ({ method: 'GET', path: `${API}/${name}` }))
}

/** Writes in the order of their running: what is made first is changed and deleted later. */
function writes({ month }: Business, made: Made, round: number): (() => Endpoint)[] {
  const year = Number(month.from.slice(0, 4)) + 1
  const at = (hour: number) => `${year}-12-31T${hour + round}:00`
  const booking = (hour: number): unknown =>
    JSON.parse(
      newAppointment(FIRST_EMPLOYEE, FIRST_CUSTOMER, at(hour), `${at(hour).slice(0, -2)}30`),
    )
  const id = (name: string) => `${API}/${name}?id=${made[name]}`
  // Without an address nothing is sent: what is, begins before the answer has arrived.
  const guest = { serviceId: SERVICE.five, customer: { name: 'Vi', phone: `+1212555010${round}` } }
  const name = `Bench ${round}`
  return [
    () => ({ method: 'POST', path: `${API}/appointments`, body: booking(10) }),
    () => ({ method: 'PUT', path: id('appointments'), body: { startTime: `${at(15)}:00Z` } }),
    () => ({ method: 'PUT', path: id('appointments'), body: { notes: name } }),
    () => ({ method: 'DELETE', path: id('appointments') }),
    () => ({
      method: 'POST',
      path: `${API}/book`,
      open: true,
      body: { ...guest, startTime: `${month.to}T${15 + round}:00:00Z` },
    }),
    () => ({ method: 'POST', path: `${API}/customers`, body: newCustomer() }),
    () => ({ method: 'PUT', path: id('customers'), body: { name } }),
    () => ({ method: 'DELETE', path: id('customers') }),
    () => ({ method: 'POST', path: `${API}/services`, body: { name, duration: 30, price: 1000 } }),
    () => ({ method: 'PATCH', path: id('services'), body: { price: 1200 } }),
    () => ({ method: 'DELETE', path: id('services') }),
    () => ({ method: 'PATCH', path: `${API}/company-settings`, body: { phone: '+12125550100' } }),
  ]
}

interface Counted {
  endpoint: Endpoint
  status: number
  sql: number
  redis: number
  after: number
}

/** Counts the trips until the answer, then those of work that goes on behind it. */
async function count(
  { url, stats }: Platform,
  key: string,
  endpoint: Endpoint,
  made: Made,
): Promise<Counted> {
  const before = stats()
  const answer = await fetch(url + endpoint.path, {
    method: endpoint.method,
    headers: {
      ...(endpoint.open ? {} : { 'cal-api-key': key }),
      ...(endpoint.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(endpoint.body === undefined ? {} : { body: JSON.stringify(endpoint.body) }),
  })
  const then = stats()
  const text = await answer.text()
  if (!answer.ok)
    throw new Error(`${endpoint.method} ${endpoint.path}: ${answer.status} ${text.slice(0, 300)}`)
  if (answer.status === 201)
    made[endpoint.path.slice(API.length + 1)] = (JSON.parse(text) as { id: number }).id
  await sleep(100)
  return {
    endpoint,
    status: answer.status,
    sql: then.sqlTrips - before.sqlTrips,
    redis: then.redisTrips - before.redisTrips,
    after: stats().sqlTrips - then.sqlTrips,
  }
}

async function countAll(platform: Platform, business: Business): Promise<Counted[]> {
  const { apiKey } = business.account
  const made: Made = {}
  const rounds: Counted[][] = []
  // From the second round on every isolate is warm and every credential known.
  for (let round = 0; round < ROUNDS; round++) {
    const counted: Counted[] = []
    for (const endpoint of reads(business))
      counted.push(await count(platform, apiKey, endpoint, made))
    for (const make of writes(business, made, round))
      counted.push(await count(platform, apiKey, make(), made))
    rounds.push(counted)
  }
  return fewest(rounds)
}

/** Jobs and what is sent after answers fall into some counts: the least is the request's own. */
const fewest = (rounds: readonly Counted[][]): Counted[] =>
  rounds[0]!.map(({ endpoint, status }, at) => {
    const least = (of: 'sql' | 'redis' | 'after') => Math.min(...rounds.map(r => r[at]![of]))
    return { endpoint, status, sql: least('sql'), redis: least('redis'), after: least('after') }
  })

/** Round trips of each endpoint on the local platform, warm. */
export async function run(): Promise<void> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'almanac-bench-'))
  const platform = await startPlatform({ dataDir, port: 0, ephemeral: true })
  const release = stopOnInterrupt(() => platform.stop())
  try {
    const business = await makeBusiness(platform.databaseUrl, 2000)
    const counted = await countAll(platform, business)
    printTable(
      'trips: round trips to the database and to Redis, warm',
      ['', 'status', 'SQL', 'Redis', 'SQL after the answer'],
      counted.map(({ endpoint, status, sql, redis, after }) => [
        `${endpoint.method} ${endpoint.path.slice(API.length).replace(/\d{4,}[\d-]*/g, '…')}`,
        ...[status, sql, redis, after].map(String),
      ]),
    )
  } finally {
    release()
    await platform.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
