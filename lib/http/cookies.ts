import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Base } from '#lib/core/context.ts'
import { Tenant } from '#lib/db/tenant.ts'
import type { WebSession } from '#lib/domain/accounts/operations.ts'

// With the prefix the browser itself insists on Secure, Path=/ and no Domain.
const NAME = 'session'
const PREFIX = 'host'
const ATTRIBUTES = { httpOnly: true, secure: true, sameSite: 'Lax', path: '/' } as const

/** Gives the browser its session until it ends. */
export function giveCookie(c: Context, { secret, expiresAt }: WebSession, now: Date): void {
  const maxAge = Math.floor((expiresAt.getTime() - now.getTime()) / 1000)
  setCookie(c, NAME, secret, { ...ATTRIBUTES, prefix: PREFIX, maxAge })
}

/** The value of the session's cookie. */
export const readCookie = (c: Context): string | undefined => getCookie(c, NAME, PREFIX)

/** Takes the session's cookie back. */
export const dropCookie = (c: Context): void => {
  deleteCookie(c, NAME, { ...ATTRIBUTES, prefix: PREFIX })
}

/**
 * The same caller without its Idempotency-Key: what is written so leaves no copy under the key. A
 * session's secret must not.
 */
export const withoutKey = <B extends Base>(base: B): B => ({
  ...base,
  enter: accountId => {
    const { db, actor } = base.enter(accountId)
    return new Tenant(db, accountId, { ...actor, claim: undefined })
  },
})
