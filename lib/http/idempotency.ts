import type { Context } from 'hono'
import { ApiError } from '#lib/core/errors.ts'
import { type Claim, Replay } from '#lib/core/idempotency.ts'
import type { Db } from '#lib/db/client.ts'
import type { AppEnv, Exchange } from './exchange.ts'
import { failure } from './failure.ts'

/** Refusals that say nothing of the request itself: another try may well be let in. */
const NOT_KEPT = new Set([401, 429])

const JSON_TYPE = 'application/json'

/**
 * Keeps the answer of a request whose batch did not store it: refusals, and operations that wrote
 * nothing. A fault of ours gives the key back.
 */
export async function keepAnswer(c: Context<AppEnv>, x: Exchange): Promise<void> {
  const { claim } = x
  if (!claim || claim.stored || c.res.headers.has('Idempotent-Replayed')) return
  const type = c.res.headers.get('content-type') ?? JSON_TYPE
  const body = await c.res.clone().text()
  try {
    await keepResult(x, claim, { status: c.res.status, body, type })
  } catch (error) {
    c.res = undefined
    c.res = failure(c, error)
  }
}

/**
 * Keeps an outcome under its key unless a batch has stored it already.
 * @throws Replay or ApiError when the key turns out to be another's
 */
export async function keepResult(
  { deps, requestId }: Pick<Exchange, 'deps' | 'requestId'>,
  claim: Claim,
  { status, body, type = JSON_TYPE }: { status: number; body: string; type?: string },
): Promise<void> {
  if (claim.stored) return
  try {
    if (status < 500 && !NOT_KEPT.has(status)) await keep(deps.db, claim, status, type, body)
    else if (claim.made) await deps.db.trip([claim.releasing()])
  } catch (error) {
    if (error instanceof Replay || error instanceof ApiError) throw error
    // The answer is right, only not kept: the key is free again once its lease is over.
    console.error(`${requestId} The Idempotency-Key's answer is not kept`, error)
  }
}

async function keep(
  db: Db,
  claim: Claim,
  status: number,
  type: string,
  body: string,
): Promise<void> {
  if (!claim.made) {
    const [cells = []] = await db.trip([claim.statement()])
    claim.settle(cells)
  }
  await db.trip([claim.keeping(status, type, body)])
}
