import type { Context } from 'hono'
import { Replay } from '#lib/core/idempotency.ts'
import type { AppEnv, Exchange } from './exchange.ts'
import { failure } from './failure.ts'

/** Refusals that say nothing of the request itself: another try may well be let in. */
const NOT_KEPT = new Set([401, 429])

/**
 * Keeps the answer of a request whose batch did not store it: refusals, and operations that wrote
 * nothing. A fault of ours gives the key back.
 */
export async function keepAnswer(c: Context<AppEnv>, x: Exchange): Promise<void> {
  const { claim, deps } = x
  const { status } = c.res
  if (!claim || claim.stored || c.res.headers.has('Idempotent-Replayed')) return
  if (status >= 500 || NOT_KEPT.has(status)) {
    if (claim.made) await deps.db.trip([claim.releasing()])
    return
  }
  const type = c.res.headers.get('content-type') ?? 'application/json'
  const body = await c.res.clone().text()
  try {
    if (!claim.made) {
      const [cells = []] = await deps.db.trip([claim.statement()])
      claim.settle(cells)
    }
    await deps.db.trip([claim.keeping(status, type, body)])
  } catch (error) {
    if (error instanceof Replay || status < 500) {
      c.res = undefined
      c.res = failure(c, error)
    }
  }
}
