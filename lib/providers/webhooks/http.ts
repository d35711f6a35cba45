import type { OutgoingPost, Poster, PostOutcome } from './port.ts'

const TIMEOUT_MS = 10_000

/** An answer up to this long is read to its end, so that its connection can be used again. */
const MAX_READ_BYTES = 4096

/**
 * Posts by `fetch`.
 * @param clock milliseconds from any beginning
 */
export const httpPoster = (clock: () => number): Poster => ({
  async post({ url, headers, body }: OutgoingPost): Promise<PostOutcome> {
    const began = clock()
    const took = () => Math.max(0, Math.round(clock() - began))
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
      const outcome = { status: answer.status, fault: null, durationMs: took() }
      await discard(answer)
      return outcome
    } catch {
      const fault = signal.aborted ? 'timeout' : 'unreachable'
      return { status: null, fault, durationMs: took() }
    }
  },
})

/** Gets rid of a body without ever holding it; whoever sends slowly is hung up on. */
async function discard(answer: Response): Promise<void> {
  const length = answer.headers.get('content-length')
  const isShort = length !== null && Number(length) <= MAX_READ_BYTES
  await (isShort ? answer.arrayBuffer() : answer.body?.cancel())?.catch(() => {})
}
