import type { KeptAnswer } from '#lib/core/answers.ts'
import type { Cents, Instant, Minutes } from '#lib/core/kinds.ts'
import type { Person } from '#lib/domain/attendees/person.ts'
import type { BookingStatus } from './schema.ts'

/** Somebody who comes. In a meeting with seats others are shown by their name at most. */
export interface BookingAttendee {
  id: number
  name: string
  email: string | null
  timeZone: string
  locale: string
  phoneNumber: string | null
  noShow: boolean
}

/** A booking as whoever made it is answered: of seats theirs alone. */
export interface Booking {
  id: number
  uid: string
  /** Null when the event type is gone. */
  eventTypeId: number | null
  /** The host; null while there is none. */
  userId: number | null
  title: string
  description: string | null
  startTime: Instant
  endTime: Instant
  status: BookingStatus
  location: string | null
  /** Where it is met, if that is an address; `videoCallUrl` is the same. */
  meetingUrl: string | null
  paid: boolean
  price: Cents
  /** ISO 4217, in lower case. */
  currency: string
  cancellationReason: string | null
  rejectionReason: string | null
  reschedulingReason: string | null
  rescheduled: boolean
  /** The name of the series that it is of. */
  recurringEventId: string | null
  iCalUID: string
  /** Counts its changes. */
  iCalSequence: number
  eventType: { id: number; slug: string; title: string; length: Minutes } | null
  createdAt: Instant
  updatedAt: Instant
  /** What was answered, by the names of the questions. */
  responses: Record<string, KeptAnswer> | null
  metadata: Record<string, string>
  tracking: Record<string, string> | null
  videoCallUrl: string | null
  rating: number | null
  ratingFeedback: string | null
  noShowHost: boolean
  /** The door that it came through. */
  creationSource: string
  /** Who hosts it. */
  luckyUsers: number[]
  user: { email: null; name: string; username: string; timeZone: string } | null
  attendees: BookingAttendee[]
  /** The seat that was taken, in a meeting with seats. */
  seatReferenceUid: string | null
  paymentRequired: boolean
  payment: readonly []
  references: readonly []
  isDryRun: false
}

/** A booking of a series; `skipped` are the starts of those dates that were not free. */
export interface SeriesBooking extends Booking {
  recurrence: { id: string; skipped: Instant[] }
}

/** A booking as it would have been answered: what does not exist has no identifier. */
export interface Tried
  extends Omit<
    Booking,
    'id' | 'uid' | 'iCalUID' | 'createdAt' | 'updatedAt' | 'attendees' | 'isDryRun'
  > {
  id: null
  uid: null
  iCalUID: null
  createdAt: Instant | null
  updatedAt: Instant | null
  attendees: (Omit<BookingAttendee, 'id'> & { id: number | null })[]
  isDryRun: true
}

/** A booking of a series as it would have been answered. */
export interface TriedSeries extends Tried {
  recurrence: { id: null; skipped: Instant[] }
}

/** Who hosts a booking. */
export interface BookingHost {
  id: number
  name: string
  email: string
  username: string
  timeZone: string
}

/** Somebody who comes, as members of the account see them. */
export interface MemberAttendee extends Person {
  id: number
  name: string
  /** The same as `email`. */
  displayEmail: string | null
  timeZone: string
  language: string
  absent: boolean
  /** Their seat, in a meeting with seats. */
  seatUid: string | null
}

/** A booking as the members of its account read it. */
export interface MemberBooking {
  id: number
  uid: string
  title: string
  description: string | null
  status: BookingStatus
  start: Instant
  end: Instant
  duration: Minutes
  /** Null when the event type is gone. */
  eventTypeId: number | null
  eventType: { id: number; slug: string } | null
  hosts: BookingHost[]
  attendees: MemberAttendee[]
  /** The e-mail addresses of others who come. */
  guests: string[]
  location: string | null
  meetingUrl: string | null
  absentHost: boolean
  cancellationReason: string | null
  cancelledByEmail: string | null
  rejectionReason: string | null
  reschedulingReason: string | null
  rescheduledByEmail: string | null
  /** The name of the series that it is of. */
  recurringBookingUid: string | null
  /** What was answered, by the names of the questions. */
  bookingFieldsResponses: Record<string, KeptAnswer>
  metadata: Record<string, string>
  tracking: Record<string, string> | null
  price: Cents
  /** ISO 4217, in lower case. */
  currency: string
  paid: boolean
  rating: number | null
  ratingFeedback: string | null
  /** The door that it came through. */
  source: string
  icsUid: string
  /** Counts its changes. */
  version: number
  createdAt: Instant
  updatedAt: Instant
}
