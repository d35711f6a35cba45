import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signToken } from '#lib/core/tokens.ts'
import {
  APPOINTMENTS,
  at,
  BOOK,
  bookingBy,
  by,
  clocked,
  closeRows,
  hourFrom,
  NOW,
  openShop,
  rows,
  type Shop,
  someAddress,
} from '../api/appointments/shop.ts'
import { client } from '../client.ts'
import { platform } from '../platform.ts'
import { type Receiver, startReceiver, until } from './receiver.ts'

let shop: Shop
let receiver: Receiver
const TYPES = ['CREATED', 'UPDATED', 'CANCELLED', 'COMPLETED'].map(t => `SERVICE_BOOKING_${t}`)
/** Another subscription to all, to one type, to none of these, and one that is switched off. */
const PATHS = { all: '/all', again: '/again', created: '/created', other: '/other', off: '/off' }

beforeAll(async () => {
  shop = await openShop()
  receiver = await startReceiver()
  const subscribe = (path: string, triggers: string[], more: object = {}) =>
    shop.id('webhooks', { subscriberUrl: receiver.url + path, triggers, ...more })
  await subscribe(PATHS.all, TYPES)
  await subscribe(PATHS.again, TYPES)
  await subscribe(PATHS.created, ['SERVICE_BOOKING_CREATED'])
  await subscribe(PATHS.other, ['BOOKING_CREATED', 'FORM_SUBMITTED'])
  await subscribe(PATHS.off, TYPES, { active: false })
})
afterAll(async () => {
  await receiver.stop()
  await closeRows()
})

let hour = 0
const nextHour = () => at('00:00', `2030-04-${String(1 + (hour++ % 28)).padStart(2, '0')}`)

/** The events of appointments since an id, with the number of their deliveries. */
const eventsSince = (id: number) =>
  rows<{ type: string; deliveries: number; subject_id: number }>(
    `select e.type, e.subject_id, (select count(*)::int from deliveries d
       where d.account_id = e.account_id and d.event_id = e.id) as deliveries
     from events e where e.account_id = $1 and e.id > $2 order by e.id`,
    [shop.accountId, id],
  )
const lastEvent = async () => {
  const [row] = await rows<{ id: string | null }>(
    'select max(id) as id from events where account_id = $1',
    [shop.accountId],
  )
  return Number(row?.id ?? 0)
}

/** What some work emits, as `type: deliveries`, in order. */
async function emitted(work: () => Promise<unknown>): Promise<string[]> {
  const before = await lastEvent()
  await work()
  const found = await eventsSince(before)
  return found.map(e => `${e.type.replace('SERVICE_BOOKING_', '')}: ${e.deliveries}`)
}

const expectStatus = async (status: number, answer: Promise<{ status: number; text: string }>) => {
  const { text, ...rest } = await answer
  expect(rest, text).toMatchObject({ status })
}

const book = (more: object = {}) =>
  shop.make('appointments', {
    ...hourFrom(nextHour()),
    serviceId: shop.serviceId,
    employeeId: shop.employeeId,
    ...more,
  })
const visitor = clocked(client())

describe('a subscription to service bookings gets one event', () => {
  it('of an appointment made with a key', async () => {
    expect(await emitted(() => book())).toEqual(['CREATED: 3'])
  })

  it('of an appointment that a visitor books', async () => {
    const booking = bookingBy(shop.serviceId, nextHour(), { employeeId: shop.employeeId })
    const send = () => expectStatus(201, visitor.post(BOOK, booking, someAddress()))
    expect(await emitted(send)).toEqual(['CREATED: 3'])
  })

  it('of each appointment of a series', async () => {
    const series = { recurrenceRule: 'weekly', recurrenceCount: 3 }
    expect(
      await emitted(() => book({ ...series, ...hourFrom(at('05:00', '2030-05-01')) })),
    ).toEqual(['CREATED: 3', 'CREATED: 3', 'CREATED: 3'])
  })

  it('of every seat of a session, when it is taken and when the session is canceled', async () => {
    const serviceId = await shop.service({ maxCapacity: 3, enableGroupBooking: true })
    const time = hourFrom(at('20:00', '2030-05-02'))
    const seats: number[] = []
    const join = async () => {
      const customerId = await shop.customer()
      seats.push(Number((await book({ ...time, serviceId, customerId })).id))
    }
    expect(await emitted(join)).toEqual(['CREATED: 3'])
    expect(await emitted(join)).toEqual(['CREATED: 3'])
    const cancel = () => expectStatus(200, shop.client.del(`${by(seats[0])}&scope=session`))
    expect(await emitted(cancel)).toEqual(['CANCELLED: 2', 'CANCELLED: 2'])
  })

  it('of a change, an approval, a completion and a cancellation', async () => {
    const { id } = await book({ status: 'pending' })
    const put = (change: object) => () => expectStatus(200, shop.client.put(by(id), change))
    expect(await emitted(put({ notes: 'Bring a towel' }))).toEqual(['UPDATED: 2'])
    expect(await emitted(put({ status: 'approved' }))).toEqual(['UPDATED: 2'])
    const late = clocked(shop.client, '2031-01-01T00:00:00Z')
    const complete = () => expectStatus(200, late.put(by(id), { status: 'completed' }))
    expect(await emitted(complete)).toEqual(['COMPLETED: 2'])
    const other = await book()
    const cancel = () => expectStatus(200, shop.client.put(by(other.id), { status: 'canceled' }))
    expect(await emitted(cancel)).toEqual(['CANCELLED: 2'])
    const third = await book()
    expect(await emitted(() => expectStatus(200, shop.client.del(by(third.id))))).toEqual([
      'CANCELLED: 2',
    ])
  })

  it('of a change once, and none of what is so already', async () => {
    const made = await book()
    const put = (change: object) => () => expectStatus(200, shop.client.put(by(made.id), change))
    const change = { notes: 'Bring a towel', internalNotes: 'Late', timeZone: 'UTC', noShow: true }
    expect(await emitted(put(change))).toEqual(['UPDATED: 2'])
    const { startTime, endTime, employeeId, price, resourceIds } = made
    for (const same of [change, {}, { status: 'approved' }, { cancellationReason: 'None' }])
      expect(await emitted(put(same)), JSON.stringify(same)).toEqual([])
    const read = { startTime, endTime, employeeId, price, resourceIds }
    expect(await emitted(put(read))).toEqual([])
    expect((await shop.client.get(by(made.id))).body.data).toMatchObject({ version: 1 })
  })

  it('of a confirmation by the link of an e-mail, once however often it is followed', async () => {
    const { uid } = await book({ status: 'pending' })
    const token = await signToken(platform().bindings.APP_SECRET!, {
      purpose: 'confirm',
      subject: String(uid),
      expiresAt: new Date('2031-01-01T00:00:00Z'),
    })
    const confirm = () =>
      expectStatus(200, visitor.post('/api/services/confirm-appointment', { token }, someAddress()))
    expect(await emitted(confirm)).toEqual(['UPDATED: 2'])
    expect(await emitted(confirm)).toEqual([])
  })

  it('of what a customer does by the link of an e-mail: moving it, canceling it', async () => {
    const customerId = await shop.customer()
    const { uid } = await book({ customerId, ...hourFrom(at('06:00', '2030-05-20')) })
    const act = (what: string, body: object) => () =>
      expectStatus(200, visitor.post(`/a/${uid}/${what}`, body, someAddress()))
    expect(await emitted(act('move', { start: at('09:00', '2030-05-20') }))).toEqual(['UPDATED: 2'])
    expect(await emitted(act('cancel', {}))).toEqual(['CANCELLED: 2'])
  })

  it('of one of twenty cancellations at once', async () => {
    const { id } = await book()
    const before = await lastEvent()
    const cancel = () => shop.client.put(by(id), { status: 'canceled' })
    const answers = await Promise.all(Array.from({ length: 20 }, cancel))
    expect(answers.filter(a => a.status === 200)).toHaveLength(1)
    expect((await eventsSince(before)).map(e => e.type)).toEqual(['SERVICE_BOOKING_CANCELLED'])
  })

  it('and none of what was refused', async () => {
    const time = hourFrom(at('10:00', '2030-05-09'))
    await book(time)
    const body = { ...time, serviceId: shop.serviceId, employeeId: shop.employeeId }
    const clash = () => expectStatus(409, shop.client.post(APPOINTMENTS, body))
    expect(await emitted(clash)).toEqual([])
  })

  it('and each is sent after the answer, without a job, to those who asked for it', async () => {
    const { id, uid } = await book()
    const got = (path: string) => receiver.at(path).filter(({ json }) => json.payload.id === id)
    await until(() => got(PATHS.all)[0] && got(PATHS.again)[0] && got(PATHS.created)[0])
    expect(got(PATHS.all)[0]!.json).toMatchObject({
      triggerEvent: 'SERVICE_BOOKING_CREATED',
      createdAt: NOW,
      payload: { id, uid, status: 'approved', previousStatus: null },
    })
    for (const path of [PATHS.other, PATHS.off]) expect(receiver.at(path)).toEqual([])
    expect(new Set(receiver.at(PATHS.created).map(r => r.json.triggerEvent)).size).toBe(1)
  })

  it('whose payload begins with the shape of every booking', async () => {
    const customerId = await shop.customer({ name: 'Ann', timeZone: 'Europe/Berlin' })
    const { id, startTime, endTime } = await book({ customerId })
    const got = await until(() => receiver.at(PATHS.all).find(r => r.json.payload.id === id))
    const { payload } = got.json
    const first = ['id', 'uid', 'title', 'type', 'startTime', 'endTime', 'organizer', 'attendees']
    expect(Object.keys(payload).slice(0, first.length)).toEqual(first)
    expect(payload).toMatchObject({
      startTime,
      endTime,
      attendees: [{ name: 'Ann', email: expect.any(String), timeZone: 'Europe/Berlin' }],
      service: { id: shop.serviceId },
      employee: { id: shop.employeeId },
      price: 5000,
      currency: 'usd',
    })
  })
})
