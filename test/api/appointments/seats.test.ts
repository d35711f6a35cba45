import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Body } from '../../client.ts'
import { readMessages } from '../../platform.ts'
import { type ClassShop, openClass } from './class.ts'
import {
  atOnce,
  by,
  closeRows,
  eventsOf,
  minutesAfter,
  overlapsIn,
  rows,
  type Shop,
  tally,
} from './shop.ts'

let shop: Shop
let join: ClassShop['join']
let seat: ClassShop['seat']
let start: ClassShop['start']
let slotAt: ClassShop['slotAt']
let sessionsAt: ClassShop['sessionsAt']
beforeAll(async () => {
  ;({ shop, join, seat, start, slotAt, sessionsAt } = await openClass())
})
afterAll(closeRows)

describe('DELETE /appointments of a seat', () => {
  it('200 frees one place, which is offered again', async () => {
    const from = start()
    const seats = await Promise.all(Array.from({ length: 10 }, () => seat(from)))
    expect(await slotAt(from)).toBeUndefined()
    await shop.client.del(by(seats[3]?.id))
    expect(await slotAt(from)).toMatchObject({ spotsOpen: 1, employeeIds: [shop.employeeId] })
    expect(tally(await atOnce(5, () => join(from)))).toEqual({ 201: 1, 409: 4 })
    // A seat that was used stays taken.
    const clock = { 'X-Test-Now': minutesAfter(from, 30) }
    expect((await shop.client.put(by(seats[4]?.id), { status: 'completed' }, clock)).status).toBe(
      200,
    )
    expect(await sessionsAt(from)).toMatchObject([{ taken: 10 }])
  })

  it('200 for the last frees the employee and the resources for others', async () => {
    const from = start()
    const other = await shop.service()
    const seats = [await seat(from), await seat(from)]
    await shop.client.del(by(seats[0]?.id))
    expect((await join(from, { serviceId: other })).status).toBe(409)
    await shop.client.del(by(seats[1]?.id))
    expect((await join(from, { serviceId: other })).status).toBe(201)
    expect((await join(from)).status).toBe(409)
  })

  it('200 for all at once, and for those who join meanwhile the count is right', async () => {
    const from = start()
    const seats = await Promise.all(Array.from({ length: 8 }, () => seat(from)))
    const replies = await Promise.all([
      ...seats.map(s => shop.client.del(by(s.id))),
      ...Array.from({ length: 4 }, () => join(from)),
    ])
    const joined = replies.slice(8).filter(r => r.status === 201).length
    expect(tally(replies.slice(0, 8))).toEqual({ 200: 8 })
    expect(await sessionsAt(from)).toMatchObject([{ taken: joined }])
  })

  it('200 with scope=session cancels every seat, with an event and a letter each', async () => {
    const from = start()
    const emails = [1, 2, 3].map(() => `${crypto.randomUUID()}@example.com`)
    const seats: Body[] = []
    for (const email of emails)
      seats.push(await seat(from, { customerId: await shop.customer({ email }) }))
    await shop.client.put(by(seats[1]?.id), { status: 'canceled' })
    const done = await shop.client.del(`${by(seats[0]?.id)}&scope=session&reason=Storm`)
    expect(done.status).toBe(200)
    const canceled = [seats[0]?.id, seats[2]?.id]
    expect(done.body.data).toEqual({ id: seats[0]?.id, deleted: true, canceled })
    for (const { id } of seats) {
      expect(await eventsOf(shop.accountId, id)).toEqual(['CREATED', 'CANCELLED'])
      const { data } = (await shop.client.get(by(id))).body
      expect(data).toMatchObject({ status: 'canceled', version: 1 })
    }
    for (const to of emails)
      await expect
        .poll(async () =>
          (await readMessages({ to })).filter(m => m.subject?.startsWith('Canceled')),
        )
        .toHaveLength(1)
    expect(await sessionsAt(from)).toMatchObject([{ taken: 0 }])
    const customer = await shop.client.get(`/api/services/customers?id=${seats[0]?.customerId}`)
    expect(customer.body.data.totalBookings).toBe(0)
    expect((await shop.client.del(`${by(seats[0]?.id)}&scope=session`)).status).toBe(409)
  })

  it('200 with scope=session leaves nobody behind who joins at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const from = start()
      const [first] = await Promise.all(Array.from({ length: 4 }, () => seat(from)))
      const [done, ...joined] = await Promise.all([
        shop.client.del(`${by(first?.id)}&scope=session`),
        ...Array.from({ length: 4 }, () => join(from)),
      ])
      expect(done?.status).toBe(200)
      const [live] = await rows<{ n: number }>(
        `select count(*)::int as n from appointments where account_id = $1 and start_time = $2
          and status = 'approved'`,
        [shop.accountId, from],
      )
      const [session] = await sessionsAt(from)
      // Whoever came after the cancellation has opened the session anew.
      expect(session?.taken).toBe(live?.n)
      expect(joined.length).toBe(4)
    }
    expect(await overlapsIn(shop.accountId)).toBe(0)
  })
})
