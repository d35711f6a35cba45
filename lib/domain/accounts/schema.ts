import * as z from 'zod'
import { email, text, timeZone } from '#lib/core/schemas.ts'

const password = z
  .string()
  .min(8)
  .max(200)
  .describe('At least 8 characters; longer is better than stranger')

/** What signing up takes. */
export const SignUp = z.object({
  name: text(120).describe('Your name'),
  businessName: text(200).optional().describe('Name of the business; yours where nothing is said'),
  email,
  password,
  timeZone: timeZone.optional(),
})
export type SignUp = z.output<typeof SignUp>

/** What signing in takes. */
export const SignIn = z.object({
  email: z.string().trim().max(320),
  password: z.string().max(200),
})
export type SignIn = z.output<typeof SignIn>

/** What asking for a new password takes. */
export const Forgotten = SignIn.pick({ email: true })
export type Forgotten = z.output<typeof Forgotten>

/** What choosing a new password takes: the token of the e-mailed link, and the password. */
export const Reset = z.object({ token: z.string().max(1000), password })
export type Reset = z.output<typeof Reset>

/** What changing one's password takes. */
export const PasswordChange = z.object({ currentPassword: z.string().min(1).max(200), password })
export type PasswordChange = z.output<typeof PasswordChange>

/** A user and the account they work in. */
export interface NewAccount {
  userId: number
  accountId: number
  username: string
  subdomain: string
}

/** What a new business asks of those who book. */
export const DEFAULT_BOOKING_POLICY = {
  autoConfirm: true,
  confirmWithinMinutes: 1440,
  minNoticeMinutes: 0,
  horizonDays: 365,
  cancellationWindowMinutes: 0,
  cancellationFee: 0,
  allowCustomerReschedule: true,
}
