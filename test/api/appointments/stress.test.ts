import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeAppointment } from '#lib/domain/appointments/cancel.ts'
import { updateAppointment } from '#lib/domain/appointments/changes.ts'
import { createAppointment } from '#lib/domain/appointments/operations.ts'
import { bookPublicly } from '#lib/domain/appointments/public.ts'
import {
  AppointmentChange,
  NewAppointment,
  PublicBooking,
} from '#lib/domain/appointments/schema.ts'
import { openDb, ownerAt, statusOf, visitorAt } from './callers.ts'
import {
  at,
  bookingBy,
  closeRows,
  hourFrom,
  minutesAfter,
  NOW,
  openShop,
  overlapsIn,
  rows,
  type Shop,
} from './shop.ts'

const AT_ONCE = 16
const OPERATIONS = 480
const { pool, db } = openDb(AT_ONCE)
let shop: Shop
let services: { single: number; group: number }
let employees: number[]
let customers: number[]
let resourceId: number
beforeAll(async () => {
  shop = await openShop()
  const locationId = await shop.id('locations', { name: 'Here' })
  resourceId = await shop.id('resources', { locationId, name: 'Bed', quantity: 2 })
  const group = { enableGroupBooking: true, maxCapacity: 3, resources: [{ resourceId }] }
  services = {
    single: await shop.service({ bufferTimeAfter: 15 }),
    group: await shop.service(group),
  }
  employees = [shop.employeeId, await shop.employee(), await shop.employee()]
  customers = [await shop.customer(), await shop.customer(), await shop.customer()]
})
afterAll(async () => {
  await pool.end()
  await closeRows()
})

/** The same numbers every time (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

const pick = random(20_300_304)
const one = <T>(list: readonly T[]): T => list[pick(list.length)]!
const owner = () => ownerAt(db, new Date(NOW), shop)
/** Few enough starts that everybody is in everybody's way. */
const someStart = () => minutesAfter(at('08:00'), pick(12) * 30)
const ids: number[] = []
const statuses = ['approved', 'pending', 'canceled', 'completed']

async function create(): Promise<number> {
  const body = NewAppointment.parse({
    serviceId: one(Object.values(services)),
    employeeId: one([...employees, null]),
    customerId: one([...customers, null]),
    ...hourFrom(someStart()),
    status: one(['approved', 'pending']),
    ...(pick(3) ? {} : { resourceIds: [resourceId] }),
  })
  return statusOf(createAppointment(owner(), body).then(made => ids.push(made.read().id)))
}
const someChange = () =>
  one([
    { startTime: someStart() },
    { employeeId: one(employees) },
    { customerId: one([...customers, null]) },
    { status: one(statuses) },
    { price: pick(100), notes: 'x' },
    { serviceId: one(Object.values(services)) },
  ])
const change = () =>
  statusOf(
    updateAppointment(owner(), { id: one(ids), ...AppointmentChange.parse(someChange()) }),
    200,
  )
const remove = () =>
  statusOf(
    removeAppointment(owner(), { id: one(ids), scope: one(['seat', 'seat', 'session']) }),
    200,
  )
const book = () => {
  const body = bookingBy(one(Object.values(services)), someStart())
  return statusOf(bookPublicly(visitorAt(db, new Date(NOW)), PublicBooking.parse(body)))
}

/** What must be true of an account whatever happened; each query finds what contradicts it. */
const CONTRADICTIONS = {
  'a customer whose count is not that of their appointments': `
    select k.id from customers k where k.account_id = $1 and k.total_bookings <> (
      select count(*) from appointments a where a.account_id = $1 and a.customer_id = k.id
        and a.status <> 'canceled')`,
  'a session whose seats are not those of its appointments': `
    select s.id from group_sessions s where s.account_id = $1 and s.taken <> (
      select coalesce(sum(a.persons), 0) from appointments a where a.account_id = $1
        and a.session_id = s.id and a.status <> 'canceled')`,
  'a live appointment without its time, or with another': `
    select a.id from appointments a join employees e on e.account_id = $1 and e.id = a.employee_id
    where a.account_id = $1 and a.status in ('pending', 'approved') and a.session_id is null
      and not exists (select from occupancies o where o.account_id = $1 and o.source = 'appointment'
        and o.source_id = a.id and o.person_id = e.person_id
        and o.blocked = tstzrange(a.start_time - a.buffer_before * interval '1 minute',
          a.end_time + a.buffer_after * interval '1 minute'))`,
  'time or a resource taken by what is not live': `
    select source_id from (
      select source, source_id from occupancies where account_id = $1
      union all select source, source_id from resource_bookings where account_id = $1) t
    where (source = 'appointment' and not exists (select from appointments a where a.account_id = $1
        and a.id = t.source_id and a.status in ('pending', 'approved')))
      or (source = 'session' and not exists (select from group_sessions s where s.account_id = $1
        and s.id = t.source_id and s.taken > 0))`,
  'a session with seats but without its time': `
    select s.id from group_sessions s where s.account_id = $1 and s.taken > 0
      and s.employee_id is not null and not exists (select from occupancies o
        where o.account_id = $1 and o.source = 'session' and o.source_id = s.id)`,
  'an appointment whose events are not one for each version': `
    select a.id from appointments a where a.account_id = $1 and a.hidden_at is null
      and (select array_agg(version order by id) from events v where v.account_id = $1
        and v.subject = 'appointment' and v.subject_id = a.id)
        <> (select array_agg(n order by n) from generate_series(0, a.version) n)`,
  'a cancellation that was told twice, or not at all': `
    select a.id from appointments a where a.account_id = $1
      and (a.status = 'canceled') <> ((select count(*) from events v where v.account_id = $1
        and v.subject_id = a.id and v.type = 'SERVICE_BOOKING_CANCELLED') = 1)`,
  'a resource used beyond its quantity': `
    select resource_id from (
      select resource_id, sum(d) over (partition by resource_id order by t, d) as used
      from resource_bookings, lateral (values (lower(during), quantity),
        (upper(during), -quantity)) as e(t, d) where account_id = $1) u where used > 2`,
}

describe('one account under load', () => {
  it('is whole after hundreds of changes at once, none of which met a fault', async () => {
    for (let n = 0; n < 20; n++) await create()
    const counts: Record<number, number> = {}
    let left = OPERATIONS
    const work = async () => {
      while (left-- > 0) {
        const status = await one([create, create, change, change, change, remove, book])()
        counts[status] = (counts[status] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    // Both outcomes in numbers: a calendar that is always full or empty would prove little.
    expect(Object.keys(counts)).toEqual(['200', '201', '404', '409'])
    for (const status of [200, 201, 409]) expect(counts[status]).toBeGreaterThan(30)
    for (const [what, query] of Object.entries(CONTRADICTIONS))
      expect([what, await rows(query, [shop.accountId])]).toEqual([what, []])
    expect(await overlapsIn(shop.accountId)).toBe(0)
  }, 60_000)
})
