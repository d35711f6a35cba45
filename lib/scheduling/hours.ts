import { DAY, parseDate, weekdayOf } from './dates.ts'
import { clip, normalize, overlaps, type Spans, subtract } from './intervals.ts'
import { localDay, type Stretch, timeline } from './zone.ts'

/** A piece of a local day, `HH:MM` to `HH:MM`; the end may be `24:00`, and `23:59` means it. */
export interface TimeRange {
  readonly start: string
  readonly end: string
}

/** The hours of one weekday, 0 = Sunday. The same day may stand twice; its hours add up. */
export interface WeeklyHours {
  readonly day: number
  readonly intervals: readonly TimeRange[]
  readonly breaks?: readonly TimeRange[]
}

/** The hours of one date instead of its weekday's; no intervals = closed. */
export interface DateHours {
  readonly date: string
  readonly intervals: readonly TimeRange[]
  readonly breaks?: readonly TimeRange[]
}

/** Whole local days, `YYYY-MM-DD`, both included. */
export interface DateRange {
  readonly startDate: string
  readonly endDate: string
}

/**
 * When somebody works, by the clocks of one zone. Time off (the person's) and closures (the
 * company's) close whole days and win over everything else. Read once and remembered: a schedule
 * must not be changed after its first use.
 */
export interface Schedule {
  readonly timeZone: string
  readonly weekly: readonly WeeklyHours[]
  readonly overrides?: readonly DateHours[]
  readonly timeOff?: readonly DateRange[]
  readonly closures?: readonly DateRange[]
}

/** A schedule's texts as numbers. */
export interface Compiled {
  /** By weekday: minutes of the local day, breaks taken out. */
  weekly: Spans[]
  overrides: Map<number, Spans>
  /** Ranges of day numbers. */
  closed: Spans
}

const compiled = new WeakMap<Schedule, Compiled>()

/**
 * The open hours in `[from, to)`, UTC minutes, clipped to the window, merged where they touch
 * (an evening until 24:00 and a morning from 00:00 are one). For showing and for asking what is
 * open. For a grid of starts use `shifts`: a clipped or merged span has lost where it began.
 *
 * Hours are wall-clock. A local time that the clocks skip is not there; one that they show twice
 * is open the first time only, so 00:00–24:00 on the day they go back is two spans.
 */
export function openings(schedule: Schedule, from: number, to: number): number[] {
  return clip(normalize(shifts(schedule, from, to)), from, to)
}

/**
 * Every shift that overlaps `[from, to)`, whole: an interval of one local day, from where it
 * begins to where it ends, whatever the window. Shifts of two days may touch at midnight and are
 * kept apart, so each begins its own grid and a schedule around the clock has one a day.
 */
export function shifts(schedule: Schedule, from: number, to: number): number[] {
  const out: number[] = []
  if (!(from < to)) return out
  const { timeZone } = schedule
  const hours = compile(schedule)
  const stretches = timeline(timeZone, from, to)
  // Where clocks go back over midnight, the next date has begun before the old one comes again.
  const lastDay = localDay(timeZone, to) + 1
  let at = 0
  for (let day = localDay(timeZone, from); day <= lastDay; day++) {
    while (at < stretches.length - 1 && stretches[at]!.localEnd <= day * DAY) at++
    const local = hours.overrides.get(day) ?? hours.weekly[weekdayOf(day)]!
    if (local.length === 0 || overlaps(hours.closed, day, day + 1)) continue
    pushDay(out, local, day * DAY, stretches, at)
  }
  return keepOverlapping(out, from, to)
}

/**
 * Reads a schedule's texts once and keeps the result for as long as the schedule lives. Throws a
 * RangeError that quotes the text that is not a time, a date or a range. Call it to check a
 * schedule before it is saved.
 */
export function compile(schedule: Schedule): Compiled {
  const known = compiled.get(schedule)
  if (known) return known
  const weekly: Spans[] = []
  for (let day = 0; day < 7; day++) {
    const entries = schedule.weekly.filter(entry => entry.day === day)
    weekly.push(localSpans(entries))
  }
  const overrides = new Map<number, Spans>()
  for (const { date } of schedule.overrides ?? []) {
    const entries = schedule.overrides!.filter(entry => entry.date === date)
    overrides.set(parseDate(date), localSpans(entries))
  }
  const closed = [...(schedule.timeOff ?? []), ...(schedule.closures ?? [])].flatMap(dayRange)
  const result = { weekly, overrides, closed: normalize(closed) }
  compiled.set(schedule, result)
  return result
}

/** Adds the UTC spans of one day's local minutes; stretches before `at` are over by that day. */
function pushDay(out: number[], local: Spans, midnight: number, stretches: Stretch[], at: number) {
  for (let i = 0; i < local.length; i += 2) {
    const first = out.length
    const start = midnight + local[i]!
    const end = midnight + local[i + 1]!
    for (let j = at; j < stretches.length; j++) {
      const { localStart, localEnd, offset } = stretches[j]!
      if (localStart >= end) break
      const from = Math.max(start, localStart) - offset
      const to = Math.min(end, localEnd) - offset
      if (from >= to) continue
      // Across a spring change the clock jumps but time does not: one span, one grid.
      if (out.length > first && out[out.length - 1] === from) out[out.length - 1] = to
      else out.push(from, to)
    }
  }
}

function keepOverlapping(spans: number[], from: number, to: number): number[] {
  let end = spans.length
  while (end > 0 && spans[end - 2]! >= to) end -= 2
  let start = 0
  while (start < end && spans[start + 1]! <= from) start += 2
  return start === 0 && end === spans.length ? spans : spans.slice(start, end)
}

function localSpans(entries: readonly Omit<WeeklyHours, 'day'>[]): number[] {
  const open = entries.flatMap(entry => entry.intervals.flatMap(minuteRange))
  const breaks = entries.flatMap(entry => (entry.breaks ?? []).flatMap(minuteRange))
  return subtract(normalize(open), normalize(breaks))
}

function minuteRange({ start, end }: TimeRange): [number, number] {
  const from = minuteOfDay(start)
  const until = minuteOfDay(end)
  if (until < from) throw new RangeError(`Hours end before they start: "${start}" to "${end}"`)
  // Forms that stop at 23:59 mean the whole evening.
  return [from, until === DAY - 1 ? DAY : until]
}

function minuteOfDay(text: string): number {
  const match = /^(\d\d):(\d\d)$/.exec(text)
  const minute = Number(match?.[1]) * 60 + Number(match?.[2])
  if (!match || Number(match[2]) > 59 || minute > DAY) {
    throw new RangeError(`Not a time of day of the form HH:MM: "${text}"`)
  }
  return minute
}

function dayRange({ startDate, endDate }: DateRange): [number, number] {
  const first = parseDate(startDate)
  const last = parseDate(endDate)
  if (last < first) throw new RangeError(`Days end before they start: ${startDate} to ${endDate}`)
  return [first, last + 1]
}
