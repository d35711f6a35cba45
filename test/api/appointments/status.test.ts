import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Body } from '../../client.ts'
import { APPOINTMENTS, at, by, closeRows, eventsOf, hourFrom, openShop, type Shop } from './shop.ts'

let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(closeRows)

/** Before the tests' clock, so that anything can be completed. */
let day = 0
const past = () => at('10:00', new Date(Date.UTC(2029, 0, ++day)).toISOString().slice(0, 10))
const create = async (more: object = {}, from = past()): Promise<Body> => {
  const { serviceId, employeeId } = shop
  const body = { serviceId, employeeId, ...hourFrom(from), ...more }
  const made = await shop.client.post(APPOINTMENTS, body)
  expect(made, made.text).toMatchObject({ status: 201 })
  return made.body
}
const STATUSES = ['pending', 'approved', 'canceled', 'completed'] as const
type Status = (typeof STATUSES)[number]
/** The event of each allowed move, if it is one; whatever is not here is refused. */
const MOVES: Partial<Record<Status, Partial<Record<Status, string | null>>>> = {
  pending: { pending: null, approved: 'UPDATED', canceled: 'CANCELLED' },
  approved: { approved: null, completed: 'COMPLETED', canceled: 'CANCELLED' },
}
const table = STATUSES.flatMap(from => STATUSES.map(to => [from, to, MOVES[from]?.[to]] as const))
const takesTime = async (startTime: unknown) => {
  const { serviceId, employeeId } = shop
  const body = { serviceId, employeeId, ...hourFrom(String(startTime)) }
  const probe = await shop.client.post(APPOINTMENTS, body)
  return probe.status === 409
}

describe('PUT /appointments', () => {
  it.each(table)('from %s to %s: %s', async (from, to, event) => {
    const was = await create({ status: from })
    const { status, body } = await shop.client.put(by(was.id), { status: to })
    const now = (await shop.client.get(by(was.id))).body.data
    const events = await eventsOf(shop.accountId, was.id)
    if (event !== undefined) {
      const since = event === null ? [] : [event]
      expect([status, body.data, events]).toEqual([200, now, ['CREATED', ...since]])
      expect(now).toMatchObject({ status: to, version: since.length })
    } else {
      expect([status, now, events]).toEqual([409, was, ['CREATED']])
      expect(body.details).toEqual([
        { field: 'status', message: `cannot go from "${from}" to "${to}"` },
      ])
    }
    const final = event === undefined ? from : to
    expect(await takesTime(was.startTime)).toBe(final === 'pending' || final === 'approved')
  })

  it('409 for completing what has not started, 200 from its start on', async () => {
    const was = await create({}, '2030-03-04T13:30:00.000Z')
    const early = await shop.client.put(by(was.id), { status: 'completed' })
    expect([early.status, early.body.details]).toEqual([
      409,
      [{ field: 'status', message: 'cannot be "completed" before startTime' }],
    ])
    const clock = { 'X-Test-Now': '2030-03-04T13:30:00.000Z' }
    const late = await shop.client.put(by(was.id), { status: 'completed' }, clock)
    expect(late.status).toBe(200)
  })

  it('200 with the reason for a cancellation, and who canceled', async () => {
    const was = await create({ status: 'pending' })
    const change = { status: 'canceled', cancellationReason: 'Ill' }
    expect((await shop.client.put(by(was.id), change)).body.data).toMatchObject({
      cancellationReason: 'Ill',
      cancelledBy: 'business',
    })
  })
})

describe('DELETE /appointments', () => {
  it('200 cancels what is live, then hides it, then 404', async () => {
    const customerId = await shop.customer()
    const was = await create({ customerId })
    const first = await shop.client.del(`${by(was.id)}&reason=Snow`)
    expect([first.status, first.body]).toEqual([
      200,
      { status: 'success', data: { id: was.id, deleted: true } },
    ])
    expect((await shop.client.get(by(was.id))).body.data).toMatchObject({
      status: 'canceled',
      cancellationReason: 'Snow',
      cancelledBy: 'business',
    })
    expect(await takesTime(was.startTime)).toBe(false)
    expect((await shop.client.del(by(was.id))).status).toBe(200)
    expect((await shop.client.get(by(was.id))).status).toBe(404)
    expect((await shop.client.del(by(was.id))).status).toBe(404)
    const listed = await shop.client.get(`${APPOINTMENTS}?customerId=${customerId}`)
    expect(listed.items).toEqual([])
    expect(await eventsOf(shop.accountId, was.id)).toEqual(['CREATED', 'CANCELLED'])
    const customer = await shop.client.get(`/api/services/customers?id=${customerId}`)
    expect(customer.body.data.totalBookings).toBe(0)
  })

  it('200 hides what is completed at once, and it still counts', async () => {
    const customerId = await shop.customer()
    const was = await create({ customerId, status: 'completed' })
    expect((await shop.client.del(by(was.id))).status).toBe(200)
    expect((await shop.client.get(by(was.id))).status).toBe(404)
    expect(await eventsOf(shop.accountId, was.id)).toEqual(['CREATED'])
    const customer = await shop.client.get(`/api/services/customers?id=${customerId}`)
    expect(customer.body.data.totalBookings).toBe(1)
  })

  it('400 without an id or with a scope that is none, 404 for another account', async () => {
    expect((await shop.client.del(APPOINTMENTS)).status).toBe(400)
    const was = await create()
    const { status, body } = await shop.client.del(`${by(was.id)}&scope=all`)
    expect([status, body.details]).toEqual([
      400,
      [{ field: 'scope', message: 'expected one of "seat", "session"' }],
    ])
    const other = await openShop()
    expect((await other.client.del(by(was.id))).status).toBe(404)
    expect(await takesTime(was.startTime)).toBe(true)
  })
})
