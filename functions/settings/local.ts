import type { Me } from '#lib/domain/users/schema.ts'
import { usableLocale } from '#lib/pages/words.ts'
import { parseDate } from '#lib/scheduling/dates.ts'
import { formatLocal, toUtc } from '#lib/scheduling/zone.ts'

const MINUTE_MS = 60_000

/** How a user reads times: in their zone, with a clock of 12 or 24 hours. */
export type Reader = Pick<Me, 'timeZone' | 'timeFormat' | 'locale'>

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** The instant at which a zone's clocks show a time of a day, `2026-03-08` and `09:30`. */
export const instantOf = (timeZone: string, date: string, time = '00:00'): Date =>
  new Date(toUtc(timeZone, parseDate(date), minutesOf(time)) * MINUTE_MS)

/** The end of a day in a zone, which is the beginning of the next. */
export const endOfDay = (timeZone: string, date: string): Date => instantOf(timeZone, date, '24:00')

/** What a zone's clocks show at an instant, as fields of forms have it. */
export function shownAt(timeZone: string, at: string): { date: string; time: string } {
  const local = formatLocal(timeZone, Math.floor(Date.parse(at) / MINUTE_MS))
  return { date: local.slice(0, 10), time: local.slice(11, 16) }
}

/** The pages are in English; which English is the reader's choice. */
const localeOf = ({ locale }: Reader): string =>
  locale.startsWith('en') ? usableLocale(locale) : 'en'

/** `Mar 8, 2026, 9:30 AM` */
export const writeInstant = (at: string, reader: Reader): string =>
  new Intl.DateTimeFormat(localeOf(reader), {
    timeZone: reader.timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
    hour12: reader.timeFormat === 12,
  }).format(new Date(at))

/** `Sun, Mar 8, 2026` of `2026-03-08`. */
export const writeDate = (date: string, reader: Reader): string =>
  new Intl.DateTimeFormat(localeOf(reader), {
    timeZone: 'UTC',
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(new Date(`${date}T00:00:00Z`))

/** `9:30 AM` of `09:30`, or as it is on a clock of 24 hours. */
export function writeTime(time: string, { timeFormat }: Reader): string {
  if (timeFormat === 24) return time
  const minutes = minutesOf(time)
  const hour = Math.floor(minutes / 60) % 24
  return `${hour % 12 || 12}:${time.slice(3)} ${hour < 12 ? 'AM' : 'PM'}`
}
