import type { Context } from 'hono'
import * as z from 'zod'
import { optionalText, queryInstant } from '#lib/core/schemas.ts'
import { confirmByToken } from '#lib/domain/appointments/changes.ts'
import { cancelByUid, rescheduleByUid } from '#lib/domain/appointments/own.ts'
import { createApp } from '#lib/http/app.ts'
import { visitor, visitorIn, visitorOf } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { type ShowForm, sameOrigin, submit } from '#lib/http/forms.ts'
import { form, query } from '#lib/http/validate.ts'
import { afterwardsPages } from './afterwards.ts'
import { apiText } from './api.ts'
import { showAsset } from './assets.ts'
import { authorizePages } from './authorize.ts'
import { bookingPages } from './bookings.ts'
import { BookingForm, Choices } from './choices.ts'
import { entryPages } from './entry.ts'
import { eventPages } from './event-pages.ts'
import { signedIn } from './guard.ts'
import { joinPages } from './join.ts'
import { showAppointment, showCalendar } from './pages/appointment.tsx'
import { book, showBook, showBookAgain } from './pages/book.tsx'
import { showConfirm, showRefusal } from './pages/confirm.tsx'
import { showDocs } from './pages/docs.tsx'
import { present } from './pages/error.tsx'
import { showHome } from './pages/home.tsx'
import { showLanding } from './pages/landing.tsx'
import { showMove } from './pages/move.tsx'
import { showService } from './pages/service.tsx'
import { showStorefront } from './pages/storefront.tsx'
import { formPages } from './routing-forms.ts'
import { settingsPages } from './settings.ts'
import { unsubscribePages } from './unsubscribe.ts'

/** Clicks a minute of one address at one target. */
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
  .get('/openapi.json', async c =>
    c.body(await apiText(), 200, { 'content-type': 'application/json' }),
  )
  .route('/', entryPages)
  .route('/settings', settingsPages)
  .route('/auth/oauth2', authorizePages)
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
  .route('/e', bookingPages)
  .route('/e', afterwardsPages)
  .route('/unsubscribe', unsubscribePages)
  .route('/connect-and-join', joinPages)
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
  // Last: what is no page of ours may be a user's.
  .route('/', eventPages)
