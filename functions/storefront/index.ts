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
import { BookingForm, Choices } from '#lib/pages/choices.ts'
import { present } from '#lib/pages/error.tsx'
import { showAppointment, showCalendar } from './pages/appointment.tsx'
import { book, showBook, showBookAgain } from './pages/book.tsx'
import { showConfirm, showRefusal } from './pages/confirm.tsx'
import { showMove } from './pages/move.tsx'
import { showService } from './pages/service.tsx'
import { showStorefront } from './pages/storefront.tsx'
import { formPages } from './routing-forms.ts'

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

/** What customers of a business see of its services, their appointments and its forms. */
export default createApp('/', present)
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
