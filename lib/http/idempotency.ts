import type { Context } from 'hono'
import { ApiError } from '#lib/core/errors.ts'
import { type Claim, Replay } from '#lib/core/idempotency.ts'
import type { Db } from '#lib/db/client.ts'
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
  try {
    if (status < 500 && !NOT_KEPT.has(status)) await keep(c, deps.db, claim)
    else if (claim.made) await deps.db.trip([claim.releasing()])
  } catch (error) {
    if (error instanceof Replay || error instanceof ApiError) {
      c.res = undefined
      c.res = failure(c, error)
    }
    // The answer is right, only not kept: the key is free again once its lease is over.
    else console.error(`${x.requestId} The Idempotency-Key's answer is not kept`, error)
  }
}

async function keep(c: Context<AppEnv>, db: Db, claim: Claim): Promise<void> {
  const type = c.res.headers.get('content-type') ?? 'application/json'
  const body = await c.res.clone().text()
  if (!claim.made) {
    const [cells = []] = await db.trip([claim.statement()])
    claim.settle(cells)
  }
  await db.trip([claim.keeping(c.res.status, type, body)])
}
