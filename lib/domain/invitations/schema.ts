import * as z from 'zod'
import type { Instant } from '#lib/core/kinds.ts'
import { ROLES, type Role } from '#lib/core/permissions.ts'
import { email, id, text, timeZone } from '#lib/core/schemas.ts'
import { SignUp } from '#lib/domain/accounts/schema.ts'

/** Whom to invite: an employee, or an address, of which an employee is made where none has it. */
export const NewInvitation = z
  .object({
    employeeId: id.optional().describe('An employee who does not sign in yet'),
    email: email.optional().describe('Instead of employeeId: where to write'),
    name: text(200)
      .optional()
      .describe('Of an employee who is made; the beginning of the address where nothing is said'),
    role: z
      .enum(ROLES)
      .optional()
      .describe(
        'What they will be; the employee’s where nothing is said. Above staff: roles.write',
      ),
  })
  .refine(i => i.employeeId !== undefined || i.email !== undefined, {
    path: ['email'],
    message: 'required, unless employeeId is given',
  })
export type NewInvitation = z.output<typeof NewInvitation>

/** An invitation as it is answered. */
export interface Invitation {
  inviteId: number
  employeeId: number
  /** Where the e-mail goes. */
  email: string
  /** What they will be. */
  role: Role
  /** Until when its link works. */
  expiresAt: Instant
}

/** How an invitation ended. */
export type Outcome = 'accepted' | 'declined' | 'revoked' | 'replaced'

/** What accepting takes of somebody who has no user yet: the token of the link, and who they are. */
export const Newcomer = SignUp.pick({ name: true, password: true }).extend({
  token: z.string().max(1000),
  timeZone: timeZone.optional(),
})
export type Newcomer = z.output<typeof Newcomer>

/** What accepting takes of somebody who has a user: their password, unless they are signed in. */
export const Acceptance = z.object({
  token: z.string().max(1000),
  password: z.string().max(200).optional(),
})
export type Acceptance = z.output<typeof Acceptance>

/** What declining takes. */
export const Refusal = Acceptance.pick({ token: true })
export type Refusal = z.output<typeof Refusal>

/** An invitation as who holds its link sees it. */
export interface ShownInvitation {
  id: number
  employeeId: number
  /** The name that the business knows them by. */
  name: string
  email: string
  role: Role
  business: string
  /** Who asks. */
  inviter: { name: string; email: string }
  expiresAt: string
  /** How it ended; null while it can be answered. */
  outcome: Outcome | null
  /** Who has the address, if anybody. */
  user: { id: number; passwordHash: string | null } | null
}
