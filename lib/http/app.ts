import type { Context } from 'hono'
import { Hono } from 'hono'
import { ApiError, nowhere } from '#lib/core/errors.ts'
import { readUnwanted } from './body.ts'
import { type AppEnv, Exchange, tooMany } from './exchange.ts'
import { failure } from './failure.ts'
import { keepAnswer } from './idempotency.ts'
import type { Verdict } from './limits.ts'

type Ctx = Context<AppEnv>

/** Makes the answer to a failure. */
type Present = (c: Ctx, error: unknown) => Response | Promise<Response>

interface Options {
  /** Answers what is the same for everybody, for good, before anything is counted or looked up. */
  ahead?: (c: Ctx) => Response | undefined
  /** Whether the cookie of a session lets in whoever sends it. */
  takesCookies?: boolean
}

/**
 * A function's Hono app: every response counted, every error in the envelope, or as `present` shows
 * it.
 */
export function createApp(
  basePath = '/',
  present: Present = failure,
  { ahead, takesCookies = true }: Options = {},
) {
  const app = new Hono<AppEnv>().basePath(basePath)
  app.use('*', async (c, next) => {
    const known = ahead?.(c)
    if (known) return known
    await exchange(c, next, present, takesCookies)
    if (isForAnySite(c, app.routes)) letAnySiteRead(c.res.headers)
    return undefined
  })
  app.onError((error, c) => present(c, error))
  app.notFound(c => present(c, noRoute(c, app.routes)))
  return app
}

async function exchange(
  c: Ctx,
  next: () => Promise<void>,
  present: Present,
  takesCookies: boolean,
): Promise<void> {
  const x = new Exchange(c)
  c.set('exchange', x)
  try {
    await x.open(takesCookies)
    await next()
  } catch (error) {
    c.res = await present(c, error)
  }
  const [verdict] = await Promise.all([x.verdict(), readUnwanted(c.req.raw)])
  if (!verdict.allowed) await refuse(c, () => present(c, tooMany(verdict)))
  else if (x.claim) await keepAnswer(c, x)
  setHeaders(c, x, verdict)
}

/** Puts a refusal in the place of an answer, which leaves none of its headers behind. */
async function refuse(c: Ctx, present: () => Response | Promise<Response>): Promise<void> {
  c.res = undefined
  c.res = new Response()
  const refusal = await present()
  c.res = undefined
  c.res = refusal
}

interface RouteLine {
  method: string
  path: string
}

/**
 * Where a preflight is answered, scripts of any site may read what follows: refusals, which are made
 * before the route's own handlers run, as well.
 */
const isForAnySite = (c: Ctx, routes: readonly RouteLine[]): boolean =>
  c.req.header('origin') !== undefined &&
  routes.some(r => r.method === 'OPTIONS' && matches(r.path, c.req.path))

/** Headers that a browser keeps from a script of another site unless they are named here. */
const EXPOSED = [
  'Idempotent-Replayed',
  'Mcp-Session-Id',
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ')

function letAnySiteRead(headers: Headers): void {
  headers.set('Access-Control-Allow-Origin', '*')
  headers.set('Access-Control-Expose-Headers', EXPOSED)
}

/** What every answer says to browsers. */
export const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=31536000',
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
  for (const [name, value] of Object.entries(SAFE)) headers.set(name, value)
  if (!headers.has('Referrer-Policy')) headers.set('Referrer-Policy', 'no-referrer')
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
}

/** 405 with Allow for a known path, else 404. */
function noRoute(c: Ctx, routes: readonly RouteLine[]): ApiError {
  const allowed = new Set(
    routes.filter(r => r.method !== 'ALL' && matches(r.path, c.req.path)).map(r => r.method),
  )
  if (allowed.size === 0) return nowhere()
  if (allowed.has('GET')) allowed.add('HEAD')
  const allow = [...allowed].sort().join(', ')
  c.header('Allow', allow)
  const message = `${c.req.method} is not allowed here; use ${allow}`
  return new ApiError('BAD_REQUEST', message, undefined, 405)
}

const PARAMETER = /:[^/{]+(?:\{([^}]+)\})?/g
const PLAIN = /[.*+?^${}()|[\]\\]/g

const matches = (pattern: string, path: string): boolean =>
  pattern === path || (pattern.includes(':') && patternOf(pattern).test(path))

/** `/a.b/:id{[0-9]+}` as a regular expression. */
function patternOf(route: string): RegExp {
  let source = ''
  let end = 0
  for (const found of route.matchAll(PARAMETER)) {
    source += route.slice(end, found.index).replace(PLAIN, '\\$&') + (found[1] ?? '[^/]+')
    end = found.index + found[0].length
  }
  return new RegExp(`^${source}${route.slice(end).replace(PLAIN, '\\$&')}$`)
}
