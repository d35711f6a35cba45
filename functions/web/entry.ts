import { Hono } from 'hono'
import { signOut } from '#lib/domain/accounts/operations.ts'
import { dropCookie, readCookie } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { sameOrigin, submit } from '#lib/http/forms.ts'
import { form } from '#lib/http/validate.ts'
import { inBrowser, signedIn } from '#lib/pages/guard.ts'
import { Chosen, chooseBusiness, showBusinesses, showBusinessesAgain } from './pages/businesses.tsx'
import { forgotForm, showForgot, showSent } from './pages/forgot.tsx'
import { acceptForm, declineForm, newcomerForm, showInvitation } from './pages/invitation.tsx'
import { showLanding } from './pages/landing.tsx'
import { resetForm, showReset } from './pages/reset.tsx'
import { showSignIn, signInForm } from './pages/sign-in.tsx'
import { showSignUp, signUpForm } from './pages/sign-up.tsx'

/** Signing up, in and out, choosing a new password, and joining a business. */
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
  .get('/invitation', c => showInvitation(c))
  .post('/invitation', ...newcomerForm)
  .post('/invitation/accept', ...acceptForm)
  .post('/invitation/decline', ...declineForm)
  .get('/businesses', inBrowser, signedIn, c => showBusinesses(c, c.var.ctx))
  .post('/businesses', sameOrigin, inBrowser, signedIn, form(Chosen, showBusinessesAgain), c =>
    chooseBusiness(c, c.var.ctx, c.req.valid('form')),
  )
  .post('/signout', sameOrigin, signedIn, c => {
    const work = async () => {
      const secret = readCookie(c)
      if (secret) await signOut(c.var.ctx, secret)
      dropCookie(c)
    }
    return submit(c, work, { next: () => '/', show: () => showLanding(c) })
  })
