import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Base } from '#lib/core/context.ts'
import type { WebSession } from '#lib/domain/accounts/operations.ts'

// With the prefix the browser itself insists on Secure, Path=/ and no Domain.
const PREFIX = 'host'
const NAME = 'session'
/** The name of a session's cookie as it travels. */
export const SESSION_COOKIE = `__Host-${NAME}`
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

/** What is shown this once, and what it is. */
export interface Secret {
  label: string
  value: string
  /** What to do for one who did not see it: `revoke the key and make another`. */
  instead: string
}

/** What the next page that is shown says first, once. */
export interface Notice {
  text: string
  /** Whether it tells of something that went wrong. */
  bad?: boolean
  secret?: Secret
}

const NOTICE = 'notice'
/** Longer than a browser takes to follow, short enough that a secret does not lie about. */
const NOTICE_SECONDS = 60

/** Leaves a notice for the page that the browser is led to. */
export const giveNotice = (c: Context, notice: Notice): void =>
  setCookie(c, NOTICE, JSON.stringify(notice), {
    ...ATTRIBUTES,
    prefix: PREFIX,
    maxAge: NOTICE_SECONDS,
  })

/** The notice that was left for this page, and takes it back. */
export function takeNotice(c: Context): Notice | undefined {
  const text = getCookie(c, NOTICE, PREFIX)
  if (text === undefined) return undefined
  deleteCookie(c, NOTICE, { ...ATTRIBUTES, prefix: PREFIX })
  try {
    return JSON.parse(text) as Notice
  } catch {
    return undefined
  }
}

/**
 * The same caller without its Idempotency-Key: what is written so leaves no copy under the key. A
 * session's secret must not.
 */
export const withoutKey = <B extends Base>(base: B): B => ({
  ...base,
  enter: accountId => base.enter(accountId).keyless(),
})
