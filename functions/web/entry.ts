import { Hono } from 'hono'
import { signOut } from '#lib/domain/accounts/operations.ts'
import { dropCookie, readCookie } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { sameOrigin, submit } from '#lib/http/forms.ts'
import { signedIn } from '#lib/pages/guard.ts'
import { forgotForm, showForgot, showSent } from './pages/forgot.tsx'
import { showLanding } from './pages/landing.tsx'
import { resetForm, showReset } from './pages/reset.tsx'
import { showSignIn, signInForm } from './pages/sign-in.tsx'
import { showSignUp, signUpForm } from './pages/sign-up.tsx'

/** Signing up, in and out, and choosing a new password. */
export const entryPages = new Hono<AppEnv>()
  .get('/signup', c => showSignUp(c))
  .post('/signup', ...signUpForm)
  .get('/signin', c => showSignIn(c))
  .post('/signin', ...signInForm)
  .get('/forgot', c => showForgot(c))
  .post('/forgot', ...forgotForm)
  .get('/forgot/sent', c => showSent(c))
  .get('/reset', c => showReset(c))
  .post('/reset', ...resetForm)
  .post('/signout', sameOrigin, signedIn, c => {
    const work = async () => {
      const secret = readCookie(c)
      if (secret) await signOut(c.var.ctx, secret)
      dropCookie(c)
    }
    return submit(c, work, { next: () => '/', show: () => showLanding(c) })
  })
