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
 * An answer within 250 ms of being waited for, or an error. The wait is cut into steps, and a step that comes late does
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

/** Redis's answer for one counter. */
interface Answer {
  limit: number
  coming: Promise<Verdict>
  /** Set once it is there. */
  verdict?: Verdict
}

async function inTime(answer: Answer): Promise<Verdict> {
  try {
    return answer.verdict ?? (await within(answer.coming))
  } catch (error) {
    console.error(`Rate limits are unavailable: ${String(error)}`)
    return unavailable(answer.limit)
  }
}

const nearest = (verdicts: readonly Verdict[]): Verdict =>
  verdicts.reduce((worst, v) =>
    (worst.allowed && !v.allowed) || (worst.allowed === v.allowed && v.remaining < worst.remaining)
      ? v
      : worst,
  )

/**
 * A count on its way. A read asks for the verdict once it has its answer, when the verdict is mostly
 * there: it needs no timer, which a Worker pays as much for as for a small query.
 */
export class Count {
  #verdict: Promise<Verdict> | undefined
  constructor(private readonly answers: readonly Answer[]) {}

  /** The verdict of the counter nearest to its limit; from the first call on it is waited for. */
  verdict(): Promise<Verdict> {
    this.#verdict ??= Promise.all(this.answers.map(inTime)).then(nearest)
    return this.#verdict
  }
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
  count(counters: readonly Counter[], times = 1): Count {
    // A pipeline is flushed by whoever filled it, so it cannot be shared between requests.
    const pipeline = counters.length > 1 ? this.redis(true) : undefined
    return new Count(
      counters.map(({ key, limit }) => {
        const limiter = pipeline ? this.limiter(pipeline, limit) : this.#single(limit)
        return answerOf(limiter, key, limit, times)
      }),
    )
  }
}

function answerOf(limiter: Ratelimit, key: string, limit: number, times: number): Answer {
  const ask = async (): Promise<Verdict> => {
    const { success, ...found } = await limiter.limit(
      key,
      times === 1 ? undefined : { rate: times },
    )
    const reset = Math.ceil(found.reset / 1000)
    const remaining = Math.max(0, found.remaining)
    answer.verdict = { allowed: success, limit, remaining, reset, unavailable: false }
    return answer.verdict
  }
  const answer: Answer = { limit, coming: ask() }
  // Whoever waits is told of a failure; nobody may be waiting yet.
  answer.coming.catch(() => {})
  return answer
}
