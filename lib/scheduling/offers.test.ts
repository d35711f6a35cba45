import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDate } from './dates.ts'
import type { Schedule, TimeRange } from './hours.ts'
import { normalize } from './intervals.ts'
import { hostStarts, offers } from './offers.ts'
import { groupByDay, type SlotRules } from './slots.ts'
import { formatLocal, formatUtc, localDay, toUtc } from './zone.ts'

const rules: SlotRules = {
  duration: 60,
  bufferBefore: 0,
  bufferAfter: 0,
  interval: 30,
  earliest: Number.NEGATIVE_INFINITY,
  latest: Number.POSITIVE_INFINITY,
}

const ZONES = ['America/New_York', 'Africa/Cairo', 'Australia/Lord_Howe', 'America/Havana', 'UTC']

const NIGHTS = [
  ['00:00', '24:00'],
  ['00:00', '02:00', '22:00', '24:00'],
  ['00:00', '04:30', '21:20', '23:59'],
  ['09:00', '17:00'],
] as const

function daily(timeZone: string, hours: readonly string[]): Schedule {
  const intervals: TimeRange[] = []
  for (let i = 0; i < hours.length; i += 2) intervals.push({ start: hours[i]!, end: hours[i + 1]! })
  return { timeZone, weekly: [0, 1, 2, 3, 4, 5, 6].map(day => ({ day, intervals })) }
}

const YEAR = parseDate('2026-01-01') * 1440

const someHost = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    hours: fc.constantFrom(...NIGHTS),
    busy: fc.array(fc.tuple(fc.nat({ max: 2880 }), fc.nat({ max: 300 })), { maxLength: 5 }),
    // Days on which one of the zones changes its clocks, and one on which none does.
    day: fc.constantFrom('2026-03-08', '2026-04-24', '2026-10-29', '2026-11-01', '2026-06-10'),
  })
  .map(({ zone, hours, busy, day }) => {
    const base = parseDate(day) * 1440 - 720
    const taken = busy.flatMap(([start, length]) => [base + start, base + start + length])
    return { base, host: { schedule: daily(zone, hours), busy: normalize(taken) } }
  })

const someRules = fc.record({
  duration: fc.integer({ min: 5, max: 200 }),
  bufferBefore: fc.nat({ max: 30 }),
  bufferAfter: fc.nat({ max: 30 }),
  interval: fc.integer({ min: 5, max: 70 }),
  earliest: fc.constantFrom(rules.earliest, YEAR + 95_000, YEAR + 430_000.4),
  latest: fc.constantFrom(rules.latest, YEAR + 440_000, YEAR + 96_500),
})

describe('hostStarts', () => {
  it('offers the same starts whatever the window, one instant included', () => {
    const window = fc.tuple(fc.nat({ max: 2500 }), fc.integer({ min: 1, max: 300 }))
    fc.assert(
      fc.property(someRules, someHost, window, (r, { base, host }, [offset, length]) => {
        const from = base + offset
        const wide = hostStarts(r, host, base - 5000, base + 9000)
        const narrow = hostStarts(r, host, from, from + length)
        expect(narrow).toEqual(wide.filter(start => start >= from && start < from + length))
        const listed = new Set(narrow)
        for (let s = from; s < from + length; s++) {
          expect(hostStarts(r, host, s, s + 1)).toEqual(listed.has(s) ? [s] : [])
        }
      }),
      { numRuns: 250 },
    )
  })

  it('offers around the clock a grid that begins anew each local midnight', () => {
    const host = { schedule: daily('Asia/Kathmandu', ['00:00', '24:00']), busy: [] }
    const long = { ...rules, duration: 90, interval: 100 }
    for (const start of hostStarts(long, host, YEAR, YEAR + 10_080)) {
      const midnight = toUtc('Asia/Kathmandu', localDay('Asia/Kathmandu', start), 0)
      expect((start - midnight) % 100).toBe(0)
    }
    // 23:20 runs into the next day, which belongs to the same working time.
    const late = toUtc('Asia/Kathmandu', parseDate('2026-05-05'), 1400)
    expect(hostStarts(long, host, late, late + 1)).toEqual([late])
  })

  it('a notice that ends on the day clocks change moves no other day', () => {
    const zone = 'America/New_York'
    const host = { schedule: daily(zone, ['09:00', '17:00']), busy: [] }
    const earliest = toUtc(zone, parseDate('2026-03-08'), 600)
    const from = toUtc(zone, parseDate('2026-03-06'), 0)
    const list = hostStarts({ ...rules, earliest }, host, from, from + 6 * 1440)
    const firsts = [...groupByDay(zone, list)].map(([, [first]]) => formatLocal(zone, first!))
    expect(firsts).toEqual([
      '2026-03-08T10:00:00.000-04:00',
      '2026-03-09T09:00:00.000-04:00',
      '2026-03-10T09:00:00.000-04:00',
      '2026-03-11T09:00:00.000-04:00',
    ])
  })

  it('offers nothing inside busy time around a spring change', () => {
    const zone = 'America/New_York'
    const start = toUtc(zone, parseDate('2026-03-08'), 13 * 60)
    const host = { schedule: daily(zone, ['13:00', '18:00']), busy: [start, start + 120] }
    const list = hostStarts(rules, host, start - 1440, start + 720).filter(s => s >= start)
    expect(list.map(s => formatLocal(zone, s).slice(11, 16))).toEqual([
      '15:00',
      '15:30',
      '16:00',
      '16:30',
      '17:00',
    ])
  })

  it('offers a free range around an autumn change', () => {
    const zone = 'Europe/London'
    const midnight = toUtc(zone, parseDate('2026-10-25'), 0)
    const host = { schedule: daily(zone, ['00:00', '06:00']), busy: [] }
    const list = hostStarts({ ...rules, interval: 60 }, host, midnight, midnight + 1440)
    expect(list.map(s => formatLocal(zone, s).slice(11, 16))).toEqual([
      '00:00',
      '01:00',
      '02:00',
      '03:00',
      '04:00',
      '05:00',
    ])
  })
})

describe('offers', () => {
  const hosts = [
    { id: 'a', schedule: daily('Europe/Berlin', ['09:00', '12:00']), busy: [] },
    { id: 'b', schedule: daily('Europe/London', ['09:00', '12:00']), busy: [] },
  ]
  const nine = toUtc('Europe/Berlin', parseDate('2026-06-10'), 540)

  it('list who is free at each start', () => {
    const list = offers({ ...rules, interval: 60 }, hosts, nine, nine + 600)
    expect(list.map(({ start, ids }) => [(start - nine) / 60, ids])).toEqual([
      [0, ['a']],
      [1, ['a', 'b']],
      [2, ['a', 'b']],
      [3, ['b']],
    ])
  })

  it('are the same bytes whatever the machine’s own time zone', () => {
    const lines = (zone: string) =>
      execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', PRINT], {
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        env: { ...process.env, TZ: zone },
        encoding: 'utf8',
      })
    const there = lines('Pacific/Kiritimati')
    expect(there).toContain('Pacific/Kiritimati')
    const here = offers(rules, hosts, nine, nine + 20_000).map(({ start }) => formatUtc(start))
    expect(there.trim().split('\n').slice(1)).toEqual(here)
    expect(lines('America/New_York').split('\n').slice(1)).toEqual(there.split('\n').slice(1))
  })

  const PRINT = `
    import { offers } from './lib/scheduling/offers.ts'
    import { formatUtc } from './lib/scheduling/zone.ts'
    const hosts = ${JSON.stringify(hosts)}
    const rules = { ...${JSON.stringify(rules)}, earliest: -Infinity, latest: Infinity }
    console.log(Intl.DateTimeFormat().resolvedOptions().timeZone)
    for (const { start } of offers(rules, hosts, ${nine}, ${nine} + 20_000)) {
      console.log(formatUtc(start))
    }`
})
