import type { Person } from '#lib/domain/attendees/person.ts'
import type { Sender, Timing } from '../schema.ts'

/** What a message tells an attendee of an event booking. */
export type AttendeeKind =
  | 'event_confirmed'
  | 'event_requested'
  | 'event_rejected'
  | 'event_changed'
  | 'event_cancelled'
  | 'event_reminder'

/** What a message tells a host of an event booking. */
export type HostKind =
  | 'host_booked'
  | 'host_confirmed'
  | 'host_requested'
  | 'host_changed'
  | 'host_cancelled'
  | 'host_instant'

/** What a message about an event booking tells its reader; each kind has a template. */
export type BookingKind = AttendeeKind | HostKind

/** Who reads a message, as they were when it was queued: a seat that is given back leaves no row. */
export interface Reader {
  name: string
  timeZone: string
  /** BCP 47; dates are written in it. */
  locale: string
  /** Set for a host. */
  userId?: number
}

/** Whose seat it is. What they do not have is left out. */
export interface SeatHolder {
  uid: string
  name: string
  email?: string
  phoneNumber?: string
}

/** What a message says beyond the rows it is about. Instants are ISO 8601 in UTC. */
export interface BookingData extends Timing {
  reader: Reader
  /** The bookings of a series that the message is about; of one booking it alone. */
  bookingIds: number[]
  /** The message is about this seat alone, and whose it is. */
  seat?: SeatHolder
  /** Of an instant meeting: what a host joins it by, and until when. */
  join?: { token: string; until: string }
  /** The times before the change. */
  previousStartTime?: string
  previousEndTime?: string
}

/** Where an event booking stands. */
export type BookingStatus = 'accepted' | 'pending' | 'cancelled' | 'rejected' | 'awaiting_host'

/** One date of an event booking. `version` counts its changes. */
export interface BookingDate {
  id: number
  uid: string
  version: number
  status: BookingStatus
  startTime: string
  endTime: string
}

/** Someone who comes. In a booking with seats each has a seat, and what they answered. */
export interface ShownAttendee extends Person {
  id: number
  name: string
  timeZone: string
  locale: string
  isGuest: boolean
  noShow: boolean
  seatUid: string | null
  responses: Record<string, unknown> | null
}

/** What the event type of a booking says of it; gone when the event type is. */
export interface ShownEventType {
  id: number
  title: string
  /** The path of its page. */
  path: string
  isRecurring: boolean
  hideOrganizerEmail: boolean
  seatsShowAttendees: boolean
  interfaceLanguage: string | null
  /** Where who has booked is led on to. */
  successRedirectUrl: string | null
  bookingFields: { slug: string; label: string; hidden?: boolean }[]
  disableCancelling: boolean
  disableRescheduling: { disabled?: boolean; minutesBefore?: number | null } | null
  allowReschedulingPast: boolean
}

/** An event booking as messages and pages tell of it. */
export interface ShownBooking extends BookingDate {
  title: string
  description: string | null
  location: string | null
  meetingUrl: string | null
  /** Cents. */
  price: number
  currency: string
  cancellationReason: string | null
  rejectionReason: string | null
  reschedulingReason: string | null
  isSeated: boolean
  /** 1 to 5, by who came. */
  rating: number | null
  ratingFeedback: string | null
  /** Whether the host is noted not to have come. */
  noShowHost: boolean
  recurringEventId: string | null
  responses: Record<string, unknown>
  eventType: ShownEventType | null
  /** Who is asked in the name of all hosts; the account's owner while nobody hosts it. */
  organizer: { name: string; email: string }
  hosts: { userId: number; name: string; email: string; timeZone: string; locale: string }[]
  attendees: ShownAttendee[]
  /** The dates that are told of: of the message, or of the whole series. In order. */
  dates: BookingDate[]
}

/** An event booking as its attendees' and hosts' links show it, with all dates of its series. */
export interface LinkedBooking {
  booking: ShownBooking
  sender: Sender
  /** First day of the week, 0 being Sunday. */
  weekStart: number
}
