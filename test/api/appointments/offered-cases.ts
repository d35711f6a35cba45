import fc from 'fast-check'
import type pg from 'pg'

const MINUTE = 60_000

/** Days on which the clocks of some of the zones change, and days on which none do. */
const DAYS = [
  '2027-03-14',
  '2027-03-28',
  '2027-04-04',
  '2027-10-03',
  '2027-10-31',
  '2027-11-07',
  '2027-06-16',
  '2028-02-29',
] as const
const ZONES = [
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'America/Havana',
  'UTC',
] as const
const HOURS = [
  ['00:00-24:00'],
  ['09:00-17:00'],
  ['00:00-02:30', '21:00-24:00'],
  ['01:30-03:30'],
  ['08:05-12:10', '12:10-13:00', '15:00-19:45'],
] as const

const hoursOf = (texts: readonly string[]) =>
  texts.map(text => ({ start: text.slice(0, 5), end: text.slice(6) }))

const someEmployee = fc.record({
  zone: fc.constantFrom(...ZONES),
  hours: fc.constantFrom(...HOURS),
  breaks: fc.constantFrom([], ['12:00-12:30'], ['02:00-02:20', '09:30-10:15']),
  override: fc.option(fc.constantFrom(...HOURS, [])),
  /** Away on the day, if 0. */
  away: fc.nat({ max: 6 }),
})

/** Appointments that are there already: minutes from the day's midnight in UTC, and their length. */
const someBooked = fc.array(
  fc.record({
    start: fc.nat({ max: 2880 }),
    length: fc.integer({ min: 5, max: 240 }),
    employee: fc.nat({ max: 2 }),
    status: fc.constantFrom('approved', 'approved', 'pending', 'canceled'),
    seat: fc.boolean(),
  }),
  { maxLength: 7 },
)

/** A business on a day: everything that decides which starts are offered. */
export const someCase = fc.record({
  day: fc.constantFrom(...DAYS),
  place: fc.option(
    fc.record({ zone: fc.constantFrom(...ZONES), hours: fc.constantFrom(...HOURS) }),
    { freq: 2 },
  ),
  closed: fc.nat({ max: 9 }).map(n => n === 0),
  employees: fc.array(someEmployee, { minLength: 1, maxLength: 3 }),
  service: fc.record({
    duration: fc.integer({ min: 5, max: 180 }),
    bufferBefore: fc.constantFrom(0, 0, 10, 35),
    bufferAfter: fc.constantFrom(0, 0, 15, 50),
    interval: fc.constantFrom(null, 5, 7, 30, 60, 90),
    notice: fc.constantFrom(null, 0, 45, 1500),
    horizon: fc.constantFrom(null, 1, 2, 30),
    capacity: fc.integer({ min: 1, max: 3 }),
    group: fc.boolean(),
  }),
  resource: fc.option(
    fc.record({ quantity: fc.constantFrom(1, 2), need: fc.constantFrom(1, 1, 2) }),
  ),
  booked: someBooked,
  /** Minutes between now and the day's midnight in UTC; between two minutes as well. */
  now: fc.constantFrom(-2000, -1440, -90.5, 0, 333.25, 600),
  persons: fc.integer({ min: 1, max: 3 }),
  zone: fc.constantFrom(...ZONES),
  picks: fc.infiniteStream(fc.nat({ max: 1_000_000 })),
})
export type Case = typeof someCase extends fc.Arbitrary<infer C> ? C : never

/** The rows of a case. */
export interface Made {
  serviceId: number
  otherServiceId: number
  employeeIds: number[]
  locationId: number | null
  resourceId: number | null
  /** The day's midnight in UTC. */
  midnight: number
  now: Date
}

type Insert = (table: string, row: Record<string, unknown>) => Promise<number>

const inserter =
  (pool: pg.Pool, accountId: number): Insert =>
  async (table, row) => {
    const full: Record<string, unknown> = { account_id: accountId, ...row }
    const names = Object.keys(full)
    const slots = names.map((_, i) => `$${i + 1}`)
    const answer = await pool.query<{ id: number }>(
      `insert into ${table} (${names}) values (${slots}) returning *`,
      Object.values(full),
    )
    return answer.rows[0]!.id
  }

const stamps = { created_at: new Date(), updated_at: new Date() }

async function insertService(insert: Insert, { service }: Case, locationId: number | null) {
  const name = crypto.randomUUID()
  return insert('services', {
    ...stamps,
    name,
    slug: name,
    duration: service.duration,
    buffer_time_before: service.bufferBefore,
    buffer_time_after: service.bufferAfter,
    slot_interval_minutes: service.interval,
    min_notice_minutes: service.notice,
    horizon_days: service.horizon,
    max_capacity: service.capacity,
    enable_group_booking: service.group,
    location_id: locationId,
  })
}

async function insertEmployee(
  insert: Insert,
  of: Case['employees'][number],
  { day, serviceId }: { day: string; serviceId: number },
): Promise<number> {
  const employeeId = await insert('employees', {
    ...stamps,
    person_id: await insert('people', {}),
    name: 'E',
    email: `${crypto.randomUUID()}@example.com`,
    time_zone: of.zone,
    all_services: false,
  })
  await insert('employee_services', { employee_id: employeeId, service_id: serviceId })
  const usual = { intervals: hoursOf(of.hours), breaks: hoursOf(of.breaks) }
  const weekly = [0, 1, 2, 3, 4, 5, 6].map(day => ({ day, ...usual }))
  const overrides = of.override ? [{ date: day, intervals: hoursOf(of.override), breaks: [] }] : []
  const timeOff = of.away === 0 ? [{ id: 1, startDate: day, endDate: day, reason: null }] : []
  await insert('employee_schedules', {
    ...stamps,
    employee_id: employeeId,
    weekly: JSON.stringify(weekly),
    overrides: JSON.stringify(overrides),
    time_off: JSON.stringify(timeOff),
  })
  return employeeId
}

async function insertPlace(insert: Insert, { place }: Case): Promise<number | null> {
  if (!place) return null
  const hours = [0, 1, 2, 3, 4, 5, 6].map(day => ({ day, intervals: hoursOf(place.hours) }))
  return insert('locations', {
    ...stamps,
    name: crypto.randomUUID(),
    time_zone: place.zone,
    opening_hours: JSON.stringify(hours),
  })
}

/** Writes a case, straight into the database. */
export async function makeCase(pool: pg.Pool, accountId: number, c: Case): Promise<Made> {
  const insert = inserter(pool, accountId)
  const closures = c.closed ? [{ startDate: c.day, endDate: c.day, reason: null }] : []
  await pool.query('update accounts set closures = $2 where id = $1', [
    accountId,
    JSON.stringify(closures),
  ])
  const locationId = await insertPlace(insert, c)
  const serviceId = await insertService(insert, c, locationId)
  const otherServiceId = await insertService(
    insert,
    { ...c, service: { ...c.service, group: false } },
    null,
  )
  const employeeIds: number[] = []
  for (const employee of c.employees)
    employeeIds.push(await insertEmployee(insert, employee, { day: c.day, serviceId }))
  const resourceId = c.resource && (await insertResource(insert, c, { serviceId, locationId }))
  const midnight = Date.parse(c.day)
  const now = new Date(midnight + c.now * MINUTE)
  return { serviceId, otherServiceId, employeeIds, locationId, resourceId, midnight, now }
}

async function insertResource(
  insert: Insert,
  { resource }: Case,
  { serviceId, locationId }: { serviceId: number; locationId: number | null },
): Promise<number> {
  const place =
    locationId ?? (await insert('locations', { ...stamps, name: 'R', time_zone: 'UTC' }))
  const quantity = Math.max(resource?.quantity ?? 1, resource?.need ?? 1)
  const id = await insert('resources', { ...stamps, location_id: place, name: 'R', quantity })
  const needed = { service_id: serviceId, resource_id: id, quantity: resource?.need }
  await insert('service_resources', needed)
  return id
}
