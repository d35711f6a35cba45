import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { ApiError, ScopeError, WaitError } from '#lib/core/errors.ts'
import { Replay } from '#lib/core/idempotency.ts'
import { meaningOf } from '#lib/db/meanings.ts'
import { resourceMetadataUrl } from '#lib/domain/oauth/metadata.ts'
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
    const challenge = challengeOf(c, error)
    if (challenge) c.header('WWW-Authenticate', challenge)
    if (error instanceof WaitError) c.header('Retry-After', String(error.wait))
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

/** What a 401 or a token's 403 says of the way to a credential that would do (RFC 6750 3, RFC 9728 5.1). */
function challengeOf(c: Ctx, error: ApiError): string | undefined {
  const exchange = c.get('exchange')
  if (!exchange || (error.status !== 401 && !(error instanceof ScopeError))) return undefined
  const { publicUrl } = exchange.deps.settings
  const said: Record<string, string> = {}
  if (error instanceof ScopeError) {
    said.error = 'insufficient_scope'
    if (error.scopes.length > 0) said.scope = error.scopes.join(' ')
  } else if (exchange.credential && exchange.credential.kind !== 'session')
    said.error = 'invalid_token'
  said.resource_metadata = resourceMetadataUrl(publicUrl, false)
  return `Bearer ${Object.entries(said)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`
}
