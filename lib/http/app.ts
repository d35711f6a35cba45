import type { Context } from 'hono'
import { Hono } from 'hono'
import { ApiError } from '#lib/core/errors.ts'
import { type AppEnv, Exchange, tooMany } from './exchange.ts'
import { failure } from './failure.ts'
import { keepAnswer } from './idempotency.ts'
import type { Verdict } from './limits.ts'

type Ctx = Context<AppEnv>

/** Makes the answer to a failure. */
type Present = (c: Ctx, error: unknown) => Response | Promise<Response>

/**
 * A function's Hono app: every response counted, every error in the envelope, or as `present` shows
 * it.
 */
export function createApp(basePath = '/', present: Present = failure) {
  const app = new Hono<AppEnv>().basePath(basePath)
  app.use('*', (c, next) => exchange(c, next, present))
  app.onError((error, c) => present(c, error))
  app.notFound(c => present(c, noRoute(c, app.routes)))
  return app
}

async function exchange(c: Ctx, next: () => Promise<void>, present: Present): Promise<void> {
  const x = new Exchange(c)
  c.set('exchange', x)
  try {
    await x.open()
    await next()
  } catch (error) {
    c.res = await present(c, error)
  }
  const verdict = await x.verdict()
  if (!verdict.allowed) replace(c, await present(c, tooMany(verdict)))
  else if (x.claim) await keepAnswer(c, x)
  setHeaders(c, x, verdict)
}

/** Takes another answer's place without inheriting its headers. */
function replace(c: Ctx, response: Response): void {
  c.res = undefined
  c.res = response
}

function setHeaders(c: Ctx, x: Exchange, v: Verdict): void {
  const { headers } = c.res
  headers.set('X-Request-Id', x.requestId)
  headers.set('X-RateLimit-Limit', String(v.limit))
  headers.set('X-RateLimit-Remaining', String(v.remaining))
  headers.set('X-RateLimit-Reset', String(v.reset))
  if (v.unavailable) headers.set('X-RateLimit-Policy', 'unavailable')
  if (!v.allowed)
    headers.set('Retry-After', String(Math.max(1, v.reset - Math.floor(Date.now() / 1000))))
  headers.set('X-Content-Type-Options', 'nosniff')
  if (!headers.has('Referrer-Policy')) headers.set('Referrer-Policy', 'no-referrer')
  headers.set('Strict-Transport-Security', 'max-age=31536000')
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
}

/** 405 with Allow for a known path, else 404 in words that no missing record uses. */
function noRoute(c: Ctx, routes: readonly { method: string; path: string }[]): ApiError {
  const allowed = new Set(
    routes.filter(r => r.method !== 'ALL' && matches(r.path, c.req.path)).map(r => r.method),
  )
  if (allowed.size === 0) return new ApiError('NOT_FOUND', 'No such route')
  const allow = [...allowed].sort().join(', ')
  c.header('Allow', allow)
  const message = `${c.req.method} is not allowed here; use ${allow}`
  return new ApiError('BAD_REQUEST', message, undefined, 405)
}

const matches = (pattern: string, path: string): boolean =>
  pattern === path ||
  (pattern.includes(':') &&
    new RegExp(
      `^${pattern.replace(/:[^/{]+(\{[^}]+\})?/g, (_, re) => re?.slice(1, -1) ?? '[^/]+')}$`,
    ).test(path))
