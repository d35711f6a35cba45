import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Member, Visitor } from '#lib/core/context.ts'
import { ApiError } from '#lib/core/errors.ts'
import type { AppEnv } from './exchange.ts'

type With<C> = { Bindings: AppEnv['Bindings']; Variables: AppEnv['Variables'] & { ctx: C } }

/** Requires a user of an account: API key, session cookie or token. */
export const member = createMiddleware<With<Member>>(async (c, next) => {
  const { exchange: x } = c.var
  const { identity } = x
  if (!identity) throw new ApiError('UNAUTHORIZED', 'Credentials are missing or invalid')
  const { accountId, userId, personId, employeeId, role, plan } = identity
  c.set('ctx', {
    ...x.base('api'),
    kind: 'member',
    tenant: x.tenant(accountId, 'api', userId),
    accountId,
    userId,
    personId,
    employeeId,
    role,
    plan,
  })
  await next()
})

/** Whoever sends a request, as anybody: for a page that is shown again before its form counts. */
export function visitorIn<E extends AppEnv>(c: Context<E>): Visitor {
  const { exchange: x } = c.var
  return { ...x.base('public'), kind: 'visitor', address: x.address }
}

/** Lets anybody in. The answer may be read by any site's script. */
export const visitor = createMiddleware<With<Visitor>>(async (c, next) => {
  c.header('Access-Control-Allow-Origin', '*')
  c.set('ctx', visitorIn(c))
  await next()
})

/**
 * Like `visitor`, with a second count per address and target: `max` a minute. Goes after the body's
 * schema, which the target is read from; both counts travel together.
 */
export const visitorOf = <B>(max: number, target: (body: B) => string | number) =>
  createMiddleware<With<Visitor>>(async (c, next) => {
    const { exchange: x } = c.var
    c.header('Access-Control-Allow-Origin', '*')
    const body = (c.req.valid('json' as never) ?? c.req.valid('form' as never)) as B
    x.count({ key: `t${x.address} ${c.req.path} ${target(body)}`, limit: max })
    c.set('ctx', visitorIn(c))
    await next()
  })

/** Answers a browser that asks before it sends (CORS preflight). */
export const preflight = (methods: string) => (c: Context) => {
  c.header('Access-Control-Allow-Origin', '*')
  c.header('Access-Control-Allow-Methods', methods)
  c.header('Access-Control-Allow-Headers', 'content-type, idempotency-key')
  c.header('Access-Control-Max-Age', '86400')
  return c.body(null, 204)
}
