import type { Context } from 'hono'
import { ApiError, forbidden, ScopeError, unauthorized } from '#lib/core/errors.ts'
import { resourceMetadataUrl } from '#lib/domain/oauth/metadata.ts'
import { scopesIn } from '#lib/http/callers.ts'
import type { AppEnv, Exchange } from '#lib/http/exchange.ts'
import { failure } from '#lib/http/failure.ts'

type Ctx = Context<AppEnv>

/**
 * Any failure outside of JSON-RPC. One of the credentials has a body of its own, and says where a
 * client learns how to get a token (RFC 9728) and which scope it needs.
 */
export function present(c: Ctx, thrown: unknown): Response {
  const isScope = thrown instanceof ScopeError
  if (!isScope && !(thrown instanceof ApiError && thrown.status === 401)) return failure(c, thrown)
  const { deps, credential } = c.var.exchange
  const metadata = resourceMetadataUrl(deps.settings.publicUrl, true)
  const parts = [`resource_metadata="${metadata}"`, 'scope="mcp"']
  if (isScope) parts.push('error="insufficient_scope"')
  else if (credential) parts.push('error="invalid_token"')
  c.header('WWW-Authenticate', `Bearer ${parts.join(', ')}`)
  return c.json({ error: thrown.message }, thrown.status as 401)
}

/** The exchange of a request that came with a key, or a token for the tools. */
export function requireKey(c: Ctx): Exchange {
  // Hono copies all of its variables for each look at `c.var`.
  const exchange = c.get('exchange')
  if (!exchange.identity)
    unauthorized(
      'Credentials are missing or invalid: send Authorization: Bearer <API key or token>',
    )
  scopesIn(exchange, 'mcp')
  return exchange
}

const LOCAL = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/

/** Keeps other sites' scripts out: a page that has rebound its name would reach us as itself. */
export function requireKnownOrigin(c: Ctx): void {
  const origin = c.req.header('origin')
  if (origin === undefined || LOCAL.test(origin)) return
  const { publicUrl } = c.var.exchange.deps.settings
  const others = (c.env.TOOL_ORIGINS ?? '').split(',').map(text => text.trim())
  if (origin !== new URL(publicUrl).origin && !others.includes(origin))
    forbidden('Scripts of this site may not call the tool server')
}

/** What clients of all revisions send; those of 2026-07-28 name the method and the tool as well. */
const REQUEST_HEADERS = [
  'authorization',
  'cal-api-key',
  'content-type',
  'idempotency-key',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
]

/**
 * Answers a browser that asks before it sends (CORS preflight). DELETE and GET, which end and open a
 * session elsewhere, are let through to their 405: clients take that calmly, and no other failure.
 */
export function preflight(c: Ctx): Response {
  requireKnownOrigin(c)
  c.header('Access-Control-Allow-Methods', 'DELETE, GET, POST')
  c.header('Access-Control-Allow-Headers', REQUEST_HEADERS.join(', '))
  c.header('Access-Control-Max-Age', '86400')
  return c.body(null, 204)
}
