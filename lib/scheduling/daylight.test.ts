import { Temporal } from 'temporal-polyfill'
import { describe, expect, it } from 'vitest'
import { openings } from './hours.ts'
import { normalize } from './intervals.ts'
import { formatLocal, formatUtc } from './zone.ts'

const ZONES = [
  'America/New_York',
  'America/Chicago',
  'Europe/London',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'America/Santiago',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'America/Sao_Paulo',
  'UTC',
  'Africa/Cairo',
  'Asia/Beirut',
  'America/Havana',
]

/** Zones whose clocks do not change in these years. */
const STILL = ['Asia/Kathmandu', 'Pacific/Apia', 'America/Sao_Paulo', 'UTC']

const HOURS: [string, string][] = [
  ['00:00', '24:00'],
  ['09:00', '17:00'],
  ['13:00', '18:00'],
  ['22:00', '24:00'],
  ['01:30', '03:30'],
]

const FIRST = Temporal.PlainDate.from('2025-01-01')
const END = Temporal.PlainDate.from('2029-01-01')

interface Day {
  /** When it begins, in epoch minutes. */
  begin: number
  /** For days with a change: each local minute's first instant, or undefined where it is skipped. */
  minutes?: (number | undefined)[]
}

const DATES: Temporal.PlainDate[] = []
for (let date = FIRST; Temporal.PlainDate.compare(date, END) < 0; date = date.add({ days: 1 })) {
  DATES.push(date)
}

/** Every day of the four years; those with a change minute by minute. */
function daysIn(zone: string): Day[] {
  const begins = [...DATES, END].map(date => date.toZonedDateTime(zone).epochMilliseconds / 60_000)
  return DATES.map((date, i) => {
    const begin = begins[i]!
    return begins[i + 1]! - begin === 1440 ? { begin } : { begin, minutes: minutesOf(zone, date) }
  })
}

function minutesOf(zone: string, date: Temporal.PlainDate): (number | undefined)[] {
  const midnight = date.toPlainDateTime()
  return Array.from({ length: 1440 }, (_, minute) => {
    const plain = midnight.add({ minutes: minute })
    const zoned = plain.toZonedDateTime(zone, { disambiguation: 'earlier' })
    return zoned.toPlainDateTime().equals(plain) ? zoned.epochMilliseconds / 60_000 : undefined
  })
}

function minuteOfDay(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
}

/** What is open on one day, by Temporal alone. */
function oracle({ begin, minutes }: Day, start: string, end: string): number[] {
  const [from, to] = [minuteOfDay(start), minuteOfDay(end)]
  // On a day of 24 hours clocks stand still.
  if (!minutes) return [begin + from, begin + to]
  return minutes.slice(from, to).flatMap(at => (at === undefined ? [] : [at, at + 1]))
}

describe('working hours on every day of 2025 to 2028', () => {
  it.each(ZONES)('%s: local hours, skipped times clipped, repeated ones once', zone => {
    const days = daysIn(zone)
    const from = FIRST.toZonedDateTime(zone).epochMilliseconds / 60_000
    const to = END.toZonedDateTime(zone).epochMilliseconds / 60_000
    const texts = (spans: readonly number[]) => spans.map(at => formatLocal(zone, at))
    const changes = days.filter(day => day.minutes).length
    expect(changes > 0).toBe(!STILL.includes(zone))
    for (const [start, end] of HOURS) {
      const weekly = [0, 1, 2, 3, 4, 5, 6].map(day => ({ day, intervals: [{ start, end }] }))
      const expected = normalize(days.flatMap(day => oracle(day, start, end)))
      const found = openings({ timeZone: zone, weekly }, from, to)
      expect(texts(found), `${start} to ${end}`).toEqual(texts(expected))
    }
  })
})

/** The hours of one local date as UTC texts without seconds. */
function day(timeZone: string, date: string, start: string, end: string): string[] {
  const overrides = [{ date, intervals: [{ start, end }] }]
  const noon = Date.parse(`${date}T12:00Z`) / 60_000
  return openings({ timeZone, weekly: [], overrides }, noon - 2880, noon + 2880).map(at =>
    formatUtc(at).slice(0, 16),
  )
}

describe('days on which clocks change', () => {
  it('afternoons are not an hour late on the day clocks go forward', () => {
    const open = ['2026-03-08T17:00', '2026-03-08T22:00']
    expect(day('America/New_York', '2026-03-08', '13:00', '18:00')).toEqual(open)
  })

  it('hours that begin in the skipped hour begin at the change', () => {
    const open = ['2026-03-08T07:00', '2026-03-08T07:30']
    expect(day('America/New_York', '2026-03-08', '02:15', '03:30')).toEqual(open)
    expect(day('America/New_York', '2026-03-08', '02:00', '03:00')).toEqual([])
  })

  it('a day around the clock with a repeated hour is open two spans', () => {
    expect(day('America/New_York', '2026-11-01', '00:00', '24:00')).toEqual([
      '2026-11-01T04:00',
      '2026-11-01T06:00',
      '2026-11-01T07:00',
      '2026-11-02T05:00',
    ])
  })

  it.each([
    ['Africa/Cairo', '2026-04-24', '2026-04-24T06:00', '2026-04-24T14:00'],
    ['Asia/Beirut', '2026-03-29', '2026-03-29T06:00', '2026-03-29T14:00'],
    ['America/Havana', '2026-03-08', '2026-03-08T13:00', '2026-03-08T21:00'],
    ['America/Santiago', '2026-09-06', '2026-09-06T12:00', '2026-09-06T20:00'],
  ])('%s, where it happens at midnight, is not shifted all day', (zone, date, start, end) => {
    expect(day(zone, date, '09:00', '17:00')).toEqual([start, end])
  })

  it('a day that a zone skips has no hours', () => {
    expect(day('Pacific/Apia', '2011-12-30', '09:00', '17:00')).toEqual([])
    const next = ['2011-12-30T19:00', '2011-12-31T03:00']
    expect(day('Pacific/Apia', '2011-12-31', '09:00', '17:00')).toEqual(next)
  })
})
