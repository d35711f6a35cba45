import type { BookingPolicy } from '#drizzle/schema/accounts.ts'

/** A place where a business gives its services. `address` is one line of text. */
export interface ShownLocation {
  id: number
  name: string
  address: string | null
  timeZone: string
}

/** Somebody who can be booked. Null and an empty list mean all services and all places. */
export interface ShownEmployee {
  id: number
  name: string
  serviceIds: number[] | null
  locationIds: number[]
}

/** A service as its customers see it. Duration in minutes, money in cents. */
export interface ShownService {
  id: number
  slug: string
  name: string
  description: string | null
  category: string | null
  duration: number
  price: number
  currency: string
  /** What is to be paid ahead: cents when fixed, percent when a percentage. */
  depositType: 'none' | 'fixed' | 'percentage'
  depositAmount: number
  /** Seats of a group session; null for what is booked alone. */
  seats: number | null
  /** The one place where it is given; null where it may be any. */
  locationId: number | null
}

/** A business as its public booking page shows it. */
export interface Storefront {
  name: string
  subdomain: string
  description: string | null
  phone: string | null
  email: string | null
  address: string | null
  timeZone: string
  locale: string
  /** First day of the week, 0 being Sunday. */
  weekStart: number
  policy: BookingPolicy
  /** By category, in the order that the business gave them; the uncategorized last. */
  services: ShownService[]
  locations: ShownLocation[]
  employees: ShownEmployee[]
}
