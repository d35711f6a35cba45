import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { dateKey, dateOf, dayOf, daysInMonth, parseDate, weekdayOf } from './dates.ts'
import { formatLocal, formatUtc, localDay, offsetAt, timeline, toUtc } from './zone.ts'

const minutesOf = (iso: string) => Date.parse(iso) / 60_000

describe('dates', () => {
  it('days, dates and keys agree with Date over 20,000 years', () => {
    fc.assert(
      fc.property(fc.integer({ min: -4_000_000, max: 4_000_000 }), day => {
        const date = new Date(day * 86_400_000)
        const parts = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()] as const
        expect(Object.values(dateOf(day))).toEqual([...parts])
        expect(dayOf(...parts)).toBe(day)
        expect(weekdayOf(day)).toBe(date.getUTCDay())
        expect(dateKey(day)).toBe(date.toISOString().split('T')[0])
        expect(daysInMonth(parts[0], parts[1])).toBe(
          new Date(Date.UTC(2000 + (parts[0] % 400), parts[1], 0)).getUTCDate(),
        )
      }),
      { numRuns: 1000 },
    )
  })

  it('parseDate reads what dateKey writes', () => {
    expect(dateKey(parseDate('2026-03-08'))).toBe('2026-03-08')
    expect(parseDate('1970-01-01')).toBe(0)
    expect(parseDate('2024-02-29')).toBe(parseDate('2024-03-01') - 1)
  })

  it.each(['2026-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '2026-04-31', '', '2026-03-08T'])(
    'parseDate refuses "%s" and quotes it',
    text => {
      expect(() => parseDate(text)).toThrow(`Not a date of the form YYYY-MM-DD: "${text}"`)
    },
  )

  it('formatUtc writes what Date writes, to the millisecond', () => {
    const instant = fc.integer({ min: -8e14, max: 8e14 })
    fc.assert(
      fc.property(instant, ms => {
        expect(formatUtc(ms / 60_000)).toBe(new Date(ms).toISOString())
        const minute = Math.floor(ms / 60_000)
        expect(formatUtc(minute)).toBe(new Date(minute * 60_000).toISOString())
      }),
      { numRuns: 1000 },
    )
  })
})

describe('zones', () => {
  it('an unknown zone is a RangeError that quotes it', () => {
    const names = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Calcutta', 'Etc/GMT+5']
    for (const name of names) expect(Number.isInteger(offsetAt(name, 0))).toBe(true)
    const others = ['', '+05:30', '-08:00', 'Mars/Olympus', 'Europe/Berlin ', '1', 'undefined']
    for (const name of others)
      expect(() => offsetAt(name, 0)).toThrow(new RangeError(`Unknown time zone: "${name}"`))
  })

  it('offsets, local days and local texts agree with Temporal in every zone', () => {
    const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
    const minute = fc.integer({ min: minutesOf('1975-01-01Z'), max: minutesOf('2037-12-31Z') })
    fc.assert(
      fc.property(zone, minute, (name, at) => {
        const local = Temporal.Instant.fromEpochMilliseconds(at * 60_000).toZonedDateTimeISO(name)
        expect(offsetAt(name, at)).toBe(local.offsetNanoseconds / 6e10)
        expect(dateKey(localDay(name, at))).toBe(local.toPlainDate().toString())
        const text = local.toString({ timeZoneName: 'never', smallestUnit: 'millisecond' })
        expect(formatLocal(name, at)).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  it('toUtc is the first instant that shows the wall-clock time', () => {
    const zone = fc.constantFrom('America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'UTC')
    const day = fc.integer({ min: parseDate('2025-01-01'), max: parseDate('2028-12-31') })
    fc.assert(
      fc.property(zone, day, fc.integer({ min: 0, max: 1439 }), (name, date, minute) => {
        const at = toUtc(name, date, minute)
        const plain = Temporal.PlainDateTime.from(`${dateKey(date)}T00:00`).add({ minutes: minute })
        const zoned = plain.toZonedDateTime(name, { disambiguation: 'earlier' })
        if (zoned.toPlainDateTime().equals(plain)) {
          expect(at).toBe(zoned.epochMilliseconds / 60_000)
        } else expect(offsetAt(name, at - 1)).toBeLessThan(offsetAt(name, at))
      }),
      { numRuns: 1000 },
    )
  })

  it('toUtc gives the instant of the change for a time the clocks skip', () => {
    const day = parseDate('2026-03-08')
    for (const minute of [120, 150, 179, 180]) {
      expect(formatUtc(toUtc('America/New_York', day, minute))).toBe('2026-03-08T07:00:00.000Z')
    }
    const skipped = toUtc('Pacific/Apia', parseDate('2011-12-30'), 600)
    expect(formatLocal('Pacific/Apia', skipped)).toBe('2011-12-31T00:00:00.000+14:00')
  })

  it('toUtc gives the first of two instants for a time the clocks repeat', () => {
    const at = toUtc('America/New_York', parseDate('2026-11-01'), 90)
    expect(formatLocal('America/New_York', at)).toBe('2026-11-01T01:30:00.000-04:00')
  })

  it('toUtc counts minutes past midnight into the days after', () => {
    const day = parseDate('2026-07-01')
    expect(toUtc('Asia/Kathmandu', day, 1440 + 60)).toBe(toUtc('Asia/Kathmandu', day + 1, 60))
  })
})

describe('timeline', () => {
  const changes = (zone: string, from: string, to: string) =>
    timeline(zone, minutesOf(from), minutesOf(to))
      .filter(({ start }) => start > minutesOf(from) && start < minutesOf(to))
      .map(({ start, offset }) => `${formatUtc(start).slice(0, 16)} ${offset}`)

  it('finds both changes around Ramadan, a month apart', () => {
    expect(changes('Africa/Casablanca', '2026-01-10Z', '2026-12-01Z')).toEqual([
      '2026-02-15T02:00 0',
      '2026-03-22T02:00 60',
    ])
  })

  it('finds changes of half an hour, at midnight, and a skipped day', () => {
    expect(changes('Australia/Lord_Howe', '2026-01-10Z', '2026-12-01Z')).toEqual([
      '2026-04-04T15:00 630',
      '2026-10-03T15:30 660',
    ])
    expect(changes('Africa/Cairo', '2026-01-10Z', '2026-12-01Z')).toEqual([
      '2026-04-23T22:00 180',
      '2026-10-29T21:00 120',
    ])
    expect(changes('Pacific/Apia', '2011-12-01Z', '2012-01-20Z')).toEqual(['2011-12-30T10:00 840'])
  })

  it('finds the shortest times between two changes since 1970, a week and twelve days', () => {
    expect(changes('America/Recife', '2000-09-01Z', '2000-12-01Z')).toEqual([
      '2000-10-08T03:00 -120',
      '2000-10-15T02:00 -180',
    ])
    expect(changes('America/Argentina/Tucuman', '2004-05-01Z', '2004-09-01Z')).toEqual([
      '2004-06-01T03:00 -240',
      '2004-06-13T04:00 -180',
    ])
  })

  it('covers the window without holes, and two stretches in a row differ', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3e7 }), fc.nat({ max: 1e6 }), (from, length) => {
        const list = timeline('Europe/London', from, from + length)
        expect(list[0]!.start).toBeLessThanOrEqual(from - 2880)
        expect(list.at(-1)!.end).toBeGreaterThan(from + length + 2880)
        for (let i = 1; i < list.length; i++) {
          expect(list[i]!.start).toBe(list[i - 1]!.end)
          expect(list[i]!.offset).not.toBe(list[i - 1]!.offset)
          expect(list[i]!.localStart).toBeGreaterThanOrEqual(list[i - 1]!.localEnd)
        }
      }),
    )
  })
})
