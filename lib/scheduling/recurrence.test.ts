import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { parseDate } from './dates.ts'
import { occurrences, type Recurrence } from './recurrence.ts'
import { formatLocal, toUtc } from './zone.ts'

type Rule = Parameters<typeof occurrences>[2]

/** The series as local texts without seconds. */
function series(zone: string, date: string, minute: number, rule: Rule, count: number): string[] {
  const start = toUtc(zone, parseDate(date), minute)
  return occurrences(zone, start, rule, count).map(at => formatLocal(zone, at).slice(0, 16))
}

describe('occurrences', () => {
  it('weekly keeps the wall-clock time across both changes of the year', () => {
    const starts = series('America/New_York', '2026-02-22', 540, 'weekly', 40)
    expect(starts).toHaveLength(40)
    expect(starts.every(text => text.endsWith('T09:00'))).toBe(true)
    expect(starts.slice(0, 3)).toEqual(['2026-02-22T09:00', '2026-03-01T09:00', '2026-03-08T09:00'])
  })

  it('biweekly is every second week', () => {
    expect(series('UTC', '2026-12-25', 0, 'biweekly', 3)).toEqual([
      '2026-12-25T00:00',
      '2027-01-08T00:00',
      '2027-01-22T00:00',
    ])
  })

  it('monthly on the 31st takes the last day of shorter months and comes back to the 31st', () => {
    expect(series('Europe/Berlin', '2026-01-31', 600, 'monthly', 5)).toEqual([
      '2026-01-31T10:00',
      '2026-02-28T10:00',
      '2026-03-31T10:00',
      '2026-04-30T10:00',
      '2026-05-31T10:00',
    ])
  })

  it('yearly on 29 February takes the 28th of other years', () => {
    expect(series('UTC', '2028-02-29', 0, { freq: 'yearly', interval: 2 }, 3)).toEqual([
      '2028-02-29T00:00',
      '2030-02-28T00:00',
      '2032-02-29T00:00',
    ])
  })

  it('a time that the clocks skip becomes the instant of the change, that day only', () => {
    expect(
      series('America/New_York', '2026-03-07', 150, { freq: 'daily', interval: 1 }, 3),
    ).toEqual(['2026-03-07T02:30', '2026-03-08T03:00', '2026-03-09T02:30'])
  })

  it('a time that the clocks repeat is the first of the two', () => {
    const zone = 'America/New_York'
    const start = toUtc(zone, parseDate('2026-10-25'), 90)
    expect(occurrences(zone, start, 'weekly', 2)[1]).toBe(start + 7 * 1440)
  })

  it('the first is the start as given, even in the second of two equal hours', () => {
    const start = toUtc('America/New_York', parseDate('2026-11-01'), 90) + 60
    expect(occurrences('America/New_York', start, 'weekly', 1)).toEqual([start])
  })

  it('keeps seconds', () => {
    expect(occurrences('UTC', 100.5, 'weekly', 2)).toEqual([100.5, 100.5 + 7 * 1440])
  })

  it('adds what Temporal adds', () => {
    const zone = fc.constantFrom('Europe/London', 'America/Havana', 'Asia/Kathmandu')
    const freq = fc.constantFrom<Recurrence['freq']>('daily', 'weekly', 'monthly', 'yearly')
    const units = { daily: 'days', weekly: 'weeks', monthly: 'months', yearly: 'years' } as const
    const minute = fc.integer({ min: parseDate('2025-01-01') * 1440, max: 31_000_000 })
    const rule = fc.record({ freq, interval: fc.integer({ min: 1, max: 15 }) })
    fc.assert(
      fc.property(zone, rule, minute, (name, { freq, interval }, start) => {
        const first = Temporal.Instant.fromEpochMilliseconds(start * 60_000)
          .toZonedDateTimeISO(name)
          .toPlainDateTime()
        occurrences(name, start, { freq, interval }, 6).forEach((at, n) => {
          const plain = first.add({ [units[freq]]: n * interval })
          const zoned = plain.toZonedDateTime(name, { disambiguation: 'earlier' })
          // What is skipped or repeated has its own tests above.
          if (n === 0 || !zoned.toPlainDateTime().equals(plain)) return
          expect(at).toBe(zoned.epochMilliseconds / 60_000)
        })
      }),
      { numRuns: 300 },
    )
  })

  it.each([0, -1, 1.5, Number.NaN])('refuses a count or an interval of %d', value => {
    expect(() => occurrences('UTC', 0, 'weekly', value)).toThrow(RangeError)
    expect(() => occurrences('UTC', 0, { freq: 'daily', interval: value }, 2)).toThrow(RangeError)
  })
})
