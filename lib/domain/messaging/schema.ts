import type { BookingPolicy } from '#drizzle/schema/accounts.ts'

/** What a message tells its reader; each kind has a template. */
export type MessageKind =
  | 'booking_confirmation'
  | 'booking_request'
  | 'booking_cancelled'
  | 'booking_changed'

/** What a message with a link to a new password needs. `stamp` stands for the password there is. */
export interface ResetData {
  userId: number
  stamp: string
}

/** What a message says beyond the rows it is about. Instants are ISO 8601 in UTC. */
export interface MessageData {
  /** The message is about all appointments of this series and lists their dates. */
  seriesId?: number
  /** The times before the change, which a `booking_changed` message shows. */
  previousStartTime?: string
  previousEndTime?: string
}

interface Addressed {
  /** The e-mail address. */
  recipient: string
  /** Names what the message is about, unique per account: the same message is queued once. */
  dedupe: string
}

/** A message to one person about one appointment. */
interface NewAppointmentMessage extends Addressed {
  kind: MessageKind
  /** The appointment's id. */
  subjectId: number
  data?: MessageData
}

/** A message that leads a user to a new password. */
interface NewReset extends Addressed {
  kind: 'password_reset'
  data: ResetData
}

/** A message to queue. */
export type NewMessage = NewAppointmentMessage | NewReset

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
  cancellationReason: string | null
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

/** A message that was claimed for sending, with everything that its template needs. */
export interface ClaimedMessage {
  accountId: number
  id: number
  kind: MessageKind
  recipient: string
  data: MessageData
  /** How often sending was tried, this time included. */
  attempts: number
  createdAt: string
  sender: Sender
  appointment: ShownAppointment | null
  /** Every date of the series, where the message is about one; else empty. */
  series: Occurrence[]
}

/** A notice to whoever runs a webhook that it was switched off, claimed for sending. */
export interface ClaimedNotice extends Omit<ClaimedMessage, 'kind' | 'data'> {
  kind: 'webhook_disabled'
  data: { subscriberUrl: string; failingSince: string }
}

/** A message that leads a user to a new password, claimed for sending. */
export interface ClaimedReset extends Omit<ClaimedMessage, 'kind' | 'data'> {
  kind: 'password_reset'
  data: ResetData
}

/** Whatever was claimed for sending. */
export type Claimed = ClaimedMessage | ClaimedNotice | ClaimedReset

/** A message that no longer fits what it is about, and why. */
export interface Skipped {
  skipped: string
}
