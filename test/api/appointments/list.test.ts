import { beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../client.ts'
import {
  APPOINTMENTS,
  at,
  by,
  clocked,
  hourFrom,
  minutesAfter,
  openShop,
  type Shop,
} from './shop.ts'

let shop: Shop
/** An account to itself: others' records would stand in the way of exact lists. */
beforeAll(async () => {
  shop = await openShop({ timeZone: 'America/New_York' })
})

const create = async (from: string, more: object = {}) => {
  const body = { serviceId: shop.serviceId, ...hourFrom(from), ...more }
  const made = await shop.client.post(APPOINTMENTS, body)
  expect(made, made.text).toMatchObject({ status: 201 })
  return Number(made.body.id)
}
const ids = async (query: string, who = shop.client) => {
  const { status, items, text } = await who.get(`${APPOINTMENTS}?${query}`)
  expect(status, text).toBe(200)
  return items.map(a => Number(a.id))
}

describe('GET /appointments', () => {
  it('200 from an instant on and up to another, which is left out', async () => {
    const service = await shop.service()
    const first = await create('2032-01-05T10:00:00Z', { serviceId: service })
    const second = await create('2032-01-05T11:00:00Z', { serviceId: service })
    const of = (query: string) => ids(`serviceId=${service}&sort=startTime&${query}`)
    expect(await of('from=2032-01-05T10:00:00Z')).toEqual([first, second])
    expect(await of('from=2032-01-05T10:00:00.001Z')).toEqual([second])
    expect(await of('to=2032-01-05T11:00:00Z')).toEqual([first])
    expect(await of('to=2032-01-05T12:00:00.001%2B01:00')).toEqual([first, second])
    expect(await of('from=2032-01-05T11:00:00+00:00')).toEqual([second])
  })

  it('200 by days of the company, both included, on the days the clocks change too', async () => {
    const service = await shop.service()
    // New York is at UTC-5 until 7:00 UTC of 14 March 2032, at UTC-4 from then on.
    const instants = [
      '2032-03-14T04:59:00Z',
      '2032-03-14T05:00:00Z',
      '2032-03-15T03:59:00Z',
      '2032-03-15T04:00:00Z',
    ]
    const made: number[] = []
    for (const instant of instants) made.push(await create(instant, { serviceId: service }))
    const of = (query: string) => ids(`serviceId=${service}&sort=startTime&${query}`)
    expect(await of('from=2032-03-14&to=2032-03-14')).toEqual([made[1], made[2]])
    expect(await of('from=2032-03-15')).toEqual([made[3]])
    expect(await of('to=2032-03-13')).toEqual([made[0]])
  })

  it('200 by status, customer, employee, service, location and series', async () => {
    const customerId = await shop.customer()
    const locationId = await shop.id('locations', { name: 'Here' })
    const employeeId = await shop.employee()
    const serviceId = await shop.service()
    const start = at('09:00', '2032-02-02')
    const wanted = await create(start, { customerId, locationId, employeeId, serviceId })
    await create(minutesAfter(start, 60))
    const pending = await create(minutesAfter(start, 120), { status: 'pending', customerId })
    for (const [field, id] of Object.entries({ locationId, employeeId, serviceId }))
      expect(await ids(`${field}=${id}`)).toEqual([wanted])
    expect(await ids(`customerId=${customerId}`)).toEqual([pending, wanted])
    expect(await ids(`customerId=${customerId}&status=pending`)).toEqual([pending])
    expect(await ids(`customerId=${customerId}&serviceId=${shop.serviceId}`)).toEqual([pending])
    const series = await shop.make('appointments', {
      serviceId,
      ...hourFrom(at('09:00', '2032-02-05')),
      recurrenceRule: 'weekly',
      recurrenceCount: 3,
    })
    const all = (series.recurrence as unknown as { appointmentIds: number[] }).appointmentIds
    expect(await ids(`seriesId=${series.seriesId}&sort=startTime`)).toEqual(all)
  })

  it('200 for a search in service, customer and notes', async () => {
    const serviceId = await shop.service({ name: 'Thai massage 50%' })
    const customerId = await shop.customer({ name: 'Zoltan', email: 'zoltan@example.com' })
    const a = await create(at('09:00', '2032-04-01'), { serviceId })
    const b = await create(at('09:00', '2032-04-02'), { customerId, notes: 'Knee_pain' })
    expect(await ids('search=thai%20MASS')).toEqual([a])
    expect(await ids('search=50%25')).toEqual([a])
    for (const text of ['zolt', 'ZOLTAN@', 'knee_p'])
      expect(await ids(`search=${text}`)).toEqual([b])
    expect(await ids('search=knee%25pain')).toEqual([])
  })

  it('200 sorted by start, both ways, the latest first where nothing is said', async () => {
    const serviceId = await shop.service()
    const start = at('09:00', '2032-05-01')
    const made: number[] = []
    for (const hours of [2, 0, 1])
      made.push(await create(minutesAfter(start, hours * 60), { serviceId }))
    const ascending = [made[1], made[2], made[0]]
    expect(await ids(`serviceId=${serviceId}&sort=startTime`)).toEqual(ascending)
    expect(await ids(`serviceId=${serviceId}&sort=-startTime`)).toEqual(ascending.toReversed())
    expect(await ids(`serviceId=${serviceId}`)).toEqual(ascending.toReversed())
  })

  it('200 with every one of 210 once, 7 at a time, while others are booked and canceled', async () => {
    const busy = await openShop()
    const clerk = clocked(busy.client)
    const start = at('00:00', '2033-01-01')
    const series = (n: number) => ({
      serviceId: busy.serviceId,
      ...hourFrom(minutesAfter(start, n * 24 * 60)),
      recurrenceRule: 'weekly',
      recurrenceCount: 42,
    })
    const expected: number[] = []
    for (let n = 0; n < 5; n++) {
      const made = await busy.make('appointments', series(n))
      expected.push(...(made.recurrence as unknown as { appointmentIds: number[] }).appointmentIds)
    }
    expect(expected).toHaveLength(210)
    const one = (n: number) => {
      const from = minutesAfter(start, n * 61)
      return clerk.post(APPOINTMENTS, { serviceId: busy.serviceId, ...hourFrom(from) })
    }
    const seen: number[] = []
    let cursor: string | null = null
    do {
      const page = await clerk.get(
        `${APPOINTMENTS}?limit=7&sort=startTime${cursor ? `&cursor=${cursor}` : ''}`,
      )
      seen.push(...page.items.map(a => Number(a.id)))
      cursor = page.body.pagination.nextCursor as unknown as string | null
      // One booked before or after the place reached, and one of those already read goes away.
      await Promise.all([one(seen.length), ...(seen.length % 3 ? [] : [hide(clerk, seen.at(-1))])])
    } while (cursor)
    expect(new Set(seen).size).toBe(seen.length)
    const originals = new Set(expected)
    expect(seen.filter(id => originals.has(id)).length).toBe(210)
  })

  const hide = async (who: Shop['client'], id: unknown) => {
    await who.del(by(id))
    await who.del(by(id))
  }

  it('200 with only their own for staff, whomever they ask for', async () => {
    const theirs = await create(at('09:00', '2032-06-01'), { employeeId: shop.employeeId })
    const own = await create(at('09:00', '2032-06-01'), { employeeId: shop.staff.employeeId })
    expect(await ids('from=2032-06-01&to=2032-06-01', shop.staffClient)).toEqual([own])
    expect(await ids(`employeeId=${shop.employeeId}`, shop.staffClient)).toEqual([own])
    expect((await shop.staffClient.get(by(theirs))).status).toBe(404)
    expect((await shop.staffClient.get(by(own))).status).toBe(200)
  })

  it('200 with nothing of another account', async () => {
    const other = await openShop()
    const made = await create(at('09:00', '2032-07-01'))
    expect(await ids('', other.client)).toEqual([])
    expect((await other.client.get(by(made))).status).toBe(404)
  })

  it.each([
    ['limit=0', 'limit', 'must be at least 1'],
    ['limit=101', 'limit', 'must be at most 100'],
    ['sort=price', 'sort', expect.stringContaining('"startTime", "-startTime"')],
    ['cursor=x', 'cursor', 'is not a cursor of this list in this order'],
    ['from=soon', 'from', 'expected an ISO 8601 timestamp with an offset or a date'],
    ['to=2032-02-30', 'to', 'expected an ISO 8601 timestamp with an offset or a date'],
    ['status=done', 'status', 'expected one of "pending", "approved", "canceled", "completed"'],
    ['employeeId=me', 'employeeId', 'expected integer'],
    ['id=x', 'id', 'expected integer'],
  ])('400 for %s', async (query, field, message) => {
    const { status, body } = await shop.client.get(`${APPOINTMENTS}?${query}`)
    expect([status, body.error, body.details]).toEqual([400, 'BAD_REQUEST', [{ field, message }]])
  })

  it('401 without credentials, 404 for an id that is none', async () => {
    expect((await client().get(APPOINTMENTS)).status).toBe(401)
    expect((await shop.client.get(by(2_147_483_647))).status).toBe(404)
  })
})
