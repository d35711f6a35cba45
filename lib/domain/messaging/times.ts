import type { Occurrence, Sender, ShownAppointment } from './schema.ts'

/** What times are written in: a locale (BCP 47) and an IANA zone. */
export interface Style {
  locale: string
  timeZone: string
}

const works = (locale: string, timeZone: string): boolean => {
  try {
    new Intl.DateTimeFormat(locale, { timeZone })
    return true
  } catch {
    return false
  }
}

/** The first locale and the first zone that the runtime knows; else English and UTC. */
export function usableStyle(
  locales: readonly (string | null | undefined)[],
  zones: readonly (string | null | undefined)[],
): Style {
  const locale = locales.find(name => name && works(name, 'UTC')) ?? 'en'
  return { locale, timeZone: zones.find(zone => zone && works(locale, zone)) ?? 'UTC' }
}

/**
 * How times are written for a customer: in the zone they booked in, else their own, the location's,
 * the company's; in the company's locale.
 */
export const styleFor = (
  { timeZone, customer, location }: ShownAppointment,
  sender: Sender,
): Style =>
  usableStyle([sender.locale], [timeZone, customer?.timeZone, location?.timeZone, sender.timeZone])

/** Newer data writes `9:00 AM` with a narrow space that some mail programs lack. */
const plainSpaces = (text: string): string => text.replace(/[\u202f\u00a0]/g, ' ')

const write = (at: string, { locale, timeZone }: Style, options: Intl.DateTimeFormatOptions) =>
  plainSpaces(new Intl.DateTimeFormat(locale, { timeZone, ...options }).format(new Date(at)))

/** The name of the zone as it is at an instant: `Eastern Daylight Time`. */
function zoneName(at: string, { locale, timeZone }: Style): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'long' }).formatToParts(
    new Date(at),
  )
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

/**
 * The day, and below it the times: `Sunday, March 8, 2026` and `9:00 AM – 10:00 AM (Eastern Daylight
 * Time)`.
 * @param between what separates the two, a line break where nothing is said
 */
export function writeTimes(
  { startTime, endTime }: Pick<Occurrence, 'startTime' | 'endTime'>,
  style: Style,
  between = '\n',
): string {
  const [first, last] = [writeDay(startTime, style), writeDay(endTime, style)]
  const ends = writeTime(endTime, style)
  const end = first === last ? ends : `${last}, ${ends}`
  return `${first}${between}${writeTime(startTime, style)} – ${end} (${zoneName(startTime, style)})`
}

/** `Sunday, March 8, 2026, 9:00 AM (Eastern Daylight Time)` */
export const writeInstant = (at: string, style: Style): string =>
  `${writeDay(at, style)}, ${writeTime(at, style)} (${zoneName(at, style)})`

/** `Sunday, March 8, 2026` */
export const writeDay = (at: string, style: Style): string =>
  write(at, style, { dateStyle: 'full' })

/** `9:00 AM` */
export const writeTime = (at: string, style: Style): string =>
  write(at, style, { timeStyle: 'short' })

/** `Sun, Mar 8, 9:00 AM` */
export const writeShortly = (at: string, style: Style): string =>
  write(at, style, {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  })

/** An amount in cents as money of a currency, such as `$45.00`. */
export const writeMoney = (cents: number, currency: string, locale: string): string =>
  plainSpaces(new Intl.NumberFormat(locale, { style: 'currency', currency }).format(cents / 100))
