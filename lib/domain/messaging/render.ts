import type { Settings } from '#lib/core/context.ts'
import type { OutgoingEmail } from '#lib/providers/email/port.ts'
import type { ClaimedMessage } from './schema.ts'

/** A message that no longer fits what it is about, and why. */
export interface Skipped {
  skipped: string
}

/** Makes the e-mail of a claimed message. */
export async function renderMessage(
  message: ClaimedMessage,
  settings: Settings,
  _now: Date,
): Promise<OutgoingEmail | Skipped> {
  const { appointment, recipient, kind } = message
  if (!appointment) return { skipped: 'skipped: the appointment is gone' }
  const subject = `${kind}: ${appointment.service}`
  return { from: settings.emailFrom, to: recipient, subject, text: subject, html: '' }
}
