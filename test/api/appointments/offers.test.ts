import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { client } from '../../client.ts'
import {
  at,
  BOOK,
  bookingBy,
  clocked,
  closeRows,
  hourFrom,
  minutesAfter,
  NOW,
  openShop,
  rows,
  type Shop,
  someAddress,
} from './shop.ts'

/** Every rule is asked both ways: what the list leaves out cannot be booked, what it has can. */
const visitor = clocked(client())
const WEEK = [0, 1, 2, 3, 4, 5, 6]
const open = (...intervals: [string, string][]) =>
  WEEK.map(day => ({ day, intervals: intervals.map(([start, end]) => ({ start, end })) }))
const DAY = '2030-03-20'

let shop: Shop
let serviceId: number
let employeeId: number
beforeAll(async () => {
  shop = await openShop()
})
afterAll(closeRows)
beforeEach(async () => {
  serviceId = await shop.service({ slotIntervalMinutes: 30 })
  employeeId = await shop.employee({ serviceIds: [serviceId] }, open(['09:00', '12:00']))
  await keepToOneself()
})
/** Employees give all services until they are told which. */
async function keepToOneself() {
  const single = `/api/services/employees?id=${shop.employeeId}`
  await shop.client.put(single, { serviceIds: [shop.serviceId] })
}

/** The starts offered on a day of UTC, as `HH:MM`. */
async function listed(day = DAY, more = '', now = NOW): Promise<string[]> {
  const query = `serviceId=${serviceId}&date=${day}&timeZone=UTC${more}`
  const path = `/api/services/availability?${query}`
  const { body } = await shop.client.get(path, { 'X-Test-Now': now })
  const slots = (body.data.slots as unknown as Record<string, { startTime: string }[]>)[day] ?? []
  return slots.map(slot => slot.startTime.slice(11, 16))
}
const book = (startTime: string, more: object = {}, now = NOW) =>
  visitor.post(BOOK, bookingBy(serviceId, startTime, more), { ...someAddress(), 'X-Test-Now': now })

/** Of the half hours of a day, those and only those are listed and can be booked, one each. */
async function offers(expected: string[], day = DAY, more: object = {}): Promise<void> {
  const query = Object.entries(more).map(([key, value]) => `&${key}=${value}`)
  expect(await listed(day, query.join(''))).toEqual(expected)
  const halves = ['08:30', '09:00', '09:30', '10:00', '10:30', '11:00', '11:30', '12:00', '13:00']
  for (const time of halves.filter(time => !expected.includes(time)))
    expect([time, (await book(at(time, day), more)).status]).toEqual([time, 409])
  const last = expected.at(-1)
  if (last) expect([last, (await book(at(last, day), more)).status]).toEqual([last, 201])
}

describe('POST /book', () => {
  it('201 in working hours, 409 outside of them and off the grid', async () => {
    await offers(['09:00', '09:30', '10:00', '10:30', '11:00'])
    expect((await book(at('09:15'))).status).toBe(409)
    expect((await book('2030-03-20T09:00:30.000Z')).status).toBe(409)
  })

  it('409 in a break', async () => {
    const weekly = open(['09:00', '12:00']).map(day => ({
      ...day,
      breaks: [{ start: '10:00', end: '10:30' }],
    }))
    await shop.hours(employeeId, { weekly })
    await offers(['09:00', '10:30', '11:00'])
  })

  it('409 on days off, on days the company is closed, and by the hours of a single date', async () => {
    await shop.hours(employeeId, {
      timeOff: [{ startDate: '2030-03-21', endDate: '2030-03-22' }],
      overrides: [
        { date: '2030-03-25', intervals: [{ start: '13:00', end: '14:00' }] },
        { date: '2030-03-26', intervals: [] },
      ],
    })
    for (const day of ['2030-03-21', '2030-03-22', '2030-03-26']) await offers([], day)
    await offers(['13:00'], '2030-03-25')
    const closures = [{ startDate: '2030-03-27', reason: 'Inventory' }]
    await shop.client.patch('/api/services/company-settings', { closures })
    await offers([], '2030-03-27')
    await offers(['09:00', '09:30', '10:00', '10:30', '11:00'], '2030-03-28')
    await shop.client.patch('/api/services/company-settings', { closures: [] })
  })

  it('409 while the place is closed, and 201 by the hours of the employee there', async () => {
    const locationId = await shop.id('locations', {
      name: 'London',
      timeZone: 'Europe/London',
      openingHours: [{ day: 3, intervals: [{ start: '10:00', end: '23:00' }] }],
    })
    await offers(['10:00', '10:30', '11:00'], '2030-03-20', { locationId })
    await offers([], '2030-03-21', { locationId })
    // From 31 March on London is an hour ahead of UTC; its own hours count there, by its clocks.
    await shop.hours(employeeId, { weekly: open(['11:00', '13:00']) }, locationId)
    await offers(['10:00', '10:30', '11:00'], '2030-04-03', { locationId })
    await offers(['09:00', '09:30', '10:00', '10:30', '11:00'], '2030-04-04')
  })

  it('409 at a place that is not active, is not theirs, or is not that of the service', async () => {
    const [here, there] = [
      await shop.id('locations', { name: 'Here' }),
      await shop.id('locations', { name: 'There' }),
    ]
    const person = `/api/services/employees?id=${employeeId}`
    await shop.client.put(person, { locationIds: [here] })
    await offers([], DAY, { locationId: there })
    await shop.client.put(person, { locationIds: [here, there] })
    await offers(['09:00', '09:30', '10:00', '10:30', '11:00'], DAY, { locationId: there })
    await shop.client.patch(`/api/services/services?id=${serviceId}`, { locationId: here })
    await offers([], '2030-03-21', { locationId: there })
    await offers(['09:00', '09:30', '10:00', '10:30', '11:00'], '2030-03-21')
    await shop.client.patch(`/api/services/locations?id=${here}`, { active: false })
    await offers([], '2030-03-22')
  })

  it('409 within the buffers of what is booked, on both sides', async () => {
    const buffers = { bufferTimeBefore: 15, bufferTimeAfter: 30 }
    await shop.client.patch(`/api/services/services?id=${serviceId}`, buffers)
    await shop.make('appointments', {
      serviceId,
      employeeId,
      startTime: at('10:00'),
      endTime: at('10:15'),
    })
    // Blocked from 9:45 to 10:45: what comes before needs 30 minutes after it, what follows 15 before.
    await offers(['11:00'])
  })

  it('409 before the minimum notice has passed and beyond the horizon, to the minute', async () => {
    const company = { minNoticeMinutes: 120, horizonDays: 2 }
    await shop.client.patch('/api/services/company-settings', { bookingPolicy: company })
    const [on, late] = ['2030-03-20T07:30:00.000Z', '2030-03-20T07:31:00.000Z']
    expect(await listed(DAY, '', on)).toEqual(['09:30', '10:00', '10:30', '11:00'])
    expect(await listed(DAY, '', late)).toEqual(['10:00', '10:30', '11:00'])
    expect((await book(at('09:30'), {}, late)).status).toBe(409)
    expect((await book(at('09:30'), {}, on)).status).toBe(201)
    const twoDaysBefore = '2030-03-19T10:00:00.000Z'
    expect(await listed('2030-03-21', '', twoDaysBefore)).toEqual(['09:00', '09:30', '10:00'])
    expect((await book(at('10:30', '2030-03-21'), {}, twoDaysBefore)).status).toBe(409)
    expect((await book(at('10:00', '2030-03-21'), {}, twoDaysBefore)).status).toBe(201)
    // The service's own rules win.
    const own = { minNoticeMinutes: 0, horizonDays: 400 }
    await shop.client.patch(`/api/services/services?id=${serviceId}`, own)
    expect((await book(at('11:00'), {}, at('11:00'))).status).toBe(201)
    expect((await book(at('11:00', '2031-03-21'))).status).toBe(201)
    const usual = { minNoticeMinutes: 0, horizonDays: 365 }
    await shop.client.patch('/api/services/company-settings', { bookingPolicy: usual })
  })

  it('409 while a resource is in use or switched off', async () => {
    const locationId = await shop.id('locations', { name: 'Here' })
    const resourceId = await shop.id('resources', { locationId, name: 'Laser', quantity: 2 })
    const needs = { resources: [{ resourceId, quantity: 2 }] }
    await shop.client.patch(`/api/services/services?id=${serviceId}`, needs)
    await shop.make('appointments', {
      serviceId: shop.serviceId,
      resourceIds: [resourceId],
      startTime: at('10:00'),
      endTime: at('10:30'),
    })
    await offers(['09:00', '10:30', '11:00'])
    await shop.client.put(`/api/services/resources?id=${resourceId}`, { active: false })
    await offers([], '2030-03-21')
  })

  it('409 for an employee who is not active or does not give the service', async () => {
    const person = `/api/services/employees?id=${employeeId}`
    await shop.client.put(person, { active: false })
    await offers([], DAY, { employeeId })
    await shop.client.put(person, { active: true, serviceIds: [shop.serviceId] })
    await offers([], DAY, { employeeId })
    await shop.client.put(person, { serviceIds: [serviceId] })
    await offers(['09:00', '09:30', '10:00', '10:30', '11:00'], DAY, { employeeId })
  })

  it('201 on the grid of each shift, however long the distance of starts is', async () => {
    await shop.client.patch(`/api/services/services?id=${serviceId}`, { slotIntervalMinutes: 45 })
    await shop.hours(employeeId, { weekly: open(['09:00', '11:00'], ['12:10', '14:00']) })
    expect(await listed()).toEqual(['09:00', '09:45', '12:10', '12:55'])
    expect((await book(at('09:30'))).status).toBe(409)
    expect((await book(at('12:10'))).status).toBe(201)
    expect(await listed()).toEqual(['09:00', '09:45'])
  })

  it('201 across midnight where the hours of two days touch', async () => {
    await shop.hours(employeeId, { weekly: open(['00:00', '24:00']) })
    expect((await book(at('23:30'))).status).toBe(201)
    expect(await listed('2030-03-21')).toEqual(
      expect.not.arrayContaining(['00:00']) as unknown as string[],
    )
    expect((await listed('2030-03-21'))[0]).toBe('00:30')
  })

  it('409 for what lasts too long with its extras', async () => {
    const extra = { name: 'Mask', duration: 60, serviceIds: [serviceId], maxQuantity: 100 }
    const id = await shop.id('extras', extra)
    expect((await book(at('10:30'), { extras: [{ id }] })).status).toBe(409)
    expect((await book(at('10:00'), { extras: [{ id }] })).body.endTime).toBe(at('12:00'))
    expect((await book(at('09:00'), { extras: [{ id }] })).status).toBe(409)
    await shop.client.patch(`/api/services/extras?id=${id}`, { duration: 720 })
    const { status, body } = await book(at('09:00'), { extras: [{ id, quantity: 15 }] })
    expect([status, body.details]).toMatchObject([422, [{ field: 'extras' }]])
  })

  it('409 while somebody holds the time, 201 once the hold is over', async () => {
    await rows(
      `insert into occupancies (account_id, person_id, source, source_id, blocked, expires_at)
       select account_id, person_id, 'hold', 1, tstzrange($2, $3), $4 from employees where id = $1`,
      [employeeId, at('10:00'), at('11:00'), minutesAfter(NOW, 10)],
    )
    await offers(['09:00', '11:00'])
    const then = minutesAfter(NOW, 10)
    expect(await listed(DAY, '', then)).toEqual(['09:00', '09:30', '10:00'])
    expect((await book(at('09:30'), {}, then)).status).toBe(201)
    const left = await rows(`select 1 from occupancies where source = 'hold' and account_id = $1`, [
      shop.accountId,
    ])
    expect(left).toEqual([])
  })

  it('201 in the time that a canceled appointment had', async () => {
    const made = await shop.make('appointments', {
      serviceId,
      employeeId,
      ...hourFrom(at('10:00')),
    })
    expect(await listed()).toEqual(['09:00', '11:00'])
    await shop.client.del(`/api/services/appointments?id=${made.id}`)
    expect((await book(minutesAfter(at('10:00'), 30))).status).toBe(201)
  })
})
