import type { Settings } from '#lib/core/context.ts'
import type { NoticeMessage, PasswordNotice } from './claimed.ts'
import type { Letter } from './templates.ts'
import { usableStyle, writeInstant, writeTimes } from './times.ts'

/** The words of a notice that a webhook was switched off, and what to do about it. */
export function writeNotice({ data, sender, createdAt }: NoticeMessage): Letter {
  const style = { locale: 'en', timeZone: sender.timeZone }
  const since = writeTimes({ startTime: data.failingSince, endTime: createdAt }, style, ', ')
  return {
    subject: 'A webhook was switched off',
    heading: 'A webhook was switched off',
    lead: 'For five days it accepted nothing that was sent to it, so that nothing more is sent.',
    greeting: 'Hello,',
    facts: [
      ['Address', data.subscriberUrl],
      ['Failing', since],
      ['Business', sender.name],
    ],
    dates: [],
    footer:
      'What did not arrive is kept for 30 days: put the receiver right, set the webhook to active, and replay its deliveries.',
  }
}

const CHANGES: Record<PasswordNotice['data']['by'], string> = {
  settings: 'It was changed in your settings. Every other browser was signed out.',
  link: 'It was changed by the link that was e-mailed to you. Every browser was signed out.',
}

/** The words of a notice that a password was changed: who did not change it themselves can act at once. */
export function writePasswordNotice(
  { data, sender, recipient, createdAt }: PasswordNotice,
  { publicUrl }: Settings,
): Letter {
  return {
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    lead: CHANGES[data.by],
    greeting: 'Hello,',
    facts: [
      ['Account', recipient],
      ['When', writeInstant(createdAt, usableStyle(['en'], [sender.timeZone]))],
    ],
    dates: [],
    button: { label: 'It was not me', url: `${publicUrl}/forgot` },
    footer:
      'If it was you, there is nothing to do. If not, choose another password at once, then look through your API keys and connected apps: those still work.',
  }
}
