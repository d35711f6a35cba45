import type { Settings } from '#lib/core/context.ts'
import type { OutgoingEmail } from '#lib/providers/email/port.ts'
import { composeAppointment } from './appointment.ts'
import { composeBooking } from './bookings/compose.ts'
import { addressOf, type Composed, type Skipped } from './compose.ts'
import { writeHtml } from './html.ts'
import { writeCalendar } from './ics.ts'
import { writeNotice } from './notice.ts'
import { writeReset } from './reset.ts'
import type { ClaimedMessage, NoticeMessage, ResetMessage } from './schema.ts'
import type { Letter } from './templates.ts'

/** What a message says, by what it is about. Here another subject finds its template. */
function compose(
  message: ClaimedMessage,
  settings: Settings,
  now: Date,
): Composed | Skipped | Promise<Composed | Skipped> {
  if (message.subject === 'appointment') return composeAppointment(message, settings, now)
  if (message.subject === 'booking') return composeBooking(message, settings, now)
  return composeOurs(message, settings, now)
}

/** Comes from the deployment itself: it is not about a customer's booking. */
async function composeOurs(
  message: NoticeMessage | ResetMessage,
  settings: Settings,
  now: Date,
): Promise<Composed | Skipped> {
  const isReset = message.kind === 'password_reset'
  const letter = isReset ? await writeReset(message, settings, now) : writeNotice(message)
  if ('skipped' in letter) return letter
  return { letter, business: message.sender.name, from: null, locale: 'en' }
}

/**
 * Makes the e-mail of a claimed message. The same rows make the same e-mail whenever it is tried, so
 * that the provider can tell a repetition from something new.
 */
export async function renderMessage(
  message: ClaimedMessage,
  settings: Settings,
  now: Date,
): Promise<OutgoingEmail | Skipped> {
  const composed = await compose(message, settings, now)
  if ('skipped' in composed) return composed
  const { letter, business, from, locale, calendar } = composed
  return {
    from: from ? fromLine(from.name, settings.emailFrom) : settings.emailFrom,
    to: message.recipient,
    ...(from?.replyTo ? { replyTo: from.replyTo } : {}),
    subject: letter.subject,
    text: writeText(letter),
    html: writeHtml(letter, business, locale),
    // Keeps out-of-office replies away (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
    ...(calendar ? { attachments: [attach(calendar, message.createdAt)] } : {}),
  }
}

const attach = ({ method, events }: NonNullable<Composed['calendar']>, createdAt: string) => ({
  filename: 'booking.ics',
  content: writeCalendar(method, new Date(createdAt), events),
  contentType: `text/calendar; charset=utf-8; method=${method}`,
})

/** Whoever it comes from writes from the deployment's address. */
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
