/** Somebody who takes part: the e-mail address of a guest need not be known. */
export interface Participant {
  name: string
  email: string | null
}

/** A participant with their IANA zone; of a meeting also how it is told there, in minutes from UTC. */
export interface EventAttendee extends Participant {
  timeZone: string
  language?: { locale: string }
  phoneNumber?: string | null
  utcOffset?: number
}

/** An answer, with the label of its question. */
export interface LabelledAnswer {
  label: string
  value: unknown
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
  startTime: string
  endTime: string
  organizer: Participant | null
  attendees: readonly EventAttendee[]
}

/** A service appointment, as it is after the change. `price` is in cents of `currency`. */
export interface ServiceBookingPayload extends BookingShape {
  status: 'pending' | 'approved' | 'canceled' | 'completed'
  /** The status before the change; null for a new appointment. */
  previousStatus: string | null
  service: NamedRecord
  customer: (NamedRecord & { email: string | null; phone: string | null }) | null
  employee: NamedRecord | null
  location: NamedRecord | null
  price: number
  currency: string
}

/** A meeting of an event type, as it is after the change. `length` is in minutes. */
export interface BookingPayload extends BookingShape {
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
  customInputs: Record<string, unknown>
  metadata: Record<string, unknown>
  length: number
  /** In cents of `currency`. */
  price: number
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
  rescheduleStartTime: string
  rescheduleEndTime: string
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
  attendees: readonly (EventAttendee & { noShow: boolean })[]
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
  connectAndJoinUrl: string
  eventTypeTitle: string | null
  /** Until when somebody may join (ISO 8601). */
  expiresAt: string
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
    start: string
    end: string
    createdAt: string
    updatedAt: string
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
  BOOKING_CANCELLED: CancelledPayload
  /** A pending booking that its host accepted. */
  BOOKING_CONFIRMED: BookingPayload
  /** A pending booking that its host turned down. */
  BOOKING_REJECTED: RejectedPayload
  /** A payment that has succeeded. */
  BOOKING_PAID: PaymentPayload
  /** A payment that was begun. */
  BOOKING_PAYMENT_INITIATED: PaymentPayload
  BOOKING_NO_SHOW_UPDATED: NoShowPayload
  /** A booking that waits for its host's approval. */
  BOOKING_REQUESTED: BookingPayload
  MEETING_STARTED: BookingPayload
  MEETING_ENDED: BookingPayload
  MEETING_URL_CHANGED: MeetingUrlPayload
  RECORDING_READY: RecordingPayload
  RECORDING_TRANSCRIPTION_GENERATED: TranscriptionPayload
  INSTANT_MEETING: InstantMeetingPayload
  FORM_SUBMITTED: FormPayload
  OOO_CREATED: OutOfOfficePayload
  /** A new service appointment, whatever its status. */
  SERVICE_BOOKING_CREATED: ServiceBookingPayload
  /** Any change of a service appointment that neither cancels nor completes it. */
  SERVICE_BOOKING_UPDATED: ServiceBookingPayload
  SERVICE_BOOKING_CANCELLED: ServiceBookingPayload
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
