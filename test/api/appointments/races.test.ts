import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../client.ts'
import {
  APPOINTMENTS,
  at,
  atOnce,
  BOOK,
  bookingBy,
  by,
  clocked,
  closeRows,
  eventsOf,
  hourFrom,
  minutesAfter,
  openShop,
  overlapsIn,
  rows,
  type Shop,
  someAddress,
  tally,
} from './shop.ts'

const ROUNDS = 20
const RACERS = 50
const buffers = { bufferTimeBefore: 10, bufferTimeAfter: 20 }
const visitor = clocked(client())
const ON_THE_DAYS = (round: number) =>
  new Date(Date.UTC(2030, 3, 1 + round)).toISOString().slice(0, 10)

let shop: Shop
/** Accounts to take turns, so that none comes near its rate limit. */
let shops: Shop[]
beforeAll(async () => {
  shops = await Promise.all([openShop({ service: buffers }), openShop({ service: buffers })])
  shop = shops[0]!
})
afterAll(closeRows)

const book = (serviceId: number, start: string, more: object = {}, email?: string) =>
  visitor.post(BOOK, bookingBy(serviceId, start, more, email), someAddress())
const create = (of: Shop, start: string, more: object = {}) => {
  const { serviceId, employeeId } = of
  return of.client.post(APPOINTMENTS, { serviceId, employeeId, ...hourFrom(start), ...more })
}

describe('one employee', () => {
  it('201 for one of fifty who want overlapping times through two doors, 409 for the rest', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const of = shops[round % shops.length]!
      const start = at('12:00', ON_THE_DAYS(round))
      // Every two of these starts, an hour long with 30 minutes of buffers, overlap; few are equal.
      const replies = await atOnce(RACERS, n =>
        n % 2
          ? book(of.serviceId, minutesAfter(start, (n % 6) * 15), { employeeId: of.employeeId })
          : create(of, minutesAfter(start, n)),
      )
      expect(tally(replies), `round ${round}`).toEqual({ 201: 1, 409: RACERS - 1 })
    }
    for (const { accountId } of shops) {
      expect(await overlapsIn(accountId)).toBe(0)
      const [made] = await rows(
        `select count(*)::int as blocks, (select count(*)::int from appointments where account_id = $1) as made,
          (select count(*)::int from events where account_id = $1) as events,
          (select coalesce(sum(total_bookings), 0)::int from customers where account_id = $1) as booked,
          (select count(*)::int from appointments where account_id = $1 and customer_id is not null) as bookings,
          (select count(*)::int from customers where account_id = $1) as customers
         from occupancies where account_id = $1`,
        [accountId],
      )
      // What was lost left nothing behind, no customer and no event.
      const n = ROUNDS / shops.length
      expect(made).toMatchObject({ blocks: n, made: n, events: n })
      expect([made?.booked, made?.customers]).toEqual([made?.bookings, made?.bookings])
    }
  }, 60_000)

  it('201 for both of two that only touch', async () => {
    const serviceId = await shop.service()
    const employeeId = await shop.employee()
    for (let round = 0; round < 5; round++) {
      const start = at('12:00', ON_THE_DAYS(round))
      const replies = await Promise.all(
        [0, 60, 120].map(n => create(shop, minutesAfter(start, n), { serviceId, employeeId })),
      )
      expect(tally(replies)).toEqual({ 201: 3 })
    }
  })

  it('200 for one of two that move into the same time, and the other stays where it was', async () => {
    const employeeId = await shop.employee()
    for (let round = 0; round < 5; round++) {
      const day = ON_THE_DAYS(round)
      const made = await Promise.all(
        [0, 4].map(hours => create(shop, at(`0${hours}:00`, day), { employeeId })),
      )
      const ids = made.map(({ body }) => body.id)
      const startTime = at('12:00', day)
      const moved = await Promise.all(
        ids.map(async (id, n) =>
          shop.client.put(by(id), { startTime: minutesAfter(startTime, n * 30) }),
        ),
      )
      expect(tally(moved)).toEqual({ 200: 1, 409: 1 })
      const loser = moved[0]?.status === 409 ? 0 : 1
      const read = await shop.client.get(by(ids[loser]))
      expect(read.body.data).toEqual(made[loser]?.body)
    }
    expect(await overlapsIn(shop.accountId)).toBe(0)
  })

  it('200 or 409 for two that change places, and never both at one place', async () => {
    const employeeId = await shop.employee()
    const [a, b] = await Promise.all(
      ['05:00', '09:00'].map(async time => (await create(shop, at(time), { employeeId })).body),
    )
    const replies = await Promise.all([
      shop.client.put(by(a?.id), { startTime: b?.startTime }),
      shop.client.put(by(b?.id), { startTime: a?.startTime }),
    ])
    for (const { status } of replies) expect([200, 409]).toContain(status)
    expect(await overlapsIn(shop.accountId)).toBe(0)
  })
})

describe('one appointment', () => {
  const live = async () => {
    const customerId = await shop.customer()
    const { body } = await create(shop, at('08:00', ON_THE_DAYS(ROUNDS + 1)), { customerId })
    return { id: body.id, customerId }
  }
  const bookingsOf = async (id: number) =>
    (await shop.client.get(`/api/services/customers?id=${id}`)).body.data.totalBookings

  it('200 once for twenty who cancel it by PUT, with one event', async () => {
    const { id, customerId } = await live()
    const replies = await atOnce(20, () => shop.client.put(by(id), { status: 'canceled' }))
    expect(tally(replies)).toEqual({ 200: 1, 409: 19 })
    expect(await eventsOf(shop.accountId, id)).toEqual(['CREATED', 'CANCELLED'])
    expect(await bookingsOf(customerId)).toBe(0)
  })

  it('one event for twenty who delete it, and none hides what another has just canceled', async () => {
    const { id, customerId } = await live()
    const replies = await atOnce(20, () => shop.client.del(by(id)))
    const counts = tally(replies)
    // Canceled by one; hidden by one that came when it was canceled, if any did.
    expect([1, 2]).toContain(counts[200])
    expect((counts[200] ?? 0) + (counts[409] ?? 0) + (counts[404] ?? 0)).toBe(20)
    expect(await eventsOf(shop.accountId, id)).toEqual(['CREATED', 'CANCELLED'])
    expect(await bookingsOf(customerId)).toBe(0)
  })

  it('one outcome and one event for those who cancel and those who complete it', async () => {
    const from = '2030-03-01T10:00:00.000Z'
    const { body } = await create(shop, from)
    const replies = await atOnce(12, n =>
      shop.client.put(by(body.id), { status: n % 2 ? 'completed' : 'canceled' }),
    )
    expect(tally(replies)).toEqual({ 200: 1, 409: 11 })
    expect(await eventsOf(shop.accountId, body.id)).toHaveLength(2)
  })

  it('200 for all of twelve who change its price, none of them lost', async () => {
    const { id } = await live()
    const replies = await atOnce(12, n => shop.client.put(by(id), { price: n }))
    const counts = tally(replies)
    expect((counts[200] ?? 0) + (counts[409] ?? 0)).toBe(12)
    const { version } = (await shop.client.get(by(id))).body.data
    expect(version).toBe(counts[200])
    expect(await eventsOf(shop.accountId, id)).toHaveLength(1 + (counts[200] ?? 0))
    await shop.client.del(by(id))
  })
})

describe('several employees', () => {
  it('201 for three of twelve who take whoever is free, each with another employee', async () => {
    const serviceId = await shop.service()
    const others = await rows<{ id: number }>(
      'select id from employees where account_id = $1 and deleted_at is null',
      [shop.accountId],
    )
    for (const { id } of others)
      await shop.client.put(`/api/services/employees?id=${id}`, { serviceIds: [shop.serviceId] })
    const free = await Promise.all([1, 2, 3].map(() => shop.employee({ serviceIds: [serviceId] })))
    for (let round = 0; round < 4; round++) {
      const start = at('12:00', ON_THE_DAYS(round))
      const replies = await atOnce(12, () => book(serviceId, start))
      expect(tally(replies)).toEqual({ 201: 3, 409: 9 })
      const took = replies.flatMap(r => (r.status === 201 ? [Number(r.body.employee?.id)] : []))
      expect(new Set(took)).toEqual(new Set(free))
    }
  })
})

describe('one customer', () => {
  it('201 for one of twelve first bookings of one new address at one time', async () => {
    const serviceId = await shop.service()
    await Promise.all([1, 2, 3, 4].map(() => shop.employee({ serviceIds: [serviceId] })))
    const email = `${crypto.randomUUID()}@example.com`
    const replies = await atOnce(12, n =>
      book(serviceId, at('15:00'), {}, n % 2 ? email : email.toUpperCase()),
    )
    expect(tally(replies)).toEqual({ 201: 1, 409: 11 })
    const found = await rows('select total_bookings as n from customers where lower(email) = $1', [
      email,
    ])
    expect(found).toEqual([{ n: 1 }])
  })
})

describe('one resource of which there are three', () => {
  it('201 for three of twenty, and never more than three at any instant', async () => {
    const locationId = await shop.id('locations', { name: 'Here' })
    const resourceId = await shop.id('resources', { locationId, name: 'Bed', quantity: 3 })
    const serviceId = await shop.service({ resources: [{ resourceId }] })
    const employees = await Promise.all(
      Array.from({ length: 5 }, () => shop.employee({ serviceIds: [serviceId] })),
    )
    for (let round = 0; round < 4; round++) {
      const start = at('12:00', ON_THE_DAYS(round))
      const replies = await atOnce(20, n =>
        n % 2
          ? create(shop, minutesAfter(start, n), { serviceId, employeeId: null })
          : book(serviceId, minutesAfter(start, (n % 3) * 15), { employeeId: employees[n % 5] }),
      )
      expect(tally(replies), `round ${round}`).toEqual({ 201: 3, 409: 17 })
    }
    const [most] = await rows(
      `select max(used)::int as used from (
         select sum(d) over (order by t, d) as used from resource_bookings,
           lateral (values (lower(during), quantity), (upper(during), -quantity)) as e(t, d)
         where account_id = $1 and resource_id = $2) x`,
      [shop.accountId, resourceId],
    )
    expect(most?.used).toBe(3)
  })
})
