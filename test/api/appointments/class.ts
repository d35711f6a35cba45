import { expect } from 'vitest'
import { type Body, client, type Reply } from '../../client.ts'
import {
  APPOINTMENTS,
  at,
  BOOK,
  bookingBy,
  clocked,
  hourFrom,
  openShop,
  rows,
  type Shop,
  someAddress,
} from './shop.ts'

/** What makes a service one of groups: ten seats at 10.00 each. */
export const CLASS = { enableGroupBooking: true, maxCapacity: 10, price: 1000 }

/** A business whose service is given to groups, and what is done there all the time. */
export interface ClassShop {
  shop: Shop
  /** A start that nobody has used. */
  start(): string
  join(from: string, more?: object): Promise<Reply>
  /** Joins, which must succeed, and answers the seat. */
  seat(from: string, more?: object): Promise<Body>
  book(from: string, more?: object, email?: string): Promise<Reply>
  /** The slot at a start as it is offered; undefined when it is not. */
  slotAt(from: string, serviceId?: number): Promise<Body | undefined>
  sessionsAt(from: string): Promise<{ id: number; taken: number }[]>
}

/** Opens a business for group sessions. */
export async function openClass(): Promise<ClassShop> {
  const shop = await openShop({ service: CLASS })
  const { serviceId, employeeId, accountId } = shop
  const visitor = clocked(client())
  let day = 0
  const join: ClassShop['join'] = (from, more) =>
    shop.client.post(APPOINTMENTS, { serviceId, employeeId, ...hourFrom(from), ...more })
  return {
    shop,
    join,
    start: () => at('10:00', new Date(Date.UTC(2030, 3, ++day)).toISOString().slice(0, 10)),
    seat: async (from, more) => {
      const joined = await join(from, more)
      expect(joined, joined.text).toMatchObject({ status: 201 })
      return joined.body
    },
    book: (from, more, email) =>
      visitor.post(BOOK, bookingBy(serviceId, from, { employeeId, ...more }, email), someAddress()),
    slotAt: async (from, id = serviceId) => {
      const day = from.slice(0, 10)
      const query = `serviceId=${id}&employeeId=${employeeId}&date=${day}&timeZone=UTC`
      const { body } = await shop.client.get(`/api/services/availability?${query}`)
      const slots = (body.data?.slots?.[day] ?? []) as unknown as Body[]
      return slots.find(slot => String(slot.startTime) === from)
    },
    sessionsAt: from =>
      rows('select id, taken from group_sessions where account_id = $1 and start_time = $2', [
        accountId,
        from,
      ]),
  }
}
