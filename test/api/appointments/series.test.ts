import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Body, client } from '../../client.ts'
import { readMessages } from '../../platform.ts'
import {
  APPOINTMENTS,
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
  rows,
  type Shop,
  someAddress,
  tally,
} from './shop.ts'

const visitor = clocked(client())
let shop: Shop
beforeAll(async () => {
  shop = await openShop({ timeZone: 'America/New_York' })
})
afterAll(closeRows)

type Recurrence = { id: number; appointmentIds: number[]; skipped: string[] }
const recurrence = (body: Body) => body.recurrence as unknown as Recurrence
const series = (startTime: string, rule: string, count: number, more: object = {}) =>
  shop.client.post(APPOINTMENTS, {
    serviceId: shop.serviceId,
    ...hourFrom(startTime),
    recurrenceRule: rule,
    recurrenceCount: count,
    ...more,
  })
const startsOf = async (body: Body) => {
  const found = await shop.client.get(
    `${APPOINTMENTS}?seriesId=${body.seriesId}&sort=startTime&limit=100`,
  )
  return found.items.map(a => String(a.startTime))
}
const counts = async () => {
  const [found] = await rows<Record<string, number>>(
    `select (select count(*) from appointments where account_id = $1)::int as appointments,
      (select count(*) from appointment_series where account_id = $1)::int as series,
      (select count(*) from occupancies where account_id = $1)::int as blocks,
      (select count(*) from events where account_id = $1)::int as events`,
    [shop.accountId],
  )
  return found
}

describe('POST /appointments as a series', () => {
  it('201 with the first, and the ids of all', async () => {
    const customerId = await shop.customer()
    const { status, body } = await series('2031-01-06T15:00:00.000Z', 'weekly', 4, { customerId })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      startTime: '2031-01-06T15:00:00.000Z',
      seriesIndex: 0,
      recurrenceRule: 'weekly',
      recurrenceCount: 4,
    })
    const { id, appointmentIds, skipped } = recurrence(body)
    expect([id, appointmentIds.length, appointmentIds[0], skipped]).toEqual([
      body.seriesId,
      4,
      body.id,
      [],
    ])
    expect(await startsOf(body)).toEqual(
      ['06', '13', '20', '27'].map(day => `2031-01-${day}T15:00:00.000Z`),
    )
    for (const id of appointmentIds) expect(await eventsOf(shop.accountId, id)).toEqual(['CREATED'])
    const uids = await rows('select distinct uid from appointments where series_id = $1', [
      body.seriesId,
    ])
    expect(uids).toHaveLength(4)
    const customer = await shop.client.get(`/api/services/customers?id=${customerId}`)
    expect(customer.body.data.totalBookings).toBe(4)
  })

  it.each([
    // New York goes from UTC-5 to UTC-4 on 9 March 2031 and back on 2 November.
    ['weekly', '2031-03-03T15:00:00.000Z', ['03-03T15', '03-10T14', '03-17T14']],
    ['biweekly', '2031-10-20T14:00:00.000Z', ['10-20T14', '11-03T15', '11-17T15']],
    ['monthly', '2031-01-31T15:00:00.000Z', ['01-31T15', '02-28T15', '03-31T14', '04-30T14']],
    ['monthly', '2031-09-30T14:00:00.000Z', ['09-30T14', '10-30T14', '11-30T15']],
  ])('201 %s from %s at the same time by the clocks of the company', async (rule, start, days) => {
    const { body } = await series(start, rule, days.length)
    expect(await startsOf(body)).toEqual(days.map(day => `2031-${day}:00:00.000Z`))
  })

  it('201 by the clocks of the location, and with the length of the first', async () => {
    const london = await shop.id('locations', { name: 'London', timeZone: 'Europe/London' })
    // London goes to summer time on 30 March 2031, three weeks after New York.
    const start = '2031-03-17T09:00:00.000Z'
    const more = { locationId: london, endTime: minutesAfter(start, 100) }
    const { body } = await series(start, 'biweekly', 2, more)
    expect(await startsOf(body)).toEqual([start, '2031-03-31T08:00:00.000Z'])
    const [last] = await rows<{ end_time: Date }>(
      'select end_time from appointments where series_id = $1 and series_index = 1',
      [body.seriesId],
    )
    expect(last?.end_time.toISOString()).toBe('2031-03-31T09:40:00.000Z')
  })

  it('201 with a leap day kept where there is one', async () => {
    const { body } = await series('2032-01-29T15:00:00.000Z', 'monthly', 3)
    expect((await startsOf(body)).map(s => s.slice(5, 10))).toEqual(['01-29', '02-29', '03-29'])
  })

  it('409 naming the dates that clash, and nothing is made', async () => {
    const { employeeId } = shop
    const start = '2031-05-05T14:00:00.000Z'
    const seventh = minutesAfter(start, 6 * 7 * 1440)
    await shop.make('appointments', {
      serviceId: shop.serviceId,
      employeeId,
      ...hourFrom(minutesAfter(seventh, 30)),
    })
    const before = await counts()
    const { status, body } = await series(start, 'weekly', 10, { employeeId })
    expect(status).toBe(409)
    expect(body.details).toEqual([
      { field: 'occurrences.6.startTime', message: `${seventh} is already booked` },
    ])
    expect(await counts()).toEqual(before)
    const left = await series(start, 'weekly', 10, { employeeId, onConflict: 'skip' })
    expect(left.status).toBe(201)
    const { appointmentIds, skipped } = recurrence(left.body)
    expect([appointmentIds.length, skipped]).toEqual([9, [seventh]])
    const indexes = await rows<{ i: number }>(
      'select series_index as i from appointments where series_id = $1 order by 1',
      [left.body.seriesId],
    )
    expect(indexes.map(row => row.i)).toEqual([0, 1, 2, 3, 4, 5, 7, 8, 9])
    const again = await series(start, 'weekly', 10, { employeeId, onConflict: 'skip' })
    expect([again.status, again.body.details]).toMatchObject([409, { length: 10 }])
  })

  it('409 for a resource that is used up on a date', async () => {
    const locationId = await shop.id('locations', { name: 'Here' })
    const laser = await shop.id('resources', { locationId, name: 'Laser' })
    const start = '2031-06-02T14:00:00.000Z'
    await shop.make('appointments', {
      serviceId: shop.serviceId,
      ...hourFrom(minutesAfter(start, 7 * 1440)),
      resourceIds: [laser],
    })
    const { status, body } = await series(start, 'weekly', 3, { resourceIds: [laser] })
    expect([status, body.details]).toMatchObject([409, [{ field: 'occurrences.1.startTime' }]])
  })

  it('201 for one of eight series that share a date, 409 naming dates for the rest', async () => {
    const employeeId = await shop.employee()
    const start = '2031-07-07T14:00:00.000Z'
    const replies = await atOnce(8, n =>
      series(minutesAfter(start, (n % 4) * 7 * 1440), 'weekly', 8, { employeeId }),
    )
    expect(tally(replies)).toEqual({ 201: 1, 409: 7 })
    for (const { status, body } of replies)
      if (status === 409) expect(body.details?.[0]?.field).toMatch(/^occurrences\.\d\.startTime$/)
  })

  it('201 for series that leave out what they lose to one another', async () => {
    const employeeId = await shop.employee()
    const start = '2031-07-07T14:00:00.000Z'
    const replies = await Promise.all(
      [0, 1, 2].map(n =>
        series(minutesAfter(start, n * 7 * 1440), 'weekly', 4, { employeeId, onConflict: 'skip' }),
      ),
    )
    for (const { status, body } of replies) {
      if (status === 201)
        expect(recurrence(body).appointmentIds.length + recurrence(body).skipped.length).toBe(4)
      else expect(body.details).toHaveLength(4)
    }
    const made = await rows(
      'select 1 from occupancies o join employees e on e.person_id = o.person_id where e.id = $1',
      [employeeId],
    )
    expect(made).toHaveLength(6)
  })

  it('200 for one canceled or moved leaves the rest as they are', async () => {
    const { body } = await series('2031-09-01T14:00:00.000Z', 'weekly', 4)
    const [first, second, third, fourth] = recurrence(body).appointmentIds
    await shop.client.del(by(second))
    await shop.client.put(by(third), { startTime: '2031-09-16T14:00:00.000Z' })
    const status = async (id?: number) => (await shop.client.get(by(id))).body.data
    expect([await status(first), await status(second), await status(fourth)]).toMatchObject([
      { status: 'approved', version: 0 },
      { status: 'canceled' },
      { status: 'approved', version: 0 },
    ])
    expect(await startsOf(body)).toHaveLength(4)
  })

  it('one e-mail for all of it', async () => {
    const email = `${crypto.randomUUID()}@example.com`
    const customerId = await shop.customer({ email })
    await series('2031-10-06T14:00:00.000Z', 'weekly', 5, { customerId })
    await expect.poll(() => readMessages({ to: email })).toHaveLength(1)
    const [letter] = await readMessages({ to: email })
    expect(letter?.subject).toContain('5 dates')
    const queued = await rows('select 1 from messages where account_id = $1 and recipient = $2', [
      shop.accountId,
      email,
    ])
    expect(queued).toHaveLength(1)
  })
})

describe('POST /book as a series', () => {
  const book = (serviceId: number, start: string, more: object, email?: string) =>
    visitor.post(BOOK, bookingBy(serviceId, start, more, email), someAddress())
  const weekly = { recurrenceRule: 'weekly', recurrenceCount: 3 }

  it('201 with each date, 409 naming those that are not free', async () => {
    const serviceId = await shop.service({ enableRecurring: true })
    const employeeId = await shop.employee({ serviceIds: [serviceId] })
    const start = '2030-04-01T14:00:00.000Z'
    const { status, body } = await book(serviceId, start, { ...weekly, employeeId })
    expect(status).toBe(201)
    const dates = body.occurrences as unknown as { startTime: string; uid: string }[]
    expect(dates.map(d => d.startTime)).toEqual([0, 1, 2].map(n => minutesAfter(start, n * 10080)))
    const lost = await book(serviceId, minutesAfter(start, -10080), { ...weekly, employeeId })
    expect(lost.status).toBe(409)
    expect(lost.body.details).toMatchObject([
      { field: 'occurrences.1.startTime' },
      { field: 'occurrences.2.startTime' },
    ])
  })

  it('422 for a service that is not booked as a series', async () => {
    const serviceId = await shop.service()
    const { status, body } = await book(serviceId, '2030-04-01T14:00:00.000Z', weekly)
    expect([status, body.details]).toMatchObject([422, [{ field: 'recurrenceRule' }]])
  })
})
