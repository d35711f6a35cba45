import * as z from 'zod'
import { signIn, signOut, signUp, startSession } from '#lib/domain/accounts/operations.ts'
import { SignIn, SignUp } from '#lib/domain/accounts/schema.ts'
import { confirmByToken } from '#lib/domain/appointments/changes.ts'
import { createApp } from '#lib/http/app.ts'
import { visitor, visitorOf } from '#lib/http/callers.ts'
import { dropCookie, giveCookie, readCookie, withoutKey } from '#lib/http/cookies.ts'
import { type ShowForm, sameOrigin, submit } from '#lib/http/forms.ts'
import { created } from '#lib/http/reply.ts'
import { form } from '#lib/http/validate.ts'
import { showAsset } from './assets.ts'
import { signedIn } from './guard.ts'
import { showConfirm, showRefusal } from './pages/confirm.tsx'
import { present } from './pages/error.tsx'
import { showHome } from './pages/home.tsx'
import { showLanding } from './pages/landing.tsx'
import { showSignIn } from './pages/sign-in.tsx'
import { showSignUp } from './pages/sign-up.tsx'

/** Tries a minute at one address (of the client) and one target. */
const GUESSES = 10
const CLICKS = 30

const Confirmation = z.object({ token: z.string().max(1000) })

export default createApp('/', present)
  .get('/health', c => c.json({ status: 'ok' }))
  .get('/assets/:file', showAsset)
  .get('/', c => showLanding(c))
  .get('/home', signedIn, c => showHome(c, c.var.ctx))
  .get('/signup', c => showSignUp(c))
  .post(
    '/signup',
    sameOrigin,
    form(SignUp, (c, filled) => showSignUp(c, filled)),
    visitorOf<SignUp>(GUESSES, ({ email }) => email.toLowerCase()),
    c => {
      const { ctx } = c.var
      const typed = c.req.valid('form')
      const work = async () => {
        const account = await signUp(ctx, typed)
        giveCookie(c, await startSession(withoutKey(ctx), account), ctx.now)
        return account
      }
      return submit(c, work, { next: '/home', show: showSignUp, typed, reply: created })
    },
  )
  .get('/signin', c => showSignIn(c))
  .post(
    '/signin',
    sameOrigin,
    form(SignIn, (c, filled) => showSignIn(c, filled)),
    visitorOf<SignIn>(GUESSES, ({ email }) => email.toLowerCase()),
    c => {
      const { ctx } = c.var
      const typed = c.req.valid('form')
      const work = async () => {
        const session = await signIn(withoutKey(ctx), typed)
        giveCookie(c, session, ctx.now)
        return { expiresAt: session.expiresAt }
      }
      return submit(c, work, { next: '/home', show: showSignIn, typed })
    },
  )
  .post('/signout', sameOrigin, signedIn, c => {
    const work = async () => {
      const secret = readCookie(c)
      if (secret) await signOut(c.var.ctx, secret)
      dropCookie(c)
    }
    return submit(c, work, { next: '/', show: showLanding, typed: {} })
  })
  .get('/confirm', visitor, c => showConfirm(c, c.var.ctx, c.req.query('token') ?? ''))
  .post(
    '/confirm',
    sameOrigin,
    form(Confirmation, c => showRefusal(c, 422)),
    visitorOf<z.output<typeof Confirmation>>(CLICKS, () => ''),
    c => {
      const { token } = c.req.valid('form')
      const work = () => confirmByToken(c.var.ctx, { token })
      const next = `/confirm?token=${encodeURIComponent(token)}`
      const show: ShowForm = (_c, _filled, status) => showConfirm(c, c.var.ctx, token, status)
      return submit(c, work, { next, show, typed: {} })
    },
  )
