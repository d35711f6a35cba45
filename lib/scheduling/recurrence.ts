import { DAY, dateOf, dayOf, daysInMonth } from './dates.ts'
import { offsetAt, toUtc } from './zone.ts'

/** Every `interval` days, weeks, months or years. */
export interface Recurrence {
  freq: 'daily' | 'weekly' | 'monthly' | 'yearly'
  /** A whole number from 1. */
  interval: number
}

const NAMED = {
  weekly: { freq: 'weekly', interval: 1 },
  biweekly: { freq: 'weekly', interval: 2 },
  monthly: { freq: 'monthly', interval: 1 },
} as const satisfies Record<string, Recurrence>

/**
 * The starts (UTC minutes) of a series of `count`, the first included as given. The wall-clock
 * time stays the same in the zone: a time the clocks skip that day becomes the instant of the
 * change, one they show twice the first. Months and years are counted from the first date, and a
 * month without that day takes its last: 31 January, 28 February, 31 March.
 */
export function occurrences(
  zone: string,
  start: number,
  rule: keyof typeof NAMED | Recurrence,
  count: number,
): number[] {
  const { freq, interval } = typeof rule === 'string' ? NAMED[rule] : rule
  if (!Number.isInteger(count) || count < 1) {
    throw new RangeError(`A series has a whole number of occurrences from 1: ${count}`)
  }
  if (!Number.isInteger(interval) || interval < 1) {
    throw new RangeError(`A series recurs at a whole interval from 1: ${interval}`)
  }
  const local = start + offsetAt(zone, start)
  const first = Math.floor(local / DAY)
  const minute = local - first * DAY
  const starts = [start]
  for (let n = 1; n < count; n++) {
    starts.push(toUtc(zone, nthDay(first, freq, n * interval), minute))
  }
  return starts
}

function nthDay(first: number, freq: Recurrence['freq'], units: number): number {
  if (freq === 'daily') return first + units
  if (freq === 'weekly') return first + units * 7
  const { year, month, date } = dateOf(first)
  const months = year * 12 + month - 1 + (freq === 'yearly' ? units * 12 : units)
  const toYear = Math.floor(months / 12)
  const toMonth = (months % 12) + 1
  return dayOf(toYear, toMonth, Math.min(date, daysInMonth(toYear, toMonth)))
}
