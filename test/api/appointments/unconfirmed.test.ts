import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../client.ts'
import { fireJob, readMessages } from '../../platform.ts'
import {
  at,
  atOnce,
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

// Earlier than the clocks of other tests, whose pending bookings and instant meetings the job leaves alone.
const BOOKED = '2027-01-04T13:00:00.000Z'
const LATER = minutesAfter(BOOKED, 30)
const SETTINGS = '/api/services/company-settings'
const visitor = clocked(client(), BOOKED)
const fire = () => fireJob('expiries', new Date(LATER))

/** A business that gives its customers half an hour to confirm. */
let shop: Shop
let owner: ReturnType<typeof clocked>
const confirmWithin = (confirmWithinMinutes: number | null) =>
  owner.patch(SETTINGS, { bookingPolicy: { autoConfirm: false, confirmWithinMinutes } })
beforeAll(async () => {
  shop = await openShop({ service: { enableRecurring: true } })
  owner = clocked(shop.client, BOOKED)
  await confirmWithin(30)
})
afterAll(closeRows)

let day = 5
const start = () => at('10:00', new Date(Date.UTC(2027, 0, ++day)).toISOString().slice(0, 10))

/** Books, and answers the answer with the ids of all dates. */
async function pending(more: object = {}, from = start(), serviceId = shop.serviceId) {
  const email = `${crypto.randomUUID()}@example.com`
  const { status, body } = await visitor.post(
    BOOK,
    bookingBy(serviceId, from, more, email),
    someAddress(),
  )
  expect([status, body.status]).toEqual([201, 'pending'])
  const uids = (body.occurrences as unknown as { uid: string }[] | null)?.map(o => o.uid)
  const found = await rows<{ id: number }>(
    'select id from appointments where uid = any($1) order by id',
    [uids ?? [body.uid]],
  )
  return { body, email, ids: found.map(row => Number(row.id)), from }
}
const read = async (id: unknown) => (await owner.get(by(id))).body.data
const subjects = async (to: string) =>
  (await readMessages({ to })).map(m => m.subject?.split(':')[0])

describe('POST /book that is not confirmed', () => {
  it('201 says by when, and so does the letter', async () => {
    const { body, email } = await pending()
    expect(body.confirmBy).toBe(LATER)
    await expect.poll(() => subjects(email)).toEqual(['Please confirm'])
    const [letter] = await readMessages({ to: email })
    expect(letter?.text).toContain('Confirm by: Mon, Jan 4, 1:30 PM')
  })

  it('is canceled by the job once, with one event and one letter, and frees its time', async () => {
    const { body, email, ids, from } = await pending()
    await Promise.all([fire(), fire()])
    expect(await read(ids[0])).toMatchObject({
      status: 'canceled',
      confirmBy: null,
      cancelledBy: 'system',
      cancellationReason: 'It was not confirmed in time',
    })
    expect(await eventsOf(shop.accountId, ids[0])).toEqual(['CREATED', 'CANCELLED'])
    const [customer] = await rows<{ n: number }>(
      'select total_bookings as n from customers where email = $1',
      [email],
    )
    expect(customer?.n).toBe(0)
    await clockedMessages(email, ['Canceled', 'Please confirm'])
    expect((await pending({}, from)).body.uid).not.toBe(body.uid)
  })

  it('is canceled with all dates of its series, and one letter tells of them', async () => {
    const { email, ids } = await pending({ recurrenceRule: 'weekly', recurrenceCount: 3 })
    await fire()
    for (const id of ids) expect((await read(id)).status).toBe('canceled')
    await clockedMessages(email, ['Canceled', 'Please confirm'])
  })

  it('tells of no date that was canceled before', async () => {
    const series = { recurrenceRule: 'weekly', recurrenceCount: 3 }
    const { email, ids } = await pending(series)
    const second = await read(ids[1])
    await owner.del(by(ids[1]))
    await clockedMessages(email, ['Canceled', 'Please confirm'])
    await fire()
    await clockedMessages(email, ['Canceled', 'Canceled', 'Please confirm'])
    const [letter] = await readMessages({ to: email })
    const days = await Promise.all(ids.map(async id => dayOf((await read(id)).startTime)))
    expect(days.map(day => letter!.text!.includes(day))).toEqual([true, false, true])
    expect(days[1]).toBe(dayOf(second.startTime))
  })

  it('gives its seat back', async () => {
    const serviceId = await shop.service({ enableGroupBooking: true, maxCapacity: 2 })
    const from = start()
    await pending({}, from, serviceId)
    await pending({}, from, serviceId)
    await fire()
    const [session] = await rows('select taken from group_sessions where service_id = $1', [
      serviceId,
    ])
    expect(session).toEqual({ taken: 0 })
    await pending({}, from, serviceId)
  })

  it('stays what it is when it was approved, begins before, or the policy says so', async () => {
    const approved = await pending()
    await owner.put(by(approved.ids[0]), { status: 'approved' })
    const soon = await pending({}, minutesAfter(BOOKED, 15))
    expect(soon.body.confirmBy).toBe(null)
    await confirmWithin(null)
    const lasting = await pending()
    await confirmWithin(30)
    expect(lasting.body.confirmBy).toBe(null)
    await fire()
    expect((await read(approved.ids[0])).status).toBe('approved')
    expect((await read(soon.ids[0])).status).toBe('pending')
    expect((await read(lasting.ids[0])).status).toBe('pending')
  })
})

/** A day as the letter writes it. */
const dayOf = (start: unknown): string =>
  new Date(String(start)).toLocaleDateString('en-US', {
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  })

/** The job queues; the next one sends. */
async function clockedMessages(to: string, expected: string[]) {
  await fireJob('messages', new Date(LATER))
  await expect.poll(() => subjects(to)).toEqual(expected)
}

describe('POST /book by telephone alone', () => {
  it('201 for eight first bookings at once, of one customer', async () => {
    const phone = `+1555${Math.floor(1_000_000 + Math.random() * 8_000_000)}`
    const replies = await atOnce(8, n =>
      visitor.post(
        BOOK,
        {
          serviceId: shop.serviceId,
          startTime: at(`1${n}:00`, '2027-04-05'),
          customer: { name: 'Tel', phone },
        },
        someAddress(),
      ),
    )
    expect(replies.map(r => r.status)).toEqual(Array(8).fill(201))
    const found = await rows('select total_bookings from customers where phone = $1', [phone])
    expect(found).toEqual([{ total_bookings: 8 }])
  })
})
