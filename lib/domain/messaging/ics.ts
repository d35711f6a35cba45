/** Somebody in a calendar entry: one of the two is there. */
export interface CalendarPerson {
  name: string
  email: string | null
  phoneNumber?: string | null
}

/** One entry of a calendar file. `sequence` counts its changes; `uid` stays over all of them. */
export interface CalendarEvent {
  uid: string
  sequence: number
  start: Date
  end: Date
  status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED'
  summary: string
  description?: string
  location?: string
  organizer: CalendarPerson & { email: string }
  attendees?: readonly CalendarPerson[]
}

/**
 * What a calendar program is to do with a file (RFC 5546): REQUEST and CANCEL are an invitation to
 * one entry and its end, PUBLISH offers any number of entries.
 */
export type CalendarMethod = 'REQUEST' | 'CANCEL' | 'PUBLISH'

const MAX_OCTETS = 75

/**
 * A calendar file (RFC 5545) with times in UTC.
 * @param stamp when the entries were described, the DTSTAMP of all of them
 */
export function writeCalendar(
  method: CalendarMethod,
  stamp: Date,
  events: readonly CalendarEvent[],
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Almanac//Almanac//EN',
    'CALSCALE:GREGORIAN',
    `METHOD:${method}`,
    ...events.flatMap(event => eventLines(method, stamp, event)),
    'END:VCALENDAR',
  ]
  return lines.map(line => `${fold(line)}\r\n`).join('')
}

function eventLines(method: CalendarMethod, stamp: Date, event: CalendarEvent): string[] {
  const { description, location, organizer, attendees = [] } = event
  return [
    'BEGIN:VEVENT',
    `UID:${escapeText(event.uid)}`,
    `DTSTAMP:${utc(stamp)}`,
    `SEQUENCE:${event.sequence}`,
    `DTSTART:${utc(event.start)}`,
    `DTEND:${utc(event.end)}`,
    `SUMMARY:${escapeText(event.summary)}`,
    ...(description ? [`DESCRIPTION:${escapeText(description)}`] : []),
    ...(location ? [`LOCATION:${escapeText(location)}`] : []),
    `STATUS:${event.status}`,
    `TRANSP:${event.status === 'CANCELLED' ? 'TRANSPARENT' : 'OPAQUE'}`,
    `ORGANIZER;CN=${quote(organizer.name)}:${mailto(organizer.email)}`,
    ...(method === 'PUBLISH' ? [] : attendees.map(one => attendeeLine(one, event.status))),
    'END:VEVENT',
  ]
}

/** A published entry has no attendees (RFC 5546 section 3.2.1). */
function attendeeLine(one: CalendarPerson, status: CalendarEvent['status']): string {
  const answer = status === 'CONFIRMED' ? 'ACCEPTED' : 'NEEDS-ACTION'
  const roles = `CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=${answer};RSVP=FALSE`
  return `ATTENDEE;${roles};CN=${quote(one.name)}:${addressOf(one)}`
}

/** `20260308T170000Z` */
const utc = (instant: Date): string => instant.toISOString().replace(/[-:]|\.\d+/g, '')

// Tab is the one control character that a value may hold (RFC 5545 section 3.1).
const CONTROL = /(?!\t)\p{Cc}/gu

/** A TEXT value (RFC 5545 section 3.3.11). */
const escapeText = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(CONTROL, '')

/** A quoted parameter; what cannot stand in one is written with a caret (RFC 6868). */
const quote = (text: string): string =>
  `"${text
    .replaceAll('^', '^^')
    .replaceAll('"', "^'")
    .replace(/\r\n?|\n/g, '^n')
    .replace(CONTROL, '')}"`

const mailto = (email: string): string => `mailto:${encodeURI(email.trim())}`

/** Any URI says who somebody is (RFC 5545 section 3.3.3), so a number does as well (RFC 3966). */
const addressOf = ({ email, phoneNumber }: CalendarPerson): string =>
  email === null ? `tel:${phoneNumber}` : mailto(email)

const octets = (codePoint: number): number =>
  codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4

/** Breaks a line after at most 75 octets, never inside a character; the rest begins with a space. */
function fold(line: string): string {
  let folded = ''
  let used = 0
  for (const character of line) {
    const size = octets(character.codePointAt(0)!)
    if (used + size > MAX_OCTETS) {
      folded += '\r\n '
      used = 1
    }
    folded += character
    used += size
  }
  return folded
}
