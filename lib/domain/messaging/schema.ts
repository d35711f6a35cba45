import type { BookingPolicy } from '#drizzle/schema/accounts.ts'

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
  /** Of the series these alone. */
  ids?: readonly number[]
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
} & (NewAppointmentMessage | NewReset | NewPasswordNotice | NewInvitationMessage)

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

/** A message that asks somebody into an account. */
interface NewInvitationMessage {
  subject: 'invitation'
  subjectId: number
  kind: 'invitation'
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
