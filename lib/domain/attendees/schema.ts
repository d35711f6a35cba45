import type * as z from 'zod'
import { reachablePhone } from '#lib/core/schemas.ts'

/**
 * Who comes to a booking, as far as they are told from others: by their e-mail address, whatever its
 * case, or by their number (E.164) where they have none. They are written to in the same way.
 */
export interface Person {
  email: string | null
  phoneNumber: string | null
}

/** A person of whom what they do not have may be left out. */
type Known = { [field in keyof Person]?: Person[field] | undefined }

/** What tells a person from others: of two that are the same person it is the same. */
export const keyOf = ({ email, phoneNumber }: Known): string =>
  email?.toLowerCase() ?? phoneNumber ?? ''

/** How somebody is called and reached, in one line. A guest is called by their address. */
export const lineOf = ({ name, email, phoneNumber }: Known & { name: string }): string =>
  [...new Set([name, email ?? phoneNumber])].filter(Boolean).join(', ')

/** Who books, by what they answered. */
export const personOf = (responses: {
  email?: string | undefined
  attendeePhoneNumber?: string | undefined
}): Person => ({
  email: responses.email ?? null,
  phoneNumber: responses.attendeePhoneNumber ?? null,
})

/**
 * Whether somebody said how they are reached, in any of some fields. Told together with what else is
 * wrong with the object, so that nobody mends one thing to hear of the next.
 */
export const isReached = (
  field: string,
  ...others: string[]
): Parameters<z.ZodObject['refine']> => [
  given => ['email', field, ...others].some(name => given[name] != null),
  {
    path: ['email'],
    message: `required, unless ${field} is given`,
    when: ({ value }) => typeof value === 'object' && value !== null,
  },
]

/**
 * The number by which somebody is known and written to: of who has no e-mail address one with its country
 * code, else any.
 * @param number the name and the value of what they gave
 */
export function numberOf(
  email: string | undefined,
  [field, number]: readonly [field: string, number: string | undefined],
  context: z.RefinementCtx,
): string | undefined {
  if (email !== undefined || number === undefined) return number
  const { success, data, error } = reachablePhone.safeParse(number)
  if (success) return data
  context.addIssue({ code: 'custom', path: [field], message: error.issues[0]?.message ?? '' })
  return undefined
}
