import * as z from 'zod'
import type { Cents, Day, Instant } from '#lib/core/kinds.ts'
import {
  date,
  email,
  languageTag,
  optionalText,
  phone,
  queryMoment,
  queryPhone,
  text,
  timeZone,
} from '#lib/core/schemas.ts'

/** The body of a customer. */
export const NewCustomer = z.object({
  name: text(200).describe('Name of the customer'),
  email: email.nullable().optional().describe('Unique among customers, whatever its case'),
  phone: phone.nullable().optional(),
  notes: optionalText(5000).optional().describe('Internal notes; the customer never sees them'),
  gender: optionalText(50).optional(),
  dateOfBirth: date.nullable().optional().describe('A day that has come'),
  timeZone: timeZone.nullable().optional(),
  language: languageTag.nullable().optional().describe('Language of messages to the customer'),
})

/** Which customers are asked for. */
export const CustomerFilter = z.object({
  email: z.string().trim().max(320).optional(),
  phone: queryPhone.optional(),
  createdFrom: queryMoment.optional().describe('Made at or after this instant or day'),
  createdTo: queryMoment.optional().describe('Made before this instant, or on or before this day'),
})

/** A customer as it is answered. */
export interface Customer {
  id: number
  name: string
  email: string | null
  phone: string | null
  notes: string | null
  gender: string | null
  dateOfBirth: Day | null
  timeZone: string | null
  language: string | null
  /** Appointments that are not canceled. */
  totalBookings: number
  /** Succeeded payments less refunds. */
  totalSpent: Cents
  lastBookedAt: Instant | null
  emailUnsubscribed: boolean
  smsConsent: boolean
  createdAt: Instant
  updatedAt: Instant
}
