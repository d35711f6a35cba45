import { badRequest } from '#lib/core/errors.ts'
import { instant } from '#lib/core/schemas.ts'

/** Set by the local platform's build; a deployed bundle has `false` or nothing in its place. */
declare const LOCAL_PLATFORM: boolean

/** The clock of a request. The local platform lets a request bring its own. */
export function clockOf(headers: Headers): Date {
  // Written out here, so that a deployed bundle is without it, not only deaf to it.
  if (typeof LOCAL_PLATFORM !== 'undefined' && LOCAL_PLATFORM) {
    const asked = headers.get('x-test-now')
    if (asked === null) return new Date()
    const { data, error } = instant.safeParse(asked)
    return data ?? badRequest(`X-Test-Now: ${error?.issues[0]?.message}`)
  }
  return new Date()
}
