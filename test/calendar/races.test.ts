import { describe, expect, test } from 'vitest'
import { queryDatabase } from '../database.ts'
import { bodyOf, book, type Calendar, clock, createCalendar } from './world.ts'

/** The weekdays of some weeks, one for each round. */
const days = (count: number): string[] => {
  const found: string[] = []
  for (let at = Date.parse('2027-03-08'); found.length < count; at += 86_400_000)
    if (![0, 6].includes(new Date(at).getUTCDay()))
      found.push(new Date(at).toISOString().slice(0, 10))
  return found
}

/** How many blocks of one person overlap. */
const overlaps = async ({ account }: Calendar) =>
  (
    await queryDatabase<{ n: number }>(
      `select count(*)::int as n from occupancies a join occupancies b on a.account_id = b.account_id
         and a.person_id = b.person_id and a.blocked && b.blocked
         and (a.source, a.source_id) < (b.source, b.source_id) where a.account_id = $1`,
      [account.accountId],
    )
  )[0]?.n

const won = (answers: readonly { status: number }[]) => answers.filter(a => a.status === 201).length
const refusedAll = (answers: readonly { status: number }[]) =>
  answers.every(a => a.status === 201 || a.status === 409)

describe('at once', () => {
  test('one of those who book overlapping starts, buffers included, twenty rounds', async () => {
    const calendar = await createCalendar({
      ...{ length: 60, slot_interval: 15 },
      ...{ before_event_buffer: 15, after_event_buffer: 30 },
    })
    for (const day of days(20)) {
      const starts = ['16:00', '16:30', '17:00', '17:15', '16:45', '16:15']
      const answers = await Promise.all(
        starts.map((time, i) => book(bodyOf(calendar.eventTypeId, `${day}T${time}:00Z`, `R${i}`))),
      )
      expect([won(answers), refusedAll(answers)]).toEqual([1, true])
    }
    expect(await overlaps(calendar)).toBe(0)
  }, 60_000)

  test('one of bookings of a user and appointments of the employee who is that user', async () => {
    const calendar = await createCalendar()
    const { account } = calendar
    const [staff] = await queryDatabase<{ id: number }>(
      `select t.id from event_types t join members m on m.account_id = t.account_id
         and m.user_id = t.user_id where m.account_id = $1 and m.role = 'staff'`,
      [account.accountId],
    )
    const service = await account.client.post('/api/services/services', { name: 'Cut' })
    const appointment = (day: string) =>
      account.client.post(
        '/api/services/appointments',
        {
          serviceId: service.body.id,
          employeeId: account.staff.employeeId,
          startTime: `${day}T15:15:00Z`,
          endTime: `${day}T16:15:00Z`,
        },
        clock,
      )
    for (const day of days(12)) {
      const booking = (name: string) => book(bodyOf(staff!.id, `${day}T15:30:00Z`, name))
      const answers = await Promise.all([
        ...[booking('A'), appointment(day), booking('B'), appointment(day)],
      ])
      expect([won(answers), refusedAll(answers)]).toEqual([1, true])
    }
    expect(await overlaps(calendar)).toBe(0)
  }, 60_000)

  test('one of those who hold a slot and those who book it', async () => {
    const calendar = await createCalendar()
    const { eventTypeId, account } = calendar
    const hold = (slotStart: string) =>
      account.client.post('/api/extension/slots/reservations', { eventTypeId, slotStart }, clock)
    for (const day of days(8)) {
      const start = `${day}T15:00:00Z`
      const books = ['A', 'B', 'C'].map(name => book(bodyOf(eventTypeId, start, name)))
      const answers = await Promise.all([...books, hold(start), hold(start)])
      expect([won(answers), refusedAll(answers)]).toEqual([1, true])
    }
    expect(await overlaps(calendar)).toBe(0)
  }, 60_000)
})
