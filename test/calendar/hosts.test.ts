import { describe, expect, test } from 'vitest'
import { createMember } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { bodyOf, book, createCalendar, setHosts, usersOf } from './world.ts'

const AT = '2027-03-03T15:00:00.000Z'

describe('hosts', () => {
  test('take turns: three hosts, twelve bookings at once over four starts, four each', async () => {
    const calendar = await createCalendar()
    const { accountId } = calendar.account
    await createMember(accountId, 'manager')
    const ids = await usersOf(calendar)
    await setHosts(calendar, 'roundRobin', ids)
    const starts = ['15:00', '15:30', '16:00', '16:30'].map(t => `2027-03-03T${t}:00Z`)
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        book(bodyOf(calendar.eventTypeId, starts[i % 4]!, `T${i}`)),
      ),
    )
    expect(all.map(r => r.status)).toEqual(Array(12).fill(201))
    const counts = await queryDatabase<{ n: number }>(
      `select count(*)::int as n from booking_hosts where account_id = $1 group by user_id`,
      [accountId],
    )
    expect(counts.map(c => c.n)).toEqual([4, 4, 4])
    expect((await book(bodyOf(calendar.eventTypeId, starts[0]!, 'Late'))).status).toBe(409)
  }, 60_000)

  test('take turns though all are asked for at once, at times when everybody is free', async () => {
    const calendar = await createCalendar()
    const { accountId } = calendar.account
    await createMember(accountId, 'manager')
    await setHosts(calendar, 'roundRobin', await usersOf(calendar))
    const starts = ['15', '16', '17'].flatMap(hour => [`${hour}:00`, `${hour}:30`])
    const all = await Promise.all(
      starts.map((time, i) =>
        book(bodyOf(calendar.eventTypeId, `2027-03-03T${time}:00Z`, `F${i}`)),
      ),
    )
    expect(all.map(r => r.status)).toEqual(Array(6).fill(201))
    const counts = await queryDatabase<{ n: number }>(
      `select count(*)::int as n from booking_hosts where account_id = $1 group by user_id`,
      [accountId],
    )
    expect(counts.map(c => c.n)).toEqual([2, 2, 2])
  }, 60_000)

  test('of a collective event type must all be free', async () => {
    const calendar = await createCalendar()
    const { accountId, userId } = calendar.account
    const ids = await usersOf(calendar)
    const own = ids.find(id => id !== userId)!
    await setHosts(calendar, 'collective', ids)
    const [staffType] = await queryDatabase<{ id: number }>(
      'select id from event_types where account_id = $1 and user_id = $2',
      [accountId, own],
    )
    await book(bodyOf(staffType!.id, AT, 'Elsewhere'))
    expect((await book(bodyOf(calendar.eventTypeId, AT))).status).toBe(409)
    const { status } = await book(bodyOf(calendar.eventTypeId, '2027-03-03T16:00:00Z'))
    expect(status).toBe(201)
    const [blocks] = await queryDatabase(
      `select count(*)::int as n from occupancies where account_id = $1 and lower(blocked) = '2027-03-03T16:00:00Z'`,
      [accountId],
    )
    expect(blocks?.n).toBe(2)
  })
})
