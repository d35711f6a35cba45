import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { unauthorized } from '#lib/core/errors.ts'
import { member } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { isForm } from '#lib/http/validate.ts'
import { wantsPage } from './error.tsx'
import { HOME, leadingTo, nextOf } from './next.ts'

/** The page that a browser is at: what it asked for, or what the form that it sent stands on. */
function pageOf(c: Context): string {
  const { origin, pathname, search } = new URL(c.req.url)
  if (c.req.method === 'GET') return pathname + search
  const from = c.req.header('referer') ?? ''
  return from.startsWith(`${origin}/`) ? from.slice(origin.length) : HOME
}

/** Leads to the sign-in page, and from there back to where one was. */
export const goSignIn = (c: Context, back = pageOf(c)): Response =>
  c.redirect(leadingTo('/signin', nextOf(back)), 303)

/** Leads a browser to the sign-in page; a program is told. */
const leadToSignIn = (c: Context): Response =>
  wantsPage(c) || isForm(c) ? goSignIn(c) : unauthorized('Sign in to see this page')

/** Requires a user; a browser without one is led to the sign-in page. */
export const signedIn: typeof member = async (c, next) => {
  return c.var.exchange.identity ? member(c, next) : leadToSignIn(c)
}

/** The user who has signed in in this browser, and the value of their session's cookie. */
export function browserOf<E extends AppEnv>(
  c: Context<E>,
): { userId: number; session: string } | undefined {
  const { credential, identity } = c.var.exchange
  if (credential?.kind !== 'session' || !identity) return undefined
  return { userId: identity.userId, session: credential.secret }
}

/**
 * Requires somebody who has signed in with their password, in a browser: a key or a token of a program
 * must not make others, nor change whose it is.
 */
export const inBrowser = createMiddleware<AppEnv>(async (c, next) => {
  return browserOf(c) ? next() : leadToSignIn(c)
})
