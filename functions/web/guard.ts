import { member } from '#lib/http/callers.ts'
import { isForm } from '#lib/http/validate.ts'
import { wantsPage } from './pages/error.tsx'

/** Requires a user; a browser without one is led to the sign-in page. */
export const signedIn: typeof member = async (c, next) => {
  const isBrowser = wantsPage(c) || isForm(c)
  if (!c.var.exchange.identity && isBrowser) return c.redirect('/signin', 303)
  return member(c, next)
}
