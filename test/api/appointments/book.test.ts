import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../client.ts'
import { platform, readMessages } from '../../platform.ts'
import {
  at,
  BOOK,
  bookingBy,
  by,
  clocked,
  closeRows,
  eventsOf,
  minutesAfter,
  openShop,
  rows,
  type Shop,
  someAddress,
} from './shop.ts'

const visitor = clocked(client())
let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(closeRows)

let day = 0
const start = () => at('10:00', new Date(Date.UTC(2030, 3, ++day)).toISOString().slice(0, 10))
const book = (from: string, more: object = {}, email?: string) =>
  visitor.post(BOOK, bookingBy(shop.serviceId, from, more, email), someAddress())
const someEmail = () => `${crypto.randomUUID()}@example.com`
const stored = async (uid: unknown) => {
  const [row] = await rows('select * from appointments where uid = $1', [uid])
  return row
}

describe('POST /book', () => {
  it('201 with what concerns the one who booked, and nothing else', async () => {
    const startTime = start()
    const email = someEmail()
    const { status, body, headers } = await book(startTime, {}, email)
    expect(status).toBe(201)
    expect(body).toEqual({
      uid: expect.stringMatching(/^[\w-]{22}$/),
      status: 'approved',
      confirmBy: null,
      startTime,
      endTime: minutesAfter(startTime, 60),
      timeZone: null,
      price: 5000,
      currency: 'usd',
      depositAmount: 0,
      amountDue: 5000,
      paymentRequired: false,
      isGroupBooking: false,
      attendees: null,
      service: { id: shop.serviceId, name: expect.any(String) },
      employee: { id: shop.employeeId, name: expect.any(String) },
      location: null,
      occurrences: null,
      manageUrl: expect.stringMatching(/^http.*\/a\/[\w-]{22}$/),
      icsUrl: expect.stringMatching(/^http.*\/a\/[\w-]{22}\/calendar\.ics$/),
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('x-ratelimit-limit')).toBeTruthy()
    const row = await stored(body.uid)
    expect(row).toMatchObject({ source: 'public', internal_notes: null, status: 'approved' })
    expect(await eventsOf(shop.accountId, row?.id)).toEqual(['CREATED'])
    await expect
      .poll(() => readMessages({ to: email }))
      .toMatchObject([{ subject: expect.stringMatching(/^Confirmed: /) }])
  })

  it('201 with what was sent kept for the business', async () => {
    const email = someEmail()
    const customer = {
      name: ' Vera ',
      email,
      phone: '+1 (555) 010-9999',
      timeZone: 'Asia/Tokyo',
      language: 'ja',
      notes: 'Second floor',
    }
    const more = { customer, smsConsent: true, customFields: { shoe: 42 } }
    const { body } = await book(start(), more)
    expect(body.timeZone).toBe('Asia/Tokyo')
    const row = await stored(body.uid)
    const { body: kept } = await shop.client.get(`/api/services/appointments?id=${row?.id}`)
    expect(kept.data).toMatchObject({ notes: 'Second floor', customFields: { shoe: 42 } })
    expect(body).not.toHaveProperty('customFields')
    const made = (await shop.client.get(`/api/services/customers?id=${row?.customer_id}`)).body.data
    expect(made).toMatchObject({
      name: 'Vera',
      email,
      phone: '+15550109999',
      totalBookings: 1,
      smsConsent: true,
    })
  })

  it('201 for a known customer by e-mail, whatever its case, telling nothing of them', async () => {
    const email = `Known-${someEmail()}`
    const secret = { name: 'Real Name', email, phone: '+15550100001', notes: 'Owes money' }
    const customerId = await shop.customer(secret)
    const stranger = await book(start(), { customer: { name: 'Mallory', email: someEmail() } })
    const known = await book(start(), { customer: { name: 'Mallory', email: email.toUpperCase() } })
    expect([stranger.status, known.status]).toEqual([201, 201])
    expect(Object.keys(known.body)).toEqual(Object.keys(stranger.body))
    expect(known.text).not.toMatch(/Real Name|0100001|Owes|nown-/)
    expect(await stored(known.body.uid)).toMatchObject({ customer_id: customerId })
    const { data } = (await shop.client.get(`/api/services/customers?id=${customerId}`)).body
    expect(data).toMatchObject({ ...secret, totalBookings: 1 })
  })

  it('201 for a known customer by telephone where no e-mail is given', async () => {
    const phone = `+1555${String(Math.random()).slice(2, 9)}`
    const customerId = await shop.customer({ phone })
    const { body } = await book(start(), { customer: { name: 'Vera', phone } })
    expect(await stored(body.uid)).toMatchObject({ customer_id: customerId })
    const both = await book(start(), { customer: { name: 'Vera', phone, email: someEmail() } })
    expect((await stored(both.body.uid))?.customer_id).not.toBe(customerId)
  })

  it('201 with extras, their price and their time', async () => {
    const serviceId = await shop.service({ depositType: 'percentage', depositAmount: 20 })
    const extra = await shop.id('extras', {
      name: 'Mask',
      price: 250,
      duration: 15,
      maxQuantity: 2,
      serviceIds: [serviceId],
    })
    const from = start()
    const { body } = await book(from, { serviceId, extras: [{ id: extra, quantity: 2 }] })
    expect(body).toMatchObject({
      endTime: minutesAfter(from, 90),
      price: 5500,
      depositAmount: 1100,
      paymentRequired: true,
      amountDue: 5500,
    })
    expect((await book(minutesAfter(from, 75), { serviceId })).status).toBe(409)
    const before = await book(minutesAfter(from, -75), {
      serviceId,
      extras: [{ id: extra, quantity: 2 }],
    })
    expect(before.status).toBe(409)
    const foreign = await book(start(), { extras: [{ id: extra }] })
    expect([foreign.status, foreign.body.message]).toEqual([404, 'Extra does not exist'])
  })

  it('201 once for one Idempotency-Key', async () => {
    const headers = { ...someAddress(), 'Idempotency-Key': crypto.randomUUID() }
    const body = bookingBy(shop.serviceId, start())
    const [first, again] = [
      await visitor.post(BOOK, body, headers),
      await visitor.post(BOOK, body, headers),
    ]
    expect([first.status, again.text]).toEqual([201, first.text])
    const other = await visitor.post(BOOK, bookingBy(shop.serviceId, start()), headers)
    expect(other.status).toBe(422)
  })

  it('201 with the employee who has least to do that day, then whom nobody booked for longest', async () => {
    const serviceId = await shop.service()
    const single = `/api/services/employees?id=${shop.employeeId}`
    await shop.client.put(single, { serviceIds: [shop.serviceId] })
    const ids: number[] = []
    for (const name of ['A', 'B', 'C'])
      ids.push(await shop.employee({ name, serviceIds: [serviceId] }))
    const [a, b, c] = ids
    const from = start()
    const create = (employeeId: unknown, startTime: string, minutes: number) =>
      shop.make('appointments', {
        serviceId: shop.serviceId,
        employeeId,
        startTime,
        endTime: minutesAfter(startTime, minutes),
      })
    await create(a, minutesAfter(from, 120), 30)
    await create(b, minutesAfter(from, 120), 60)
    // Busy the day before, which does not count.
    await create(c, minutesAfter(from, -1440), 300)
    const took = async () => Number((await book(from, { serviceId })).body.employee?.id)
    expect([await took(), await took(), await took()]).toEqual([c, a, b])
    const next = minutesAfter(from, 1440)
    const [first, second] = [
      await book(next, { serviceId }),
      await book(minutesAfter(next, 60), { serviceId }),
    ]
    // All three have the day off and were booked by the same clock: the lowest id, then another.
    expect(Number(first.body.employee?.id)).toBe(a)
    expect(Number(second.body.employee?.id)).toBe(b)
  })

  it('204 with what a browser may send', async () => {
    const { status, headers } = await fetch(`${platform().url}${BOOK}`, { method: 'OPTIONS' })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-methods')).toContain('POST')
    expect(headers.get('access-control-allow-headers')).toContain('content-type')
  })

  it('201 is the same through the front door: the business reads it', async () => {
    const { body } = await book(start())
    const row = await stored(body.uid)
    expect((await shop.client.get(by(row?.id))).body.data).toMatchObject({
      uid: body.uid,
      source: 'public',
      customer: { name: 'Vera Visitor' },
    })
  })
})
