import * as z from 'zod'
import type { Cents, Decimal, Instant, Minutes } from '#lib/core/kinds.ts'
import {
  cents,
  color,
  currency,
  id,
  ids,
  minutes,
  optionalText,
  queryBoolean,
  queryId,
  text,
  url,
} from '#lib/core/schemas.ts'

/** The body of a category. */
export const NewCategory = z.object({
  name: text(200).describe('Name of the category'),
  description: optionalText(2000).optional(),
  color: color.nullable().optional(),
  position: z.int().min(0).max(100_000).optional().describe('Order among categories, lowest first'),
  active: z.boolean().optional(),
})

/** The body of an extra: an add-on of one or more services. */
export const NewExtra = z.object({
  name: text(200),
  description: optionalText(2000).optional(),
  price: cents.optional().describe('Price of one in cents'),
  duration: minutes(0, 720).optional().describe('Minutes that one adds to the appointment'),
  maxQuantity: z.int().min(1).max(100).optional(),
  serviceId: id.optional().describe('The one service it goes with; short for serviceIds'),
  serviceIds: ids.optional().describe('The services it goes with'),
  active: z.boolean().optional(),
})

/** A shared resource that a service needs, and how many of it. */
const NeededResource = z.object({ resourceId: id, quantity: z.int().min(1).max(1000).optional() })

/** The body of a service. Durations and buffers in minutes, money in cents. */
export const NewService = z.object({
  name: text(200).describe('Name of the service'),
  description: optionalText(5000).optional(),
  duration: minutes(1, 1500).optional().describe('Length in minutes, 60 where nothing is said'),
  price: cents.optional().describe('Price in cents'),
  currency: currency.optional().describe('ISO 4217 code, "usd" where nothing is said'),
  categoryId: id.nullable().optional(),
  locationId: id.nullable().optional(),
  bufferTimeBefore: minutes(0, 720).optional().describe('Minutes kept free before'),
  bufferTimeAfter: minutes(0, 720).optional().describe('Minutes kept free after'),
  maxCapacity: z.int().min(1).max(1000).optional().describe('Seats of a group session'),
  depositType: z.enum(['none', 'fixed', 'percentage']).optional(),
  depositAmount: z
    .number()
    .min(0)
    .max(1_000_000_000)
    .optional()
    .describe('Cents when depositType is "fixed", percent when it is "percentage"'),
  enableRecurring: z.boolean().optional(),
  enableGroupBooking: z.boolean().optional(),
  minNoticeMinutes: minutes(0, 525_600)
    .nullable()
    .optional()
    .describe('How long before its start it can still be booked; null: as the company says'),
  horizonDays: z
    .int()
    .min(1)
    .max(1100)
    .nullable()
    .optional()
    .describe('How far ahead it can be booked; null: as the company says'),
  slotIntervalMinutes: minutes(5, 1440)
    .nullable()
    .optional()
    .describe('Distance of offered starts; null: 15 minutes'),
  resources: z.array(NeededResource).max(50).optional().describe('Shared resources it needs'),
  color: color.nullable().optional(),
  imageUrl: url.nullable().optional(),
  position: z.int().min(0).max(100_000).optional(),
  active: z.boolean().optional(),
})

/** Which categories are asked for. */
export const ActiveFilter = z.object({ active: queryBoolean.optional() })
/** Which extras are asked for. */
export const ExtraFilter = ActiveFilter.extend({ serviceId: queryId.optional() })
/** Which services are asked for. */
export const ServiceFilter = ActiveFilter.extend({
  categoryId: queryId.optional(),
  locationId: queryId.optional(),
  employeeId: queryId.optional().describe('Only services that this employee gives'),
})

/** A category as it is answered. */
export interface Category {
  id: number
  name: string
  slug: string
  description: string | null
  /** `#rrggbb`. */
  color: string | null
  /** Order among categories, lowest first. */
  position: number
  active: boolean
  createdAt: Instant
  updatedAt: Instant
}

/** An extra as it is answered. */
export interface Extra {
  id: number
  name: string
  description: string | null
  /** Of one. */
  price: Cents
  /** What one adds to the appointment. */
  duration: Minutes
  maxQuantity: number
  active: boolean
  /** The services it goes with. */
  serviceIds: number[]
  createdAt: Instant
  updatedAt: Instant
}

/** A service as it is answered. */
export interface Service {
  id: number
  name: string
  slug: string
  description: string | null
  duration: Minutes
  price: Cents
  /** ISO 4217, in lower case. */
  currency: string
  categoryId: number | null
  locationId: number | null
  bufferTimeBefore: Minutes
  bufferTimeAfter: Minutes
  /** Seats of a group session. */
  maxCapacity: number
  depositType: 'none' | 'fixed' | 'percentage'
  /** Cents where `depositType` is "fixed", percent where it is "percentage". */
  depositAmount: Decimal
  enableRecurring: boolean
  enableGroupBooking: boolean
  /** How long before its start it can still be booked; null: as the company says. */
  minNoticeMinutes: number | null
  /** How far ahead it can be booked; null: as the company says. */
  horizonDays: number | null
  /** Distance of offered starts; null: 15 minutes. */
  slotIntervalMinutes: number | null
  /** `#rrggbb`. */
  color: string | null
  imageUrl: string | null
  position: number
  active: boolean
  category: Pick<Category, 'id' | 'name' | 'slug'> | null
  extras: Pick<Extra, 'id' | 'name' | 'price' | 'duration' | 'maxQuantity'>[]
  /** The shared resources it needs. */
  resources: { resourceId: number; quantity: number }[]
  createdAt: Instant
  updatedAt: Instant
}
