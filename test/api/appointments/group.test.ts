import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../client.ts'
import { CLASS, type ClassShop, openClass } from './class.ts'
import {
  at,
  atOnce,
  BOOK,
  bookingBy,
  by,
  clocked,
  closeRows,
  minutesAfter,
  overlapsIn,
  type Shop,
  someAddress,
  tally,
} from './shop.ts'

const visitor = clocked(client())

let shop: Shop
let join: ClassShop['join']
let seat: ClassShop['seat']
let book: ClassShop['book']
let start: ClassShop['start']
let slotAt: ClassShop['slotAt']
let sessionsAt: ClassShop['sessionsAt']
beforeAll(async () => {
  ;({ shop, join, seat, book, start, slotAt, sessionsAt } = await openClass())
})
afterAll(closeRows)

const ids = (list: unknown) => (list as { customerId: number }[]).map(a => a.customerId)

describe('POST /appointments of a group service', () => {
  it('201 for ten of forty who join through two doors, 409 for the rest, in one session', async () => {
    const from = start()
    const replies = await atOnce(40, n => (n % 2 ? join(from) : book(from)))
    expect(tally(replies)).toEqual({ 201: 10, 409: 30 })
    const full = replies.find(r => r.status === 409)
    expect(full?.body.error).toBe('CONFLICT')
    expect(await sessionsAt(from)).toMatchObject([{ taken: 10 }])
    const made = replies.filter(r => r.status === 201).map(r => String(r.body.uid))
    expect(new Set(made).size).toBe(10)
    expect(await overlapsIn(shop.accountId)).toBe(0)
    expect(await slotAt(from)).toBeUndefined()
  })

  it('201 with a seat of its own: id, uid, customer and price, and everybody who comes', async () => {
    const from = start()
    const [ann, ben] = [await shop.customer({ name: 'Ann' }), await shop.customer({ name: 'Ben' })]
    const first = await seat(from, { customerId: ann })
    const second = await seat(from, { customerId: ben, price: 700, persons: 2 })
    expect(second).toMatchObject({ isGroupBooking: true, persons: 2, price: 700, customerId: ben })
    expect(first).toMatchObject({ price: 1000, persons: 1 })
    expect([second.id === first.id, second.uid === first.uid]).toEqual([false, false])
    expect(ids(second.attendees)).toEqual([ann, ben])
    expect(await slotAt(from)).toMatchObject({ spotsOpen: 7, spotsTotal: 10 })
  })

  it('201 for as many persons as there are seats, 409 for one more, at the price of each', async () => {
    const from = start()
    const attendees = [{ name: 'A', persons: 3 }, { name: 'B' }]
    expect(await seat(from, { attendees })).toMatchObject({
      persons: 4,
      price: 4000,
      attendees: [{ name: 'A', persons: 4 }],
    })
    const tooMany = await join(from, { persons: 7 })
    expect([tooMany.status, tooMany.body.details]).toEqual([
      409,
      [{ field: 'startTime', message: '6 of the seats are left' }],
    ])
    expect((await join(from, { persons: 6 })).status).toBe(201)
    expect((await join(from)).status).toBe(409)
  })

  it('201 in a session that begins between two minutes', async () => {
    const from = minutesAfter(start(), 1 / 3)
    const seats = await Promise.all([1, 2, 3].map(() => join(from)))
    expect(tally(seats)).toEqual({ 201: 3 })
    expect(await sessionsAt(from)).toMatchObject([{ taken: 3 }])
  })

  it('201 for what is over, which takes no seat', async () => {
    const from = at('10:00', '2029-03-01')
    for (const status of ['completed', 'canceled'])
      expect(await seat(from, { status })).toMatchObject({ isGroupBooking: true, status })
    expect(await sessionsAt(from)).toEqual([])
  })

  it('409 for an end that is not that of the session, until it is empty', async () => {
    const from = start()
    const first = await seat(from)
    const longer = { endTime: minutesAfter(from, 90) }
    const { status, body } = await join(from, longer)
    expect(status).toBe(409)
    expect(body.details).toEqual([
      { field: 'endTime', message: `must be ${minutesAfter(from, 60)}, like the session` },
    ])
    await shop.client.del(by(first.id))
    await seat(from, longer)
    await seat(from, longer)
    expect((await join(from)).status).toBe(409)
    // The session now lasts 90 minutes, and so does the block of its employee.
    expect((await join(minutesAfter(from, 75))).status).toBe(409)
  })

  it('409 for another start or service of the employee within the session', async () => {
    const from = start()
    await seat(from)
    expect((await join(minutesAfter(from, 30))).status).toBe(409)
    const serviceId = await shop.service()
    expect((await join(from, { serviceId })).status).toBe(409)
    const single = await join(from, { isGroupBooking: false })
    expect(single.status).toBe(409)
    expect((await join(minutesAfter(from, 60), { serviceId })).status).toBe(201)
  })

  it('409 for a series of seats', async () => {
    const series = { recurrenceRule: 'weekly', recurrenceCount: 2 }
    expect((await join(start(), series)).status).toBe(409)
  })

  it('201 at another place or with another employee is another session', async () => {
    const from = start()
    const locationId = await shop.id('locations', { name: 'Hall' })
    const employeeId = await shop.employee()
    await seat(from)
    expect((await join(from, { locationId })).status).toBe(409)
    await seat(from, { locationId, employeeId })
    expect(await sessionsAt(from)).toHaveLength(2)
  })

  it('201 with the resources of the service once for all, and those of a seat for itself', async () => {
    const locationId = await shop.id('locations', { name: 'Gym' })
    const [hall, mat] = await Promise.all([
      shop.id('resources', { locationId, name: 'Hall' }),
      shop.id('resources', { locationId, name: 'Mat', quantity: 2 }),
    ])
    const serviceId = await shop.service({ ...CLASS, resources: [{ resourceId: hall }] })
    const from = start()
    await seat(from, { serviceId })
    const own = await seat(from, { serviceId, resourceIds: [mat] })
    expect(own.resourceIds).toEqual([hall, mat].sort((x, y) => x - y))
    await seat(from, { serviceId, resourceIds: [mat] })
    expect((await join(from, { serviceId, resourceIds: [mat] })).status).toBe(409)
    await shop.client.del(by(own.id))
    expect((await join(from, { serviceId, resourceIds: [mat] })).status).toBe(201)
  })
})

describe('POST /book of a group service', () => {
  it('201 with the count of seats, and 409 for the same customer again', async () => {
    const from = start()
    const email = `${crypto.randomUUID()}@example.com`
    const first = await book(from, { persons: 2 }, email)
    expect([first.status, first.body]).toMatchObject([201, { attendees: 2, price: 2000 }])
    expect((await book(from, {}, email.toUpperCase())).status).toBe(409)
    expect((await book(from, {})).body).toMatchObject({ attendees: 3 })
    const attendees = [{ name: 'A' }, { name: 'B', persons: 2 }]
    expect((await book(from, { attendees })).body).toMatchObject({ attendees: 6, price: 3000 })
  })

  it('201 in the session that has begun to fill, before another is opened', async () => {
    const serviceId = await shop.service({ ...CLASS, maxCapacity: 3 })
    await Promise.all([1, 2].map(() => shop.employee({ serviceIds: [serviceId] })))
    const from = start()
    const employees: number[] = []
    for (let n = 0; n < 4; n++) {
      const { body } = await visitor.post(BOOK, bookingBy(serviceId, from), someAddress())
      employees.push(Number(body.employee?.id))
    }
    expect(new Set(employees.slice(0, 3)).size).toBe(1)
    expect(employees[3]).not.toBe(employees[0])
  })

  it('201 until the end of the session, whatever the extras and the service say by then', async () => {
    const serviceId = await shop.service(CLASS)
    const extra = await shop.id('extras', {
      name: 'Towel',
      price: 100,
      duration: 30,
      serviceIds: [serviceId],
    })
    const from = start()
    const of = (more: object) =>
      visitor.post(
        BOOK,
        bookingBy(serviceId, from, { employeeId: shop.employeeId, ...more }),
        someAddress(),
      )
    expect((await of({ extras: [{ id: extra }] })).body).toMatchObject({
      endTime: minutesAfter(from, 60),
      price: 1100,
    })
    await shop.client.patch(`/api/services/services?id=${serviceId}`, { duration: 90 })
    expect(await slotAt(from, serviceId)).toMatchObject({
      endTime: minutesAfter(from, 60),
    })
    expect((await of({})).body).toMatchObject({ endTime: minutesAfter(from, 60) })
  })

  it('422 for more persons than a session has seats, 409 for more than are left', async () => {
    const from = start()
    const tooMany = await book(from, { persons: 11 })
    expect([tooMany.status, tooMany.body.details]).toEqual([
      422,
      [{ field: 'persons', message: 'must be at most 10 for this service' }],
    ])
    await book(from, { persons: 9 })
    expect((await book(from, { persons: 2 })).status).toBe(409)
  })
})
