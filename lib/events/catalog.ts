import type { KeptAnswer } from '#lib/core/answers.ts'
import type { Cents, Instant, Minutes, Url } from '#lib/core/kinds.ts'

/** Somebody who takes part: the e-mail address of a guest need not be known. */
export interface Participant {
  name: string
  email: string | null
}

/** A participant with their IANA zone. */
export interface EventAttendee extends Participant {
  timeZone: string
}

/** How a participant of a meeting is told of it; `utcOffset` is in minutes, when it begins. */
interface Told {
  language: { locale: string }
  utcOffset: number
}

/** An attendee of a meeting. Whoever booked it without an e-mail address is known by their number. */
export interface MeetingAttendee extends EventAttendee, Told {
  phoneNumber: string | null
}

/** The host of a meeting; while there is none, the owner of the business. */
export interface Organizer extends EventAttendee, Told {
  id: number
  username: string
  /** 12 or 24 hours. */
  timeFormat: number
}

/** An answer, with the label of its question. */
export interface LabelledAnswer {
  label: string
  value: KeptAnswer
}

/** A record that is named by its id, such as the service of an appointment. */
export interface NamedRecord {
  id: number
  name: string
}

/**
 * What every event about a booking or an appointment says first. `type` is the slug of the event
 * type or service. Instants are ISO 8601 in UTC.
 */
export interface BookingShape {
  id: number
  uid: string
  title: string
  type: string
  startTime: Instant
  endTime: Instant
  organizer: Participant | null
  attendees: readonly EventAttendee[]
}

/** A service appointment, as it is after the change. */
export interface ServiceBookingPayload extends BookingShape {
  status: 'pending' | 'approved' | 'canceled' | 'completed'
  /** The status before the change; null for a new appointment. */
  previousStatus: ServiceBookingPayload['status'] | null
  service: NamedRecord
  customer: (NamedRecord & { email: string | null; phone: string | null }) | null
  employee: NamedRecord | null
  location: NamedRecord | null
  price: Cents
  /** ISO 4217, in lower case. */
  currency: string
}

/** A meeting of an event type, as it is after the change. */
export interface BookingPayload extends BookingShape {
  organizer: Organizer
  attendees: readonly MeetingAttendee[]
  status: 'ACCEPTED' | 'PENDING' | 'CANCELLED' | 'REJECTED' | 'AWAITING_HOST'
  eventTypeId: number | null
  /** The same as `id`. */
  bookingId: number
  /** What the event type is called, and says of itself; null where it is gone. */
  eventTitle: string | null
  eventDescription: string | null
  description: string | null
  additionalNotes: string | null
  location: string | null
  /** What the attendee answered, by the names of the questions. */
  responses: Record<string, LabelledAnswer>
  /** The same, of the event type's own questions alone; and those by their labels. */
  userFieldsResponses: Record<string, LabelledAnswer>
  customInputs: Record<string, KeptAnswer>
  metadata: Record<string, string>
  length: Minutes
  price: Cents
  /** ISO 4217, in lower case. */
  currency: string
  requiresConfirmation: boolean
  recurringEventId: string | null
  seatsPerTimeSlot: number | null
  seatsShowAttendees: boolean | null
  /** The seat that the event is about, in a meeting with seats. */
  seatReferenceUid: string | null
  /** What outside calendars and applications have to do with it: nothing, as long as there are none. */
  destinationCalendar: null
  hideCalendarNotes: false
  appsStatus: readonly []
}

/** A booking that was moved: where it was before, and who moved it (an e-mail address). */
export interface RescheduledPayload extends BookingPayload {
  rescheduleId: number
  rescheduleUid: string
  rescheduleStartTime: Instant
  rescheduleEndTime: Instant
  rescheduledBy: string | null
  reschedulingReason: string | null
}

/** A booking, or a seat of one, that was cancelled: why, and who said so (null: the clock). */
export interface CancelledPayload extends BookingPayload {
  cancellationReason: string | null
  cancelledBy: string | null
}

/** A request that the host turned down. */
export interface RejectedPayload extends BookingPayload {
  rejectionReason: string | null
}

/** A payment of a booking. */
export interface PaymentPayload extends BookingPayload {
  paymentId: number
}

/** Who did not come, or came after all. */
export interface NoShowPayload extends Omit<BookingPayload, 'attendees'> {
  message: string
  attendees: readonly (MeetingAttendee & { noShow: boolean })[]
  bookingUid: string
  noShowHost: boolean
}

/** Another place to meet; null where there is none. */
export interface MeetingUrlPayload extends BookingPayload {
  bookingUid: string
  oldUrl: string | null
  newUrl: string | null
}

/** A recording that can be fetched. */
export interface RecordingPayload extends BookingPayload {
  downloadLink: string
}

/** A transcript that can be fetched, by format (`json`, `srt`, `txt`, `vtt`), with its recording. */
export interface TranscriptionPayload extends BookingPayload {
  downloadLinks: { transcription: Record<string, string>; recording: string | null }
}

/** Somebody waits for a host now. */
export interface InstantMeetingPayload extends BookingPayload {
  connectAndJoinUrl: Url
  eventTypeTitle: string | null
  /** Until when somebody may join. */
  expiresAt: Instant
}

/** An answered routing form. `responses` are by the fields' identifiers. */
export interface FormPayload {
  formId: number
  formName: string
  teamId: number | null
  responses: Record<string, { value: unknown; response: unknown }>
}

/** A host who will be away. */
export interface OutOfOfficePayload {
  oooEntry: {
    id: number
    uuid: string
    start: Instant
    end: Instant
    createdAt: Instant
    updatedAt: Instant
    notes: string | null
    reason: { emoji: string; reason: string }
    reasonId: number
    user: NamedRecord & { email: string }
    toUser: (NamedRecord & { email: string }) | null
  }
}

/** What each event tells: the `payload` of a delivery, by its `triggerEvent`. */
export interface EventPayloads {
  /** A new booking that is accepted. */
  BOOKING_CREATED: BookingPayload
  /** A booking that takes place at another time. */
  BOOKING_RESCHEDULED: RescheduledPayload
  /** A booking, or a seat of one, that does not take place. */
  BOOKING_CANCELLED: CancelledPayload
  /** A pending booking that its host accepted. */
  BOOKING_CONFIRMED: BookingPayload
  /** A pending booking that its host turned down. */
  BOOKING_REJECTED: RejectedPayload
  /** A payment that has succeeded. */
  BOOKING_PAID: PaymentPayload
  /** A payment that was begun. */
  BOOKING_PAYMENT_INITIATED: PaymentPayload
  /** It was noted who did not come. */
  BOOKING_NO_SHOW_UPDATED: NoShowPayload
  /** A booking that waits for its host's approval. */
  BOOKING_REQUESTED: BookingPayload
  /** The start of an accepted booking has come. */
  MEETING_STARTED: BookingPayload
  /** The end of an accepted booking has come. */
  MEETING_ENDED: BookingPayload
  /** A booking is met elsewhere. */
  MEETING_URL_CHANGED: MeetingUrlPayload
  /** A recording of a meeting can be fetched. */
  RECORDING_READY: RecordingPayload
  /** A transcript of a meeting can be fetched. */
  RECORDING_TRANSCRIPTION_GENERATED: TranscriptionPayload
  /** Somebody waits for a host right now. */
  INSTANT_MEETING: InstantMeetingPayload
  /** A routing form that was answered. */
  FORM_SUBMITTED: FormPayload
  /** A user who will be away. */
  OOO_CREATED: OutOfOfficePayload
  /** A new service appointment, whatever its status. */
  SERVICE_BOOKING_CREATED: ServiceBookingPayload
  /** Any change of a service appointment that neither cancels nor completes it. */
  SERVICE_BOOKING_UPDATED: ServiceBookingPayload
  /** A service appointment that was canceled. */
  SERVICE_BOOKING_CANCELLED: ServiceBookingPayload
  /** A service appointment that was completed. */
  SERVICE_BOOKING_COMPLETED: ServiceBookingPayload
}

/** The type of an event, `triggerEvent` in a delivery. */
export type EventType = keyof EventPayloads

/** Every type of event, for schemas. */
export const EVENT_TYPES = [
  'BOOKING_CREATED',
  'BOOKING_RESCHEDULED',
  'BOOKING_CANCELLED',
  'BOOKING_CONFIRMED',
  'BOOKING_REJECTED',
  'BOOKING_PAID',
  'BOOKING_PAYMENT_INITIATED',
  'BOOKING_NO_SHOW_UPDATED',
  'BOOKING_REQUESTED',
  'MEETING_STARTED',
  'MEETING_ENDED',
  'MEETING_URL_CHANGED',
  'RECORDING_READY',
  'RECORDING_TRANSCRIPTION_GENERATED',
  'INSTANT_MEETING',
  'FORM_SUBMITTED',
  'OOO_CREATED',
  'SERVICE_BOOKING_CREATED',
  'SERVICE_BOOKING_UPDATED',
  'SERVICE_BOOKING_CANCELLED',
  'SERVICE_BOOKING_COMPLETED',
] as const satisfies readonly EventType[]
