import { badRequest } from '#lib/core/errors.ts'
import { isWithinTime } from '#lib/core/time.ts'

/** Set by the local platform's build; a deployed bundle has `false` or nothing in its place. */
declare const LOCAL_PLATFORM: boolean

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** The schema of instants says the same with zod, which this would load in every isolate that starts. */
function readInstant(text: string): Date | undefined {
  const day = text.slice(0, 10)
  const [at, midnight] = [new Date(text), new Date(`${day}T00:00:00Z`)]
  // An engine takes 30 February for the 2nd of March.
  const isDay = isWithinTime(midnight) && midnight.toISOString().startsWith(day)
  return INSTANT.test(text) && isDay && isWithinTime(at) ? at : undefined
}

/** The clock of a request. The local platform lets a request bring its own. */
export function clockOf(headers: Headers): Date {
  // Written out here, so that a deployed bundle is without it, not only deaf to it.
  if (typeof LOCAL_PLATFORM !== 'undefined' && LOCAL_PLATFORM) {
    const asked = headers.get('x-test-now')
    if (asked === null) return new Date()
    const expected = 'a timestamp with an offset, such as 2026-03-08T09:00:00Z'
    return readInstant(asked) ?? badRequest(`X-Test-Now: expected ${expected}`)
  }
  return new Date()
}

/** The milliseconds since it was made, by the real clock, whatever a request says the time is. */
export function stopwatch(): () => number {
  const began = Date.now()
  return () => Math.max(0, Date.now() - began)
}
