import type { BookingPolicy } from '#drizzle/schema/accounts.ts'
import type { DateRange, WeeklyHours } from '#lib/scheduling/hours.ts'
import type { StoredHours } from '../staff/hours.ts'

/** All instants in facts are minutes since the Unix epoch; times of use are flat `[start, end, …]`. */
export interface ServiceFacts {
  id: number
  name: string
  duration: number
  price: number
  currency: string
  bufferBefore: number
  bufferAfter: number
  maxCapacity: number
  depositType: 'none' | 'fixed' | 'percentage'
  depositAmount: number
  enableRecurring: boolean
  enableGroupBooking: boolean
  minNoticeMinutes: number | null
  horizonDays: number | null
  slotIntervalMinutes: number | null
  locationId: number | null
  active: boolean
}

/** A resource that is needed, with its use in the window. */
export interface NeedFacts {
  resourceId: number
  /** How many are needed. */
  quantity: number
  total: number
  active: boolean
  /** Whether the service itself needs it; others were asked for beside. */
  ofService: boolean
  loads: { start: number; end: number; quantity: number }[]
}

/** Someone who is booked by name, with what takes their time in the window. */
export interface NamedFacts {
  id: number
  personId: number
  active: boolean
  busy: number[]
}

/** Someone who might give the service, with when they work. */
export interface EmployeeFacts extends NamedFacts {
  timeZone: string
  /** Whether they give the service at the place; asked for by name, they may not. */
  gives: boolean
  hours: (StoredHours & { atLocation: boolean }) | null
  /** Blocked minutes on the day that was asked about, by the company's clocks. */
  dayMinutes: number
  lastBookedAt: number | null
}

/** A start of the group service. */
export interface SessionFacts {
  id: number
  employeeId: number | null
  locationId: number | null
  start: number
  end: number
  taken: number
}

/** What offering and checking starts takes. */
export interface OfferFacts<E extends NamedFacts = EmployeeFacts> {
  company: { timeZone: string; currency: string; policy: BookingPolicy; closures: DateRange[] }
  service: ServiceFacts | null
  location: {
    id: number
    timeZone: string
    openingHours: WeeklyHours[] | null
    active: boolean
  } | null
  employees: E[]
  needs: NeedFacts[]
  sessions: SessionFacts[]
  /** Whether the appointment to be left out of account is there; true where none was named. */
  excludeFound: boolean
}

/** What writing a booking takes beside that. */
export interface BookingFacts<E extends NamedFacts = EmployeeFacts> extends OfferFacts<E> {
  customer: { id: number; name: string; email: string | null; upcoming: number } | null
  extras: { id: number; name: string; price: number; duration: number; maxQuantity: number }[]
  /** Those of `guestIds` that are customers. */
  guests: number[]
  ids: number[]
  seriesId: number
  sessionId: number
  customerId: number
}

/** What a member's booking takes: members may book anybody at any hour, so hours are left out. */
export type MemberFacts = BookingFacts<NamedFacts>

/** The window is `[from, to)`; what lies outside of it is not looked at. */
export interface OfferParams {
  serviceId: number
  /** One employee; null for all who give the service, or for none where a member books. */
  employeeId: number | null
  locationId: number | null
  from: string
  to: string
  /** An instant of the day that `dayMinutes` is about; null where nobody asks. */
  day: string | null
  now: string
  /** An appointment that is treated as if it did not exist. */
  exclude: number | null
  resourceIds: readonly number[]
}

/** What the facts of a booking are asked with, beside those of an offer. */
export interface BookingParams extends OfferParams {
  customerId: number | null
  email: string | null
  phone: string | null
  extraIds: readonly number[]
  guestIds: readonly number[]
  /** An employee who sees none but the customers they have had an appointment with; null: all. */
  knownTo: number | null
  count: number
}
