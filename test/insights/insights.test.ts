import { beforeAll, describe, expect, it } from 'vitest'
import { client, createAccount, createMember } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { clock, NOW, openShop, type Shop, serve } from './shop.ts'

const INSIGHTS = '/api/services/insights'
const STATS = '/api/services/stats'

const ask = async ({ account }: Shop, query: string, path = INSIGHTS) => {
  const reply = await account.client.get(`${path}?${query}`, clock)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.data
}

describe('GET /insights', () => {
  let shop: Shop
  beforeAll(async () => {
    shop = await openShop()
    await serve(shop, '2031-03-10T15:00:00Z', { customerId: shop.cleo })
    await serve(shop, '2031-03-11T15:00:00Z', { serviceId: shop.color, price: 10_001 })
    await serve(shop, '2031-03-11T17:00:00Z', { status: 'approved' })
    await serve(shop, '2031-03-11T19:00:00Z', { status: 'canceled' })
    await serve(shop, '2031-03-13T15:00:00Z', { status: 'pending' })
  })

  it('200 with the figures of some days, both included', async () => {
    expect(await ask(shop, 'from=2031-03-10&to=2031-03-13')).toEqual({
      totalRevenue: 15_001,
      totalBookings: 4,
      averageBookingValue: 7501,
      topServices: [
        { id: shop.cut, name: 'Cut', count: 3 },
        { id: shop.color, name: 'Colour', count: 1 },
      ],
      newCustomers: 1,
      currency: 'usd',
      from: '2031-03-10',
      to: '2031-03-13',
      timeZone: 'America/New_York',
    })
    expect(await ask(shop, 'from=2031-03-11&to=2031-03-11')).toMatchObject({
      totalRevenue: 10_001,
      totalBookings: 2,
      averageBookingValue: 10_001,
      newCustomers: 0,
    })
  })

  it('200 with zeros where there is nothing', async () => {
    expect(await ask(shop, 'from=2020-01-01&to=2029-12-31')).toMatchObject({
      totalRevenue: 0,
      totalBookings: 0,
      averageBookingValue: 0,
      topServices: [],
      newCustomers: 0,
    })
  })

  it.each([
    ['', '2031-02-11', '2031-03-12'],
    ['to=2031-03-31', '2031-03-02', '2031-03-31'],
    ['from=2031-03-01', '2031-03-01', '2031-03-12'],
    ['from=2031-04-01', '2031-04-01', '2031-04-01'],
    ['from=2000-01-01', '2000-01-01', '2010-01-07'],
  ])('200 with default days for "%s"', async (query, from, to) => {
    expect(await ask(shop, query)).toMatchObject({ from, to })
  })

  it.each([
    ['from=2031-03-13&to=2031-03-12', 'to', 'must not be before from'],
    ['from=2020-01-01&to=2031-01-01', 'to', 'must be at most 3660 days from the first to the last'],
    ['from=2031-02-29', 'from', 'expected a date such as 2026-03-08'],
    ['from=2031-03-10T00:00:00Z', 'from', 'expected a date such as 2026-03-08'],
    ['to=yesterday', 'to', 'expected a date such as 2026-03-08'],
    ['to=2200-01-01', 'to', 'must be between 1900 and 2200'],
  ])('400 for %s', async (query, field, message) => {
    const { status, body } = await shop.account.client.get(`${INSIGHTS}?${query}`)
    expect([status, body.error, body.details]).toEqual([400, 'BAD_REQUEST', [{ field, message }]])
  })

  it('counts each change at once, and what was paid back', async () => {
    const own = await openShop()
    const now = () => ask(own, 'from=2031-03-10&to=2031-03-13')
    const { id } = await serve(own, '2031-03-11T15:00:00Z', { status: 'approved' })
    const path = `/api/services/appointments?id=${id}`
    expect(await now()).toMatchObject({ totalBookings: 1, totalRevenue: 0 })
    await own.account.client.put(path, { price: 7000 }, clock)
    await own.account.client.put(path, { status: 'completed' }, clock)
    expect(await now()).toMatchObject({ totalBookings: 1, totalRevenue: 7000 })
    await queryDatabase(
      'update appointments set amount_paid = 7000, amount_refunded = 2000 where id = $1',
      [id],
    )
    expect(await now()).toMatchObject({ totalRevenue: 5000, averageBookingValue: 5000 })
    await own.account.client.del(path, clock)
    expect(await now()).toMatchObject({ totalBookings: 0, totalRevenue: 0 })
  })

  it('tells amounts in the currency of the company, else in the one that most was earned in', async () => {
    const own = await openShop()
    const euros = { name: 'Abroad', price: 900, currency: 'eur' }
    const made = await own.account.client.post('/api/services/services', euros)
    await serve(own, '2031-03-10T15:00:00Z', { serviceId: made.body.id })
    expect(await ask(own, '')).toMatchObject({ totalRevenue: 900, currency: 'eur' })
    await serve(own, '2031-03-10T16:00:00Z', { price: 100 })
    expect(await ask(own, '')).toMatchObject({
      totalRevenue: 100,
      averageBookingValue: 100,
      totalBookings: 2,
      currency: 'usd',
    })
  })

  it('counts customers who came in these days, and not those who were deleted', async () => {
    const own = await openShop()
    const { client: by } = own.account
    const { body } = await by.post('/api/services/customers', { name: 'Gone' }, clock)
    expect(await ask(own, 'from=2031-03-12&to=2031-03-12')).toMatchObject({ newCustomers: 2 })
    await by.del(`/api/services/customers?id=${body.id}`, clock)
    expect(await ask(own, 'from=2031-03-12&to=2031-03-12')).toMatchObject({ newCustomers: 1 })
  })
})

describe('the days of GET /insights', () => {
  /** Instants that are just within and just outside of a day by the company's clocks. */
  it.each([
    ['America/New_York', '2031-03-09', '2031-03-09T05:00:00Z', '2031-03-10T04:00:00Z'],
    ['America/New_York', '2031-11-02', '2031-11-02T04:00:00Z', '2031-11-03T05:00:00Z'],
    ['Asia/Kolkata', '2031-06-15', '2031-06-14T18:30:00Z', '2031-06-15T18:30:00Z'],
    ['Pacific/Auckland', '2031-06-15', '2031-06-14T12:00:00Z', '2031-06-15T12:00:00Z'],
    ['America/Havana', '2031-11-02', '2031-11-02T04:00:00Z', '2031-11-03T05:00:00Z'],
    ['America/Santiago', '2031-09-07', '2031-09-07T04:00:00Z', '2031-09-08T03:00:00Z'],
    ['UTC', '2031-06-15', '2031-06-15T00:00:00Z', '2031-06-16T00:00:00Z'],
  ])('of %s: %s goes from %s to %s', async (zone, day, first, past) => {
    const shop = await openShop(zone)
    const before = new Date(Date.parse(first) - 60_000).toISOString()
    const last = new Date(Date.parse(past) - 60_000).toISOString()
    for (const at of [before, first, last, past]) await serve(shop, at, { status: 'pending' })
    expect(await ask(shop, `from=${day}&to=${day}`)).toMatchObject({ totalBookings: 2 })
    const year = `from=${day.slice(0, 4)}-01-01&to=${day}`
    expect(await ask(shop, year)).toMatchObject({ totalBookings: 3 })
  })

  it('follow the company to another time zone', async () => {
    const shop = await openShop()
    await serve(shop, '2031-06-15T02:00:00Z')
    expect(await ask(shop, 'from=2031-06-14&to=2031-06-14')).toMatchObject({ totalBookings: 1 })
    await shop.account.client.patch('/api/services/company-settings', { timeZone: 'UTC' })
    expect(await ask(shop, 'from=2031-06-14&to=2031-06-14')).toMatchObject({ totalBookings: 0 })
    expect(await ask(shop, 'from=2031-06-15&to=2031-06-15')).toMatchObject({ totalBookings: 1 })
  })
})

describe('GET /stats', () => {
  it('200 with today, this week from its first day, and this month', async () => {
    const shop = await openShop()
    const { client: by } = shop.account
    await serve(shop, '2031-03-12T14:00:00Z')
    await serve(shop, '2031-03-10T14:00:00Z')
    await serve(shop, '2031-03-09T14:00:00Z')
    await serve(shop, '2031-03-01T14:00:00Z')
    await serve(shop, '2031-02-27T14:00:00Z')
    await serve(shop, '2031-03-15T14:00:00Z', { status: 'pending' })
    await by.post('/api/services/locations', { name: 'Here' })
    await by.post('/api/services/locations', { name: 'Closed', active: false })
    expect(await ask(shop, '', STATS)).toEqual({
      today: { appointments: 1, revenue: 5000, eventBookings: 0 },
      week: { appointments: 4, revenue: 15_000, eventBookings: 0 },
      month: { appointments: 5, revenue: 20_000, eventBookings: 0 },
      pendingAppointments: 1,
      customers: 1,
      activeLocations: 1,
      currency: 'usd',
      timeZone: 'America/New_York',
    })
    await by.patch('/api/services/company-settings', { weekStart: 1 })
    expect((await ask(shop, '', STATS)).week).toMatchObject({ appointments: 3, revenue: 10_000 })
  })
})

describe('/insights and /stats', () => {
  it('401 without credentials, 403 for staff, 200 for a manager', async () => {
    const { accountId, staffClient } = await createAccount()
    const manager = await createMember(accountId, 'manager')
    for (const path of [INSIGHTS, STATS]) {
      expect((await client().get(path)).status).toBe(401)
      const refused = await staffClient.get(path)
      expect([refused.status, refused.body.error]).toEqual([403, 'FORBIDDEN'])
      expect(refused.body.message).toContain('insights.read')
      expect((await manager.get(path)).status).toBe(200)
    }
  })

  it('tell nothing of another account', async () => {
    const [mine, theirs] = [await openShop(), await openShop()]
    await serve(theirs, '2031-03-11T15:00:00Z')
    expect(NOW.slice(0, 10)).toBe('2031-03-12')
    expect(await ask(mine, '')).toMatchObject({ totalBookings: 0, newCustomers: 1 })
    expect((await ask(mine, '', STATS)).week).toMatchObject({ appointments: 0 })
  })
})
