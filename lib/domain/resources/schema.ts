import * as z from 'zod'
import type { Instant } from '#lib/core/kinds.ts'
import {
  id,
  optionalText,
  queryBoolean,
  queryId,
  queryInstant,
  queryInt,
  text,
} from '#lib/core/schemas.ts'

/** What a resource can be; a resource is equipment where nothing is said. */
const RESOURCE_TYPES = ['equipment', 'room', 'station'] as const

const MAX_QUANTITY = 100_000

/** The body of a resource. */
export const NewResource = z.object({
  locationId: id.describe('Where it is'),
  name: text(200),
  type: z.enum(RESOURCE_TYPES).optional(),
  description: optionalText(2000).optional(),
  quantity: z
    .int()
    .min(1)
    .max(MAX_QUANTITY)
    .optional()
    .describe('How many of it there are, 1 where nothing is said'),
  active: z.boolean().optional().describe('An inactive resource cannot be booked'),
})

/** Which resources are asked for. */
export const ResourceFilter = z.object({
  locationId: queryId.optional(),
  type: z.enum(RESOURCE_TYPES).optional(),
  active: queryBoolean.optional(),
})

/** The question whether a resource is free in `[startTime, endTime)`. */
export const ResourceQuestion = z
  .object({
    resourceId: queryId,
    startTime: queryInstant,
    endTime: queryInstant,
    quantity: queryInt(1, MAX_QUANTITY).optional().describe('How many are wanted, 1 by default'),
  })
  .refine(q => q.startTime < q.endTime, { path: ['endTime'], message: 'must be after startTime' })
export type ResourceQuestion = z.output<typeof ResourceQuestion>

/** A resource as it is answered. */
export interface Resource {
  id: number
  locationId: number
  name: string
  type: (typeof RESOURCE_TYPES)[number]
  description: string | null
  /** How many of it there are. */
  quantity: number
  active: boolean
  createdAt: Instant
  updatedAt: Instant
}

/** How much of a resource is free throughout a time. */
export interface ResourceAvailability {
  available: boolean
  totalQuantity: number
  /** The most that is in use at any instant of the time. */
  bookedQuantity: number
  availableQuantity: number
  requestedQuantity: number
}
