import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateKey, parseDate } from './dates.ts'
import { normalize, type Spans } from './intervals.ts'
import {
  type Calendar,
  combine,
  groupByDay,
  intersectStarts,
  type SlotRules,
  slotStarts,
} from './slots.ts'
import { formatUtc, localDay, toUtc } from './zone.ts'

const SIZE = 400

/** As a booking is checked: the list for its instant alone. */
const isOffered = (r: SlotRules, calendar: Calendar, start: number): boolean =>
  slotStarts(r, calendar, start, start + 1)[0] === start

const rules: SlotRules = {
  duration: 30,
  bufferBefore: 0,
  bufferAfter: 0,
  interval: 15,
  earliest: Number.NEGATIVE_INFINITY,
  latest: Number.POSITIVE_INFINITY,
}

const someRules: fc.Arbitrary<SlotRules> = fc.record({
  duration: fc.integer({ min: 1, max: 40 }),
  bufferBefore: fc.nat({ max: 15 }),
  bufferAfter: fc.nat({ max: 15 }),
  interval: fc.integer({ min: 1, max: 20 }),
  earliest: fc.integer({ min: -10, max: SIZE }),
  latest: fc.integer({ min: 0, max: SIZE + 50 }),
})

/** Open spans, some of which touch the one before. */
const someOpen = fc
  .array(fc.tuple(fc.constantFrom(0, 0, 3, 20), fc.integer({ min: 1, max: 90 })), { maxLength: 6 })
  .map(list => {
    let at = 5
    return list.flatMap(([gap, length]) => {
      const start = at + gap
      at = start + length
      return [start, at]
    })
  })

const someSpans = fc
  .array(fc.tuple(fc.nat({ max: SIZE }), fc.integer({ min: 1, max: 25 })), { maxLength: 6 })
  .map(list => normalize(list.flatMap(([start, length]) => [start, start + length])))

const someCalendar: fc.Arbitrary<Calendar> = fc.record(
  { open: someOpen, busy: someSpans, unavailable: someSpans },
  { requiredKeys: ['open', 'busy'] },
)

/** Whether a minute lies in the spans. */
function covers(spans: Spans, minute: number): boolean {
  for (let i = 0; i < spans.length; i += 2) {
    if (minute >= spans[i]! && minute < spans[i + 1]!) return true
  }
  return false
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)
}

/** The definition, minute by minute. */
function offeredByDefinition(r: SlotRules, calendar: Calendar, s: number): boolean {
  const { open, busy, unavailable = [] } = calendar
  let anchor: number | undefined
  for (let i = 0; i < open.length; i += 2) {
    if (s >= open[i]! && s < open[i + 1]!) anchor = open[i]
  }
  const booked = range(s, s + r.duration)
  return (
    anchor !== undefined &&
    (s - anchor) % r.interval === 0 &&
    booked.every(minute => covers(open, minute)) &&
    !range(s - r.bufferBefore, s + r.duration + r.bufferAfter).some(m => covers(busy, m)) &&
    !booked.some(minute => covers(unavailable, minute)) &&
    s >= r.earliest &&
    s <= r.latest
  )
}

describe('slotStarts', () => {
  it('offers what the definition offers, and nothing else', () => {
    const window = fc.tuple(fc.nat({ max: SIZE }), fc.nat({ max: SIZE }))
    fc.assert(
      fc.property(someRules, someCalendar, window, (r, calendar, [from, length]) => {
        const expected = range(from, from + length).filter(s => offeredByDefinition(r, calendar, s))
        expect(slotStarts(r, calendar, from, from + length)).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('offers a start in every window that has it, and in a window of one instant', () => {
    fc.assert(
      fc.property(someRules, someCalendar, fc.nat({ max: SIZE }), (r, calendar, from) => {
        const all = new Set(slotStarts(r, calendar, -100, SIZE + 200))
        const listed = slotStarts(r, calendar, from, from + 60)
        expect(listed).toEqual([...all].filter(s => s >= from && s < from + 60))
        for (const s of range(from, from + 60)) {
          expect(isOffered(r, calendar, s)).toBe(all.has(s))
          expect(isOffered(r, calendar, s + 0.5)).toBe(false)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('no longer offers a start once it is booked with its buffers', () => {
    fc.assert(
      fc.property(someRules, someCalendar, (r, calendar) => {
        for (const s of slotStarts(r, calendar, 0, SIZE)) {
          const taken = [s - r.bufferBefore, s + r.duration + r.bufferAfter]
          const busy = normalize([...calendar.busy, ...taken])
          expect(isOffered(r, { ...calendar, busy }, s)).toBe(false)
        }
      }),
    )
  })

  it('lets bookings touch where there are no buffers, also at fractions of a minute', () => {
    const calendar = { open: [0, 120], busy: [30, 60] }
    expect(slotStarts(rules, calendar, 0, 200)).toEqual([0, 60, 75, 90])
    expect(slotStarts(rules, { open: [0, 120], busy: [30.5, 60.5] }, 0, 200)).toEqual([0, 75, 90])
  })

  it('keeps both buffers free of busy time, but not of the end of the working day', () => {
    const buffered = { ...rules, bufferBefore: 15, bufferAfter: 10 }
    const calendar = { open: [0, 240], busy: [100, 120] }
    expect(slotStarts(buffered, calendar, 0, 300)).toEqual([
      0,
      15,
      30,
      45,
      60,
      135,
      ...[150, 165, 180, 195, 210],
    ])
  })

  it('asks for rooms and devices during the booking only, without buffers', () => {
    const buffered = { ...rules, bufferBefore: 15, bufferAfter: 15 }
    const calendar = { open: [0, 120], busy: [], unavailable: [30, 60] }
    expect(slotStarts(buffered, calendar, 0, 200)).toEqual([0, 60, 75, 90])
  })

  it('includes the instants of earliest and latest, and keeps the grid of the shift', () => {
    const open = [7, 300]
    const bounds = { ...rules, earliest: 37, latest: 67 }
    expect(slotStarts(bounds, { open, busy: [] }, 0, 400)).toEqual([37, 52, 67])
    const between = { ...rules, earliest: 37.25, latest: 66.9 }
    expect(slotStarts(between, { open, busy: [] }, 0, 400)).toEqual([52])
  })

  it('runs a booking over spans that touch, each with its own grid', () => {
    const hourly = { ...rules, duration: 60, interval: 50 }
    expect(slotStarts(hourly, { open: [0, 120, 120, 240], busy: [] }, 0, 300)).toEqual([
      0, 50, 100, 120, 170,
    ])
  })

  it('goes on after busy time that ends a fraction after a start far from its anchor', () => {
    const start = 1_000_003 * 15
    const busy = [start - 1, start + 2 ** -29]
    const calendar = { open: [0, start + 100], busy }
    expect(slotStarts(rules, calendar, start, start + 30)).toEqual([start + 15])
  })

  it('offers nothing after busy time without an end', () => {
    const calendar = { open: [0, 120], busy: [45, Number.POSITIVE_INFINITY] }
    expect(slotStarts(rules, calendar, 0, 200)).toEqual([0, 15])
  })

  it.each([0, -5, Number.NaN])('refuses a duration or an interval of %d', value => {
    const calendar = { open: [0, 120], busy: [] }
    expect(() => slotStarts({ ...rules, duration: value }, calendar, 0, 9)).toThrow('duration')
    expect(() => slotStarts({ ...rules, interval: value }, calendar, 0, 9)).toThrow('interval')
  })
})

const starts = fc.uniqueArray(fc.nat({ max: 60 })).map(list => list.sort((a, b) => a - b))

describe('combine and intersectStarts', () => {
  it('name everybody who is free at each start, in order', () => {
    fc.assert(
      fc.property(fc.array(starts, { maxLength: 5 }), lists => {
        const offers = combine(lists.map((list, id) => ({ id, starts: list })))
        const expected = range(0, 61).flatMap(start => {
          const ids = lists.flatMap((list, id) => (list.includes(start) ? [id] : []))
          return ids.length > 0 ? [{ start, ids }] : []
        })
        expect(offers).toEqual(expected)
      }),
    )
  })

  it('intersectStarts keeps what every list has, and leaves the lists alone', () => {
    fc.assert(
      fc.property(fc.array(starts, { minLength: 1, maxLength: 4 }), lists => {
        const expected = range(0, 61).filter(start => lists.every(list => list.includes(start)))
        expect(intersectStarts(lists.map(list => Object.freeze(list)))).toEqual(expected)
      }),
    )
    expect(intersectStarts([])).toEqual([])
  })
})

describe('groupByDay', () => {
  const evening = toUtc('America/New_York', parseDate('2026-06-05'), 20 * 60)

  it('puts a start after midnight for the visitor under the visitor’s date', () => {
    const list = [evening, evening + 240, evening + 300]
    expect([...groupByDay('America/New_York', list)]).toEqual([
      ['2026-06-05', [evening]],
      ['2026-06-06', [evening + 240, evening + 300]],
    ])
    expect([...groupByDay('Europe/Berlin', list).keys()]).toEqual(['2026-06-06'])
    expect([...groupByDay('Pacific/Honolulu', list).keys()]).toEqual(['2026-06-05'])
  })

  it('only regroups: every zone has the same instants, each under its local date', () => {
    const zones = ['Africa/Cairo', 'America/Havana', 'America/St_Johns', 'Pacific/Kiritimati']
    const base = parseDate('2006-10-20') * 1440
    const list = range(0, 40 * 24 * 4).map(quarter => base + quarter * 15)
    for (const zone of zones) {
      const groups = groupByDay(zone, list)
      expect([...groups.values()].flat().sort((a, b) => a - b)).toEqual(list)
      for (const [key, group] of groups) {
        for (const start of group) expect(dateKey(localDay(zone, start))).toBe(key)
      }
    }
  })

  it('groups anything that has a start, and nothing into nothing', () => {
    const offer = { start: evening, ids: ['a'] }
    expect(groupByDay('UTC', [offer]).get(formatUtc(evening).slice(0, 10))).toEqual([offer])
    expect(groupByDay('UTC', []).size).toBe(0)
  })
})
