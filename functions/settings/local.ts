import type { Me } from '#lib/domain/users/schema.ts'
import { englishFor } from '#lib/pages/words.ts'
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

/** How instants, or days alone, are written in the reader's zone. */
const writer = (reader: Reader, times?: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(englishFor(reader.locale), {
    timeZone: reader.timeZone,
    dateStyle: 'medium',
    ...times,
  })

const withTimes = (reader: Reader) =>
  writer(reader, { timeStyle: 'short', hour12: reader.timeFormat === 12 })

/** `Mar 8, 2026, 9:30 AM` */
export const writeInstant = (at: string, reader: Reader): string =>
  withTimes(reader).format(new Date(at))

const isMidnight = (at: string, { timeZone }: Reader): boolean =>
  shownAt(timeZone, at).time === '00:00'

/** The last moment before an instant: at midnight it is still of the day before. */
const before = (at: string): Date => new Date(Date.parse(at) - 1)

/** An instant that ends something: `the end of Mar 8, 2026` rather than midnight of the next day. */
export const writeEnd = (at: string, reader: Reader): string =>
  isMidnight(at, reader)
    ? `the end of ${writer(reader).format(before(at))}`
    : writeInstant(at, reader)

/** `Mar 8, 2026, 9:30 – 11:00 AM`, or `Mar 8 – 9, 2026` where it is the whole of days. */
export const writeSpan = (start: string, end: string, reader: Reader): string =>
  isMidnight(start, reader) && isMidnight(end, reader)
    ? writer(reader).formatRange(new Date(start), before(end))
    : withTimes(reader).formatRange(new Date(start), new Date(end))

/** `Sun, Mar 8, 2026` of `2026-03-08`. */
export const writeDate = (date: string, reader: Reader): string =>
  new Intl.DateTimeFormat(englishFor(reader.locale), {
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
