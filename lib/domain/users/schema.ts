import * as z from 'zod'
import type { Instant } from '#lib/core/kinds.ts'
import type { Role } from '#lib/core/permissions.ts'
import {
  email,
  instant,
  languageTag,
  optionalText,
  text,
  timeZone,
  url,
  type WEEKDAYS,
  weekdayName,
} from '#lib/core/schemas.ts'
import { isReserved } from '#lib/domain/accounts/names.ts'

const username = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[a-z0-9](?:[a-z0-9._-]{0,38}[a-z0-9])?$/,
    'expected up to 40 of a-z, 0-9, ".", "_" and "-", with a letter or digit at both ends',
  )
  .refine(name => !isReserved(name), 'is reserved')

/** What of a profile can be changed; what is left out stays. */
export const ProfileChange = z.object({
  name: text(120).optional(),
  username: username.optional().describe('The beginning of the address of your pages'),
  email: email.optional().describe('Cannot be changed here; it may be sent back as it is'),
  timeZone: timeZone.optional(),
  bio: optionalText(5000).optional(),
  avatarUrl: url.nullable().optional(),
  timeFormat: z.union([z.literal(12), z.literal(24)], 'expected 12 or 24').optional(),
  weekStart: weekdayName.optional(),
  locale: languageTag.optional(),
})
export type ProfileChange = z.output<typeof ProfileChange>

/** What a new API key takes. */
export const NewApiKey = z.object({
  note: optionalText(200).optional().describe('What it is for'),
  expiresAt: instant.nullable().optional().describe('Without it the key does not expire'),
})
export type NewApiKey = z.output<typeof NewApiKey>

/** A user as they see themselves. `organizationId` is the account they work in. */
export interface Me {
  id: number
  username: string
  email: string
  name: string
  bio: string | null
  avatarUrl: string | null
  timeFormat: 12 | 24
  weekStart: (typeof WEEKDAYS)[number]
  timeZone: string
  locale: string
  defaultScheduleId: number | null
  organizationId: number
  role: Role
  createdAt: Instant
  updatedAt: Instant
}

/** An API key as it is listed: never its value. `hint` is how the value ends. */
export interface ApiKey {
  id: number
  note: string | null
  hint: string
  createdAt: Instant
  expiresAt: Instant | null
  lastUsedAt: Instant | null
}
