import type { Settings } from '#lib/core/context.ts'
import { sha256 } from '#lib/core/text.ts'
import type { Db } from '#lib/db/client.ts'
import {
  type Identity,
  identityOfGrant,
  identityOfKey,
  identityOfSession,
} from '#lib/db/entrances.ts'
import { lookUp } from '#lib/db/query.ts'
import { readAccess } from '#lib/domain/oauth/access.ts'
import { SESSION_COOKIE } from './cookies.ts'

/** How an API key begins; what follows is the secret. */
const KEY_PREFIX = 'cal_'
const COOKIE = new RegExp(`(?:^|;\\s*)${SESSION_COOKIE}=([\\w-]+)`)

/** A secret that a request carries, and what kind it is. */
export interface Credential {
  kind: 'key' | 'session' | 'token'
  secret: string
}

const CACHE_MS = 10_000
const MAX_CACHED = 5000

/** An API key that this isolate knows; by its hash it is forgotten. */
interface Known {
  hash: string
  identity: Identity
  until: number
}

/**
 * By the key itself: to hash it costs a Worker as much as a header or ten, at each request. In the order
 * in which they were looked up, so that those whose time is over stand first.
 */
const cache = new Map<string, Known>()

function remember(secret: string, known: Known, at: number): void {
  for (const [old, { until }] of cache) {
    if (until > at && cache.size < MAX_CACHED) break
    cache.delete(old)
  }
  cache.delete(secret)
  cache.set(secret, known)
}

/**
 * The credential of a request: `cal-api-key`, then `Authorization: Bearer`, then the cookie, where it
 * counts.
 */
export function credentialOf(headers: Headers, takesCookies: boolean): Credential | undefined {
  // Spaces around a value are not part of it (RFC 9110 5.5); the runtime leaves those at its end.
  const header = headers.get('cal-api-key')?.trim() ?? null
  if (header !== null) return keyOf(header)
  const bearer = /^Bearer +(\S+)\s*$/i.exec(headers.get('authorization') ?? '')?.[1]
  if (bearer !== undefined)
    return bearer.startsWith(KEY_PREFIX) ? keyOf(bearer) : { kind: 'token', secret: bearer }
  const cookie = takesCookies ? COOKIE.exec(headers.get('cookie') ?? '')?.[1] : undefined
  return cookie === undefined ? undefined : { kind: 'session', secret: cookie }
}

const keyOf = (text: string): Credential => ({
  kind: 'key',
  secret: text.startsWith(KEY_PREFIX) ? text.slice(KEY_PREFIX.length) : '',
})

/**
 * Who a credential stands for, undefined when it stands for nobody (unknown, expired, revoked).
 * Those of keys are kept for 10 seconds in the isolate; `forget` drops one where it was revoked.
 * Sessions and grants of tokens are looked up each time: signing out and revoking end them at once, in
 * every function.
 */
export function resolve(
  db: Db,
  settings: Settings,
  { kind, secret }: Credential,
  now: Date,
): Promise<Identity | undefined> {
  return kind === 'token' ? ofToken(db, settings, secret, now) : ofSecret(db, kind, secret, now)
}

const MAX_TOKEN = 4096

/** A token is ours by its signature; whether its grant lives is for the database to say. */
async function ofToken(
  db: Db,
  settings: Settings,
  token: string,
  now: Date,
): Promise<Identity | undefined> {
  const access = token.length > MAX_TOKEN ? undefined : await readAccess(db, settings, token, now)
  if (!access) return undefined
  const { accountId, grantId: id, scopes, audience } = access
  const found = await lookUp(db, identityOfGrant, { accountId, id, now: now.toISOString() })
  return found ? { ...found, token: { scopes, audience } } : undefined
}

async function ofSecret(
  db: Db,
  kind: 'key' | 'session',
  secret: string,
  now: Date,
): Promise<Identity | undefined> {
  if (secret === '' || secret.length > 200) return undefined
  const at = now.getTime()
  const known = kind === 'key' ? cache.get(secret) : undefined
  if (known && known.until > at && known.until - at <= CACHE_MS)
    return isLive(known.identity, at) ? known.identity : undefined
  const hash = await sha256(secret)
  const query = kind === 'key' ? identityOfKey : identityOfSession
  const identity = await lookUp(db, query, { hash, now: now.toISOString() })
  if (!identity) return undefined
  if (kind === 'key') remember(secret, { hash, identity, until: at + CACHE_MS }, at)
  return identity
}

const isLive = (identity: Identity, at: number): boolean =>
  identity.expiresAt === null || identity.expiresAt > at

/** Drops what this isolate remembers of a credential, by its hash. */
export function forget(hash: string): void {
  for (const [secret, known] of cache) if (known.hash === hash) cache.delete(secret)
}
