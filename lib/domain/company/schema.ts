import * as z from 'zod'
import type { BookingPolicy } from '#drizzle/schema/accounts.ts'
import type { Day, Decimal, Instant } from '#lib/core/kinds.ts'
import {
  cents,
  color,
  currency,
  date,
  email,
  id,
  languageTag,
  minutes,
  optionalText,
  phone,
  queryBoolean,
  queryId,
  text,
  timeRange,
  timeZone,
  url,
  weekday,
} from '#lib/core/schemas.ts'

/** The body of a district. */
export const NewDistrict = z.object({
  name: text(200),
  region: optionalText(200).optional(),
  description: optionalText(2000).optional(),
})

/** Hours of one day of the week, 0 being Sunday. */
const DayHours = z.object({
  day: z.int().min(0).max(6),
  intervals: z.array(timeRange).max(12),
})

/** The body of a location. */
export const NewLocation = z.object({
  name: text(200),
  address: optionalText(500).optional(),
  city: optionalText(200).optional(),
  state: optionalText(200).optional(),
  postalCode: optionalText(20).optional(),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'expected a country code of two letters (ISO 3166-1)')
    .transform(s => s.toUpperCase())
    .nullable()
    .optional(),
  timeZone: timeZone.optional().describe('IANA zone; the company’s where nothing is said'),
  phone: phone.nullable().optional(),
  email: email.nullable().optional(),
  latitude: z.number().min(-90).max(90).nullable().optional(),
  longitude: z.number().min(-180).max(180).nullable().optional(),
  districtId: id.nullable().optional(),
  openingHours: z
    .array(DayHours)
    .max(7)
    .nullable()
    .optional()
    .describe('When the place is open; nobody works there outside of it. null: no such limit'),
  active: z.boolean().optional(),
})

/** The body of a tax. */
export const NewTax = z.object({
  name: text(200),
  rate: z.number().min(0).max(99.9999).describe('Percent'),
  type: z.enum(['additive', 'inclusive']).optional(),
  scope: z.enum(['services', 'products', 'both']).optional(),
  locationId: id.nullable().optional(),
  isDefault: z.boolean().optional(),
  active: z.boolean().optional(),
})

/** Which taxes are asked for. */
export const TaxFilter = z.object({ active: queryBoolean.optional() })
/** Which locations are asked for. */
export const LocationFilter = z.object({
  active: queryBoolean.optional(),
  districtId: queryId.optional(),
})

const PolicyChange = z.object({
  autoConfirm: z.boolean().optional(),
  confirmWithinMinutes: minutes(5, 43_200)
    .nullable()
    .optional()
    .describe(
      'A public booking that is not confirmed by then is canceled; null: it holds its time',
    ),
  minNoticeMinutes: minutes(0, 525_600).optional(),
  horizonDays: z.int().min(1).max(1100).optional(),
  cancellationWindowMinutes: minutes(0, 525_600).optional(),
  cancellationFee: cents.optional(),
  allowCustomerReschedule: z.boolean().optional(),
})

const Closure = z
  .object({ startDate: date, endDate: date.optional(), reason: optionalText(200).optional() })
  .transform(c => ({ ...c, endDate: c.endDate ?? c.startDate }))
  .refine(c => c.endDate >= c.startDate, {
    path: ['endDate'],
    message: 'must not be before startDate',
  })

const subdomain = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/, 'expected 3 to 63 of a-z, 0-9 and -')

/** What of the company settings can be changed; objects inside merge as well. */
export const CompanyChange = z.object({
  name: text(200).optional(),
  subdomain: subdomain.optional(),
  slug: subdomain.optional().describe('The same as subdomain'),
  email: email.nullable().optional(),
  phone: phone.nullable().optional(),
  website: url.nullable().optional(),
  logoUrl: url.nullable().optional(),
  description: optionalText(5000).optional(),
  address: optionalText(500).optional(),
  timeZone: timeZone.optional(),
  currency: currency.optional(),
  weekStart: weekday.optional().describe('First day of the week: 0 (Sunday) to 6, or its name'),
  locale: languageTag.optional(),
  bookingPolicy: PolicyChange.optional(),
  branding: z
    .object({ primaryColor: color.nullable().optional(), hideBranding: z.boolean().optional() })
    .optional(),
  closures: z.array(Closure).max(366).optional().describe('Days on which the business is closed'),
  taxNumber: optionalText(50).optional(),
  invoicePrefix: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,10}$/, 'expected 1 to 10 letters, digits or -')
    .optional(),
})
export type CompanyChange = z.output<typeof CompanyChange>

/** A district as it is answered. */
export interface District {
  id: number
  name: string
  region: string | null
  description: string | null
  createdAt: Instant
  updatedAt: Instant
}
/** A location as it is answered. */
export interface Location {
  id: number
  name: string
  address: string | null
  city: string | null
  state: string | null
  postalCode: string | null
  /** ISO 3166-1, two letters in upper case. */
  country: string | null
  /** An IANA zone. */
  timeZone: string
  phone: string | null
  email: string | null
  latitude: Decimal | null
  longitude: Decimal | null
  districtId: number | null
  /** When the place is open, in its zone; null: no such limit. */
  openingHours: z.output<typeof DayHours>[] | null
  active: boolean
  createdAt: Instant
  updatedAt: Instant
}
/** A tax as it is answered. */
export interface Tax {
  id: number
  name: string
  /** Percent. */
  rate: Decimal
  /** On top of a price, or contained in it. */
  type: 'additive' | 'inclusive'
  scope: 'services' | 'products' | 'both'
  locationId: number | null
  isDefault: boolean
  active: boolean
  createdAt: Instant
  updatedAt: Instant
}
/** The settings of a business as they are answered. */
export interface Company {
  id: number
  name: string
  /** The same as `subdomain`. */
  slug: string
  subdomain: string
  email: string | null
  phone: string | null
  website: string | null
  logoUrl: string | null
  description: string | null
  address: string | null
  /** An IANA zone. */
  timeZone: string
  /** ISO 4217, in lower case. */
  currency: string
  /** The first day of the week, 0 being Sunday. */
  weekStart: number
  locale: string
  bookingPolicy: BookingPolicy
  branding: { primaryColor?: string | null; hideBranding?: boolean }
  /** Days on which the business is closed, both ends included. */
  closures: { startDate: Day; endDate: Day; reason?: string | null }[]
  taxNumber: string | null
  invoicePrefix: string
  plan: 'free' | 'pro' | 'enterprise'
  createdAt: Instant
  updatedAt: Instant
}
