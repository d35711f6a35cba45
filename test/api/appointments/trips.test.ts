import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAvailability } from '#lib/domain/appointments/availability.ts'
import { removeAppointment } from '#lib/domain/appointments/cancel.ts'
import { updateAppointment } from '#lib/domain/appointments/changes.ts'
import {
  createAppointment,
  findAppointment,
  listAppointments,
} from '#lib/domain/appointments/operations.ts'
import { bookPublicly } from '#lib/domain/appointments/public.ts'
import { NewAppointment, PublicBooking } from '#lib/domain/appointments/schema.ts'
import { counting, openDb, ownerAt, visitorAt } from './callers.ts'
import { at, bookingBy, hourFrom, NOW, openShop, type Shop } from './shop.ts'

const { pool, db } = openDb()
const counted = counting(db)
let shop: Shop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => pool.end())

/** How many round trips to the database something takes. */
async function tripsOf(work: () => Promise<unknown>): Promise<number> {
  const before = counted.trips
  await work()
  return counted.trips - before
}
const owner = () => ownerAt(counted, new Date(NOW), shop)
const create = async (startTime: string, more: object = {}) => {
  const { serviceId, employeeId } = shop
  const body = { serviceId, employeeId, ...hourFrom(startTime), ...more }
  return (await createAppointment(owner(), NewAppointment.parse(body))).read()
}

describe('round trips to the database', () => {
  it('1 for a list, one appointment and availability', async () => {
    const { id } = await create(at('08:00', '2030-04-01'))
    expect(await tripsOf(() => listAppointments(owner(), {}))).toBe(1)
    expect(await tripsOf(() => findAppointment(owner(), { id }))).toBe(1)
    const ask = { serviceId: shop.serviceId, date: '2030-03-20' }
    expect(await tripsOf(() => listAvailability(owner(), ask))).toBe(1)
  })

  it('2 to make an appointment, a series or a seat, whatever it names', async () => {
    const customerId = await shop.customer()
    const group = await shop.service({ enableGroupBooking: true, maxCapacity: 3 })
    const series = { recurrenceRule: 'monthly', recurrenceCount: 12, employeeId: null }
    expect(await tripsOf(() => create(at('10:00'), { customerId }))).toBe(2)
    expect(await tripsOf(() => create(at('10:00'), { ...series, customerId }))).toBe(2)
    for (let n = 0; n < 2; n++)
      expect(await tripsOf(() => create(at('12:00'), { serviceId: group }))).toBe(2)
  })

  it('2 to book, once the account of the service is known', async () => {
    const { serviceId } = shop
    const book = (time: string) => {
      const body = PublicBooking.parse(bookingBy(serviceId, at(time)))
      return tripsOf(() => bookPublicly(visitorAt(counted, new Date(NOW)), body))
    }
    expect([await book('14:00'), await book('15:00')]).toEqual([3, 2])
  })

  it('2 to change, move or cancel', async () => {
    const { id } = await create(at('17:00'))
    const change = (more: object) => tripsOf(() => updateAppointment(owner(), { id, ...more }))
    expect(await change({ notes: 'x', price: 1 })).toBe(2)
    expect(await change({ startTime: new Date(at('18:00')) })).toBe(2)
    expect(await tripsOf(() => removeAppointment(owner(), { id }))).toBe(2)
  })
})
