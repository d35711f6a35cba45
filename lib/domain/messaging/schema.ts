import type { BookingPolicy } from '#drizzle/schema/accounts.ts'
import type { BookingData, BookingKind, ShownBooking } from './bookings/schema.ts'

/** What a message about a service appointment tells its customer; each kind has a template. */
export type AppointmentKind =
  | 'booking_confirmation'
  | 'booking_request'
  | 'booking_cancelled'
  | 'booking_changed'
  | 'booking_reminder'

/** What a message that was due by the clock says of that. */
export interface Timing {
  /** The start (ISO 8601) that it was due for: of a booking that was moved since it says nothing. */
  start?: string
  /** A reminder that comes at once, since the booking was made less than a day ahead. */
  late?: boolean
}

/** What a message says beyond the rows it is about. Instants are ISO 8601 in UTC. */
export interface AppointmentData extends Timing {
  /** The message is about all appointments of this series and lists their dates. */
  seriesId?: number
  /** The times before the change, which a `booking_changed` message shows. */
  previousStartTime?: string
  previousEndTime?: string
}

/** What a message with a link to a new password needs. `stamp` stands for the password there is. */
export interface ResetData {
  userId: number
  stamp: string
}

/**
 * A message to one person. What it is about (`subject`) is read when it is sent, so that its text is
 * always of the present state; `data` is for what the rows do not say.
 */
export type NewMessage = {
  /** The e-mail address. */
  recipient: string
  /** Names what the message is about, unique per account: the same message is queued once. */
  dedupe: string
} & (NewAppointmentMessage | NewReset | NewPasswordNotice)

/** A message about one appointment, or about all of its series. */
interface NewAppointmentMessage {
  subject: 'appointment'
  subjectId: number
  kind: AppointmentKind
  data?: AppointmentData
}

/** A message that leads a user to a new password. */
interface NewReset {
  kind: 'password_reset'
  data: ResetData
}

/** How a password became another: in the settings, or by the link of a message. */
export interface PasswordNoticeData {
  by: 'settings' | 'link'
}

/** A notice to a user that their password was changed, whoever did it. */
interface NewPasswordNotice {
  kind: 'password_changed'
  data: PasswordNoticeData
}

/** The business that a message comes from. */
export interface Sender {
  name: string
  email: string | null
  phone: string | null
  timeZone: string
  locale: string
}

/** One date of an appointment. `version` counts its changes. */
export interface Occurrence {
  uid: string
  version: number
  status: 'pending' | 'approved' | 'canceled' | 'completed'
  startTime: string
  endTime: string
}

/** An appointment as messages and pages show it to the customer. */
export interface ShownAppointment extends Occurrence {
  /** The zone that the customer booked in, if they said so. */
  timeZone: string | null
  /** What it costs in all, in cents of `currency`. */
  totalAmount: number
  currency: string
  /** Until when it can be confirmed, while it is pending; null: until it begins. */
  confirmBy: string | null
  cancellationReason: string | null
  /** What the customer wrote. */
  notes: string | null
  service: string
  employee: string | null
  location: { name: string; address: string | null; timeZone: string } | null
  customer: { name: string; email: string | null; timeZone: string | null } | null
}

/** An appointment as its customer's link shows it, and the business it is with. */
export interface LinkedAppointment {
  appointment: ShownAppointment
  sender: Sender
  terms: {
    /** The business's booking page. */
    subdomain: string
    policy: BookingPolicy
    /** First day of the week, 0 being Sunday. */
    weekStart: number
    /** A seat of a group session; `persons` says for how many. */
    isSeat: boolean
    persons: number
    hasEmployee: boolean
  }
}

/** What every claimed message has. */
interface Claimed {
  accountId: number
  id: number
  channel: 'email' | 'sms'
  /** An e-mail address, or a number (E.164), with `whatsapp:` before it for WhatsApp. */
  recipient: string
  /** How often sending was tried, this time included. */
  attempts: number
  createdAt: string
  sender: Sender
  /** Whether whoever it is for wants no reminders or messages of workflows, and it is one. */
  optedOut: boolean
  /** The words of an earlier try by text message of which it is not known what became. */
  handedOver: string | null
}

/** A message about an appointment that was claimed for sending, with all that its template needs. */
export interface AppointmentMessage extends Claimed {
  subject: 'appointment'
  kind: AppointmentKind
  data: AppointmentData
  /** Null when it is gone. */
  appointment: ShownAppointment | null
  /** Every date of the series, where the message is about one; else empty. */
  series: Occurrence[]
}

/** A message about an event booking, to an attendee or a host, claimed for sending. */
export interface BookingMessage extends Claimed {
  subject: 'booking'
  kind: BookingKind
  data: BookingData
  /** Null when it is gone. */
  booking: ShownBooking | null
}

/** A step of a workflow as its message is written by it. */
export interface ShownStep {
  template: 'reminder' | 'custom' | 'cancelled' | 'rescheduled' | 'completed' | 'rating'
  sender: string | null
  subject: string | null
  /** What it says instead of the template; variables stand in braces. */
  body: string | null
  isHtml: boolean
  includeCalendarEvent: boolean
}

/** What a message of a workflow says beyond the rows it is about. */
export interface WorkflowData extends Pick<BookingData, 'reader' | 'seat'>, Pick<Timing, 'start'> {
  stepId: number
  /** What set it off. */
  trigger: string
  /** Whom it is for: who comes, who hosts, or an address or number that the step names. */
  role: 'attendee' | 'host' | 'other'
}

/** A message of a workflow's step, claimed for sending. */
export interface WorkflowMessage extends Claimed {
  subject: 'appointment' | 'booking'
  kind: 'workflow'
  data: WorkflowData
  /** Null when the workflow was switched off, or does not have the step or the trigger any more. */
  step: ShownStep | null
  /** What it is about: one of the two, unless it is gone. */
  appointment: ShownAppointment | null
  booking: ShownBooking | null
}

/** A notice to whoever runs a webhook that it was switched off, claimed for sending. */
export interface NoticeMessage extends Claimed {
  subject: null
  kind: 'webhook_disabled'
  data: { subscriberUrl: string; failingSince: string }
}

/** A message that leads a user to a new password, claimed for sending. */
export interface ResetMessage extends Claimed {
  subject: null
  kind: 'password_reset'
  data: ResetData
}

/** A notice to a user that their password was changed, claimed for sending. */
export interface PasswordNotice extends Claimed {
  subject: null
  kind: 'password_changed'
  data: PasswordNoticeData
}

/** A message with a code to book with, claimed for sending. */
export interface CodeMessage extends Claimed {
  subject: null
  kind: 'booking_code'
  data: { nonce: string }
}

/** A message that was claimed for sending, by what it is about. */
export type ClaimedMessage =
  | AppointmentMessage
  | BookingMessage
  | WorkflowMessage
  | NoticeMessage
  | ResetMessage
  | PasswordNotice
  | CodeMessage
