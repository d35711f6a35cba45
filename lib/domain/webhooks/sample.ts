import {
  type BookingPayload,
  type BookingShape,
  EVENT_TYPES,
  type EventPayloads,
  type EventType,
  type ServiceBookingPayload,
} from '#lib/events/catalog.ts'
import type { Delivered } from '#lib/events/template.ts'

const HOUR_MS = 3_600_000

/** What all samples are made of: people and a meeting that there are not, an hour of tomorrow. */
function partsAt(now: Date) {
  const at = (hours: number) => new Date(now.getTime() + hours * HOUR_MS).toISOString()
  const [organizer, attendee] = [
    { name: 'Olive Organizer', email: 'organizer@example.com' },
    { name: 'Ann Attendee', email: 'attendee@example.com', timeZone: 'UTC' },
  ]
  const shape: BookingShape = {
    id: 0,
    uid: 'test',
    title: 'Test of your webhook',
    type: 'test',
    startTime: at(24),
    endTime: at(25),
    organizer,
    attendees: [attendee],
  }
  const language = { locale: 'en' }
  const person = { ...attendee, language, phoneNumber: null, utcOffset: 0 }
  const responses = {
    name: { label: 'Name', value: attendee.name },
    email: { label: 'E-mail', value: attendee.email },
  }
  const booking: BookingPayload = {
    ...shape,
    organizer: {
      ...organizer,
      ...{ id: 0, username: 'organizer', timeZone: 'UTC', language, timeFormat: 12, utcOffset: 0 },
    },
    attendees: [person],
    status: 'ACCEPTED',
    ...{ eventTypeId: 0, bookingId: 0, eventTitle: 'Test', eventDescription: null },
    ...{ description: null, additionalNotes: null, location: null },
    ...{ responses, userFieldsResponses: {}, customInputs: {}, metadata: {} },
    ...{ length: 60, price: 0, currency: 'usd', requiresConfirmation: false },
    ...{ recurringEventId: null, seatsPerTimeSlot: null, seatsShowAttendees: false },
    ...{ seatReferenceUid: null },
    ...{ destinationCalendar: null, hideCalendarNotes: false, appsStatus: [] },
  }
  const appointment: ServiceBookingPayload = {
    ...shape,
    status: 'approved',
    previousStatus: 'approved',
    service: { id: 0, name: 'Test' },
    customer: { id: 0, name: attendee.name, email: attendee.email, phone: null },
    employee: { id: 0, name: organizer.name },
    ...{ location: null, price: 0, currency: 'usd' },
  }
  return { at, booking, appointment, person }
}

const LINK = 'https://example.com/test'

/** A made-up payload of each event, by the parts of it. */
const SAMPLES: { [T in EventType]: (parts: ReturnType<typeof partsAt>) => EventPayloads[T] } = {
  BOOKING_CREATED: p => p.booking,
  BOOKING_RESCHEDULED: p => ({
    ...p.booking,
    ...{ rescheduleId: 0, rescheduleUid: 'test', rescheduledBy: 'attendee@example.com' },
    ...{ rescheduleStartTime: p.at(48), rescheduleEndTime: p.at(49), reschedulingReason: null },
  }),
  BOOKING_CANCELLED: p => ({
    ...p.booking,
    ...{ status: 'CANCELLED', cancellationReason: 'Test', cancelledBy: 'attendee@example.com' },
  }),
  BOOKING_CONFIRMED: p => p.booking,
  BOOKING_REJECTED: p => ({ ...p.booking, status: 'REJECTED', rejectionReason: 'Test' }),
  BOOKING_PAID: p => ({ ...p.booking, paymentId: 0 }),
  BOOKING_PAYMENT_INITIATED: p => ({ ...p.booking, status: 'PENDING', paymentId: 0 }),
  BOOKING_NO_SHOW_UPDATED: p => ({
    ...p.booking,
    ...{ message: 'No-show status updated', bookingUid: 'test', noShowHost: false },
    attendees: [{ ...p.person, noShow: true }],
  }),
  BOOKING_REQUESTED: p => ({ ...p.booking, status: 'PENDING', requiresConfirmation: true }),
  MEETING_STARTED: p => p.booking,
  MEETING_ENDED: p => p.booking,
  MEETING_URL_CHANGED: p => ({ ...p.booking, bookingUid: 'test', oldUrl: null, newUrl: LINK }),
  RECORDING_READY: p => ({ ...p.booking, downloadLink: LINK }),
  RECORDING_TRANSCRIPTION_GENERATED: p => ({
    ...p.booking,
    downloadLinks: { transcription: { vtt: LINK }, recording: null },
  }),
  INSTANT_MEETING: p => ({
    ...p.booking,
    ...{ status: 'AWAITING_HOST', connectAndJoinUrl: LINK },
    ...{ eventTypeTitle: 'Test', expiresAt: p.at(24) },
  }),
  FORM_SUBMITTED: () => ({
    ...{ formId: 0, formName: 'Test', teamId: null },
    responses: { test: { value: 'Test', response: 'Test' } },
  }),
  OOO_CREATED: p => ({
    oooEntry: {
      ...{ id: 0, uuid: '00000000-0000-0000-0000-000000000000' },
      ...{ start: p.at(24), end: p.at(48), createdAt: p.at(0), updatedAt: p.at(0), notes: null },
      ...{ reason: { emoji: '🕒', reason: 'unspecified' }, reasonId: 1 },
      ...{ user: { id: 0, name: 'Olive Organizer', email: 'organizer@example.com' }, toUser: null },
    },
  }),
  SERVICE_BOOKING_CREATED: p => ({ ...p.appointment, previousStatus: null }),
  SERVICE_BOOKING_UPDATED: p => p.appointment,
  SERVICE_BOOKING_CANCELLED: p => ({ ...p.appointment, status: 'canceled' }),
  SERVICE_BOOKING_COMPLETED: p => ({ ...p.appointment, status: 'completed' }),
}

/** A made-up event as `testWebhook` sends it: of the first of the types, with the fields of that type. */
export function sampleOf(triggers: readonly string[], now: Date): Delivered {
  const triggerEvent = EVENT_TYPES.find(type => type === triggers[0]) ?? 'BOOKING_CREATED'
  const payload = SAMPLES[triggerEvent](partsAt(now))
  return { triggerEvent, createdAt: now.toISOString(), payload }
}
