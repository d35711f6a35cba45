import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMember } from '../../client.ts'
import {
  APPOINTMENTS,
  at,
  by,
  closeRows,
  eventsOf,
  hourFrom,
  minutesAfter,
  openShop,
  type Shop,
} from './shop.ts'

let shop: Shop
let locationId: number
beforeAll(async () => {
  shop = await openShop()
  locationId = await shop.id('locations', { name: 'Here' })
})
afterAll(closeRows)

let day = 0
/** A start that no other test of this file uses. */
const start = () => at('10:00', new Date(Date.UTC(2031, 0, ++day)).toISOString().slice(0, 10))
const create = (more: object = {}, from = start()) =>
  shop.client.post(APPOINTMENTS, { serviceId: shop.serviceId, ...hourFrom(from), ...more })

describe('POST /appointments', () => {
  it('201 with every field and its default', async () => {
    const startTime = start()
    const { status, body } = await create({}, startTime)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(Number),
      uid: expect.stringMatching(/^[\w-]{22}$/),
      serviceId: shop.serviceId,
      customerId: null,
      employeeId: null,
      locationId: null,
      startTime,
      endTime: minutesAfter(startTime, 60),
      status: 'approved',
      price: 5000,
      currency: 'usd',
      depositAmount: 0,
      taxAmount: 0,
      totalAmount: 5000,
      amountPaid: 0,
      paymentStatus: 'unpaid',
      recurrenceRule: null,
      recurrenceCount: null,
      seriesId: null,
      seriesIndex: null,
      isGroupBooking: false,
      persons: 1,
      attendees: [],
      extras: [],
      resourceIds: [],
      timeZone: null,
      notes: null,
      internalNotes: null,
      customFields: {},
      confirmBy: null,
      cancellationReason: null,
      cancelledBy: null,
      noShow: false,
      source: 'api',
      version: 0,
      service: { id: shop.serviceId, name: expect.any(String) },
      customer: null,
      employee: null,
      location: null,
      createdAt: '2030-03-04T13:00:00.000Z',
      updatedAt: '2030-03-04T13:00:00.000Z',
    })
    expect(await eventsOf(shop.accountId, body.id)).toEqual(['CREATED'])
    expect((await shop.client.get(by(body.id))).body.data).toEqual(body)
  })

  it('201 with all that was given, in UTC', async () => {
    const customerId = await shop.customer({ name: 'Cleo', email: 'cleo@example.com' })
    const guest = await shop.customer()
    const resourceId = await shop.id('resources', { locationId, name: 'Bed' })
    const attendees = [{ name: 'Guest', customerId: guest, persons: 2, email: 'g@example.com' }]
    const { status, body } = await create({
      customerId,
      employeeId: shop.employeeId,
      locationId,
      status: 'pending',
      price: 1234,
      attendees,
      notes: ' Please ring ',
      internalNotes: 'VIP',
      timeZone: 'Asia/Tokyo',
      resourceIds: [resourceId, resourceId],
      startTime: '2030-07-01T23:30:00+05:45',
      endTime: '2030-07-01T18:15:00.000Z',
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      startTime: '2030-07-01T17:45:00.000Z',
      endTime: '2030-07-01T18:15:00.000Z',
      status: 'pending',
      price: 1234,
      totalAmount: 1234,
      attendees,
      persons: 2,
      notes: 'Please ring',
      internalNotes: 'VIP',
      timeZone: 'Asia/Tokyo',
      resourceIds: [resourceId],
      customer: { id: customerId, name: 'Cleo', email: 'cleo@example.com' },
      employee: { id: shop.employeeId },
      location: { id: locationId, name: 'Here' },
    })
  })

  it('201 with each who comes whole: what nobody said of them is null', async () => {
    const { body } = await create({ attendees: [{ name: 'Ann' }, { name: 'Ben', persons: 2 }] })
    const unknown = { email: null, phone: null, customerId: null, status: 'approved' }
    expect(body.attendees).toEqual([
      { name: 'Ann', persons: 1, ...unknown },
      { name: 'Ben', persons: 2, ...unknown },
    ])
  })

  it('201 at the place of the service where none is named', async () => {
    const serviceId = await shop.service({ locationId })
    expect((await create({ serviceId })).body).toMatchObject({ locationId })
  })

  it.each([
    [{ depositType: 'fixed', depositAmount: 1500 }, {}, 1500],
    [{ depositType: 'fixed', depositAmount: 9000 }, {}, 5000],
    [{ depositType: 'percentage', depositAmount: 12.5 }, {}, 625],
    [{ depositType: 'percentage', depositAmount: 50 }, { price: 101 }, 51],
    [{ depositType: 'none' }, {}, 0],
  ])('201 with the deposit of %j', async (service, more, depositAmount) => {
    const serviceId = await shop.service(service)
    expect((await create({ serviceId, ...more })).body).toMatchObject({ depositAmount })
  })

  it('201 with extras as they are then, and their price', async () => {
    const extraId = await shop.id('extras', {
      name: 'Oil',
      price: 700,
      duration: 10,
      maxQuantity: 3,
      serviceIds: [shop.serviceId],
    })
    const { body } = await create({ extras: [{ id: extraId, quantity: 2 }] })
    const kept = { id: extraId, name: 'Oil', price: 700, duration: 10, quantity: 2 }
    expect(body).toMatchObject({ price: 6400, totalAmount: 6400, extras: [kept] })
    await shop.client.patch(`/api/services/extras?id=${extraId}`, { name: 'Wax', price: 1 })
    expect((await shop.client.get(by(body.id))).body.data.extras).toEqual([kept])
    const tooMany = await create({ extras: [{ id: extraId }, { id: extraId, quantity: 4 }] })
    expect(tooMany.status).toBe(422)
    expect(tooMany.body.details).toEqual([
      { field: 'extras.1.quantity', message: 'is more than can be booked of it' },
    ])
  })

  it('201 outside working hours, in the past, and for what is over, without taking time', async () => {
    const startTime = '2029-01-01T03:00:00.000Z'
    const more = { employeeId: shop.employeeId }
    for (const status of ['completed', 'canceled', 'approved'])
      expect((await create({ ...more, status }, startTime)).status).toBe(201)
    expect((await create(more, startTime)).status).toBe(409)
  })

  it('201 with totals for the customer, unless it is canceled', async () => {
    const customerId = await shop.customer()
    await create({ customerId })
    await create({ customerId, status: 'canceled' })
    await create({ customerId, status: 'completed' }, '2029-02-01T10:00:00.000Z')
    const { body } = await shop.client.get(`/api/services/customers?id=${customerId}`)
    expect(body.data.totalBookings).toBe(2)
  })

  it('409 when the employee is taken, buffers included, and then nothing is made', async () => {
    const serviceId = await shop.service({ bufferTimeBefore: 10, bufferTimeAfter: 20 })
    const employeeId = await shop.employee()
    const from = start()
    expect((await create({ serviceId, employeeId }, from)).status).toBe(201)
    for (const minutes of [-89, 0, 30, 89]) {
      const { status, body } = await create({ serviceId, employeeId }, minutesAfter(from, minutes))
      expect([minutes, status]).toEqual([minutes, 409])
      expect(body).toEqual({
        status: 'error',
        error: 'CONFLICT',
        message: 'This time is already booked',
        details: [{ field: 'startTime', message: 'employee busy' }],
      })
    }
    for (const minutes of [-90, 90])
      expect((await create({ serviceId, employeeId }, minutesAfter(from, minutes))).status).toBe(
        201,
      )
    const listed = await shop.client.get(`${APPOINTMENTS}?employeeId=${employeeId}`)
    expect(listed.items).toHaveLength(3)
  })

  it('409 when a resource is used up or switched off, and in one with another employee', async () => {
    const resourceId = await shop.id('resources', { locationId, name: 'Laser', quantity: 2 })
    const serviceId = await shop.service({ resources: [{ resourceId, quantity: 2 }] })
    const from = start()
    // The service needs both already: naming the resource again asks for no third.
    expect((await create({ serviceId, resourceIds: [resourceId] }, from)).status).toBe(201)
    const lost = await create({ resourceIds: [resourceId] }, minutesAfter(from, 59))
    expect(lost.status).toBe(409)
    expect(lost.body.details).toEqual([
      { field: 'startTime', message: 'A resource that this needs is in use at this time' },
    ])
    expect((await create({ serviceId }, minutesAfter(from, 60))).status).toBe(201)
    await shop.client.put(`/api/services/resources?id=${resourceId}`, { active: false })
    expect((await create({ serviceId })).status).toBe(409)
  })

  it('409 for an employee who is not active, and for what is completed before it starts', async () => {
    const employeeId = await shop.employee({ active: false })
    expect((await create({ employeeId })).body.message).toBe('The employee is not active')
    const early = await create({ status: 'completed' })
    expect(early.status).toBe(409)
    expect(early.body.details).toEqual([
      { field: 'status', message: 'cannot be "completed" before startTime' },
    ])
  })

  it('403 for an appointment of somebody else by staff, 201 for their own', async () => {
    const body = { serviceId: shop.serviceId, ...hourFrom(start()) }
    const refused = await shop.staffClient.post(APPOINTMENTS, {
      ...body,
      employeeId: shop.employeeId,
    })
    expect(refused.status).toBe(403)
    expect(refused.body.message).toContain('appointments.write')
    const made = await shop.staffClient.post(APPOINTMENTS, body)
    expect(made.status).toBe(201)
    expect(made.body.employeeId).toBe(shop.staff.employeeId)
    const manager = await createMember(shop.accountId, 'manager')
    const theirs = { ...body, employeeId: shop.employeeId }
    expect((await manager.post(APPOINTMENTS, theirs)).status).toBe(201)
  })

  it('404 for a customer of others by staff, 201 for one they have had', async () => {
    const customerId = await shop.customer({ phone: '+15550101234' })
    const { employeeId } = shop.staff
    const body = () => ({ serviceId: shop.serviceId, ...hourFrom(start()) })
    const post = (more: object) => shop.staffClient.post(APPOINTMENTS, { ...body(), ...more })
    const own = await post({})
    const put = (more: object) => shop.staffClient.put(by(own.body.id), more)
    const attendees = [{ name: 'Guest', customerId }]
    const named = () =>
      Promise.all([
        post({ customerId }),
        post({ attendees }),
        put({ customerId }),
        put({ attendees }),
      ])
    const before = await named()
    expect(before.map(r => [r.status, r.body.message])).toEqual(
      Array(4).fill([404, 'Customer does not exist']),
    )
    await shop.make('appointments', { ...body(), employeeId, customerId })
    expect((await named()).map(r => r.status)).toEqual([201, 201, 200, 200])
  })

  it('201 once for one Idempotency-Key, whatever it is asked again', async () => {
    const key = { 'Idempotency-Key': crypto.randomUUID() }
    const body = { serviceId: shop.serviceId, ...hourFrom(start()), employeeId: shop.employeeId }
    const first = await shop.client.post(APPOINTMENTS, body, key)
    const again = await shop.client.post(APPOINTMENTS, body, key)
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })
})
