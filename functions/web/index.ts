import type { Context } from 'hono'
import * as z from 'zod'
import { optionalText, queryInstant } from '#lib/core/schemas.ts'
import { signIn, signOut, signUp, startSession } from '#lib/domain/accounts/operations.ts'
import { SignIn, SignUp } from '#lib/domain/accounts/schema.ts'
import { confirmByToken } from '#lib/domain/appointments/changes.ts'
import { cancelByUid, rescheduleByUid } from '#lib/domain/appointments/own.ts'
import { createApp } from '#lib/http/app.ts'
import { visitor, visitorIn, visitorOf } from '#lib/http/callers.ts'
import { dropCookie, giveCookie, readCookie, withoutKey } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { type ShowForm, sameOrigin, submit } from '#lib/http/forms.ts'
import { created } from '#lib/http/reply.ts'
import { form, query } from '#lib/http/validate.ts'
import { apiText } from './api.ts'
import { showAsset } from './assets.ts'
import { BookingForm, Choices } from './choices.ts'
import { formPages } from './forms.ts'
import { signedIn } from './guard.ts'
import { showAppointment, showCalendar } from './pages/appointment.tsx'
import { book, showBook, showBookAgain } from './pages/book.tsx'
import { showConfirm, showRefusal } from './pages/confirm.tsx'
import { showDocs } from './pages/docs.tsx'
import { present } from './pages/error.tsx'
import { showHome } from './pages/home.tsx'
import { showLanding } from './pages/landing.tsx'
import { showMove } from './pages/move.tsx'
import { showService } from './pages/service.tsx'
import { showSignIn } from './pages/sign-in.tsx'
import { showSignUp } from './pages/sign-up.tsx'
import { showStorefront } from './pages/storefront.tsx'

/** Tries a minute at one address (of the client) and one target. */
const GUESSES = 10
const CLICKS = 30

const Confirmation = z.object({ token: z.string().max(1000) })
const Cancellation = z.object({ reason: optionalText(1000).optional() })
const Move = z.object({ start: queryInstant })

const uidOf = (c: Context<AppEnv>) => c.req.param('uid') ?? ''
const pathOf = (c: Context<AppEnv>) => ({
  subdomain: c.req.param('subdomain') ?? '',
  service: c.req.param('service') ?? '',
})

export default createApp('/', present)
  .get('/health', c => c.json({ status: 'ok' }))
  .get('/assets/:file', showAsset)
  .get('/', c => showLanding(c))
  .get('/home', signedIn, c => showHome(c, c.var.ctx))
  .get('/docs', c => showDocs(c))
  .get('/openapi.json', c => c.body(apiText(), 200, { 'content-type': 'application/json' }))
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
  .get('/b/:subdomain', visitor, c => showStorefront(c, c.var.ctx, c.req.param('subdomain')))
  .get('/b/:subdomain/:service', visitor, query(Choices), c =>
    showService(c, c.var.ctx, c.req.param(), c.req.valid('query')),
  )
  .get('/b/:subdomain/:service/book', visitor, query(Choices), c =>
    showBook(c, c.var.ctx, c.req.param(), c.req.valid('query')),
  )
  .post(
    '/b/:subdomain/:service/book',
    sameOrigin,
    form(BookingForm, (c, filled) => showBookAgain(c, pathOf(c), filled)),
    visitorOf<BookingForm>(CLICKS, () => ''),
    c => book(c, c.var.ctx, c.req.param(), c.req.valid('form')),
  )
  .route('/forms', formPages)
  .get('/a/:uid', visitor, c => showAppointment(c, c.var.ctx, c.req.param('uid')))
  .get('/a/:uid/calendar.ics', visitor, c => showCalendar(c, c.var.ctx, c.req.param('uid')))
  .post(
    '/a/:uid/cancel',
    sameOrigin,
    form(Cancellation, (c, filled) => showAppointment(c, visitorIn(c), uidOf(c), filled)),
    visitorOf(CLICKS, () => ''),
    c => {
      const uid = c.req.param('uid')
      const { reason } = c.req.valid('form')
      const work = () => cancelByUid(c.var.ctx, { uid, reason })
      const show: ShowForm = (_c, filled, status, message) =>
        showAppointment(c, c.var.ctx, uid, filled, status, message)
      return submit(c, work, { next: `/a/${uid}`, show, typed: { reason } })
    },
  )
  .get('/a/:uid/move', visitor, query(Choices), c =>
    showMove(c, c.var.ctx, c.req.param('uid'), c.req.valid('query')),
  )
  .post(
    '/a/:uid/move',
    sameOrigin,
    form(Move, c => showMove(c, visitorIn(c), uidOf(c), {}, 422)),
    visitorOf(CLICKS, () => ''),
    c => {
      const uid = c.req.param('uid')
      const { start } = c.req.valid('form')
      const work = () => rescheduleByUid(c.var.ctx, { uid, startTime: start })
      const show: ShowForm = (_c, _filled, status, message) => {
        const day = start.toISOString().slice(0, 10)
        return showMove(c, c.var.ctx, uid, { day }, status, message)
      }
      return submit(c, work, { next: `/a/${uid}`, show, typed: {} })
    },
  )
