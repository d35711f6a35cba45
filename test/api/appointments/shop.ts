import pg from 'pg'
import { expect } from 'vitest'
import {
  type Body,
  type Client,
  createAccount,
  type Reply,
  type TestAccount,
} from '../../client.ts'
import { platform } from '../../platform.ts'

/** The clock of these tests, a Monday morning in New York. */
export const NOW = '2030-03-04T13:00:00.000Z'
/** A Wednesday later on, with New York at UTC-4. */
export const DAY = '2030-03-20'
/** An instant of that day. */
export const at = (time: string, day = DAY): string => `${day}T${time}:00.000Z`
export const minutesAfter = (instant: string, minutes: number): string =>
  new Date(Date.parse(instant) + minutes * 60_000).toISOString()

export const APPOINTMENTS = '/api/services/appointments'
export const BOOK = '/api/services/book'
export const by = (id: unknown): string => `${APPOINTMENTS}?id=${id}`

/** The same client with a clock, by default NOW. */
export function clocked(client: Client, now = NOW): Client {
  const clock = (headers = {}) => ({ 'X-Test-Now': now, ...headers })
  return {
    get: (path, headers) => client.get(path, clock(headers)),
    post: (path, body, headers) => client.post(path, body, clock(headers)),
    put: (path, body, headers) => client.put(path, body, clock(headers)),
    patch: (path, body, headers) => client.patch(path, body, clock(headers)),
    del: (path, headers) => client.del(path, clock(headers)),
  }
}

/** An address of its own, so that nobody else's requests are counted with it. */
export const someAddress = (): Record<string, string> => {
  const parts = crypto.getRandomValues(new Uint16Array(4))
  return {
    'X-Test-Client': [...parts]
      .map(n => (n | 1).toString(16))
      .join(':')
      .concat('::1'),
  }
}

/** An account with a service, an employee who gives it, and short ways to more. */
export interface Shop extends Omit<TestAccount, 'client'> {
  client: Client
  serviceId: number
  /** Works around the clock, every day, in UTC. */
  employeeId: number
  make(noun: string, body: object): Promise<Body>
  id(noun: string, body: object): Promise<number>
  service(more?: object): Promise<number>
  employee(more?: object, weekly?: object[]): Promise<number>
  customer(more?: object): Promise<number>
  hours(employeeId: number, change: object, locationId?: number): Promise<void>
}

const ALWAYS = [0, 1, 2, 3, 4, 5, 6].map(day => ({
  day,
  intervals: [{ start: '00:00', end: '24:00' }],
}))
let count = 0

/** Opens a business for a test file; its own staff member stays away from its services. */
export async function openShop(
  options: { timeZone?: string; service?: object } = {},
): Promise<Shop> {
  const account = await createAccount('enterprise', { timeZone: options.timeZone ?? 'UTC' })
  const client = clocked(account.client)
  const make = async (noun: string, body: object) => {
    const made = await client.post(`/api/services/${noun}`, body)
    expect(made, made.text).toMatchObject({ status: 201 })
    return made.body
  }
  const id = async (noun: string, body: object) => Number((await make(noun, body)).id)
  const hours = async (employeeId: number, change: object, locationId?: number) => {
    const place = locationId === undefined ? '' : `&locationId=${locationId}`
    const path = `/api/services/employees/schedule?employeeId=${employeeId}${place}`
    const changed = await client.patch(path, change)
    expect(changed, changed.text).toMatchObject({ status: 200 })
  }
  const employee = async (more: object = {}, weekly: object[] = ALWAYS) => {
    const name = `Employee ${++count}`
    const who = { name, email: `${crypto.randomUUID()}@example.com`, timeZone: 'UTC', ...more }
    const employeeId = await id('employees', who)
    await hours(employeeId, { weekly })
    return employeeId
  }
  const service = (more: object = {}) =>
    id('services', { name: `Service ${++count}`, duration: 60, price: 5000, ...more })
  const customer = (more: object = {}) =>
    id('customers', { name: 'Cleo', email: `${crypto.randomUUID()}@example.com`, ...more })
  const away = `/api/services/employees?id=${account.staff.employeeId}`
  await client.put(away, { serviceIds: [], allServices: false })
  const serviceId = await service(options.service)
  const employeeId = await employee()
  return { ...account, client, make, id, hours, employee, service, customer, serviceId, employeeId }
}

/** The body of an appointment of an hour. */
export const hourFrom = (startTime: string, more: object = {}): object => ({
  startTime,
  endTime: minutesAfter(startTime, 60),
  ...more,
})

/** A public booking by a new customer. */
export const bookingBy = (
  serviceId: number,
  startTime: string,
  more: object = {},
  email = `${crypto.randomUUID()}@example.com`,
): object => ({ serviceId, startTime, customer: { name: 'Vera Visitor', email }, ...more })

let pool: pg.Pool | undefined

/** Rows straight from the database. */
export async function rows<R extends object = Record<string, unknown>>(
  text: string,
  values: unknown[] = [],
): Promise<R[]> {
  pool ??= new pg.Pool({ connectionString: platform().databaseUrl, max: 4 })
  return (await pool.query<R>(text, values)).rows
}

/** Ends what `rows` opened; for `afterAll`. */
export const closeRows = async (): Promise<void> => {
  await pool?.end()
  pool = undefined
}

/** The types of the events of an appointment, in their order. */
export async function eventsOf(accountId: number, id: unknown): Promise<string[]> {
  const found = await rows<{ type: string }>(
    `select type from events where account_id = $1 and subject = 'appointment' and subject_id = $2
     order by version, id`,
    [accountId, id],
  )
  return found.map(row => row.type.replace('SERVICE_BOOKING_', ''))
}

/** Pairs of overlapping blocks of one person, found without the help of any constraint. */
export async function overlapsIn(accountId: number): Promise<number> {
  const [row] = await rows<{ n: string }>(
    `select count(*) as n from occupancies a join occupancies b
       on a.account_id = b.account_id and a.person_id = b.person_id and a.blocked && b.blocked
       and (a.source, a.source_id) < (b.source, b.source_id)
     where a.account_id = $1`,
    [accountId],
  )
  return Number(row?.n)
}

/** How often each status was answered. */
export function tally(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Runs the same thing many times at once. */
export const atOnce = <R>(times: number, run: (n: number) => Promise<R>): Promise<R[]> =>
  Promise.all(Array.from({ length: times }, (_, n) => run(n)))
