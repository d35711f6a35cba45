import { type Style, styleFor, usableStyle, writeMoney } from '#lib/domain/messaging/times.ts'
import { dateKey, parseDate } from '#lib/scheduling/dates.ts'

/**
 * The pages are in English, and so are their dates and amounts, in the order and by the clock that are usual
 * where a locale is of: `de` is `en-DE`.
 */
export function englishFor(locale: string): string {
  try {
    const { language, region } = new Intl.Locale(locale).maximize()
    const english = language === 'en' ? locale : `en-${region}`
    return Intl.DateTimeFormat.supportedLocalesOf(english)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

const inEnglish = ({ locale, timeZone }: Style): Style => ({ locale: englishFor(locale), timeZone })

/** How a page writes times: as the first locale and zone that the runtime knows have it, in English. */
export const pageStyle = (...of: Parameters<typeof usableStyle>): Style =>
  inEnglish(usableStyle(...of))

/** How a page writes the times of an appointment for its customer. */
export const pageStyleFor = (...of: Parameters<typeof styleFor>): Style =>
  inEnglish(styleFor(...of))

/** The zones to choose from; UTC is not among those that the runtime lists. */
export const ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort()

/** A zone as people read it. */
export const writeZone = (zone: string): string => zone.replaceAll('_', ' ')

/** `1 h 30 min` */
export function writeLength(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  return [hours && `${hours} h`, rest && `${rest} min`].filter(Boolean).join(' ') || '0 min'
}

/** An amount in cents, `Free` for nothing. */
export const writePrice = (cents: number, currency: string, locale: string): string =>
  cents === 0 ? 'Free' : writeMoney(cents, currency, locale)

/** `1 seat`, `3 seats` */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`

/** `9:00 AM` of an instant, by the clocks of a zone. */
export const writeClock = (at: string, locale: string, timeZone: string): string =>
  new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short' }).format(new Date(at))

const ofDay = (day: string, locale: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options }).format(
    new Date(`${day}T00:00:00Z`),
  )

/** `Tuesday, March 10` of `2026-03-10`. */
export const writeDay = (day: string, locale: string): string =>
  ofDay(day, locale, { weekday: 'long', month: 'long', day: 'numeric' })

/** `March 2026` of `2026-03`. */
export const writeMonth = (month: string, locale: string): string =>
  ofDay(`${month}-01`, locale, { month: 'long', year: 'numeric' })

/** The month some months after (or before) another, both `2026-03`. */
export function shiftMonth(month: string, by: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

/** The days of a month, `2026-03-01` and so on. */
export function daysOf(month: string): string[] {
  const first = parseDate(`${month}-01`)
  const next = parseDate(`${shiftMonth(month, 1)}-01`)
  return Array.from({ length: next - first }, (_, i) => dateKey(first + i))
}

/** The weekday of a day, 0 being Sunday. */
export const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay()

/** The names of the days of the week, long and short, from its first day on. */
export const weekdays = (locale: string, weekStart: number): { long: string; short: string }[] =>
  Array.from({ length: 7 }, (_, i) => {
    // The fourth of January 1970 was a Sunday.
    const day = dateKey(3 + ((weekStart + i) % 7))
    return {
      long: ofDay(day, locale, { weekday: 'long' }),
      short: ofDay(day, locale, { weekday: 'short' }),
    }
  })

/** What an address carries along; what is undefined is left out. */
export type Query = Record<string, string | number | undefined>

/** An address of ours with what is known as its query. */
export function linkTo(path: string, query: Query): string {
  const known = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) known.set(name, String(value))
  if (known.size === 0) return path
  return `${path}${path.includes('?') ? '&' : '?'}${known}`
}
