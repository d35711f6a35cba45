import { Hono } from 'hono'
import { visitor } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { query } from '#lib/http/validate.ts'
import { Choices } from '#lib/pages/choices.ts'
import { answerForm, showAnswer } from './pages/e/answer.tsx'
import { cancelForm, Seat, showBooking, showBookingCalendar } from './pages/e/booking.tsx'
import { hostNoShowForm, showHostNoShow } from './pages/e/host-no-show.tsx'
import { Token } from './pages/e/links.tsx'
import { moveForm, showBookingMove } from './pages/e/move.tsx'
import { noShowForm, showNoShow } from './pages/e/no-show.tsx'
import { rateForm, showRate } from './pages/e/rate.tsx'

/** The pages that messages about event bookings lead to, by the booking's public identifier. */
export const bookingPages = new Hono<AppEnv>()
  .get('/:uid', visitor, query(Seat), c =>
    showBooking(c, c.var.ctx, { ...c.req.param(), ...c.req.valid('query') }),
  )
  .get('/:uid/calendar.ics', visitor, query(Seat), c =>
    showBookingCalendar(c, c.var.ctx, { ...c.req.param(), ...c.req.valid('query') }),
  )
  .post('/:uid/cancel', ...cancelForm)
  .get('/:uid/move', visitor, query(Choices), c =>
    showBookingMove(c, c.var.ctx, c.req.param('uid'), c.req.valid('query')),
  )
  .post('/:uid/move', ...moveForm)
  .get('/:uid/answer', visitor, query(Token), c =>
    showAnswer(c, c.var.ctx, { ...c.req.param(), ...c.req.valid('query') }),
  )
  .post('/:uid/answer', ...answerForm)
  .get('/:uid/rate', visitor, query(Token), c =>
    showRate(c, c.var.ctx, { ...c.req.param(), ...c.req.valid('query') }),
  )
  .post('/:uid/rate', ...rateForm)
  .get('/:uid/no-show', visitor, query(Token), c =>
    showNoShow(c, c.var.ctx, { ...c.req.param(), ...c.req.valid('query') }),
  )
  .post('/:uid/no-show', ...noShowForm)
  .get('/:uid/host-no-show', visitor, query(Token), c =>
    showHostNoShow(c, c.var.ctx, { ...c.req.param(), ...c.req.valid('query') }),
  )
  .post('/:uid/host-no-show', ...hostNoShowForm)
