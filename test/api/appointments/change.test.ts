import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Body } from '../../client.ts'
import { readMessages } from '../../platform.ts'
import {
  APPOINTMENTS,
  at,
  by,
  clocked,
  closeRows,
  eventsOf,
  hourFrom,
  minutesAfter,
  openShop,
  rows,
  type Shop,
} from './shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(closeRows)

let day = 0
const start = () => at('10:00', new Date(Date.UTC(2031, 0, ++day)).toISOString().slice(0, 10))
const create = async (more: object = {}, from = start()): Promise<Body> => {
  const { serviceId, employeeId } = shop
  const body = { serviceId, employeeId, ...hourFrom(from), ...more }
  const made = await shop.client.post(APPOINTMENTS, body)
  expect(made, made.text).toMatchObject({ status: 201 })
  return made.body
}
const change = (id: unknown, body: object, now?: string) =>
  (now ? clocked(shop.client, now) : shop.client).put(by(id), body)
const read = async (id: unknown) => (await shop.client.get(by(id))).body.data
const bookingsOf = async (id: unknown) =>
  Number((await shop.client.get(`/api/services/customers?id=${id}`)).body.data.totalBookings)
const text = (value: unknown) => String(value)

describe('PUT /appointments', () => {
  it('200 with what was sent changed and the rest as it was', async () => {
    const was = await create({ notes: 'Old', internalNotes: 'Keep', timeZone: 'Asia/Tokyo' })
    const { status, body } = await change(was.id, { notes: 'New', noShow: true, price: 42 })
    expect(status).toBe(200)
    const changed = { notes: 'New', noShow: true, price: 42, totalAmount: 42, version: 1 }
    expect(body).toEqual({ status: 'success', data: { ...was, ...changed } })
    expect((await change(was.id, { notes: '' })).body.data).toMatchObject({ notes: null })
    expect(await eventsOf(shop.accountId, was.id)).toEqual(['CREATED', 'UPDATED', 'UPDATED'])
  })

  it('200 with the end moved along by a new start, and with the length of a new end', async () => {
    const was = await create()
    const startTime = start()
    const moved = await change(was.id, { startTime })
    expect(moved.body.data).toMatchObject({ startTime, endTime: minutesAfter(startTime, 60) })
    const endTime = minutesAfter(startTime, 95)
    expect((await change(was.id, { endTime })).body.data).toMatchObject({ startTime, endTime })
    // The old time is free, the new one taken.
    await create({}, text(was.startTime))
    const taken = { ...hourFrom(minutesAfter(startTime, 90)), employeeId: shop.employeeId }
    const lost = await shop.client.post(APPOINTMENTS, { serviceId: shop.serviceId, ...taken })
    expect(lost.status).toBe(409)
  })

  it('200 within its own time, 409 into that of another, which changes nothing', async () => {
    const was = await create()
    const next = await create({}, minutesAfter(text(was.startTime), 60))
    const early = minutesAfter(text(was.startTime), -30)
    expect((await change(was.id, { startTime: early })).status).toBe(200)
    const before = await read(was.id)
    const lost = await change(was.id, { startTime: text(next.startTime), notes: 'Lost' })
    expect([lost.status, await read(was.id)]).toEqual([409, before])
    expect(await eventsOf(shop.accountId, was.id)).toEqual(['CREATED', 'UPDATED'])
  })

  it('200 with the resources it has, at its new time and with another service', async () => {
    const locationId = await shop.id('locations', { name: 'Here' })
    const [room, laser] = await Promise.all([
      shop.id('resources', { locationId, name: 'Room' }),
      shop.id('resources', { locationId, name: 'Laser' }),
    ])
    const withRoom = await shop.service({ resources: [{ resourceId: room }] })
    const was = await create({ serviceId: withRoom, resourceIds: [laser] })
    const both = [room, laser].sort((x, y) => x - y)
    const startTime = start()
    expect((await change(was.id, { startTime })).body.data).toMatchObject({ resourceIds: both })
    const use = (id: number, from: string) =>
      `/api/services/resource-availability?resourceId=${id}&startTime=${from}&endTime=${minutesAfter(from, 60)}`
    for (const id of both) {
      expect((await shop.client.get(use(id, startTime))).body.data.available).toBe(false)
      const old = await shop.client.get(use(id, text(was.startTime)))
      expect(old.body.data.available).toBe(true)
    }
    const other = await change(was.id, { serviceId: shop.serviceId })
    expect(other.body.data).toMatchObject({ resourceIds: [laser] })
    expect((await change(was.id, { resourceIds: [] })).body.data).toMatchObject({ resourceIds: [] })
    const clash = await create({ resourceIds: [laser], employeeId: null }, startTime)
    expect((await change(was.id, { resourceIds: [laser] })).status).toBe(409)
    await shop.client.del(by(clash.id))
    expect((await change(was.id, { resourceIds: [laser] })).status).toBe(200)
  })

  it('200 with the buffers of its service, and its own once that is deleted', async () => {
    const serviceId = await shop.service({ bufferTimeAfter: 30 })
    const was = await create({ serviceId })
    await shop.client.del(`/api/services/services?id=${serviceId}`)
    const startTime = start()
    expect((await change(was.id, { startTime })).status).toBe(200)
    const body = { serviceId: shop.serviceId, employeeId: shop.employeeId }
    const next = (minutes: number) =>
      shop.client.post(APPOINTMENTS, { ...body, ...hourFrom(minutesAfter(startTime, minutes)) })
    expect((await next(89)).status).toBe(409)
    expect((await next(90)).status).toBe(201)
  })

  it('200 with another employee, or none, and 409 for one who is taken or not active', async () => {
    const [bob, gone] = await Promise.all([shop.employee(), shop.employee({ active: false })])
    const was = await create()
    await create({ employeeId: bob }, text(was.startTime))
    expect((await change(was.id, { employeeId: bob })).status).toBe(409)
    expect((await change(was.id, { employeeId: gone })).status).toBe(409)
    expect((await change(was.id, { employeeId: null })).body.data).toMatchObject({ employee: null })
    await create({}, text(was.startTime))
    expect((await change(was.id, { employeeId: shop.employeeId })).status).toBe(409)
  })

  it('200 with the deposit that the new price asks for', async () => {
    const service = { depositType: 'percentage', depositAmount: 50 }
    const was = await create({ serviceId: await shop.service(service) })
    expect(was.depositAmount).toBe(2500)
    const { data } = (await change(was.id, { price: 1000 })).body
    expect(data).toMatchObject({ price: 1000, totalAmount: 1000, depositAmount: 500 })
  })

  it('200 with totals that follow the customer and the status', async () => {
    const [ann, ben] = await Promise.all([shop.customer(), shop.customer()])
    const was = await create({ customerId: ann })
    expect([await bookingsOf(ann), await bookingsOf(ben)]).toEqual([1, 0])
    await change(was.id, { customerId: ben })
    expect([await bookingsOf(ann), await bookingsOf(ben)]).toEqual([0, 1])
    await change(was.id, { customerId: ben, notes: 'Same' })
    expect(await bookingsOf(ben)).toBe(1)
    await change(was.id, { customerId: ann, status: 'canceled' })
    expect([await bookingsOf(ann), await bookingsOf(ben)]).toEqual([0, 0])
    await change(was.id, { customerId: ben })
    expect(await bookingsOf(ben)).toBe(0)
    const other = await create({ customerId: ann })
    await change(other.id, { customerId: null })
    expect(await bookingsOf(ann)).toBe(0)
  })

  it('200 and one e-mail for a new time, to whoever the customer is by then', async () => {
    const [ann, ben] = [`${crypto.randomUUID()}@example.com`, `${crypto.randomUUID()}@example.com`]
    const subjects = async (to: string) =>
      (await readMessages({ to })).map(m => m.subject?.split(':')[0]).reverse()
    const was = await create({ customerId: await shop.customer({ email: ann }) })
    await change(was.id, { startTime: start() })
    await expect.poll(() => subjects(ann)).toEqual(['Confirmed', 'Changed'])
    await change(was.id, { notes: 'Nothing to tell' })
    const next = await shop.customer({ email: ben })
    await change(was.id, { customerId: next, startTime: start() })
    await expect.poll(() => subjects(ben)).toEqual(['Changed'])
    // A customer without an address leaves nobody to tell, least of all the one before.
    await change(was.id, { customerId: await shop.customer({ email: null }), startTime: start() })
    await change(was.id, { status: 'canceled' })
    const queued = await rows(
      `select 1 from messages where account_id = $1 and recipient in ($2, $3) and kind <> 'booking_confirmation'`,
      [shop.accountId, ann, ben],
    )
    expect(queued).toHaveLength(2)
  })

  it('409 for another version than the one that is told', async () => {
    const was = await create()
    expect((await change(was.id, { notes: 'A', version: 0 })).body.data.version).toBe(1)
    const stale = await change(was.id, { notes: 'B', version: 0 })
    expect([stale.status, stale.body.error]).toEqual([409, 'CONFLICT'])
    expect((await read(was.id)).notes).toBe('A')
  })

  it('409 for an end that comes before the start, or too long after', async () => {
    const was = await create()
    const from = text(was.startTime)
    for (const change2 of [{ endTime: from }, { endTime: minutesAfter(from, 7 * 1440 + 1) }]) {
      const { status, body } = await change(was.id, change2)
      expect([status, body.details]).toMatchObject([409, [{ field: 'endTime' }]])
    }
    const both = { startTime: from, endTime: from }
    expect((await change(was.id, both)).status).toBe(422)
  })

  it('409 for the time and people of what is over, 200 for notes on it', async () => {
    for (const status of ['completed', 'canceled']) {
      const was = await create({ status }, at('10:00', '2029-05-01'))
      expect((await change(was.id, { startTime: start() })).status).toBe(409)
      expect((await change(was.id, { employeeId: null })).status).toBe(409)
      const { data } = (await change(was.id, { noShow: true, internalNotes: 'x' })).body
      expect(data).toMatchObject({ noShow: true, internalNotes: 'x', status })
    }
  })

  it('404 for what is unknown, of another account or deleted', async () => {
    const other = await openShop()
    const was = await create()
    const theirs = {
      serviceId: other.serviceId,
      employeeId: other.employeeId,
      customerId: await other.customer(),
      locationId: await other.id('locations', { name: 'There' }),
    }
    for (const [field, id] of Object.entries(theirs))
      expect([field, (await change(was.id, { [field]: id })).status]).toEqual([field, 404])
    const guests = [{ name: 'X', customerId: theirs.customerId }]
    expect((await change(was.id, { attendees: guests })).status).toBe(404)
    expect((await change(was.id, { resourceIds: [2_147_483_647] })).status).toBe(404)
    const gone = await shop.customer()
    await shop.client.del(`/api/services/customers?id=${gone}`)
    expect((await change(was.id, { customerId: gone })).status).toBe(404)
    expect((await other.client.put(by(was.id), { notes: 'Mine' })).status).toBe(404)
    expect((await change(2_147_483_647, { notes: 'x' })).status).toBe(404)
    expect(await read(was.id)).toEqual(was)
  })

  it('403 and 404 for staff beyond their own', async () => {
    const was = await create()
    const mine = await create({ employeeId: shop.staff.employeeId })
    const staff = shop.staffClient
    expect((await staff.put(by(was.id), { notes: 'x' })).status).toBe(404)
    expect((await staff.get(by(was.id))).status).toBe(404)
    expect((await staff.del(by(was.id))).status).toBe(404)
    const given = await staff.put(by(mine.id), { employeeId: shop.employeeId })
    expect([given.status, given.body.message]).toEqual([
      403,
      expect.stringContaining('appointments.write'),
    ])
    expect((await staff.put(by(mine.id), { employeeId: null })).status).toBe(403)
    expect((await staff.put(by(mine.id), { notes: 'Mine' })).status).toBe(200)
    expect((await staff.del(by(mine.id))).status).toBe(200)
  })

  it('400 without an id, 422 for fields that are wrong', async () => {
    expect((await shop.client.put(APPOINTMENTS, {})).body.details).toEqual([
      { field: 'id', message: 'required' },
    ])
    const was = await create()
    const { status, body } = await change(was.id, { price: 'much', status: 'gone' })
    expect(status).toBe(422)
    expect(body.details).toEqual([
      {
        field: 'status',
        message: 'expected one of "pending", "approved", "canceled", "completed"',
      },
      { field: 'price', message: 'expected integer' },
    ])
  })
})
