import { beforeAll, describe, expect, it } from 'vitest'
import { ownerOf } from '#dev/operator.ts'
import { topCustomers } from '#lib/domain/customers/top.ts'
import {
  dashboardSummary,
  getBookingAnalytics,
  getBusiestDays,
  getNoShows,
  getPopularEventTypes,
  getRevenue,
  getScheduleStats,
  getStaffPerformance,
} from '#lib/domain/insights/operations.ts'
import { StaffPerformance, SteppedPeriod } from '#lib/domain/insights/schema.ts'
import { bodyOf, newAddress, visitor } from '../calendar/world.ts'
import { directly } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { asOwner, clock, NOW, openShop, type Shop, serve, wrongSums } from './shop.ts'

const MARCH = { from: '2031-03-01', to: '2031-03-31' }
const reported = { ...MARCH, timeZone: 'America/New_York' }

let shop: Shop
let eventTypeId: number
let bookingId: number

beforeAll(async () => {
  shop = await openShop()
  const { account, cut, color, eva, mira, cleo } = shop
  await serve(shop, '2031-03-10T15:00:00Z', { employeeId: eva, customerId: cleo })
  await serve(shop, '2031-03-11T15:00:00Z', { employeeId: mira, serviceId: color })
  const late = await serve(shop, '2031-03-11T18:00:00Z', { employeeId: eva, customerId: cleo })
  await account.client.put(`/api/services/appointments?id=${late.id}`, { noShow: true }, clock)
  await serve(shop, '2031-03-11T20:00:00Z', { employeeId: eva, status: 'canceled' })
  await serve(shop, '2031-03-14T15:00:00Z', { employeeId: mira, serviceId: cut })
  const sql = 'select id from event_types where account_id = $1 order by id limit 1'
  eventTypeId = Number((await queryDatabase(sql, [account.accountId]))[0]?.id)
  const at = async (start: string) => {
    const early = { 'x-test-now': '2031-03-10T00:00:00Z', 'x-test-client': newAddress() }
    const made = await visitor.post('/api/book/event', bodyOf(eventTypeId, start), early)
    expect(made.status, made.text).toBe(201)
    return made.body
  }
  const held = await at('2031-03-11T13:30:00Z')
  bookingId = Number(held.id)
  const dropped = await at('2031-03-13T13:30:00Z')
  await at('2031-03-13T14:00:00Z')
  const canceled = await account.client.post('/api/cancel', { uid: dropped.uid }, clock)
  expect(canceled.status, canceled.text).toBe(200)
  await queryDatabase('update booking_attendees set no_show = true where booking_id = $1', [
    bookingId,
  ])
  await queryDatabase(
    'update bookings set no_show_host = true, paid = true, price = 700 where id = $1',
    [bookingId],
  )
})

it('the sums are what a recount says, of both halves', async () => {
  expect(await wrongSums(shop.account.accountId)).toEqual([])
})

it('get_schedule_stats: both halves by status, and what is ahead', async () => {
  expect(await asOwner(shop, m => getScheduleStats(m, MARCH))).toEqual({
    ...reported,
    appointments: {
      ...{ total: 4, pending: 0, approved: 1, completed: 3, canceled: 1, noShows: 1 },
      minutes: 240,
    },
    eventBookings: {
      ...{ total: 2, pending: 0, accepted: 2, cancelled: 1, rejected: 0, noShows: 1 },
      minutes: 60,
    },
    upcoming: { appointments: 1, eventBookings: 1 },
  })
})

it('dashboard_summary: exactly the fields of the interface', async () => {
  await shop.account.client.post('/api/services/locations', { name: 'Here' })
  const summary = await directly(
    base => dashboardSummary(ownerOf(base, { ...shop.account, plan: 'enterprise' })),
    new Date('2031-03-11T12:00:00Z'),
  )
  expect(summary).toEqual({
    serviceAppointments: {
      today: { total: 2, pending: 0 },
      thisWeek: { total: 4, revenue: '$220.00' },
    },
    calBookings: { today: 1, thisWeek: 2 },
    totalCustomers: 1,
    activeLocations: 1,
  })
})

it('booking_analytics: rates, and steps as long as was asked for', async () => {
  const report = await asOwner(shop, m => getBookingAnalytics(m, { ...MARCH, groupBy: 'week' }))
  expect(report).toMatchObject({
    ...reported,
    appointments: { total: 4, cancellationRate: 0.2, averageMinutes: 60 },
    eventBookings: { total: 2, cancellationRate: 0.3333, averageMinutes: 30 },
    groupBy: 'week',
    steps: [{ from: '2031-03-10', appointments: 4, eventBookings: 2 }],
  })
  const byDay = await asOwner(shop, m => getBookingAnalytics(m, MARCH))
  expect(byDay.groupBy).toBe('day')
  expect(byDay.steps).toEqual([
    { from: '2031-03-10', appointments: 1, eventBookings: 0 },
    { from: '2031-03-11', appointments: 2, eventBookings: 1 },
    { from: '2031-03-13', appointments: 0, eventBookings: 1 },
    { from: '2031-03-14', appointments: 1, eventBookings: 0 },
  ])
  const years = { from: '2029-01-01', to: '2031-03-31' }
  expect((await asOwner(shop, m => getBookingAnalytics(m, years))).groupBy).toBe('month')
})

it('popular_event_types: of both halves, the most booked first', async () => {
  const report = await asOwner(shop, m => getPopularEventTypes(m, MARCH))
  expect(report.eventTypes).toEqual([
    {
      ...{ id: eventTypeId, title: expect.any(String), slug: expect.any(String) },
      ...{ count: 2, cancelled: 1, minutes: 60 },
    },
  ])
  expect(report.services).toEqual([
    { id: shop.cut, name: 'Cut', count: 3, canceled: 1, minutes: 180 },
    { id: shop.color, name: 'Colour', count: 1, canceled: 0, minutes: 60 },
  ])
  const one = await asOwner(shop, m => getPopularEventTypes(m, { ...MARCH, limit: 1 }))
  expect(one.services).toHaveLength(1)
})

it('busiest_days: dates, weekdays and hours by the company’s clocks', async () => {
  const report = await asOwner(shop, m => getBusiestDays(m, { ...MARCH, limit: 2 }))
  expect(report.days).toEqual([
    { date: '2031-03-11', appointments: 2, eventBookings: 1, total: 3 },
    { date: '2031-03-10', appointments: 1, eventBookings: 0, total: 1 },
  ])
  expect(report.weekdays).toHaveLength(7)
  expect(report.weekdays[0]).toEqual({
    weekday: 'Tuesday',
    appointments: 2,
    eventBookings: 1,
    total: 3,
  })
  expect(report.hours.find(h => h.hour === 11)).toMatchObject({ appointments: 3 })
})

it('no_show_report: of what has begun, by employee and by customer', async () => {
  expect(await asOwner(shop, m => getNoShows(m, MARCH))).toEqual({
    ...reported,
    appointments: { total: 3, noShows: 1, rate: 0.3333 },
    eventBookings: { total: 1, absentAttendees: 1, absentHosts: 1 },
    employees: [{ id: shop.eva, name: 'Eva', noShows: 1, rate: 0.5 }],
    customers: [{ id: shop.cleo, name: 'Cleo', noShows: 1 }],
  })
  const ahead = { from: '2031-03-20', to: '2031-03-31' }
  const { appointments } = await asOwner(shop, m => getNoShows(m, ahead))
  expect(appointments).toEqual({ total: 0, noShows: 0, rate: 0 })
})

it('revenue_report: over time, by service, by employee, by currency', async () => {
  const report = await asOwner(shop, m => getRevenue(m, { ...MARCH, groupBy: 'day' }))
  expect(report).toEqual({
    ...reported,
    currency: 'usd',
    totalRevenue: 22_000,
    completedAppointments: 3,
    averageBookingValue: 7333,
    eventBookingRevenue: 700,
    groupBy: 'day',
    steps: [
      { from: '2031-03-10', revenue: 5000, completed: 1, eventBookingRevenue: 0 },
      { from: '2031-03-11', revenue: 17_000, completed: 2, eventBookingRevenue: 700 },
    ],
    services: [
      { id: shop.color, name: 'Colour', revenue: 12_000, completed: 1 },
      { id: shop.cut, name: 'Cut', revenue: 10_000, completed: 2 },
    ],
    employees: [
      { id: shop.mira, name: expect.any(String), revenue: 12_000, completed: 1 },
      { id: shop.eva, name: 'Eva', revenue: 10_000, completed: 2 },
    ],
    unassigned: { revenue: 0, completed: 0 },
    currencies: [{ currency: 'usd', revenue: 22_700 }],
  })
})

it('revenue_report: what nobody in particular gave is told beside the employees', async () => {
  const other = await openShop()
  const { cut, eva } = other
  await serve(other, '2031-03-10T15:00:00Z', { employeeId: eva })
  await serve(other, '2031-03-10T15:00:00Z', { price: 1234 })
  await serve(other, '2031-03-11T15:00:00Z', { price: 66, serviceId: cut })
  const report = await asOwner(other, m => getRevenue(m, { ...MARCH, groupBy: 'day' }))
  expect(report).toMatchObject({
    totalRevenue: 6300,
    employees: [{ id: eva, revenue: 5000, completed: 1 }],
    unassigned: { revenue: 1300, completed: 2 },
  })
})

it('staff_performance: employees and those who host, who earned most first', async () => {
  const { staff, ...rest } = await asOwner(shop, m => getStaffPerformance(m, MARCH))
  expect(rest).toEqual({ ...reported, currency: 'usd' })
  const none = { appointments: 0, completed: 0, canceled: 0, noShows: 0, revenue: 0 }
  expect(staff).toMatchObject([
    { employeeId: shop.mira, appointments: 2, completed: 1, revenue: 12_000, minutes: 120 },
    { employeeId: shop.eva, userId: null, name: 'Eva', canceled: 1, noShows: 1, revenue: 10_000 },
    {
      ...{ employeeId: null, userId: shop.account.userId, name: 'Olive Owner', ...none },
      ...{ minutes: 60, eventBookings: 2, eventBookingsCancelled: 1 },
    },
  ])
  const one = await asOwner(shop, m => getStaffPerformance(m, { ...MARCH, employeeId: shop.eva }))
  expect(one.staff.map(s => s.name)).toEqual(['Eva'])
  const nobodys = { ...MARCH, employeeId: 2_000_000_000 }
  await expect(asOwner(shop, m => getStaffPerformance(m, nobodys))).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  const theirs = (await openShop()).eva
  await expect(
    asOwner(shop, m => getStaffPerformance(m, { ...MARCH, employeeId: theirs })),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

it('list_top_customers: by what they paid, or how often they booked', async () => {
  const own = await openShop()
  const make = async (name: string, spent: number, bookings: number) => {
    const { body } = await own.account.client.post('/api/services/customers', { name }, clock)
    await queryDatabase(
      'update customers set total_spent = $2, total_bookings = $3 where id = $1',
      [body.id, spent, bookings],
    )
  }
  await make('Rich', 900, 1)
  await make('Loyal', 100, 9)
  const names = async (asked: object) =>
    (await asOwner(own, m => topCustomers(m, asked))).map(c => c.name)
  expect(await names({})).toEqual(['Rich', 'Loyal', 'Cleo'])
  expect(await names({ by: 'totalBookings', limit: 2 })).toEqual(['Loyal', 'Rich'])
})

describe('what the tools take', () => {
  it.each([
    [{ from: '2031-03-02', to: '2031-03-01' }, 'to'],
    [{ from: '2001-01-01', to: '2031-03-01' }, 'to'],
    [{ groupBy: 'year' }, 'groupBy'],
  ])('refuses %j', (given, field) => {
    expect(SteppedPeriod.safeParse(given).error?.issues[0]?.path).toEqual([field])
  })

  it.each([[{ limit: 0 }], [{ limit: 51 }], [{ employeeId: 0 }], [{ employeeId: 1.5 }]])(
    'refuses %j',
    given => {
      expect(StaffPerformance.safeParse(given).success).toBe(false)
    },
  )

  it('takes numbers, and nothing at all', () => {
    expect(StaffPerformance.parse({ limit: 3, employeeId: 4 })).toEqual({ limit: 3, employeeId: 4 })
    expect(SteppedPeriod.parse({})).toEqual({})
    expect(NOW).toContain('2031')
  })
})

it('403 for staff: no figures of the business', async () => {
  const asStaff = directly(base =>
    getRevenue({ ...ownerOf(base, { ...shop.account, plan: 'enterprise' }), role: 'staff' }, {}),
  )
  await expect(asStaff).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
