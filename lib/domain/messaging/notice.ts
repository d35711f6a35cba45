import type { NoticeMessage } from './schema.ts'
import type { Letter } from './templates.ts'
import { writeTimes } from './times.ts'

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
