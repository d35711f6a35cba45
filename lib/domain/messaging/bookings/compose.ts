import type { Settings } from '#lib/core/context.ts'
import type { BookingMessage } from '../claimed.ts'
import { type Composed, organizerAddress, type Skipped } from '../compose.ts'
import type { CalendarEvent, CalendarMethod, CalendarPerson } from '../ics.ts'
import type { Letter } from '../templates.ts'
import { answerUrl } from './answer-link.ts'
import type { BookingDate, ShownBooking } from './schema.ts'
import {
  type AboutBooking,
  datesOf,
  isForHost,
  readerStyle,
  writeBookingLetter,
} from './templates.ts'
import { hostsOf, isOff, placeOf, statusFor } from './words.ts'

/** The attendee's own page of a booking, or of their seat in it. */
export const attendeeUrl = ({ publicUrl }: Settings, uid: string, seat?: string): string =>
  `${publicUrl}/e/${uid}${seat ? `?seat=${seat}` : ''}`

/** The page where the first host who comes joins an instant meeting. */
export const joinUrl = ({ publicUrl }: Settings, token: string): string =>
  `${publicUrl}/connect-and-join?token=${token}`

const isAbout = (message: BookingMessage): message is AboutBooking => message.booking !== null

/** A message that still has something to tell, and the dates that it tells of. */
export interface Due {
  message: AboutBooking
  dates: readonly [BookingDate, ...BookingDate[]]
}

/** What a message has to tell at `now`, however it is sent. */
export function dueOf(message: BookingMessage, now: Date): Due | Skipped {
  if (!isAbout(message)) return { skipped: 'skipped: the booking is gone' }
  const [first, ...others] = datesOf(message, now)
  return first
    ? { message, dates: [first, ...others] }
    : { skipped: `skipped: the booking is ${message.booking.status}, or over` }
}

/** What an e-mail about an event booking says to its reader. */
export async function composeBooking(
  claimed: BookingMessage,
  settings: Settings,
  now: Date,
): Promise<Composed | Skipped> {
  const due = dueOf(claimed, now)
  if ('skipped' in due) return due
  const { message, dates } = due
  const { sender, booking } = message
  const { name, email } = booking.organizer
  return {
    letter: writeBookingLetter(message, dates, await buttonOf(message, dates, settings)),
    business: sender.name,
    from: isForHost(message)
      ? { name: sender.name, replyTo: (message.data.seat ?? booking.attendees[0])?.email ?? null }
      : { name, replyTo: booking.eventType?.hideOrganizerEmail ? null : email },
    locale: readerStyle(message).locale,
    calendar: calendarOf(message, dates, settings),
  }
}

/** Where the reader goes from here: an attendee to their page, a host to answer a request. */
async function buttonOf(
  { kind, data, booking }: AboutBooking,
  dates: readonly BookingDate[],
  settings: Settings,
): Promise<Letter['button']> {
  const { userId } = data.reader
  if (data.join) return { label: 'Join the meeting', url: joinUrl(settings, data.join.token) }
  if (userId !== undefined) {
    if (kind !== 'host_requested') return undefined
    const ends = new Date(dates.at(-1)?.endTime ?? booking.endTime)
    const url = await answerUrl(settings, { uid: dates[0]?.uid ?? booking.uid, userId }, ends)
    return { label: 'Confirm or decline', url }
  }
  if (kind === 'event_cancelled' || kind === 'event_rejected') return undefined
  return { label: 'See or change', url: attendeeUrl(settings, booking.uid, data.seat?.uid) }
}

/**
 * The calendar entries of a message: none with a reminder, since they came before, none with a call to
 * join right now, and none for a
 * request, unless it takes the place of a meeting that was in the calendar already. An invitation is
 * about one entry (RFC 5546 section 3.2.2), so the many of a series are published.
 */
function calendarOf(
  message: AboutBooking,
  dates: readonly BookingDate[],
  settings: Settings,
): Composed['calendar'] {
  const { booking, data, kind } = message
  if (kind === 'event_reminder' || kind === 'host_instant') return undefined
  const isNew = data.previousStartTime === undefined
  if (dates.every(({ status }) => status === 'pending') && isNew) return undefined
  const seat = isForHost(message) ? undefined : data.seat?.uid
  const standing = dates.map(date =>
    date.id === booking.id ? { ...date, status: statusFor(booking, seat) } : date,
  )
  const single: CalendarMethod = standing.some(isOff) ? 'CANCEL' : 'REQUEST'
  const attendees = calendarPeople(message)
  return {
    method: standing.length > 1 ? 'PUBLISH' : single,
    events: standing.map(date => ({ ...bookingEntry(booking, date, settings), attendees })),
  }
}

/** Those whom an entry invites: of seats nobody but the reader. */
function calendarPeople(message: AboutBooking): CalendarPerson[] {
  const { booking, data, recipient } = message
  const reader = { name: data.reader.name, email: recipient }
  if (isForHost(message)) return [...booking.attendees, reader]
  return booking.isSeated ? [reader] : booking.attendees
}

const STATUS = {
  pending: 'TENTATIVE',
  accepted: 'CONFIRMED',
  awaiting_host: 'TENTATIVE',
  cancelled: 'CANCELLED',
  rejected: 'CANCELLED',
} as const

/** The calendar entry of one date of a booking, without those who come. */
export function bookingEntry(
  booking: ShownBooking,
  date: BookingDate,
  settings: Settings,
): CalendarEvent {
  const { organizer, eventType } = booking
  return {
    uid: date.uid,
    sequence: date.version,
    start: new Date(date.startTime),
    end: new Date(date.endTime),
    status: STATUS[date.status],
    summary: booking.title,
    description: [`With ${hostsOf(booking)}`, booking.description].filter(Boolean).join('\n'),
    location: placeOf(booking) ?? '',
    organizer: {
      name: organizer.name,
      email: eventType?.hideOrganizerEmail ? organizerAddress(settings) : organizer.email,
    },
  }
}
