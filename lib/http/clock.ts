import { badRequest } from '#lib/core/errors.ts'

/** Set by the local platform's build; a deployed bundle has `false` or nothing in its place. */
declare const LOCAL_PLATFORM: boolean

/** Read without zod, which this would load in every function. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** The clock of a request. The local platform lets a request bring its own. */
export function clockOf(headers: Headers): Date {
  // Written out here, so that a deployed bundle is without it, not only deaf to it.
  if (typeof LOCAL_PLATFORM !== 'undefined' && LOCAL_PLATFORM) {
    const asked = headers.get('x-test-now')
    if (asked === null) return new Date()
    const at = new Date(INSTANT.test(asked) ? asked : Number.NaN)
    return Number.isNaN(at.getTime())
      ? badRequest('X-Test-Now: expected a timestamp with an offset, such as 2026-03-08T09:00:00Z')
      : at
  }
  return new Date()
}
