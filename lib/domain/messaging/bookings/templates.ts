import { keyOf, lineOf } from '#lib/domain/attendees/person.ts'
import type { BookingMessage } from '../claimed.ts'
import { type Fact, given, isDue, LATE, type Letter, oneLine } from '../templates.ts'
import { type Style, usableStyle, writeMoney, writeShortly, writeTimes } from '../times.ts'
import type { BookingDate, BookingKind, BookingStatus, ShownBooking } from './schema.ts'
import { answersOf, hostsOf, isOff, placeOf, reasonOf, statusFor } from './words.ts'

/** A message whose booking is there. */
export type AboutBooking = BookingMessage & { booking: ShownBooking }

interface Names {
  hosts: string
  /** Who booked, or whose seat it is. */
  booker: string
  isSeat: boolean
  /** A reminder of what was booked at short notice. */
  isLate: boolean
}

interface Wording {
  subject: string
  heading: string
  lead(names: Names): string
  /** A booking that stands so is what the message speaks of. */
  fits: BookingStatus
}

const WORDINGS: Record<BookingKind, Wording> = {
  event_confirmed: {
    subject: 'Confirmed',
    heading: 'Your meeting is confirmed',
    lead: ({ hosts }) => `You are meeting ${hosts}. The invitation for your calendar is attached.`,
    fits: 'accepted',
  },
  event_requested: {
    subject: 'Requested',
    heading: 'Your request was sent',
    lead: ({ hosts }) =>
      `${hosts} will confirm it or turn it down, and you will hear of it. Until then the time is kept for you.`,
    fits: 'pending',
  },
  event_rejected: {
    subject: 'Declined',
    heading: 'Your request was declined',
    lead: ({ hosts }) => `${hosts} cannot make it. This meeting will not take place.`,
    fits: 'rejected',
  },
  event_changed: {
    subject: 'Changed',
    heading: 'Your meeting has changed',
    lead: ({ hosts }) => `This is how your meeting with ${hosts} stands now.`,
    fits: 'accepted',
  },
  event_cancelled: {
    subject: 'Canceled',
    heading: 'Your meeting is canceled',
    lead: ({ hosts, isSeat }) =>
      isSeat ? 'Your seat is no longer taken.' : `The meeting with ${hosts} will not take place.`,
    fits: 'cancelled',
  },
  event_reminder: {
    subject: 'Reminder',
    heading: 'Your meeting is coming up',
    lead: ({ hosts, isLate }) => `You are meeting ${hosts}.${isLate ? LATE : ''}`,
    fits: 'accepted',
  },
  host_booked: {
    subject: 'New booking',
    heading: 'You have a new booking',
    lead: ({ booker, isSeat }) => `${booker} booked ${isSeat ? 'a seat' : 'a meeting'} with you.`,
    fits: 'accepted',
  },
  host_confirmed: {
    subject: 'Confirmed',
    heading: 'The booking is confirmed',
    lead: ({ booker }) => `${booker} was told that the meeting takes place.`,
    fits: 'accepted',
  },
  host_requested: {
    subject: 'Please answer',
    heading: 'A booking waits for your answer',
    lead: ({ booker }) =>
      `${booker} would like to meet you. Confirm or decline; until then the time is kept.`,
    fits: 'pending',
  },
  host_changed: {
    subject: 'Changed',
    heading: 'A booking has changed',
    lead: ({ booker }) => `This is how the booking of ${booker} stands now.`,
    fits: 'accepted',
  },
  host_cancelled: {
    subject: 'Canceled',
    heading: 'A booking is canceled',
    lead: ({ booker, isSeat }) =>
      isSeat ? `${booker} no longer has a seat.` : `The meeting with ${booker} is canceled.`,
    fits: 'cancelled',
  },
  host_instant: {
    subject: 'Please join',
    heading: 'Somebody waits for you',
    lead: ({ booker }) =>
      `${booker} would like to meet right now. The first host to join takes the meeting.`,
    fits: 'awaiting_host',
  },
}

/** What a message is called in one word: `Confirmed`. */
export const subjectOf = (kind: BookingKind): string => WORDINGS[kind].subject

/** How times are written for the reader of a message: in their own zone and language. */
export const readerStyle = ({ data: { reader }, sender }: BookingMessage): Style =>
  usableStyle([reader.locale, sender.locale], [reader.timeZone, sender.timeZone])

/** The dates that a message still has to tell of at `now`: in a state that fits, and not over. */
export function datesOf({ kind, booking, data }: AboutBooking, now: Date): BookingDate[] {
  const { fits } = WORDINGS[kind]
  const statusOf = (date: BookingDate) =>
    date.id === booking.id ? statusFor(booking, data.seat?.uid) : date.status
  if (data.join && Date.parse(data.join.until) <= now.getTime()) return []
  return booking.dates.filter(
    date =>
      statusOf(date) === fits && Date.parse(date.endTime) > now.getTime() && isDue(data, date, now),
  )
}

/** Who booked: the holder of the seat that it is about, or the first who comes. */
const bookerOf = ({ data, booking }: AboutBooking): string =>
  (data.seat ?? booking.attendees[0])?.name ?? 'Somebody'

/**
 * The words of a message.
 * @param dates what `datesOf` found, at least one
 * @param button where the reader goes from here
 */
export function writeBookingLetter(
  message: AboutBooking,
  dates: readonly BookingDate[],
  button: Letter['button'],
): Letter {
  const { kind, booking, data } = message
  const style = readerStyle(message)
  const { subject, heading, lead } = WORDINGS[kind]
  const start = writeShortly((dates[0] ?? booking).startTime, style)
  const when = dates.length > 1 ? `${dates.length} dates from ${start}` : start
  const names = { hosts: hostsOf(booking), booker: bookerOf(message) }
  return {
    subject: oneLine(`${subject}: ${booking.title}, ${when}`),
    heading,
    lead: lead({ ...names, isSeat: data.seat !== undefined, isLate: data.late ?? false }),
    greeting: `Hello ${oneLine(data.reader.name)},`,
    facts: isForHost(message) ? hostFacts(message, dates) : attendeeFacts(message, dates),
    dates: dates.length > 1 ? dates.map(date => writeTimes(date, style, ', ')) : [],
    ...(button ? { button } : {}),
    footer: footerOf(message),
  }
}

/** Whether a host reads it. */
export const isForHost = ({ data }: BookingMessage): boolean => data.reader.userId !== undefined

function times(message: AboutBooking, dates: readonly BookingDate[]): Fact[] {
  const { previousStartTime: startTime, previousEndTime: endTime, join } = message.data
  const style = readerStyle(message)
  return [
    ['When', dates.length === 1 && writeTimes(dates[0]!, style)],
    ['Join until', join && writeShortly(join.until, style)],
    ['Before', startTime && endTime && writeTimes({ startTime, endTime }, style)],
  ]
}

/**
 * The names of the others who come: in a booking with seats only where they are to be seen.
 * @param own the key of the reader
 */
export function othersOf({ isSeated, attendees, eventType }: ShownBooking, own: string): string[] {
  if (isSeated && !eventType?.seatsShowAttendees) return []
  return attendees.filter(a => keyOf(a) !== own).map(a => a.name)
}

function attendeeFacts(message: AboutBooking, dates: readonly BookingDate[]): Letter['facts'] {
  const { booking, recipient } = message
  const { price, currency } = booking
  const isOn = !dates.some(isOff) && message.kind !== 'event_cancelled'
  return given([
    ['What', booking.title],
    ...times(message, dates),
    ['With', hostsOf(booking)],
    ['Also', isOn && othersOf(booking, keyOf({ email: recipient })).join(', ')],
    ['Where', isOn && placeOf(booking)],
    ['Price', isOn && price > 0 && writeMoney(price, currency, readerStyle(message).locale)],
    ['About', isOn && booking.description],
    ['Reason', !isOn && reasonOf(booking)],
  ])
}

/** What a host is told of who comes: those who come, or the one of a seat, and what they answered. */
function hostFacts(message: AboutBooking, dates: readonly BookingDate[]): Letter['facts'] {
  const { booking, data } = message
  const { seat } = data
  const holder = booking.attendees.find(a => a.seatUid === seat?.uid)
  const people = seat ? [seat] : booking.attendees
  const taken = booking.isSeated && !isOff(booking) && String(booking.attendees.length)
  const responses = seat ? (holder?.responses ?? {}) : booking.isSeated ? {} : booking.responses
  const isOn = message.kind !== 'host_cancelled'
  return given([
    ['What', booking.title],
    ...times(message, dates),
    ['Who', people.map(lineOf).join('\n')],
    ['Seats taken', taken],
    ['Where', isOn && placeOf(booking)],
    ...(isOn ? answersOf(responses, booking) : []),
    ['Reason', !isOn && reasonOf(booking)],
  ])
}

function footerOf(message: AboutBooking): string {
  const { booking } = message
  if (isForHost(message)) return 'You get this e-mail because you host this meeting.'
  const sent = `You get this e-mail because this meeting was booked for you.`
  if (booking.eventType?.hideOrganizerEmail) return sent
  return `${sent} If something is wrong, answer this e-mail.`
}
