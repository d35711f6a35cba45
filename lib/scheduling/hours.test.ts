import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDate } from './dates.ts'
import { compile, openings, type Schedule, shifts } from './hours.ts'
import { clip, normalize } from './intervals.ts'
import { formatLocal, formatUtc, toUtc } from './zone.ts'

const WEEK = [0, 1, 2, 3, 4, 5, 6]

function daily(timeZone: string, start: string, end: string): Schedule {
  return { timeZone, weekly: WEEK.map(day => ({ day, intervals: [{ start, end }] })) }
}

/** The openings of whole local days, as local texts without seconds. */
function local(schedule: Schedule, first: string, last = first): string[] {
  const { timeZone } = schedule
  const from = toUtc(timeZone, parseDate(first), 0)
  const to = toUtc(timeZone, parseDate(last) + 1, 0)
  return openings(schedule, from, to).map(at => formatLocal(timeZone, at).slice(0, 16))
}

const office: Schedule = {
  timeZone: 'Europe/Berlin',
  weekly: [1, 2, 3, 4, 5].map(day => ({
    day,
    intervals: [{ start: '09:00', end: '17:00' }],
    breaks: [{ start: '12:00', end: '12:30' }],
  })),
}

describe('openings', () => {
  it('are the weekday intervals without the breaks', () => {
    expect(local(office, '2026-06-05', '2026-06-07')).toEqual([
      '2026-06-05T09:00',
      '2026-06-05T12:00',
      '2026-06-05T12:30',
      '2026-06-05T17:00',
    ])
  })

  it('are clipped to the window', () => {
    const from = toUtc('Europe/Berlin', parseDate('2026-06-05'), 10 * 60)
    expect(openings(office, from, from + 60)).toEqual([from, from + 60])
    expect(openings(office, from, from)).toEqual([])
  })

  it('add up the entries of one day and merge what touches or overlaps', () => {
    const hours = (start: string, end: string) => ({ day: 5, intervals: [{ start, end }] })
    const schedule = {
      timeZone: 'UTC',
      weekly: [hours('13:00', '15:00'), hours('09:00', '12:00'), hours('11:00', '13:00')],
    }
    expect(local(schedule, '2026-06-05')).toEqual(['2026-06-05T09:00', '2026-06-05T15:00'])
  })

  it('on a date with an override are the override alone', () => {
    const intervals = [{ start: '20:00', end: '22:00' }]
    const schedule = { ...office, overrides: [{ date: '2026-06-07', intervals }] }
    expect(local(schedule, '2026-06-06', '2026-06-07')).toEqual([
      '2026-06-07T20:00',
      '2026-06-07T22:00',
    ])
    const breaks = [{ start: '20:30', end: '22:00' }]
    const short = { ...office, overrides: [{ date: '2026-06-05', intervals, breaks }] }
    expect(local(short, '2026-06-05')).toEqual(['2026-06-05T20:00', '2026-06-05T20:30'])
  })

  it('on a date with an override without intervals are none', () => {
    const schedule = { ...office, overrides: [{ date: '2026-06-05', intervals: [] }] }
    expect(local(schedule, '2026-06-05')).toEqual([])
  })

  it('leave out time off and closures, whole local days, the last included', () => {
    const days = { startDate: '2026-06-02', endDate: '2026-06-04' }
    const left = ['2026-06-01T17:00', '2026-06-05T09:00']
    for (const schedule of [
      { ...office, timeOff: [days] },
      { ...office, closures: [days] },
    ]) {
      expect(local(schedule, '2026-06-01', '2026-06-05').slice(3, 5)).toEqual(left)
    }
  })

  it('leave out time off even where the date has an override', () => {
    const intervals = [{ start: '08:00', end: '20:00' }]
    const schedule = {
      ...office,
      overrides: [{ date: '2026-06-05', intervals }],
      timeOff: [{ startDate: '2026-06-05', endDate: '2026-06-05' }],
    }
    expect(local(schedule, '2026-06-05')).toEqual([])
  })

  it('time off is the days of the schedule, not those of UTC', () => {
    const days = { startDate: '2026-06-05', endDate: '2026-06-05' }
    const schedule = { ...daily('Pacific/Auckland', '00:00', '24:00'), timeOff: [days] }
    expect(local(schedule, '2026-06-04', '2026-06-06')).toEqual([
      '2026-06-04T00:00',
      '2026-06-05T00:00',
      '2026-06-06T00:00',
      '2026-06-07T00:00',
    ])
  })

  it('run through midnight as one span, also when the day ends at 23:59', () => {
    for (const end of ['24:00', '23:59']) {
      expect(local(daily('America/Denver', '00:00', end), '2026-06-05', '2026-06-07')).toEqual([
        '2026-06-05T00:00',
        '2026-06-08T00:00',
      ])
    }
  })

  it('are the same whatever the window they are cut from', () => {
    const zone = fc.constantFrom('America/New_York', 'Africa/Cairo', 'Australia/Lord_Howe', 'UTC')
    const hours = fc.constantFrom(['00:00', '24:00'], ['22:00', '24:00'], ['01:30', '03:30'])
    const base = parseDate('2026-01-01') * 1440
    const minute = fc.integer({ min: base, max: base + 400 * 1440 })
    const length = fc.nat({ max: 20_000 })
    fc.assert(
      fc.property(zone, hours, minute, length, (timeZone, [start, end], from, minutes) => {
        const schedule = daily(timeZone, start!, end!)
        const all = openings(schedule, base - 10_000, base + 600_000)
        expect(openings(schedule, from, from + minutes)).toEqual(clip(all, from, from + minutes))
      }),
    )
  })
})

describe('shifts', () => {
  it('count the first minute of a date to which clocks then return from the day before', () => {
    // St. John's went from 00:01 on the 7th back to 23:01 on the 6th.
    const change = Date.parse('2010-11-07T02:31Z') / 60_000
    const schedule = daily('America/St_Johns', '00:00', '24:00')
    const whole = openings(schedule, change - 2000, change + 2000)
    expect(whole).toEqual([change - 2000, change, change + 60, change + 2000])
    for (const to of [change - 30, change, change + 30, change + 59, change + 61]) {
      expect(openings(schedule, change - 40, to)).toEqual(clip(whole, change - 40, to))
      expect(openings(schedule, to, change + 90)).toEqual(clip(whole, to, change + 90))
    }
  })

  it('are whole, whatever the window', () => {
    const nine = toUtc('Europe/Berlin', parseDate('2026-06-05'), 540)
    const whole = [nine, nine + 180]
    expect(shifts(office, nine + 60, nine + 61)).toEqual(whole)
    expect(shifts(office, nine + 179, nine + 200)).toEqual(whole)
    expect(shifts(office, nine + 180, nine + 200)).toEqual([])
  })

  it('of a schedule around the clock are one a day and touch', () => {
    const from = parseDate('2026-06-05') * 1440
    const list = shifts(daily('UTC', '00:00', '24:00'), from, from + 2880)
    expect(list).toEqual([from, from + 1440, from + 1440, from + 2880])
    expect(normalize(list)).toEqual([from, from + 2880])
  })

  it('go on across a spring change as one, and begin anew after a repeated hour', () => {
    const zone = 'America/New_York'
    const around = (date: string) => {
      const noon = toUtc(zone, parseDate(date), 720)
      return shifts(daily(zone, '00:00', '24:00'), noon, noon + 1).map(formatUtc)
    }
    expect(around('2026-03-08')).toEqual(['2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'])
    expect(around('2026-11-01')).toEqual(['2026-11-01T07:00:00.000Z', '2026-11-02T05:00:00.000Z'])
  })
})

describe('compile', () => {
  it.each([
    ['9:00', '17:00', 'Not a time of day of the form HH:MM: "9:00"'],
    ['09:00', '24:01', 'Not a time of day of the form HH:MM: "24:01"'],
    ['09:60', '17:00', 'Not a time of day of the form HH:MM: "09:60"'],
    ['22:00', '02:00', 'Hours end before they start: "22:00" to "02:00"'],
  ])('refuses %s to %s', (start, end, message) => {
    expect(() => compile(daily('UTC', start, end))).toThrow(new RangeError(message))
  })

  it('refuses days that end before they start, and dates that are none', () => {
    const timeOff = [{ startDate: '2026-06-05', endDate: '2026-06-04' }]
    expect(() => compile({ ...office, timeOff })).toThrow('Days end before they start')
    const overrides = [{ date: '2026-02-30', intervals: [] }]
    expect(() => compile({ ...office, overrides })).toThrow('2026-02-30')
  })

  it('reads a schedule once', () => {
    expect(compile(office)).toBe(compile(office))
  })
})
