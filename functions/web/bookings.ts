import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { optionalText, queryInstant, queryInt } from '#lib/core/schemas.ts'
import { answerByToken } from '#lib/domain/bookings/answer.ts'
import { cancelByUid } from '#lib/domain/bookings/cancel.ts'
import { rescheduleByUid } from '#lib/domain/bookings/reschedule.ts'
import { visitor, visitorIn, visitorOf } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { type ShowForm, sameOrigin, submit } from '#lib/http/forms.ts'
import { form, query } from '#lib/http/validate.ts'
import { Choices } from '#lib/pages/choices.ts'
import { linkTo } from '#lib/pages/words.ts'
import { showAnswer, showNoAnswer } from './pages/e/answer.tsx'
import { readOwn, showBooking, showBookingCalendar } from './pages/e/booking.tsx'
import { showBookingMove } from './pages/e/move.tsx'

/** Clicks a minute of one address at one booking. */
const CLICKS = 30

const seat = z.string().max(64).optional()
const reason = optionalText(1000).optional()

const Seat = z.object({ seat: seat.catch(undefined) })
const Cancellation = z.object({ seat, scope: z.enum(['one', 'remaining']).optional(), reason })
const Move = z.object({ start: queryInstant, reason })
const Token = z.object({ token: z.string().max(1000).catch('') })
const Answer = z.object({
  token: z.string().max(1000),
  answer: z.enum(['confirm', 'decline']),
  version: queryInt(0, 1_000_000_000).optional(),
  reason,
})

const uidOf = (c: Context<AppEnv>) => c.req.param('uid') ?? ''

/** The pages that e-mails about event bookings lead to, by the booking's public identifier. */
export const bookingPages = new Hono<AppEnv>()
  .get('/:uid', visitor, query(Seat), c =>
    showBooking(c, c.var.ctx, { ...c.req.param(), ...c.req.valid('query') }),
  )
  .get('/:uid/calendar.ics', visitor, query(Seat), c =>
    showBookingCalendar(c, c.var.ctx, { ...c.req.param(), ...c.req.valid('query') }),
  )
  .post(
    '/:uid/cancel',
    sameOrigin,
    form(Cancellation, (c, filled) =>
      showBooking(c, visitorIn(c), { uid: uidOf(c), seat: filled.values.seat }, filled),
    ),
    visitorOf(CLICKS, () => ''),
    c => {
      const { uid } = c.req.param()
      const { seat, scope = 'one', reason } = c.req.valid('form')
      const ofSeat = seat === undefined ? {} : { seatReferenceUid: seat }
      const allRemainingBookings = scope === 'remaining'
      const work = () => cancelByUid(c.var.ctx, { uid, reason, ...ofSeat, allRemainingBookings })
      const show: ShowForm = (_c, filled, status, message) =>
        showBooking(c, c.var.ctx, { uid, seat }, filled, status, message)
      return submit(c, work, {
        next: linkTo(`/e/${uid}`, { seat }),
        show,
        typed: { reason, scope },
      })
    },
  )
  .get('/:uid/move', visitor, query(Choices), c =>
    showBookingMove(c, c.var.ctx, c.req.param('uid'), c.req.valid('query')),
  )
  .post(
    '/:uid/move',
    sameOrigin,
    form(Move, c => showBookingMove(c, visitorIn(c), uidOf(c), {}, 422)),
    visitorOf(CLICKS, () => ''),
    c => {
      const uid = c.req.param('uid')
      const { start, reason } = c.req.valid('form')
      const work = async () => {
        const { booking, style } = await readOwn(c.var.ctx, { uid })
        const [{ name, email } = { name: '', email: '' }] = booking.attendees
        return rescheduleByUid(c.var.ctx, uid, {
          eventTypeId: booking.eventType?.id ?? 0,
          start,
          responses: { name, email, rescheduleReason: reason ?? null },
          timeZone: style.timeZone,
        })
      }
      const show: ShowForm = (_c, _filled, status, message) => {
        const day = start.toISOString().slice(0, 10)
        return showBookingMove(c, c.var.ctx, uid, { day }, status, message)
      }
      return submit(c, work, { next: `/e/${uid}`, show, typed: {} })
    },
  )
  .get('/:uid/answer', visitor, query(Token), c =>
    showAnswer(c, c.var.ctx, { ...c.req.param(), ...c.req.valid('query') }),
  )
  .post(
    '/:uid/answer',
    sameOrigin,
    form(Answer, c => showNoAnswer(c, 422)),
    visitorOf(CLICKS, () => ''),
    c => {
      const uid = c.req.param('uid')
      const { token, ...input } = c.req.valid('form')
      const work = () => answerByToken(c.var.ctx, { token, ...input })
      const show: ShowForm = (_c, filled, status, message) =>
        showAnswer(c, c.var.ctx, { uid, token }, filled, status, message)
      const next = linkTo(`/e/${uid}/answer`, { token })
      return submit(c, work, { next, show, typed: { reason: input.reason } })
    },
  )
