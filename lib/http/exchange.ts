import type { Context } from 'hono'
import type { Base, Via } from '#lib/core/context.ts'
import { ApiError, badRequest } from '#lib/core/errors.ts'
import { Claim, MAX_KEY } from '#lib/core/idempotency.ts'
import { sha256, sha256OfBytes } from '#lib/core/text.ts'
import type { Identity } from '#lib/db/entrances.ts'
import type { Queue } from '#lib/db/query.ts'
import { Tenant } from '#lib/db/tenant.ts'
import { sendQueued } from '#lib/domain/messaging/after.ts'
import { networkOf } from './address.ts'
import { readBytes } from './body.ts'
import { clockOf, stopwatch } from './clock.ts'
import { type Credential, credentialOf, resolve } from './credentials.ts'
import { type Bindings, type Deps, depsOf } from './deps.ts'
import { ADDRESS_LIMIT, type Count, type Counter, PLAN_LIMIT, type Verdict } from './limits.ts'

/** What a function's handlers are given: its bindings, and the request's exchange. */
export type AppEnv = { Bindings: Bindings; Variables: { exchange: Exchange } }
type Ctx = Context<AppEnv>

const IDEMPOTENT_METHODS = new Set(['POST', 'PUT', 'PATCH'])

/** One request and all that is known of it before its handler runs. */
export class Exchange {
  readonly deps: Deps
  readonly requestId: string
  now = new Date(0)
  elapsed = () => 0
  identity: Identity | undefined
  /** What the request came with, whether it stands for somebody or not. */
  credential: Credential | undefined
  claim: Claim | undefined
  #address: string | undefined
  #count: Count | undefined
  #refusal: Verdict | undefined

  constructor(private readonly c: Ctx) {
    this.deps = depsOf(c.env)
    this.requestId = crypto.randomUUID()
  }

  /** The network that the request comes from, which a visitor is counted by. */
  get address(): string {
    this.#address ??= networkOf(this.c.req.raw.headers.get('cf-connecting-ip') ?? 'unknown')
    return this.#address
  }

  /** Reads the clock, the credentials and the Idempotency-Key. */
  async open(takesCookies: boolean): Promise<void> {
    const { headers } = this.c.req.raw
    this.now = clockOf(headers)
    this.elapsed = stopwatch()
    const { db, settings } = this.deps
    const credential = credentialOf(headers, takesCookies)
    this.credential = credential
    if (credential) this.identity = await resolve(db, settings, credential, this.now)
    if (credential?.kind === 'session' && this.identity) this.requireSameOrigin()
    const key = headers.get('idempotency-key')
    if (key !== null && IDEMPOTENT_METHODS.has(this.c.req.method)) await this.openClaim(key)
  }

  /**
   * A cookie comes along with any site's form; the Origin tells whose form it was. From a page without
   * referrer it is `null`; then the browser's word counts that the form is same-origin.
   */
  requireSameOrigin(): void {
    const { method, url } = this.c.req
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return
    const origin = this.c.req.header('origin')
    if (origin === 'null' && this.c.req.header('sec-fetch-site') === 'same-origin') return
    if (origin !== new URL(url).origin && origin !== this.deps.settings.publicUrl)
      throw new ApiError('FORBIDDEN', 'A write by cookie needs an Origin header of this site')
  }

  private async openClaim(key: string): Promise<void> {
    if (key === '' || key.length > MAX_KEY)
      badRequest(`Idempotency-Key must have 1 to ${MAX_KEY} characters`)
    const { method, path, url } = this.c.req
    const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''
    const body = await sha256OfBytes(await readBytes(this.c))
    const print = await sha256(`${method} ${path}${query}\n${body}${reachOf(this.identity)}`)
    const scope = this.identity ? `a${this.identity.accountId}` : `v${this.address} ${path}`
    this.claim = new Claim(scope, key, print, this.now)
  }

  /**
   * Counts the request, once; `extra` is the second count of endpoints that invite guessing. What
   * holds several requests counts as many `times`.
   */
  count(extra?: Counter, times = 1): Count {
    if (this.#count && extra) throw new Error('The second count came after the first')
    const counters = () => (extra ? [this.counter(), extra] : [this.counter()])
    this.#count ??= this.deps.limits.count(counters(), times)
    return this.#count
  }

  /** Waits for the count; counts now if nothing did before. 429 where it is over the limit. */
  async admission(): Promise<void> {
    const verdict = await this.count().verdict()
    if (!verdict.allowed) throw tooMany(verdict)
  }

  /** Refuses the request for a limit beside the usual ones; the answer's headers tell of that one. */
  refuse(verdict: Verdict): never {
    this.#refusal = { ...verdict, allowed: false }
    throw tooMany(verdict)
  }

  /** The outcome of the count; counts now if nothing did before. */
  async verdict(): Promise<Verdict> {
    return this.#refusal ?? this.count().verdict()
  }

  private counter(): Counter {
    return this.identity
      ? { key: `a${this.identity.accountId}`, limit: PLAN_LIMIT[this.identity.plan] }
      : { key: `v${this.address}`, limit: ADDRESS_LIMIT }
  }

  /** What every caller made of this request brings along. */
  base(via: Via): Base {
    const { deps, now, elapsed, requestId } = this
    this.count()
    return {
      now,
      elapsed,
      requestId,
      via,
      db: deps.db,
      settings: deps.settings,
      ports: deps.ports,
      admission: () => this.admission(),
      after: work => this.c.executionCtx.waitUntil(work().catch(e => console.error(e))),
      enter: accountId => this.tenant(accountId, via, null),
    }
  }

  /** The handle on an account; `claim` is the key of what it is for, where that is not the request's. */
  tenant(accountId: number, via: Via, userId: number | null, claim = this.claim): Tenant {
    const { now, requestId } = this
    this.count()
    const admission = () => this.admission()
    const onQueued = (queues: ReadonlySet<Queue>) => sendQueued(this.base(via), accountId, queues)
    const actor = { userId, via, requestId, now, admission, claim, onQueued }
    return new Tenant(this.deps.db, accountId, actor)
  }
}

/** 429, with the seconds until the window ends. */
export const tooMany = (v: Verdict): ApiError =>
  new ApiError('RATE_LIMITED', `Too many requests: at most ${v.limit} a minute`)

/**
 * How far a member or a token reaches, as text to tell requests apart by: who may do less is not given the
 * answer that another member of the account got.
 */
export function reachOf(identity: Identity | undefined): string {
  if (!identity) return ''
  const { role, userId, token } = identity
  const own = role === 'staff' ? `staff ${userId}` : role === 'manager' ? role : ''
  return `${own}${token ? ` ${[...token.scopes].sort().join(' ')}` : ''}`
}
