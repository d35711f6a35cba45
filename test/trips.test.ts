import { beforeAll, describe, expect, it } from 'vitest'
import { makeAccount, type ShownAccount } from '#dev/accounts.ts'
import { operator } from '#dev/operator.ts'
import { makeTeamType } from '#dev/team.ts'
import { emptyOwnPlatform, type OwnPlatform } from './own-platform.ts'

/** A platform of its own: on the shared one the requests of other files would be counted too. */
let platform: OwnPlatform
let account: ShownAccount

beforeAll(async () => {
  platform = await emptyOwnPlatform()
  const { base, close } = operator(platform.databaseUrl, new Date())
  account = await makeAccount(base, { email: 'ann@example.org', plan: 'enterprise' })
  await close()
  ids = await makeRecords()
  // Every statement is built, every function has met Redis.
  for (const { send } of [...READS, ...WRITES, ...VISITS]) await send(nextDay())
})

const NOW = '2031-01-01T00:00:00Z'

async function send(method: string, target: string, body?: object, headers: object = {}) {
  const path = target.startsWith('/') ? target : `/api/services/${target}`
  const answer = await fetch(`${platform.url}${path}`, {
    method,
    headers: {
      'cal-api-key': account.apiKey,
      'x-test-now': NOW,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${target}: ${answer.status} ${text}`)
  return JSON.parse(text)
}

let ids: Awaited<ReturnType<typeof makeRecords>>
async function makeRecords() {
  const make = async (target: string, body: object) => Number((await send('POST', target, body)).id)
  const service = await make('services', { name: 'Cut', duration: 60 })
  const customer = await make('customers', { name: 'Cleo' })
  const employee = account.staff.employeeId
  // Whose series take the hours of all weeks to come.
  const regular = await make('employees', { name: 'Sol', email: 'sol@example.org' })
  const day = nextDay()
  const booked = { serviceId: service, startTime: `${day}T14:00:00Z`, endTime: `${day}T15:00:00Z` }
  const appointment = await make('appointments', { ...booked, employeeId: employee })
  const category = await make('categories', { name: 'Hair' })
  const product = await make('products', { name: 'Oil', price: 900, stock: 1000 })
  const items = [{ description: 'Cut', quantity: 1, unitPrice: 5000 }]
  const invoice = await make('invoices', { customerId: customer, items })
  const team = await makeTeamType(platform.databaseUrl, account, '2031-01-06')
  return { team, service, customer, employee, regular, appointment, category, product, invoice }
}

let days = 0
/** A weekday that nothing is booked on yet. */
function nextDay(): string {
  let day: Date
  do day = new Date(Date.parse(NOW) + ++days * 86_400_000)
  while (day.getUTCDay() === 0 || day.getUTCDay() === 6)
  return day.toISOString().slice(0, 10)
}

interface Operation {
  name: string
  sql: number
  send(day: string): Promise<unknown>
}
const operation = (name: string, sql: number, run: Operation['send']): Operation => ({
  name,
  sql,
  send: run,
})

const unique = () => crypto.randomUUID()
const hour = (day: string) => ({ startTime: `${day}T15:00:00Z`, endTime: `${day}T16:00:00Z` })

const READS = [
  operation('GET services', 1, () => send('GET', 'services')),
  operation('GET services?id', 1, () => send('GET', `services?id=${ids.service}`)),
  operation('GET customers, searched', 1, () => send('GET', 'customers?search=cle&limit=5')),
  operation('GET appointments', 1, () => send('GET', 'appointments')),
  operation('GET availability', 1, day =>
    send('GET', `availability?serviceId=${ids.service}&date=${day}`),
  ),
  operation('GET /api/extension/slots, a month of 20 hosts in turn', 1, () =>
    send(
      'GET',
      `/api/extension/slots?eventTypeId=${ids.team}&start=2031-01-06&end=2031-02-05&timeZone=UTC`,
    ),
  ),
  operation('GET employees/schedule', 1, () =>
    send('GET', `employees/schedule?employeeId=${ids.employee}`),
  ),
  operation('GET products', 1, () => send('GET', 'products')),
  operation('GET invoices', 1, () => send('GET', 'invoices')),
  operation('GET insights', 1, () => send('GET', 'insights')),
  operation('GET stats', 1, () => send('GET', 'stats')),
  operation('GET company-settings', 1, () => send('GET', 'company-settings')),
]

const WRITES = [
  operation('POST categories: the names taken, the row', 2, () =>
    send('POST', 'categories', { name: unique() }),
  ),
  operation('POST services: the names taken, the row', 2, () =>
    send('POST', 'services', { name: unique() }),
  ),
  operation('POST customers', 1, () =>
    send('POST', 'customers', { name: 'Vi', email: `${unique()}@example.org` }),
  ),
  operation('POST employees', 1, () =>
    send('POST', 'employees', { name: 'Eva', email: `${unique()}@example.org` }),
  ),
  operation('PATCH services', 1, () =>
    send('PATCH', `services?id=${ids.service}`, { description: unique() }),
  ),
  operation('PUT customers', 1, () =>
    send('PUT', `customers?id=${ids.customer}`, { notes: unique() }),
  ),
  operation('POST products/stock', 1, () =>
    send('POST', 'products/stock', { productId: ids.product, delta: -1 }),
  ),
  operation('POST invoices: the facts, the write with its number', 2, () =>
    send('POST', 'invoices', {
      customerId: ids.customer,
      items: [{ description: 'Cut', quantity: 1, unitPrice: 5000 }],
      status: 'sent',
    }),
  ),
  operation('PATCH invoices: the facts, the write', 2, () =>
    send('PATCH', `invoices?id=${ids.invoice}`, { notes: unique() }),
  ),
  operation('PATCH company-settings', 1, () =>
    send('PATCH', 'company-settings', { description: unique() }),
  ),
  operation('POST appointments: the facts, the write', 2, day =>
    send('POST', 'appointments', {
      serviceId: ids.service,
      employeeId: ids.employee,
      ...hour(day),
    }),
  ),
  operation('POST appointments, a series: the facts, the write', 2, day =>
    send('POST', 'appointments', {
      serviceId: ids.service,
      employeeId: ids.regular,
      ...hour(day),
      recurrenceRule: 'weekly',
      recurrenceCount: 52,
    }),
  ),
  operation('PUT appointments, its notes: the appointment, the write', 2, () =>
    send('PUT', `appointments?id=${ids.appointment}`, { notes: unique() }),
  ),
  operation('PUT appointments, moved: the appointment with its facts, the write', 2, day =>
    send('PUT', `appointments?id=${ids.appointment}`, hour(day)),
  ),
  operation('PATCH employees/schedule: the facts, the write', 2, () =>
    send('PATCH', `employees/schedule?employeeId=${ids.employee}`, { timeOff: [] }),
  ),
  operation('POST customers with a key: its claim, the write', 2, () =>
    send('POST', 'customers', { name: 'Vi' }, { 'idempotency-key': unique() }),
  ),
  operation('POST appointments with a key: its claim with the facts, the write', 2, day =>
    send(
      'POST',
      'appointments',
      { serviceId: ids.service, employeeId: ids.employee, ...hour(day) },
      { 'idempotency-key': unique() },
    ),
  ),
]

const VISITS = [
  operation('POST book: the facts, the write', 2, day =>
    send(
      'POST',
      'book',
      {
        serviceId: ids.service,
        startTime: `${day}T16:00:00Z`,
        customer: { name: 'Vic', phone: '+15550107777' },
      },
      { 'cal-api-key': 'none', 'x-test-client': `203.0.113.${days % 250}` },
    ),
  ),
]

const RUNS = 3

/**
 * The fewest trips of a few runs: what a job or a lost race adds now and then is not the
 * operation's.
 */
async function tripsOf(run: Operation['send']): Promise<{ sql: number; redis: number }> {
  const counts: { sql: number; redis: number }[] = []
  for (let n = 0; n < RUNS; n++) {
    const before = platform.stats()
    await run(nextDay())
    const after = platform.stats()
    counts.push({
      sql: after.sqlTrips - before.sqlTrips,
      redis: after.redisTrips - before.redisTrips,
    })
  }
  const fewest = (of: 'sql' | 'redis') => Math.min(...counts.map(c => c[of]))
  return { sql: fewest('sql'), redis: fewest('redis') }
}

describe('round trips of a request whose credentials are known', () => {
  it.each(READS)('$name: one to Redis, $sql to Postgres', async ({ sql, send: run }) => {
    expect(await tripsOf(run)).toEqual({ sql, redis: 1 })
  })

  it.each(WRITES)('$name: one to Redis, $sql to Postgres', async ({ sql, send: run }) => {
    expect(await tripsOf(run)).toEqual({ sql, redis: 1 })
  })
})

describe('round trips of a visitor', () => {
  it.each(VISITS)('$name: one to Redis, $sql to Postgres', async ({ sql, send: run }) => {
    expect(await tripsOf(run)).toEqual({ sql, redis: 1 })
  })

  it('a refused key costs one to each, a refused body none to Postgres', async () => {
    const ask = (key: string, target: string, body: object) =>
      fetch(`${platform.url}/api/services/${target}`, {
        method: 'POST',
        headers: { 'cal-api-key': key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then(answer => answer.text())
    expect(await tripsOf(() => ask('cal_nobody', 'customers', {}))).toEqual({ sql: 1, redis: 1 })
    expect(await tripsOf(() => ask(account.apiKey, 'customers', {}))).toEqual({ sql: 0, redis: 1 })
  })
})
