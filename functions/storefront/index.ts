import { createApp } from '#lib/http/app.ts'
import { visitor } from '#lib/http/callers.ts'
import { query } from '#lib/http/validate.ts'
import { Choices } from '#lib/pages/choices.ts'
import { present } from '#lib/pages/error.tsx'
import { cancelForm, showAppointment, showCalendar } from './pages/appointment.tsx'
import { bookForm, showBook } from './pages/book.tsx'
import { confirmForm, showConfirm } from './pages/confirm.tsx'
import { answerForm, showForm, showOutcome } from './pages/form.tsx'
import { moveForm, showMove } from './pages/move.tsx'
import { showService } from './pages/service.tsx'
import { showStorefront } from './pages/storefront.tsx'
import { ServiceChoices } from './service-choices.ts'

/** What customers of a business see of its services, their appointments and its forms. */
export default createApp('/', present)
  .get('/confirm', visitor, c => showConfirm(c, c.var.ctx, c.req.query('token') ?? ''))
  .post('/confirm', ...confirmForm)
  .get('/b/:subdomain', visitor, c => showStorefront(c, c.var.ctx, c.req.param('subdomain')))
  .get('/b/:subdomain/:service', visitor, query(ServiceChoices), c =>
    showService(c, c.var.ctx, c.req.param(), c.req.valid('query')),
  )
  .get('/b/:subdomain/:service/book', visitor, query(ServiceChoices), c =>
    showBook(c, c.var.ctx, c.req.param(), c.req.valid('query')),
  )
  .post('/b/:subdomain/:service/book', ...bookForm)
  .get('/forms/:subdomain/:slug', visitor, c => showForm(c, c.var.ctx, c.req.param()))
  .post('/forms/:subdomain/:slug', ...answerForm)
  .get('/forms/:subdomain/:slug/:uid', visitor, c => showOutcome(c, c.var.ctx, c.req.param('uid')))
  .get('/a/:uid', visitor, c => showAppointment(c, c.var.ctx, c.req.param('uid')))
  .get('/a/:uid/calendar.ics', visitor, c => showCalendar(c, c.var.ctx, c.req.param('uid')))
  .post('/a/:uid/cancel', ...cancelForm)
  .get('/a/:uid/move', visitor, query(Choices), c =>
    showMove(c, c.var.ctx, c.req.param('uid'), c.req.valid('query')),
  )
  .post('/a/:uid/move', ...moveForm)
