import type { Schedule, TimeRange } from '#lib/scheduling/hours.ts'

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Hours of some weekdays, as a user's schedule keeps them. */
export interface StoredAvailability {
  days: string[]
  startTime: string
  endTime: string
}

/** Hours of one date; an empty range closes the day. */
export interface StoredOverride {
  date: string
  startTime: string
  endTime: string
}

/** A user's schedule as it is kept. */
export interface StoredSchedule {
  timeZone: string
  availability: StoredAvailability[]
  overrides: StoredOverride[]
}

const WORKDAYS: StoredAvailability[] = [
  { days: DAYS.slice(1, 6), startTime: '09:00', endTime: '17:00' },
]

const rangeOf = (h: { startTime: string; endTime: string }): TimeRange[] =>
  h.startTime < h.endTime ? [{ start: h.startTime, end: h.endTime }] : []

/** A user's schedule for the engine; without one Monday to Friday, 9 to 17, in the user's zone. */
export function userSchedule(stored: StoredSchedule | null, timeZone: string): Schedule {
  const { availability, overrides } = stored ?? { availability: WORKDAYS, overrides: [] }
  const byDate = new Map<string, TimeRange[]>()
  for (const o of overrides) byDate.set(o.date, [...(byDate.get(o.date) ?? []), ...rangeOf(o)])
  return {
    timeZone: stored?.timeZone ?? timeZone,
    weekly: availability.flatMap(a =>
      a.days.map(day => ({ day: DAYS.indexOf(day), intervals: rangeOf(a) })),
    ),
    overrides: [...byDate].map(([date, intervals]) => ({ date, intervals })),
  }
}
