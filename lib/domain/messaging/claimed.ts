import type { Role } from '#lib/core/permissions.ts'
import type { BookingData, BookingKind, ShownBooking } from './bookings/schema.ts'
import type {
  AppointmentData,
  AppointmentKind,
  Occurrence,
  PasswordNoticeData,
  ResetData,
  Sender,
  ShownAppointment,
  Timing,
} from './schema.ts'

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
  /** Whether it is a text message to a number that answered STOP when it was last tried. */
  toStopped: boolean
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

/** A message that asks somebody into an account, claimed for sending. */
export interface InvitationMessage extends Claimed {
  subject: 'invitation'
  kind: 'invitation'
  invitation: InvitationOfMessage
}

/** What such a message tells: who asks, as what, and until when. */
export interface InvitationOfMessage {
  id: number
  name: string
  role: Role
  inviter: { name: string; email: string }
  expiresAt: string
  /** Whether it stands: it has not ended, for whatever reason. */
  isOpen: boolean
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
  | InvitationMessage
  | CodeMessage
