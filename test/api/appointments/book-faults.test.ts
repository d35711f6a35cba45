import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client, type Reply } from '../../client.ts'
import { roomInMinute } from '../../platform.ts'
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
  type Shop,
  someAddress,
  tally,
} from './shop.ts'

const visitor = clocked(client())
/** What a browser sends along for a script. */
const FROM_A_SITE = { Origin: 'https://studio.example' }
let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(closeRows)

let day = 0
const start = () => at('10:00', new Date(Date.UTC(2030, 3, ++day)).toISOString().slice(0, 10))
const book = (from: string, more: object = {}, email?: string) =>
  visitor.post(BOOK, bookingBy(shop.serviceId, from, more, email), {
    ...someAddress(),
    ...FROM_A_SITE,
  })
const someEmail = () => `${crypto.randomUUID()}@example.com`
describe('POST /book', () => {
  it('404 for a service that is unknown, not active or deleted', async () => {
    const inactive = await shop.service({ active: false })
    const deleted = await shop.service()
    await book(start(), { serviceId: deleted })
    await shop.client.del(`/api/services/services?id=${deleted}`)
    for (const serviceId of [2_147_483_647, inactive, deleted]) {
      const { status, body } = await book(start(), { serviceId })
      expect([status, body.message]).toEqual([404, 'Service does not exist'])
    }
  })

  it('404 for an employee or location of another account', async () => {
    const other = await openShop()
    const locationId = await other.id('locations', { name: 'There' })
    expect((await book(start(), { employeeId: other.employeeId })).body.message).toBe(
      'Employee does not exist',
    )
    expect((await book(start(), { locationId })).body.message).toBe('Location does not exist')
  })

  it('422 for more answers to questions than anybody asks', async () => {
    const customFields = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`q${i}`, 'yes']))
    const { status, body } = await book(start(), { customFields })
    expect([status, body.details]).toEqual([
      422,
      [{ field: 'customFields', message: 'must have at most 100 fields' }],
    ])
  })

  it('409 for a start that is not offered, by the grid or by another booking', async () => {
    const from = start()
    await shop.make('appointments', {
      serviceId: shop.serviceId,
      employeeId: shop.employeeId,
      ...hourFrom(from),
    })
    for (const startTime of [
      from,
      minutesAfter(from, 45),
      minutesAfter(from, 61),
      minutesAfter(NOW, -15),
    ]) {
      const { status, body } = await book(startTime)
      expect([startTime, status]).toEqual([startTime, 409])
      expect(body).toEqual({
        status: 'error',
        error: 'CONFLICT',
        message: 'This time is not available',
        details: [{ field: 'startTime', message: 'is not one of the offered starts' }],
      })
    }
  })

  it('409 for a customer who is elsewhere at that time', async () => {
    const email = someEmail()
    const from = start()
    const employees = await Promise.all([1, 2].map(() => shop.employee()))
    expect((await book(from, { employeeId: employees[0] }, email)).status).toBe(201)
    const { status, body } = await book(minutesAfter(from, 30), { employeeId: employees[1] }, email)
    expect([status, body.details]).toEqual([
      409,
      [{ field: 'startTime', message: 'You have an appointment at this time' }],
    ])
    const next = await book(minutesAfter(from, 60), { employeeId: employees[1] }, email)
    expect(next.status).toBe(201)
  })

  it('409 for a customer with fifty appointments ahead', async () => {
    const email = someEmail()
    const customerId = await shop.customer({ email })
    await shop.make('appointments', {
      serviceId: shop.serviceId,
      customerId,
      ...hourFrom('2030-03-05T10:00:00Z'),
      recurrenceRule: 'weekly',
      recurrenceCount: 50,
    })
    const { status, body } = await book(start(), {}, email)
    expect([status, body.message]).toEqual([409, expect.stringContaining('too many appointments')])
  })

  it.each([
    [{ customer: undefined }, 'customer', 'required'],
    [{ customer: { email: 'a@b.co' } }, 'customer.name', 'required'],
    [{ customer: { name: 'V' } }, 'customer.email', 'required, unless phone is given'],
    [{ customer: { name: 'V', email: 'x' } }, 'customer.email', 'expected an e-mail address'],
    [{ startTime: undefined }, 'startTime', 'required'],
    [{ serviceId: null }, 'serviceId', 'expected integer'],
    [{ persons: 2 }, 'persons', 'must be at most 1 for this service'],
    [
      { attendees: [{ name: 'A' }, { name: 'B' }] },
      'attendees',
      'must be at most 1 for this service',
    ],
    [
      { endTime: '2030-03-20T10:30:00Z' },
      'endTime',
      'must be 2030-03-20T11:00:00.000Z, or left out',
    ],
  ])('422 for %j', async (more, field, message) => {
    const { status, body, headers } = await book(at('10:00'), more)
    expect([status, body.details]).toEqual([422, [{ field, message }]])
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  it('429 for the 31st in a minute of one address and service', async () => {
    await roomInMinute()
    const from = start()
    const minute = () => Math.floor(Date.now() / 60_000)
    let headers: Record<string, string>
    let replies: Reply[]
    let began: number
    do {
      began = minute()
      headers = { ...someAddress(), ...FROM_A_SITE }
      replies = []
      for (let n = 0; n < 31; n++) {
        const body = bookingBy(shop.serviceId, minutesAfter(from, n * 1440 + 7))
        replies.push(await visitor.post(BOOK, body, headers))
      }
      // The count begins anew with each minute by the real clock.
    } while (minute() !== began)
    expect(tally(replies)).toEqual({ 409: 30, 429: 1 })
    const refused = replies.find(r => r.status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused?.headers.get('access-control-allow-origin')).toBe('*')
    expect((await book(from)).status).toBe(201)
  })
})
