import { bounded } from '#lib/core/bounded.ts'
import { WEEKDAYS } from '#lib/core/schemas.ts'
import type { Schedule, TimeRange } from '#lib/scheduling/hours.ts'
import type { UserSchedule } from './schema.ts'

interface Hours {
  startTime: string
  endTime: string
}

/** From a time to the same time is no time; until 23:59 is until midnight. */
const rangeOf = ({ startTime, endTime }: Hours): TimeRange[] =>
  startTime < endTime ? [{ start: startTime, end: endTime === '23:59' ? '24:00' : endTime }] : []

/** A user's hours as they are kept. */
export type StoredSchedule = Pick<UserSchedule, 'timeZone' | 'availability' | 'overrides'>

/** A user's schedule as the engine takes it (lib/scheduling/hours.ts). */
export function hoursOf({ timeZone, availability, overrides }: StoredSchedule): Schedule {
  const dates = [...new Set(overrides.map(override => override.date))].sort()
  return {
    timeZone,
    weekly: WEEKDAYS.map((name, day) => ({
      day,
      intervals: availability.filter(hours => hours.days.includes(name)).flatMap(rangeOf),
    })),
    overrides: dates.map(date => ({
      date,
      intervals: overrides.filter(override => override.date === date).flatMap(rangeOf),
    })),
  }
}

/** Monday to Friday, 9 to 17: the hours of a new schedule, and of who has none. */
export const DEFAULT_AVAILABILITY: StoredSchedule['availability'] = [
  { days: WEEKDAYS.slice(1, 6), startTime: '09:00', endTime: '17:00' },
]

/** Most users have the hours that they began with: the same texts are read once. */
const schedules = bounded<Schedule>()

/** A user's schedule for the engine; without one the usual hours, in the user's zone. */
export function userSchedule(stored: StoredSchedule | null, timeZone: string): Schedule {
  const hours = stored ?? { timeZone, availability: DEFAULT_AVAILABILITY, overrides: [] }
  const key = JSON.stringify(hours)
  const known = schedules.get(key)
  if (known) return known
  const schedule = hoursOf(hours)
  schedules.set(key, schedule)
  return schedule
}
