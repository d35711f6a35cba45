import type { appointments } from '#drizzle/schema/appointments.ts'
import type { Cents, Instant, Minutes, Url } from '#lib/core/kinds.ts'
import type { RecurrenceRule, Status } from './schema.ts'

/** Who comes to an appointment. */
export interface AnsweredAttendee {
  name: string
  email: string | null
  phone: string | null
  customerId: number | null
  persons: number
  /** The appointment's, or that of a seat of a session. */
  status: Status
}

/** An extra as an appointment keeps it: the name and price it was booked at. */
export interface BookedExtra {
  id: number
  name: string
  /** Of one. */
  price: Cents
  /** What one adds. */
  duration: Minutes
  quantity: number
}

/** An appointment as it is answered. */
export interface Appointment {
  id: number
  uid: string
  serviceId: number
  customerId: number | null
  employeeId: number | null
  locationId: number | null
  startTime: Instant
  endTime: Instant
  status: Status
  /** Until when it holds its time while it is pending, where that is before it begins. */
  confirmBy: Instant | null
  price: Cents
  /** ISO 4217, in lower case. */
  currency: string
  depositAmount: Cents
  taxAmount: Cents
  totalAmount: Cents
  amountPaid: Cents
  paymentStatus: 'unpaid' | 'deposit_paid' | 'paid' | 'partially_refunded' | 'refunded'
  recurrenceRule: RecurrenceRule | null
  /** How many the series was to have. */
  recurrenceCount: number | null
  seriesId: number | null
  /** Its place in the series. */
  seriesIndex: number | null
  isGroupBooking: boolean
  persons: number
  /** Who comes: those named in it, or everybody with a live seat of the session. */
  attendees: AnsweredAttendee[]
  extras: BookedExtra[]
  /** The shared resources it uses. */
  resourceIds: number[]
  /** The zone of whoever booked, where it is known. */
  timeZone: string | null
  /** From the customer. */
  notes: string | null
  /** The customer never sees them. */
  internalNotes: string | null
  customFields: Record<string, unknown>
  cancellationReason: string | null
  cancelledBy: string | null
  noShow: boolean
  /** The door that it came through. */
  source: (typeof appointments.$inferSelect)['source']
  /** Counts its changes. */
  version: number
  service: { id: number; name: string }
  customer: { id: number; name: string; email: string | null; phone: string | null } | null
  employee: { id: number; name: string } | null
  location: { id: number; name: string } | null
  createdAt: Instant
  updatedAt: Instant
  /** Of the first of a series that was just made: all of it, and the starts that were left out. */
  recurrence?: { id: number; appointmentIds: number[]; skipped: Instant[] }
}

/** A public booking as it is answered: nothing of anybody else, no internal notes. */
export interface PublicAppointment {
  uid: string
  status: Status
  /** Until when it holds its time while it is pending, where that is before it begins. */
  confirmBy: Instant | null
  startTime: Instant
  endTime: Instant
  timeZone: string | null
  price: Cents
  /** ISO 4217, in lower case. */
  currency: string
  depositAmount: Cents
  amountDue: Cents
  paymentRequired: boolean
  isGroupBooking: boolean
  /** How many seats of the session are taken. */
  attendees: number | null
  service: { id: number; name: string }
  employee: { id: number; name: string } | null
  location: { id: number; name: string } | null
  /** Of a series all of it; else null. */
  occurrences: { uid: string; startTime: Instant; endTime: Instant }[] | null
  /** Where it can be seen, moved and canceled. */
  manageUrl: Url
  icsUrl: Url
}
