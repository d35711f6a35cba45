import type { Settings } from '#lib/core/context.ts'
import type { BookingMessage } from '../claimed.ts'
import type { Skipped } from '../compose.ts'
import { given, type Letter, oneLine } from '../templates.ts'
import { writeMoney, writeShortly } from '../times.ts'
import { attendeeUrl, type Due, dueOf } from './compose.ts'
import { readerStyle, subjectOf } from './templates.ts'
import { hostsOf, isOff, placeOf, reasonOf } from './words.ts'

/**
 * What an attendee without an e-mail address is told of their booking by a text message: what an e-mail
 * would say, in a few lines, the last with the link by which they see, move or cancel it.
 */
export function composeBookingText(
  message: BookingMessage,
  settings: Settings,
  now: Date,
): { text: string } | Skipped {
  const due = dueOf(message, now)
  if ('skipped' in due) return due
  const { booking, kind, data } = due.message
  const isGone = kind === 'event_cancelled' || kind === 'event_rejected'
  const what = oneLine(`${booking.eventType?.title ?? booking.title} with ${hostsOf(booking)}`)
  const seat = isGone && data.seat ? 'your seat in ' : ''
  const link = attendeeUrl(settings, booking.uid, data.seat?.uid)
  const parts = [
    `${subjectOf(kind)}: ${seat}${what}, ${whenOf(due)}.`,
    kind === 'event_requested' && 'You are told as soon as it is confirmed or declined.',
    ...factsOf(due).map(([label, value]) => `${label}: ${oneLine(value)}`),
    !isGone && `See or change: ${link}`,
  ]
  return { text: parts.filter(Boolean).join('\n') }
}

/** When it is; of several dates the first. */
function whenOf({ message, dates }: Due): string {
  const style = readerStyle(message)
  const start = writeShortly(dates[0].startTime, style)
  return `${dates.length > 1 ? `${dates.length} dates from ` : ''}${start} (${style.timeZone})`
}

function factsOf({ message, dates }: Due): Letter['facts'] {
  const { booking, data } = message
  const { price, currency } = booking
  const style = readerStyle(message)
  const isOn = !dates.some(isOff) && message.kind !== 'event_cancelled'
  const { previousStartTime: before } = data
  return given([
    ['Before', before && writeShortly(before, style)],
    ['Where', isOn && placeOf(booking)],
    ['Price', isOn && price > 0 && writeMoney(price, currency, style.locale)],
    ['Reason', !isOn && reasonOf(booking)],
  ])
}
