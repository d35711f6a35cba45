import { clip } from '#lib/core/text.ts'
import type { AppointmentMessage } from './claimed.ts'
import type { AppointmentKind, Occurrence, ShownAppointment, Timing } from './schema.ts'
import { type Style, styleFor, writeMoney, writeShortly, writeTimes } from './times.ts'

/** What a message says, before it is text or HTML. Plain text throughout: nothing is escaped. */
export interface Letter {
  subject: string
  heading: string
  /** What happened, in a sentence or two. */
  lead: string
  greeting: string
  /** Label and value. */
  facts: [label: string, value: string][]
  /** The dates of a series. */
  dates: string[]
  button?: { label: string; url: string } | undefined
  /** What the business wrote itself, in the place of everything but the footer. */
  own?: { text: string; html: string }
  /** Stands below everything, such as how to reach the business. */
  footer: string
  /** Where the reader ends reminders and messages of workflows, below a message that is one. */
  unsubscribeUrl?: string
}

/** A label with what it is of, if there is anything. */
export type Fact = [label: string, value: string | null | undefined | false]

/** Those facts that there is something of. */
export const given = (facts: readonly Fact[]): Letter['facts'] =>
  facts.filter((fact): fact is [string, string] => Boolean(fact[1]))

interface Wording {
  subject: string
  heading: string
  lead(business: string, isLate: boolean): string
  /** An appointment in one of these states is what the message speaks of. */
  fits: readonly Occurrence['status'][]
}

const WORDINGS: Record<AppointmentKind, Wording> = {
  booking_confirmation: {
    subject: 'Confirmed',
    heading: 'Your booking is confirmed',
    lead: business => `${business} is looking forward to seeing you.`,
    fits: ['approved'],
  },
  booking_request: {
    subject: 'Please confirm',
    heading: 'Please confirm your booking',
    lead: business =>
      `${business} holds this time for you. Confirm that you are coming; what is not confirmed in time is canceled.`,
    fits: ['pending'],
  },
  booking_cancelled: {
    subject: 'Canceled',
    heading: 'Your booking is canceled',
    lead: business => `This booking with ${business} will not take place.`,
    fits: ['canceled'],
  },
  booking_changed: {
    subject: 'Changed',
    heading: 'Your booking has changed',
    lead: business => `This is how your booking with ${business} stands now.`,
    fits: ['approved', 'pending'],
  },
  booking_reminder: {
    subject: 'Reminder',
    heading: 'Your booking is coming up',
    lead: (business, isLate) =>
      `${business} is looking forward to seeing you.${isLate ? LATE : ''}`,
    fits: ['approved'],
  },
}

/** What a reminder says that comes right after a booking at short notice. */
export const LATE = ' It is less than a day away, so this reminder comes right after your booking.'

/** Whether what a message was due for still stands at `now`. */
export const isDue = ({ start }: Timing, date: { startTime: string }, now: Date): boolean =>
  start === undefined || (start === date.startTime && Date.parse(start) > now.getTime())

/** The dates that a message still has to tell of at `now`: in a state that fits, and not over. */
export function datesOf(
  { kind, appointment, series, data }: AppointmentMessage,
  now: Date,
): Occurrence[] {
  const { fits } = WORDINGS[kind]
  const dates = series.length > 0 ? series : appointment ? [appointment] : []
  const end = kind === 'booking_request' ? 'startTime' : 'endTime'
  return dates.filter(
    date =>
      fits.includes(date.status) && Date.parse(date[end]) > now.getTime() && isDue(data, date, now),
  )
}

/**
 * The words of a message.
 * @param dates what `datesOf` found, at least one
 * @param button where the customer goes from here
 */
export function writeLetter(
  message: AppointmentMessage & { appointment: object },
  dates: readonly Occurrence[],
  button: Letter['button'],
): Letter {
  const { kind, sender, appointment, data } = message
  const style = styleFor(appointment, sender)
  const { subject, heading, lead } = WORDINGS[kind]
  const first = dates[0] ?? appointment
  const when =
    dates.length > 1
      ? `${dates.length} dates from ${writeShortly(first.startTime, style)}`
      : writeShortly(first.startTime, style)
  return {
    subject: oneLine(`${subject}: ${appointment.service}, ${when}`),
    heading,
    lead: lead(sender.name, data.late ?? false),
    greeting: appointment.customer ? `Hello ${oneLine(appointment.customer.name)},` : 'Hello,',
    facts: factsOf(message, dates, style),
    dates: dates.length > 1 ? dates.map(date => writeTimes(date, style, ', ')) : [],
    ...(button ? { button } : {}),
    footer: footerOf(sender),
  }
}

/** Until when a pending appointment can be confirmed, in words: at the latest until it begins. */
export const untilOf = (
  { confirmBy, startTime }: Pick<ShownAppointment, 'confirmBy' | 'startTime'>,
  style: Style,
): string => writeShortly(confirmBy ?? startTime, style)

function factsOf(
  { kind, appointment, data }: AppointmentMessage & { appointment: object },
  dates: readonly Occurrence[],
  style: Style,
): Letter['facts'] {
  const { service, employee, location, totalAmount, currency, cancellationReason } = appointment
  const { previousStartTime: startTime, previousEndTime: endTime } = data
  return given([
    ['What', service],
    ['When', dates.length === 1 && writeTimes(dates[0]!, style)],
    ['Confirm by', kind === 'booking_request' && untilOf(appointment, style)],
    ['Before', startTime && endTime && writeTimes({ startTime, endTime }, style)],
    ['With', employee],
    ['Where', location && [location.name, location.address].filter(Boolean).join(', ')],
    [
      dates.length > 1 ? 'Price of each' : 'Price',
      kind !== 'booking_cancelled' &&
        totalAmount > 0 &&
        writeMoney(totalAmount, currency, style.locale),
    ],
    ['Reason', kind === 'booking_cancelled' && cancellationReason],
  ])
}

function footerOf({ name, email, phone }: AppointmentMessage['sender']): string {
  const ways = [email && 'answer this e-mail', phone && `call ${phone}`]
    .filter(Boolean)
    .join(' or ')
  const sent = `You get this e-mail because you booked with ${name}.`
  return ways ? `${sent} If something is wrong, ${ways}.` : sent
}

/** A subject line ends at the first line break, whatever a name has in it. */
export const oneLine = (text: string): string => clip(text.replace(/\p{Cc}+/gu, ' ').trim(), 200)
