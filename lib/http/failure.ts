import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { ApiError } from '#lib/core/errors.ts'
import { Replay } from '#lib/core/idempotency.ts'
import { meaningOf } from '#lib/db/meanings.ts'
import type { AppEnv } from './exchange.ts'

type Ctx = Context<AppEnv>

/** Any failure as an answer. What is not an ApiError is a fault of ours: logged, never shown. */
export function failure(c: Ctx, thrown: unknown): Response {
  if (thrown instanceof Replay)
    return c.body(thrown.body, thrown.status as 200, {
      'content-type': thrown.contentType,
      'Idempotent-Replayed': 'true',
    })
  const error = meaningOf(thrown)
  if (error instanceof ApiError) {
    const { code, message, details } = error
    return c.json(
      { status: 'error', error: code, message, ...(details ? { details } : {}) },
      error.status as 400,
    )
  }
  if (error instanceof HTTPException)
    return c.json({ status: 'error', error: 'BAD_REQUEST', message: error.message }, 400)
  console.error(`${c.get('exchange')?.requestId} ${c.req.method} ${c.req.path}`, error)
  const message = 'Something went wrong on our side; the request id names it in our log'
  return c.json({ status: 'error', error: 'INTERNAL_ERROR', message }, 500)
}
