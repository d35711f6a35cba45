import { Ratelimit } from '@upstash/ratelimit'
import { Redis } from '@upstash/redis'
import type { Plan } from '#lib/core/context.ts'

/** Requests a minute by plan. */
export const PLAN_LIMIT: Record<Plan, number> = { free: 60, pro: 120, enterprise: 600 }
/** Requests a minute of an address without valid credentials. */
export const ADDRESS_LIMIT = 60

const WINDOW_MS = 60_000
const TIMEOUT_MS = 250
const STEP_MS = 10
/** However busy the isolate is, nobody waits longer than this. */
const MAX_WAIT_MS = 5000

/** What is counted: `key` names the counter, `limit` is its maximum per window of 60 seconds. */
export interface Counter {
  key: string
  limit: number
}

/** The state of the counter nearest to its limit. `reset` is a Unix time in seconds. */
export interface Verdict {
  allowed: boolean
  limit: number
  remaining: number
  reset: number
  /** Redis did not answer in time: the request passes uncounted. */
  unavailable: boolean
}

const unavailable = (limit: number): Verdict => ({
  allowed: true,
  limit,
  remaining: limit,
  reset: Math.ceil((Math.floor(Date.now() / WINDOW_MS) + 1) * (WINDOW_MS / 1000)),
  unavailable: true,
})

/**
 * An answer within 250 ms, or an error. The wait is cut into steps, and a step that comes late does
 * not count: then a burst keeps the isolate itself busy, and Redis's answer stands in the same queue
 * as our timer. Without that a burst would pass uncounted, when counting matters most.
 */
function within<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = Date.now() + MAX_WAIT_MS
    let left = TIMEOUT_MS / STEP_MS
    const wait = (): ReturnType<typeof setTimeout> => {
      const due = Date.now() + STEP_MS
      return setTimeout(() => {
        const now = Date.now()
        if (now - due < STEP_MS) left--
        if (left > 0 && now < end) timer = wait()
        else reject(new Error(`no answer within ${TIMEOUT_MS} ms`))
      }, STEP_MS)
    }
    let timer = wait()
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * Fixed windows of 60 seconds in Redis, shared by all functions and isolates. Several counters of
 * one request travel in one pipeline.
 */
export class Limits {
  readonly #single: (limit: number) => Ratelimit
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {
    const redis = this.redis(false)
    // One per plan: the number of limits is the number of entries.
    const known = new Map<number, Ratelimit>()
    this.#single = limit => {
      let found = known.get(limit)
      if (!found) {
        found = this.limiter(redis, limit)
        known.set(limit, found)
      }
      return found
    }
  }

  private redis(pipelined: boolean): Redis {
    return new Redis({
      url: this.url,
      token: this.token,
      retry: false,
      enableAutoPipelining: pipelined,
      enableTelemetry: false,
      responseEncoding: false,
    })
  }

  private limiter(redis: Redis, limit: number): Ratelimit {
    return new Ratelimit({
      redis,
      limiter: Ratelimit.fixedWindow(limit, `${WINDOW_MS} ms`),
      prefix: 'limit',
      // The library's own timer would take an isolate's backlog for a slow Redis: see `within`.
      timeout: 0,
    })
  }

  /** Counts a request, `times` over; with several counters all must allow it. One round trip. */
  async count(counters: readonly Counter[], times = 1): Promise<Verdict> {
    // A pipeline is flushed by whoever filled it, so it cannot be shared between requests.
    const pipeline = counters.length > 1 ? this.redis(true) : undefined
    const verdicts = await Promise.all(
      counters.map(async ({ key, limit }) => {
        const limiter = pipeline ? this.limiter(pipeline, limit) : this.#single(limit)
        try {
          const rate = times === 1 ? undefined : { rate: times }
          const answer = await within(limiter.limit(key, rate))
          const reset = Math.ceil(answer.reset / 1000)
          const remaining = Math.max(0, answer.remaining)
          return { allowed: answer.success, limit, remaining, reset, unavailable: false }
        } catch (error) {
          console.error(`Rate limits are unavailable: ${String(error)}`)
          return unavailable(limit)
        }
      }),
    )
    return verdicts.reduce((worst, v) =>
      (worst.allowed && !v.allowed) ||
      (worst.allowed === v.allowed && v.remaining < worst.remaining)
        ? v
        : worst,
    )
  }
}
