/** Minutes in a calendar day. */
export const DAY = 1440

const MILLISECONDS = 60_000

/**
 * The day number (days since 1970-01-01) of a proleptic Gregorian date, month 1 to 12.
 * The year is counted from March, so that the leap day comes last (Howard Hinnant,
 * "chrono-Compatible Low-Level Date Algorithms", days_from_civil).
 */
export function dayOf(year: number, month: number, date: number): number {
  const y = month > 2 ? year : year - 1
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + date - 1
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The date of a day number: the inverse of `dayOf`. */
export function dateOf(day: number): { year: number; month: number; date: number } {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const leapDays =
    Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096)
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365)
  const dayOfYear =
    dayOfEra - (yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  return {
    year: yearOfEra + era * 400 + (month > 2 ? 0 : 1),
    month,
    date: dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  }
}

/** How many days the month (1 to 12) has in that year. */
export function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** The weekday of a day number, 0 = Sunday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

let lastDay = Number.NaN
let lastKey = ''

/** `2026-03-08`; years outside 0 to 9999 in ISO 8601's expanded form, as `Date` writes them. */
export function dateKey(day: number): string {
  // Lists are formatted in order, so the same day is asked for again and again.
  if (day === lastDay) return lastKey
  const { year, month, date } = dateOf(day)
  const digits = String(Math.abs(year))
  const expanded = year < 0 || year > 9999
  const sign = expanded ? (year < 0 ? '-' : '+') : ''
  lastKey = `${sign}${digits.padStart(expanded ? 6 : 4, '0')}-${pad(month)}-${pad(date)}`
  lastDay = day
  return lastKey
}

/** The day number of `2026-03-08`. Throws a RangeError for anything that is not such a date. */
export function parseDate(text: string): number {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  const year = Number(match?.[1])
  const month = Number(match?.[2])
  const date = Number(match?.[3])
  const valid = match && month >= 1 && month <= 12 && date >= 1 && date <= daysInMonth(year, month)
  if (!valid) throw new RangeError(`Not a date of the form YYYY-MM-DD: "${text}"`)
  return dayOf(year, month, date)
}

/** `2026-03-08T17:00:00.000`: minutes since the epoch written as they stand, without a zone. */
export function formatWallClock(minutes: number): string {
  const day = Math.floor(minutes / DAY)
  if (Number.isInteger(minutes)) return dateKey(day) + wholeMinutes()[minutes - day * DAY]!
  const total = Math.round(minutes * MILLISECONDS)
  const minute = Math.floor(total / MILLISECONDS)
  const rest = total - minute * MILLISECONDS
  const whole = formatWallClock(minute)
  return `${whole.slice(0, -6)}${pad(Math.floor(rest / 1000))}.${String(rest % 1000).padStart(3, '0')}`
}

let minuteTexts: string[] | undefined

/** `T00:00:00.000` to `T23:59:00.000`, written once. */
function wholeMinutes(): string[] {
  minuteTexts ??= Array.from(
    { length: DAY },
    (_, minute) => `T${pad(Math.floor(minute / 60))}:${pad(minute % 60)}:00.000`,
  )
  return minuteTexts
}

/** Two digits. */
export function pad(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}
