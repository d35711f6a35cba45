import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMember } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { bodyOf, book, createCalendar, setHosts, slotsOf } from './world.ts'

const DAY = '2027-03-03'

/** Ways to set up an event type; the same ones every time. */
const SETUPS = fc.sample(
  fc.record({
    columns: fc.record({
      slot_interval: fc.constantFrom(null, 15, 45),
      before_event_buffer: fc.constantFrom(0, 15),
      after_event_buffer: fc.constantFrom(0, 30),
      minimum_booking_notice: fc.constantFrom(0, 3180),
      seats_per_time_slot: fc.constantFrom(null, null, 2),
      booking_limits_count: fc.constantFrom('{}', '{"day": 2}'),
      booking_limits_duration: fc.constantFrom('{}', '{"day": 60}'),
      only_show_first_available_slot: fc.constantFrom(false, false, true),
    }),
    hosts: fc.constantFrom(null, 'roundRobin' as const, 'collective' as const),
    /** Quarters of an hour after 13:45 UTC, before the hours begin, that somebody tries to book. */
    tries: fc.uniqueArray(fc.nat(34), { minLength: 5, maxLength: 5 }),
  }),
  { seed: 7, numRuns: 10 },
)

test.each(SETUPS.map((setup, n) => ({ ...setup, n })))(
  'what is listed can be booked, and nothing else: setup $n',
  async ({ columns, hosts, tries }) => {
    const calendar = await createCalendar(columns)
    const { accountId } = calendar.account
    if (hosts) {
      await createMember(accountId, 'manager')
      await queryDatabase(
        `update schedules set time_zone = 'America/New_York' where account_id = $1`,
        [accountId],
      )
      const users = await queryDatabase<{ id: number }>(
        'select user_id as id from members where account_id = $1',
        [accountId],
      )
      await setHosts(
        calendar,
        hosts,
        users.map(u => u.id),
      )
    }
    for (const [n, quarter] of tries.entries()) {
      const start = new Date(Date.parse(`${DAY}T13:45:00Z`) + quarter * 900_000).toISOString()
      const isListed = (await slotsOf(calendar, DAY, DAY)).includes(start)
      const { status, text } = await book(bodyOf(calendar.eventTypeId, start, `P${n}`))
      expect([start, isListed], text).toEqual([start, status === 201])
    }
    // Whatever is left: the first and the last of the list.
    const left = await slotsOf(calendar, DAY, DAY)
    const first = left[0]
    if (first) expect((await book(bodyOf(calendar.eventTypeId, first, 'First'))).status).toBe(201)
    const last = (await slotsOf(calendar, DAY, DAY)).at(-1)
    if (last) expect((await book(bodyOf(calendar.eventTypeId, last, 'Last'))).status).toBe(201)
  },
)
