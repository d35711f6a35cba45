import type { Settings } from '#lib/core/context.ts'
import type { Person } from '#lib/domain/attendees/person.ts'
import { calendarEntry, manageUrl } from '../appointment.ts'
import { attendeeUrl, bookingEntry } from '../bookings/compose.ts'
import type { ShownBooking } from '../bookings/schema.ts'
import { hostsOf, placeOf, reasonOf, statusFor } from '../bookings/words.ts'
import type { WorkflowMessage } from '../claimed.ts'
import type { CalendarEvent } from '../ics.ts'
import type { ShownAppointment } from '../schema.ts'
import { usableStyle } from '../times.ts'

/** Where what a workflow is about stands. */
export type Standing = 'on' | 'pending' | 'off'

/** An appointment or an event booking, as messages of workflows tell of either. */
export interface Occasion {
  title: string
  startTime: string
  endTime: string
  standing: Standing
  host: { name: string; email: string | null }
  /** Who comes: the reader, where a message is to one who comes; else who booked. */
  attendee: Person & { name: string; timeZone: string }
  place: string | null
  meetingUrl: string | null
  notes: string | null
  reason: string | null
  reschedulingReason: string | null
  /** Where who comes sees, moves and cancels it. */
  pageUrl: string
  moveUrl: string
  entry: CalendarEvent
}

/** What a message is about; undefined when it is gone. */
export const occasionOf = (message: WorkflowMessage, settings: Settings): Occasion | undefined =>
  message.appointment
    ? ofAppointment(message, message.appointment, settings)
    : message.booking
      ? ofBooking(message, message.booking, settings)
      : undefined

const APPOINTMENT = {
  pending: 'pending',
  approved: 'on',
  completed: 'on',
  canceled: 'off',
} as const

function ofAppointment(
  { data, channel, recipient, sender }: WorkflowMessage,
  appointment: ShownAppointment,
  settings: Settings,
): Occasion {
  const { customer, location, timeZone, employee, uid } = appointment
  const reads = data.role === 'attendee' && channel === 'email'
  const zones = [timeZone, customer?.timeZone, location?.timeZone, sender.timeZone]
  const attendee = {
    name: customer?.name ?? '',
    email: customer?.email ?? (reads ? recipient : null),
    phoneNumber: null,
    timeZone: usableStyle([], zones).timeZone,
  }
  const entry = calendarEntry(appointment, appointment, sender, settings)
  return {
    title: appointment.service,
    startTime: appointment.startTime,
    endTime: appointment.endTime,
    standing: APPOINTMENT[appointment.status],
    host: { name: employee ?? sender.name, email: sender.email },
    attendee,
    place: location && [location.name, location.address].filter(Boolean).join(', '),
    meetingUrl: null,
    notes: appointment.notes,
    reason: appointment.cancellationReason,
    reschedulingReason: null,
    pageUrl: manageUrl(settings, uid),
    moveUrl: `${manageUrl(settings, uid)}/move`,
    entry: { ...entry, attendees: attendee.email ? [attendee] : [] },
  }
}

const BOOKING = {
  accepted: 'on',
  pending: 'pending',
  awaiting_host: 'pending',
  cancelled: 'off',
  rejected: 'off',
} as const

const NOBODY = { name: '', email: null, phoneNumber: null }

/** The one who comes whom a message is to: as whoever has the seat, or the address or number. */
function readerOf(
  { data: { seat }, channel, recipient }: WorkflowMessage,
  attendees: readonly Person[],
): Person {
  if (seat) return { email: seat.email ?? null, phoneNumber: seat.phoneNumber ?? null }
  if (channel === 'email') return { email: recipient, phoneNumber: null }
  const number = recipient.replace('whatsapp:', '')
  return attendees.find(a => a.phoneNumber === number) ?? { email: null, phoneNumber: number }
}

function ofBooking(message: WorkflowMessage, booking: ShownBooking, settings: Settings): Occasion {
  const { data } = message
  const { organizer, eventType, attendees, responses, isSeated } = booking
  const seat = data.seat?.uid
  const own = seat === undefined ? undefined : attendees.find(a => a.seatUid === seat)
  const attendee =
    data.role === 'attendee'
      ? { ...data.reader, ...readerOf(message, attendees) }
      : { ...NOBODY, timeZone: data.reader.timeZone, ...(own ?? attendees[0]) }
  const { name, email, phoneNumber, timeZone } = attendee
  const said = own?.responses ?? (isSeated ? {} : responses)
  const pageUrl = attendeeUrl(settings, booking.uid, seat)
  const status = statusFor(booking, seat)
  const entry = bookingEntry(booking, { ...booking, status }, settings)
  return {
    title: eventType?.title ?? booking.title,
    startTime: booking.startTime,
    endTime: booking.endTime,
    standing: BOOKING[status],
    host: {
      name: hostsOf(booking),
      email: eventType?.hideOrganizerEmail ? null : organizer.email,
    },
    attendee: { name, email, phoneNumber, timeZone },
    place: placeOf(booking),
    meetingUrl: booking.meetingUrl,
    notes: typeof said.notes === 'string' ? said.notes : null,
    reason: reasonOf(booking),
    reschedulingReason: booking.reschedulingReason,
    pageUrl,
    moveUrl: isSeated ? pageUrl : `${settings.publicUrl}/e/${booking.uid}/move`,
    entry: { ...entry, attendees: isSeated && data.role === 'attendee' ? [attendee] : attendees },
  }
}
