import type { Settings } from '#lib/core/context.ts'
import type { OutgoingEmail } from '#lib/providers/email/port.ts'
import { composeAppointment } from './appointment.ts'
import { composeBooking } from './bookings/compose.ts'
import type {
  ClaimedMessage,
  CodeMessage,
  InvitationMessage,
  NoticeMessage,
  PasswordNotice,
  ResetMessage,
} from './claimed.ts'
import { writeCode } from './code.ts'
import { addressOf, type Composed, type Skipped } from './compose.ts'
import { writeHtml } from './html.ts'
import { writeCalendar } from './ics.ts'
import { writeInvitation } from './invitation.ts'
import { writeNotice, writePasswordNotice } from './notice.ts'
import { unsubscribeUrl } from './opt-outs.ts'
import { writeReset } from './reset.ts'
import type { Letter } from './templates.ts'
import { composeWorkflow } from './workflows/compose.ts'

/** What a message says, by what it is about. Here another subject finds its template. */
function compose(
  message: ClaimedMessage,
  settings: Settings,
  now: Date,
): Composed | Skipped | Promise<Composed | Skipped> {
  if (message.optedOut) return { skipped: 'skipped: the reader wants no such messages' }
  if (message.kind === 'workflow') return composeWorkflow(message, settings, now)
  if (message.subject === 'appointment') return composeAppointment(message, settings, now)
  if (message.subject === 'booking') return composeBooking(message, settings, now)
  return composeOurs(message, settings, now)
}

type OurMessage = NoticeMessage | ResetMessage | PasswordNotice | CodeMessage | InvitationMessage

function letterOf(
  message: OurMessage,
  settings: Settings,
  now: Date,
): Letter | Promise<Letter | Skipped> {
  if (message.kind === 'password_reset') return writeReset(message, settings, now)
  if (message.kind === 'password_changed') return writePasswordNotice(message, settings)
  if (message.kind === 'invitation') return writeInvitation(message, settings, now)
  if (message.kind === 'booking_code') return writeCode(message, settings, now)
  return writeNotice(message)
}

/** Comes from the deployment itself: it is not about a customer's booking. */
async function composeOurs(
  message: OurMessage,
  settings: Settings,
  now: Date,
): Promise<Composed | Skipped> {
  const letter = await letterOf(message, settings, now)
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
  const { business, from, locale, calendar } = composed
  const unsubscribe = await unsubscribeUrl(message, settings)
  const letter = { ...composed.letter, ...(unsubscribe ? { unsubscribeUrl: unsubscribe } : {}) }
  return {
    from: from ? fromLine(from.name, settings.emailFrom) : settings.emailFrom,
    to: message.recipient,
    ...(from?.replyTo ? { replyTo: from.replyTo } : {}),
    subject: letter.subject,
    text: writeText(letter),
    html: writeHtml(letter, business, locale),
    headers: headersOf(unsubscribe),
    ...(calendar ? { attachments: [attach(calendar, message.createdAt)] } : {}),
  }
}

/** Keeps out-of-office replies away (RFC 3834); mail programs show a button for the rest (RFC 8058). */
const headersOf = (unsubscribe: string | undefined): Record<string, string> => ({
  'Auto-Submitted': 'auto-generated',
  ...(unsubscribe
    ? {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }
    : {}),
})

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

const bodyOf = ({ heading, greeting, lead, facts, dates, button }: Letter): string[] => [
  heading,
  greeting,
  lead,
  facts.map(([label, value]) => `${label}: ${value.replace(/\s*[\r\n]+\s*/g, ', ')}`).join('\n'),
  dates.map((date, i) => `${i + 1}. ${date}`).join('\n'),
  button ? `${button.label}:\n${button.url}` : '',
]

function writeText(letter: Letter): string {
  const { own, footer, unsubscribeUrl: unsubscribe } = letter
  const blocks = [
    ...(own ? [own.text] : bodyOf(letter)),
    footer,
    unsubscribe ? `Get no more reminders:\n${unsubscribe}` : '',
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}
