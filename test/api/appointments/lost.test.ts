import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#lib/db/client.ts'
import { removeAppointment } from '#lib/domain/appointments/cancel.ts'
import { updateAppointment } from '#lib/domain/appointments/changes.ts'
import { createAppointment } from '#lib/domain/appointments/operations.ts'
import { bookPublicly } from '#lib/domain/appointments/public.ts'
import {
  type AppointmentChange,
  NewAppointment,
  PublicBooking,
} from '#lib/domain/appointments/schema.ts'
import type { Body } from '../../client.ts'
import { gated, openDb, ownerAt, statusOf, visitorAt } from './callers.ts'
import {
  at,
  bookingBy,
  by,
  closeRows,
  eventsOf,
  hourFrom,
  minutesAfter,
  NOW,
  openShop,
  type Shop,
} from './shop.ts'

/** Races with a known course: one has read and is about to write when the other comes in between. */
const { pool, db } = openDb()
let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(async () => {
  await pool.end()
  await closeRows()
})

const now = new Date(NOW)
const owner = (through: Db) => ownerAt(through, now, shop)
let day = 0
const start = () => at('10:00', new Date(Date.UTC(2030, 3, ++day)).toISOString().slice(0, 10))
const create = (more: object = {}, through = db) => {
  const { serviceId, employeeId } = shop
  const body = { serviceId, employeeId, ...hourFrom(start()), ...more }
  return createAppointment(owner(through), NewAppointment.parse(body))
}
const made = async (more: object = {}) => (await create(more)).read() as unknown as Body
const read = async (id: unknown) => (await shop.client.get(by(id))).body.data
const change = (id: unknown, change: AppointmentChange, through = db) =>
  updateAppointment(owner(through), { id: Number(id), ...change })

/** Lets `first` read, then `second` happen, then `first` write. */
async function overtake(
  first: (through: Db) => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<number> {
  const gate = gated(db)
  const outcome = statusOf(first(gate.db))
  await gate.arrived
  await second()
  gate.goOn()
  return outcome
}

describe('a race that is lost', () => {
  it('201 for a change that comes second: both are there', async () => {
    const { id } = await made()
    const status = await overtake(
      through => change(id, { price: 7 }, through),
      () => change(id, { notes: 'First' }),
    )
    expect(status).toBe(201)
    expect(await read(id)).toMatchObject({ price: 7, notes: 'First', version: 2 })
  })

  it('404 for a change of nothing when what is over is deleted meanwhile', async () => {
    const { id } = await made({ status: 'canceled' })
    let trips = 0
    const trip: Db['trip'] = async statements => {
      // Between what the change reads and what it answers, since it writes nothing.
      if (++trips === 2) await removeAppointment(owner(db), { id: Number(id) })
      return db.trip(statements)
    }
    expect(await statusOf(change(id, { notes: null }, { trip }))).toBe(404)
  })

  it('409 for a change of a version that is no more', async () => {
    const { id } = await made()
    const status = await overtake(
      through => change(id, { price: 7, version: 0 }, through),
      () => change(id, { notes: 'First' }),
    )
    expect([status, await read(id)]).toMatchObject([409, { price: 5000, version: 1 }])
  })

  it('409 for who cancels second, and it is not hidden', async () => {
    const { id } = await made()
    const remove = (through: Db) => removeAppointment(owner(through), { id: Number(id) })
    expect(await overtake(remove, () => remove(db))).toBe(409)
    expect(await read(id)).toMatchObject({ status: 'canceled', version: 1 })
    expect(await eventsOf(shop.accountId, id)).toEqual(['CREATED', 'CANCELLED'])
  })

  it('409 for a move into time that was just taken', async () => {
    const [was, from] = [await made(), start()]
    const status = await overtake(
      through => change(was.id, { startTime: new Date(from) }, through),
      () => create(hourFrom(minutesAfter(from, 30))),
    )
    expect([status, await read(was.id)]).toEqual([409, was])
  })

  it('201 with the next employee who is free', async () => {
    const serviceId = await shop.service()
    const employees: number[] = []
    for (let n = 0; n < 2; n++) employees.push(await shop.employee({ serviceIds: [serviceId] }))
    const [startTime, names] = [start(), { serviceIds: [shop.serviceId] }]
    await shop.client.put(`/api/services/employees?id=${shop.employeeId}`, names)
    let took: unknown
    const book = async (through: Db) => {
      const body = PublicBooking.parse(bookingBy(serviceId, startTime))
      const booked = await bookPublicly(visitorAt(through, now), body)
      took = (booked.read() as unknown as Body).employee?.id
    }
    const first = { employeeId: employees[0], serviceId, ...hourFrom(startTime) }
    expect(await overtake(book, () => create(first))).toBe(201)
    expect(took).toBe(employees[1])
  })

  it('201 for a series that leaves out the date which was just taken, 409 that names it', async () => {
    for (const [onConflict, expected] of [
      ['skip', 201],
      ['fail', 409],
    ] as const) {
      const from = start()
      const second = minutesAfter(from, 7 * 1440)
      const series = {
        ...hourFrom(from),
        recurrenceRule: 'weekly',
        recurrenceCount: 3,
        onConflict,
      }
      const outcome = await overtake(
        async through => {
          const { recurrence } = (await create(series, through)).read() as unknown as Body
          expect(recurrence).toMatchObject({ appointmentIds: { length: 2 }, skipped: [second] })
        },
        () => create(hourFrom(second)),
      )
      expect(outcome).toBe(expected)
      day += 21
    }
  })

  it('404 for an employee or customer who was just deleted', async () => {
    const [employeeId, customerId] = [await shop.employee(), await shop.customer()]
    const remove = (noun: string, id: number) =>
      shop.client.del(`/api/services/${noun}?id=${id}`).then(r => expect(r.status).toBe(200))
    const { id } = await made()
    const outcomes = [
      await overtake(
        through => create({ customerId }, through),
        () => remove('customers', customerId),
      ),
      await overtake(
        through => create({ employeeId }, through),
        () => remove('employees', employeeId),
      ),
    ]
    const other = await shop.employee()
    outcomes.push(
      await overtake(
        through => change(id, { employeeId: other }, through),
        () => remove('employees', other),
      ),
    )
    expect(outcomes).toEqual([404, 404, 404])
  })

  it('409 for the last seat, 201 in a session that was just emptied or just begun', async () => {
    const group = await shop.service({ enableGroupBooking: true, maxCapacity: 2 })
    const join = (startTime: string) => (through: Db) =>
      create({ serviceId: group, ...hourFrom(startTime) }, through)
    const [full, emptied, begun] = [start(), start(), start()]
    await join(full)(db)
    expect(await overtake(join(full), () => join(full)(db))).toBe(409)
    const only = (await join(emptied)(db)).read()
    const leave = () => removeAppointment(owner(db), { id: only.id })
    expect(await overtake(join(emptied), leave)).toBe(201)
    // The employee is taken again, by the session that was opened anew.
    expect(await statusOf(create(hourFrom(emptied)))).toBe(409)
    expect(await overtake(join(begun), () => join(begun)(db))).toBe(201)
  })

  it('200 for a whole session, with those who joined a moment before', async () => {
    const group = await shop.service({ enableGroupBooking: true, maxCapacity: 5 })
    const seat = { serviceId: group, ...hourFrom(start()) }
    const first = await made(seat)
    let late: Body | undefined
    const cancel = (through: Db) =>
      removeAppointment(owner(through), { id: Number(first.id), scope: 'session' })
    const status = await overtake(cancel, async () => {
      late = await made(seat)
    })
    expect(status).toBe(201)
    expect(await read(late?.id)).toMatchObject({ status: 'canceled' })
  })
})
