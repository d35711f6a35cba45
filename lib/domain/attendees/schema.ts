import type * as z from 'zod'
import { reachablePhone } from '#lib/core/schemas.ts'

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
