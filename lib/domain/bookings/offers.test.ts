import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { EventFacts, EventTypeFacts } from './facts.ts'
import type { HostFacts } from './host-facts.ts'
import { offerAt, offeredStarts } from './offers.ts'

const MINUTE = 60_000
const at = (text: string) => Date.parse(text) / MINUTE
const NOW = at('2027-03-08T06:00:00Z')
const [FROM, TO] = [at('2027-03-10T00:00:00Z'), at('2027-03-13T00:00:00Z')]
const STEP = 5

const TYPE: EventTypeFacts = {
  ...{ id: 1, title: 'Call', slug: 'call', description: null, customName: null },
  ...{ userId: null, teamId: 1, length: 30, lengthOptions: [], slotInterval: null, offsetStart: 0 },
  ...{
    notice: 0,
    bufferBefore: 0,
    bufferAfter: 0,
    window: null,
    limitsCount: {},
    limitsDuration: {},
  },
  ...{
    maximumActiveBookings: null,
    offerReschedule: false,
    onlyFirst: false,
  },
  ...{ requiresConfirmation: false, confirmationNotice: null, recurrence: null, seats: null },
  ...{ showCount: true, showAttendees: false, disableGuests: false, disableRescheduling: null },
  ...{ allowReschedulingPast: false, allowReschedulingCancelled: false, locations: [], fields: [] },
  ...{ price: 0, currency: 'usd', schedulingType: null, instantExpirySeconds: 90, turn: 0 },
  verifiesEmail: false,
  requiresNumber: false,
}

/** Spans of a quarter of an hour and more, in order and apart. */
const busy = fc
  .array(fc.tuple(fc.nat(280), fc.integer({ min: 1, max: 12 })), { maxLength: 12 })
  .map(list => {
    const spans: number[] = []
    for (const [start, length] of list.toSorted((a, b) => a[0] - b[0])) {
      const from = FROM + start * 15
      if (from >= (spans.at(-1) ?? 0)) spans.push(from, from + length * 15)
    }
    return spans
  })

const host = (userId: number): fc.Arbitrary<HostFacts> =>
  fc
    .record({
      busy,
      timeZone: fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu'),
      isFixed: fc.boolean(),
      away: fc.array(
        fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 24 }), fc.constantFrom(null, 1, 2, 3, 9)),
        { maxLength: 2 },
      ),
    })
    .map(({ away, ...given }) => ({
      ...{ userId, personId: userId, name: 'H', email: 'h@example.com', username: `h${userId}` },
      ...{ weight: 100, priority: 2, assigned: 0, calibration: 0, schedule: null },
      ...given,
      away: away
        .filter(([, , toUserId]) => toUserId !== userId)
        .map(([start, hours, toUserId]) => {
          const from = FROM + start * 60
          return { start: from, end: from + hours * 60, toUserId }
        }),
    }))

const limits = fc.constantFrom({}, { day: 1 }, { day: 2, week: 3 })

const type = fc
  .record({
    schedulingType: fc.constantFrom(null, 'roundRobin' as const, 'collective' as const),
    slotInterval: fc.constantFrom(null, 15, 20, 45),
    offsetStart: fc.constantFrom(0, 10),
    bufferBefore: fc.constantFrom(0, 10),
    bufferAfter: fc.constantFrom(0, 25),
    notice: fc.constantFrom(0, 4000),
    seats: fc.constantFrom(null, 2, 5),
    limitsCount: limits,
    onlyFirst: fc.boolean(),
    window: fc.constantFrom(
      null,
      { type: 'calendarDays' as const, value: 3 },
      { type: 'calendarDays' as const, value: 4, rolling: true },
      { type: 'businessDays' as const, value: 2, rolling: true },
      { type: 'range' as const, value: ['2027-03-11', '2027-03-11'] as [string, string] },
    ),
  })
  .map(given => ({ ...TYPE, ...given }))

const facts: fc.Arbitrary<EventFacts> = fc
  .record({
    type,
    hosts: fc.tuple(host(1), host(2), host(3)),
    count: fc.integer({ min: 1, max: 3 }),
    standIn: host(9),
    named: fc.constantFrom(undefined, undefined, new Set([1]), new Set([2, 3])),
    taken: fc.array(fc.tuple(fc.nat(140), fc.integer({ min: 1, max: 5 })), { maxLength: 4 }),
  })
  .map(({ type, hosts, count, standIn, taken, named }) => ({
    named,
    account: { name: 'A', timeZone: 'UTC' },
    eventType: type,
    hosts: hosts.slice(0, count),
    standIns: [...hosts.slice(count), standIn],
    taken: taken.map(([start, seats], id) => ({
      ...{ id, uid: `b${id}`, seats, userId: 1, hostIds: [1] },
      status: 'accepted' as const,
      ...{ start: FROM + start * 30, end: FROM + start * 30 + 30 },
    })),
    ...{ active: [], ids: [], holdId: 0 },
  }))

it('what is listed can be booked, and nothing else, by the same hosts', () => {
  let listed = 0
  fc.assert(
    fc.property(facts, given => {
      const ask = { now: NOW, length: 30 }
      const offered = offeredStarts(given, ask, FROM, TO)
      listed += offered.length
      const byStart = new Map(offered.map(o => [o.start, o]))
      expect(byStart.size).toBe(offered.length)
      for (let start = FROM; start < TO; start += STEP)
        expect(offerAt(given, ask, start)).toEqual(byStart.get(start))
    }),
    { numRuns: 60 },
  )
  expect(listed).toBeGreaterThan(50)
})
