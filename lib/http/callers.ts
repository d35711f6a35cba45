import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Member, Via, Visitor } from '#lib/core/context.ts'
import { type ApiError, ScopeError, unauthorized } from '#lib/core/errors.ts'
import type { Scope } from '#lib/core/scopes.ts'
import { Tenant } from '#lib/db/tenant.ts'
import { resourcesOf } from '#lib/domain/oauth/metadata.ts'
import type { AppEnv, Exchange } from './exchange.ts'

type With<C> = { Bindings: AppEnv['Bindings']; Variables: AppEnv['Variables'] & { ctx: C } }

/** The user of an account whom a request's credential stands for, coming through a door. */
export function memberIn(x: Exchange, via: Via, claim = x.claim): Member {
  const { accountId, userId, personId, employeeId, role, plan } = x.identity ?? unauthorized()
  return {
    ...x.base(via),
    kind: 'member',
    tenant: x.tenant(accountId, via, userId, claim),
    accountId,
    userId,
    personId,
    employeeId,
    role,
    plan,
    scopes: scopesIn(x, via),
  }
}

/**
 * The same member with a request that cannot be done: the operation that it is for says whether they
 * may, then what is wrong. Whatever else it tried, it would find no database.
 */
export function withFault(m: Member, fault: ApiError): Member {
  const db = { trip: () => Promise.reject(fault) }
  const enter = (accountId: number) => new Tenant(db, accountId, m.tenant.actor)
  return { ...m, fault, db, enter, tenant: enter(m.accountId) }
}

/**
 * How far a token reaches through a door; null for another credential. One for the tools with the scope
 * `mcp` is as good there as one for everything, and worth nothing elsewhere.
 * @throws UNAUTHORIZED for a token that is for another resource; FORBIDDEN at the tools without `mcp`
 */
export function scopesIn({ identity, deps }: Exchange, via: Via): readonly Scope[] | null {
  if (!identity?.token) return null
  const { scopes, audience } = identity.token
  const [api, tools] = resourcesOf(deps.settings.publicUrl)
  if (!audience.includes(via === 'mcp' ? tools : api))
    unauthorized('The token is for another resource')
  if (via !== 'mcp') return scopes
  if (!scopes.includes('mcp') && !scopes.includes('FULL_ACCESS')) throw new ScopeError(['mcp'])
  return ['FULL_ACCESS']
}

/** The user whose credential a public request came with; undefined without one that opens the API. */
export function memberIfAny(x: Exchange): Member | undefined {
  const { identity, deps } = x
  const [api] = resourcesOf(deps.settings.publicUrl)
  if (!identity || identity.token?.audience.includes(api) === false) return undefined
  return memberIn(x, 'api')
}

/** Requires a user of an account: API key, session cookie or token. */
export const member = createMiddleware<With<Member>>(async (c, next) => {
  c.set('ctx', memberIn(c.get('exchange'), 'api'))
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
  const headers = 'authorization, cal-api-key, content-type, idempotency-key, mcp-protocol-version'
  c.header('Access-Control-Allow-Headers', headers)
  c.header('Access-Control-Max-Age', '86400')
  return c.body(null, 204)
}
