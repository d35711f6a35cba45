import type { OutgoingPost, Poster, PostOutcome } from './port.ts'

const TIMEOUT_MS = 10_000

/** Posts that begin within so long of each other share a timer: to have one each is a tenth of the work. */
const SHARED_MS = 250

/** An answer up to this long is read to its end, so that its connection can be used again. */
const MAX_READ_BYTES = 4096

/**
 * Posts by `fetch`. A Worker makes one for each invocation: a timer belongs to the one that began it.
 * @param clock milliseconds from any beginning
 */
export const httpPoster = (clock: () => number): Poster => {
  const deadline = sharedDeadline()
  return {
    async post({ url, headers, body }: OutgoingPost): Promise<PostOutcome> {
      const began = clock()
      const took = () => Math.max(0, Math.round(clock() - began))
      const signal = deadline(began)
      try {
        const init = { method: 'POST', headers, body, redirect: 'manual', signal } as const
        const answer = await fetch(url, init)
        const outcome = { status: answer.status, fault: null, durationMs: took() }
        await discard(answer)
        return outcome
      } catch {
        const fault = signal.aborted ? 'timeout' : 'unreachable'
        return { status: null, fault, durationMs: took() }
      }
    },
  }
}

/** The signal that ends what begins at an instant, after `TIMEOUT_MS` or up to `SHARED_MS` more. */
function sharedDeadline(): (now: number) => AbortSignal {
  let signal: AbortSignal | undefined
  let until = 0
  return now => {
    if (!signal || now >= until) {
      signal = AbortSignal.timeout(TIMEOUT_MS + SHARED_MS)
      until = now + SHARED_MS
    }
    return signal
  }
}

/** Gets rid of a body without ever holding it; whoever sends slowly is hung up on. */
async function discard(answer: Response): Promise<void> {
  const length = answer.headers.get('content-length')
  if (length === '0') return
  const isShort = length !== null && Number(length) <= MAX_READ_BYTES
  await (isShort ? answer.arrayBuffer() : answer.body?.cancel())?.catch(() => {})
}
