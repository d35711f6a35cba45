import type { DateHours, DateRange, Schedule, WeeklyHours } from '#lib/scheduling/hours.ts'

/** Hours as they are kept in `employee_schedules`: wall-clock times and calendar days. */
export interface StoredHours {
  /** All seven days, from Sunday (0) on. */
  weekly: readonly WeeklyHours[]
  overrides: readonly DateHours[]
  timeOff: readonly DateRange[]
}

const WORKDAYS = [1, 2, 3, 4, 5]

/** Monday to Friday, 9 to 17: the hours of an employee for whom nothing else was ever said. */
export const DEFAULT_WEEKLY: readonly WeeklyHours[] = [0, 1, 2, 3, 4, 5, 6].map(day => ({
  day,
  intervals: WORKDAYS.includes(day) ? [{ start: '09:00', end: '17:00' }] : [],
  breaks: [],
}))

/** The schedule of an employee in a zone; `hours` is their stored row, or null for the default. */
export const scheduleOf = (
  hours: StoredHours | null,
  timeZone: string,
  closures: readonly DateRange[] = [],
): Schedule => ({
  timeZone,
  weekly: hours?.weekly ?? DEFAULT_WEEKLY,
  overrides: hours?.overrides ?? [],
  timeOff: hours?.timeOff ?? [],
  closures,
})
