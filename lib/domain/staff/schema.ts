import * as z from 'zod'
import type { Decimal, Instant } from '#lib/core/kinds.ts'
import { ROLES, type Role } from '#lib/core/permissions.ts'
import {
  color,
  email,
  ids,
  optionalText,
  phone,
  queryBoolean,
  queryId,
  text,
  timeZone,
  url,
} from '#lib/core/schemas.ts'

/** The body of an employee. */
export const NewEmployee = z.object({
  name: text(200).describe('Name of the employee'),
  email: email.describe('Unique among employees, whatever its case'),
  phone: phone.nullable().optional(),
  role: z.enum(ROLES).optional().describe('"staff" where nothing is said; others need roles.write'),
  serviceIds: ids.optional().describe('The services they give; none named: all'),
  allServices: z
    .boolean()
    .optional()
    .describe('Where serviceIds names none: whether that means all services (true) or none'),
  locationIds: ids.optional().describe('The locations they work at; none named: all'),
  bio: optionalText(5000).optional(),
  avatarUrl: url.nullable().optional(),
  color: color.nullable().optional(),
  timeZone: timeZone.optional().describe('IANA zone; the company’s where nothing is said'),
  active: z.boolean().optional(),
  commissionRate: z.number().min(0).max(100).nullable().optional().describe('Percent'),
})

/** Which employees are asked for. */
export const EmployeeFilter = z.object({
  active: queryBoolean.optional(),
  serviceId: queryId.optional().describe('Only employees who give this service'),
  locationId: queryId.optional().describe('Only employees who work at this location'),
})

/** An employee as they are answered. `serviceIds` names every service they give. */
export interface Employee {
  id: number
  name: string
  email: string
  phone: string | null
  role: Role
  allServices: boolean
  serviceIds: number[]
  /** None: they work everywhere. */
  locationIds: number[]
  bio: string | null
  avatarUrl: string | null
  color: string | null
  timeZone: string
  active: boolean
  /** Percent. */
  commissionRate: Decimal | null
  /** The user that they sign in as. */
  userId: number | null
  inviteStatus: 'none' | 'invited' | 'accepted' | 'expired'
  createdAt: Instant
  updatedAt: Instant
}
