import { Redis } from '@upstash/redis'
import type { Context } from 'hono'
import { ApiError } from '#lib/core/errors.ts'
import type { Bindings } from '#lib/http/deps.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { requireKey, requireKnownOrigin } from './access.ts'
import { newSession } from './session.ts'

/*
 * The transport of 2024-11-05: a client opens a stream, sends its requests to the address that the
 * stream's first event names, and waits for the answers on the stream. The two meet in Redis, as they
 * may be in different isolates.
 */

/** One server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export const eventText = (event: string, data: string): string =>
  `event: ${event}\ndata: ${data}\n\n`

/** Whether a client takes server-sent events: named in Accept, in any case, and not with q=0. */
export const wantsStream = (accept = ''): boolean =>
  accept.split(',').some(part => {
    const [type = '', ...params] = part.toLowerCase().split(';')
    const q = params.map(p => /^\s*q\s*=\s*([\d.]+)\s*$/.exec(p)?.[1]).find(Boolean)
    return type.trim() === 'text/event-stream' && Number(q ?? 1) > 0
  })

/** Answers nobody came for are dropped after this long. */
const KEPT_SECONDS = 300
/** Answers taken at once. */
const AT_ONCE = 100

/** Where answers wait for the stream that they are for. */
class Mailbox {
  readonly #redis: Redis
  constructor(url: string, token: string) {
    this.#redis = new Redis({
      url,
      token,
      retry: false,
      automaticDeserialization: false,
      // A pipeline is flushed by whoever filled it, so requests cannot share one.
      enableAutoPipelining: false,
      enableTelemetry: false,
      responseEncoding: false,
    })
  }

  /** Leaves answers for a session's stream, in their order. */
  async put(session: string, answers: readonly string[]): Promise<void> {
    const [first, ...rest] = answers
    if (first === undefined) return
    const key = `mcp:${session}`
    await this.#redis
      .multi()
      .rpush(key, first, ...rest)
      .expire(key, KEPT_SECONDS)
      .exec()
  }

  /** Takes what waits for a session's stream. */
  async take(session: string): Promise<string[]> {
    return (await this.#redis.lpop<string[] | null>(`mcp:${session}`, AT_ONCE)) ?? []
  }
}

let made: { for: string; box: Mailbox } | undefined

/** The mailbox of an environment: an isolate serves one, so one is kept. */
export function mailboxOf(env: Bindings): Mailbox {
  const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = env
  if (made?.for !== url) made = { for: url, box: new Mailbox(url, token) }
  return made!.box
}

/** How often the mailbox is looked into: often while something goes on, less so when it is quiet. */
const PACE = [
  { quietMs: 5_000, everyMs: 100 },
  { quietMs: 60_000, everyMs: 500 },
  { quietMs: Number.POSITIVE_INFINITY, everyMs: 2_000 },
]
const HEARTBEAT_MS = 15_000
/** A stream ends then, and its client opens another: a Worker may send 1,000 requests in its life. */
const MAX_LOOKS = 800
const MAX_MS = 15 * 60_000
const MAX_FAILURES = 5

const paceOf = (quietMs: number): number => PACE.find(p => quietMs < p.quietMs)!.everyMs

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

/** What a stream says, event by event, until its life is over. */
async function* eventsFor(box: Mailbox, session: string, address: string) {
  yield eventText('endpoint', address)
  const opened = Date.now()
  let [heard, said, failures] = [opened, opened, 0]
  for (let looks = 0; looks < MAX_LOOKS && Date.now() - opened < MAX_MS; looks++) {
    try {
      const answers = await box.take(session)
      failures = 0
      if (answers.length > 0) {
        heard = said = Date.now()
        yield answers.map(answer => eventText('message', answer)).join('')
        continue
      }
    } catch (error) {
      console.error('A stream could not look into its mailbox', error)
      if (++failures === MAX_FAILURES) return
    }
    if (Date.now() - said > HEARTBEAT_MS) {
      said = Date.now()
      yield ': still here\n\n'
    }
    await pause(paceOf(Date.now() - heard))
  }
}

/** A stream that does nothing until it is read, and stops when its reader goes. */
function streamOf(events: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await events.next()
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await events.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Where a session's requests go: what the stream's own address asks for, such as a page size, stays. */
function addressFor(c: Context, session: string): string {
  const { pathname, searchParams } = new URL(c.req.url)
  searchParams.set('sessionId', session)
  return `${pathname}?${searchParams}`
}

/** Opens the stream of an older client; 405 for a GET that does not ask for one. */
export async function answerStream(c: Context<AppEnv>): Promise<Response> {
  requireKnownOrigin(c)
  if (!wantsStream(c.req.header('accept'))) {
    c.header('Allow', 'GET, HEAD, OPTIONS, POST')
    const message = 'GET opens a stream: send Accept: text/event-stream'
    throw new ApiError('BAD_REQUEST', message, undefined, 405)
  }
  const x = requireKey(c)
  await x.admission()
  const session = await newSession(x.deps.settings.secret, x.identity!.accountId)
  const events = eventsFor(mailboxOf(c.env), session, addressFor(c, session))
  return c.body(streamOf(events), 200, {
    'content-type': 'text/event-stream',
    // Proxies are not to collect what is meant to arrive at once.
    'x-accel-buffering': 'no',
  })
}
