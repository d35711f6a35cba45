import type { Settings } from '#lib/core/context.ts'
import { signToken } from '#lib/core/tokens.ts'
import type { AppointmentMessage } from './claimed.ts'
import { type Composed, organizerAddress, type Skipped } from './compose.ts'
import type { CalendarEvent } from './ics.ts'
import type { Occurrence, Sender, ShownAppointment } from './schema.ts'
import { datesOf, type Letter, writeLetter } from './templates.ts'
import { styleFor } from './times.ts'

/** What a token of a confirmation link is for. Its subject is the appointment's uid. */
export const CONFIRM_PURPOSE = 'confirm'

/** The page where a customer confirms a pending appointment; good until it begins. */
async function confirmUrl(settings: Settings, first: Occurrence): Promise<string> {
  const token = await signToken(settings.secret, {
    purpose: CONFIRM_PURPOSE,
    subject: first.uid,
    expiresAt: new Date(first.startTime),
  })
  return `${settings.publicUrl}/confirm?token=${token}`
}

type About = AppointmentMessage & { appointment: ShownAppointment }
const isAbout = (message: AppointmentMessage): message is About => message.appointment !== null

/** What a message about an appointment says to its customer. */
export async function composeAppointment(
  message: AppointmentMessage,
  settings: Settings,
  now: Date,
): Promise<Composed | Skipped> {
  if (!isAbout(message)) return { skipped: 'skipped: the appointment is gone' }
  const { sender, appointment } = message
  const dates = datesOf(message, now)
  if (dates.length === 0)
    return { skipped: `skipped: the appointment is ${appointment.status}, or over` }
  return {
    letter: writeLetter(message, dates, await buttonOf(message, dates, settings)),
    business: sender.name,
    from: { name: sender.name, replyTo: sender.email },
    locale: styleFor(appointment, sender).locale,
    calendar: calendarOf(message, dates, settings),
  }
}

/** Where the customer goes from here: to confirm, or to see and change the one appointment. */
async function buttonOf(
  { kind }: AppointmentMessage,
  [first, ...more]: readonly Occurrence[],
  settings: Settings,
): Promise<Letter['button']> {
  if (!first || kind === 'booking_cancelled') return undefined
  if (kind === 'booking_request')
    return { label: 'Confirm booking', url: await confirmUrl(settings, first) }
  if (more.length > 0) return undefined
  return { label: 'See or change booking', url: manageUrl(settings, first.uid) }
}

/** The customer's own page of an appointment. */
export const manageUrl = ({ publicUrl }: Settings, uid: string): string => `${publicUrl}/a/${uid}`

const STATUS = {
  pending: 'TENTATIVE',
  approved: 'CONFIRMED',
  completed: 'CONFIRMED',
  canceled: 'CANCELLED',
} as const

/**
 * The calendar entries of a message, nothing while the booking waits to be confirmed, and with a
 * reminder, since they came before. An invitation is
 * about one entry (RFC 5546 section 3.2.2), so the many of a series are published.
 */
function calendarOf(
  message: About,
  dates: readonly Occurrence[],
  settings: Settings,
): Composed['calendar'] {
  const { appointment, sender, recipient, kind } = message
  const isReminder = kind === 'booking_reminder'
  if (isReminder || dates.every(({ status }) => status === 'pending')) return undefined
  const single = kind === 'booking_cancelled' ? 'CANCEL' : 'REQUEST'
  const method = dates.length > 1 ? 'PUBLISH' : single
  const { customer } = appointment
  const attendee = { name: customer?.name ?? recipient, email: recipient }
  const events = dates.map(date => ({
    ...calendarEntry(appointment, date, sender, settings),
    attendees: [attendee],
  }))
  return { method, events }
}

/** The entry of one date of an appointment in its customer's calendar, without its attendee. */
export function calendarEntry(
  { service, employee, location }: ShownAppointment,
  date: Occurrence,
  sender: Sender,
  settings: Settings,
): CalendarEvent {
  return {
    uid: date.uid,
    sequence: date.version,
    start: new Date(date.startTime),
    end: new Date(date.endTime),
    status: STATUS[date.status],
    summary: `${service}, ${sender.name}`,
    description: [employee && `With ${employee}`, sender.phone].filter(Boolean).join('\n'),
    location: [location?.name, location?.address].filter(Boolean).join(', '),
    organizer: { name: sender.name, email: sender.email ?? organizerAddress(settings) },
  }
}
