import * as z from 'zod'
import type { Instant } from '#lib/core/kinds.ts'
import { id, instant, optionalText, Paging, queryId, queryMoment } from '#lib/core/schemas.ts'

const fields = {
  start: instant,
  end: instant,
  reason: z.enum(['unspecified', 'vacation', 'travel', 'sick', 'public_holiday']).optional(),
  notes: optionalText(2000).optional(),
  toUserId: id.nullable().optional().describe('Who takes the bookings meanwhile'),
}

const inOrder = ({ start, end }: { start?: Date | undefined; end?: Date | undefined }): boolean =>
  !start || !end || start < end
const MUST_FOLLOW = { path: ['end'], error: 'must be after start' }

/** The body of an absence. */
export const NewOutOfOffice = z
  .object({ ...fields, userId: id.optional().describe('Who is away; you where nothing is said') })
  .refine(inOrder, MUST_FOLLOW)
export type NewOutOfOffice = z.output<typeof NewOutOfOffice>

/** What can be changed: everything but who is away. What is left out stays. */
export const OutOfOfficeChange = z.object(fields).partial().refine(inOrder, MUST_FOLLOW)
export type OutOfOfficeChange = z.output<typeof OutOfOfficeChange>

/** Which absences are listed. */
export const OutOfOfficeFilter = Paging.extend({
  userId: queryId.optional(),
  from: queryMoment
    .optional()
    .describe('Only those that end after this instant, or on or after this day'),
  to: queryMoment
    .optional()
    .describe('Only those that begin before this instant, or on or before this day'),
})
export type OutOfOfficeFilter = z.output<typeof OutOfOfficeFilter>

/** Somebody, as they are named in an absence. */
export interface AwayUser {
  id: number
  name: string
  email: string
}

/** An absence as it is answered. Instants are UTC. */
export interface OutOfOffice {
  id: number
  uuid: string
  userId: number
  start: Instant
  end: Instant
  reason: string
  notes: string | null
  toUserId: number | null
  user: AwayUser
  toUser: AwayUser | null
  createdAt: Instant
  updatedAt: Instant
}
