import type { Settings } from '#lib/core/context.ts'
import { signToken } from '#lib/core/tokens.ts'
import type { OutgoingEmail } from '#lib/providers/email/port.ts'
import { writeHtml } from './html.ts'
import { type CalendarEvent, type CalendarMethod, writeCalendar } from './ics.ts'
import { writeNotice } from './notice.ts'
import { writeReset } from './reset.ts'
import type {
  Claimed,
  ClaimedMessage,
  Occurrence,
  Sender,
  ShownAppointment,
  Skipped,
} from './schema.ts'
import { datesOf, type Letter, writeLetter } from './templates.ts'
import { styleFor } from './times.ts'

/** What a token of a confirmation link is for. Its subject is the appointment's uid. */
export const CONFIRM_PURPOSE = 'confirm'

/** The page where a customer confirms a pending appointment; good until it begins. */
export async function confirmUrl(settings: Settings, first: Occurrence): Promise<string> {
  const token = await signToken(settings.secret, {
    purpose: CONFIRM_PURPOSE,
    subject: first.uid,
    expiresAt: new Date(first.startTime),
  })
  return `${settings.publicUrl}/confirm?token=${token}`
}

type About = ClaimedMessage & { appointment: ShownAppointment }
const isAbout = (message: ClaimedMessage): message is About => message.appointment !== null

/**
 * Makes the e-mail of a claimed message. The same rows make the same e-mail whenever it is tried, so
 * that the provider can tell a repetition from something new.
 */
export async function renderMessage(
  message: Claimed,
  settings: Settings,
  now: Date,
): Promise<OutgoingEmail | Skipped> {
  if (message.kind === 'webhook_disabled') return ofOurs(message, writeNotice(message), settings)
  if (message.kind === 'password_reset') {
    const letter = await writeReset(message, settings, now)
    return 'skipped' in letter ? letter : ofOurs(message, letter, settings)
  }
  if (!isAbout(message)) return { skipped: 'skipped: the appointment is gone' }
  const dates = datesOf(message, now)
  const first = dates[0]
  if (!first)
    return { skipped: `skipped: the appointment is ${message.appointment.status}, or over` }
  const letter = writeLetter(message, dates, await buttonOf(message, dates, settings))
  const { sender, appointment, recipient } = message
  const { locale } = styleFor(appointment, sender)
  const calendar = calendarOf(message, dates, settings)
  return {
    from: fromLine(sender.name, settings.emailFrom),
    to: recipient,
    ...(sender.email ? { replyTo: sender.email } : {}),
    subject: letter.subject,
    text: writeText(letter),
    html: writeHtml(letter, sender.name, locale),
    // Keeps out-of-office replies away (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(calendar ? { attachments: [calendar] } : {}),
  }
}

/** Comes from the deployment itself: it is not about a customer's booking. */
function ofOurs(message: Claimed, letter: Letter, { emailFrom }: Settings): OutgoingEmail {
  return {
    from: emailFrom,
    to: message.recipient,
    subject: letter.subject,
    text: writeText(letter),
    html: writeHtml(letter, message.sender.name, 'en'),
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

/** Where the customer goes from here: to confirm, or to see and change the one appointment. */
async function buttonOf(
  { kind }: ClaimedMessage,
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

const addressOf = (line: string): string => /<([^>]+)>/.exec(line)?.[1] ?? line

/** The business writes from the deployment's address. */
function fromLine(business: string, emailFrom: string): string {
  const name = business.replace(/[\p{Cc}"\\<>]+/gu, ' ').trim()
  return name ? `"${name}" <${addressOf(emailFrom)}>` : emailFrom
}

function writeText({ heading, greeting, lead, facts, dates, button, footer }: Letter): string {
  const blocks = [
    heading,
    greeting,
    lead,
    facts.map(([label, value]) => `${label}: ${value.replace(/\s*[\r\n]+\s*/g, ', ')}`).join('\n'),
    dates.map((date, i) => `${i + 1}. ${date}`).join('\n'),
    button ? `${button.label}:\n${button.url}` : '',
    footer,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

const STATUS = {
  pending: 'TENTATIVE',
  approved: 'CONFIRMED',
  completed: 'CONFIRMED',
  canceled: 'CANCELLED',
} as const

/**
 * The calendar file of a message, nothing while the booking waits to be confirmed. An invitation is
 * about one entry (RFC 5546 section 3.2.2), so the many of a series are published.
 */
function calendarOf(message: About, dates: readonly Occurrence[], settings: Settings) {
  const { appointment, sender, recipient, kind, createdAt } = message
  if (dates.every(({ status }) => status === 'pending')) return undefined
  const single = kind === 'booking_cancelled' ? 'CANCEL' : 'REQUEST'
  const method: CalendarMethod = dates.length > 1 ? 'PUBLISH' : single
  const { customer } = appointment
  const attendee = { name: customer?.name ?? recipient, email: recipient }
  const events = dates.map(date => ({
    ...calendarEntry(appointment, date, sender, settings),
    attendee,
  }))
  return {
    filename: 'booking.ics',
    content: writeCalendar(method, new Date(createdAt), events),
    contentType: `text/calendar; charset=utf-8; method=${method}`,
  }
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
    organizer: { name: sender.name, email: sender.email ?? addressOf(settings.emailFrom) },
  }
}
