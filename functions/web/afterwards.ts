import { type Context, Hono } from 'hono'
import * as z from 'zod'
import { email, optionalText, queryInt } from '#lib/core/schemas.ts'
import { noShowByToken, rateByToken } from '#lib/domain/bookings/afterwards.ts'
import { findBookingByUid } from '#lib/domain/messaging/bookings/links.ts'
import { visitor, visitorIn, visitorOf } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { type ShowForm, sameOrigin, submit } from '#lib/http/forms.ts'
import { form, query } from '#lib/http/validate.ts'
import { linkTo } from '#lib/pages/words.ts'
import { showNoShow } from './pages/e/no-show.tsx'
import { showNoLink, showRate } from './pages/e/rate.tsx'

/** Clicks a minute of one address at one booking. */
const CLICKS = 30

const token = z.string().max(1000)
const Token = z.object({ token: token.catch('') })
const Rating = z.object({
  token,
  rating: queryInt(1, 5),
  feedback: optionalText(2000).optional(),
})
/** Each who did not come travels under a name of its own, `absent.0`. */
const NoShow = z.object({ token }).catchall(email)

const uidOf = (c: Context<AppEnv>) => c.req.param('uid') ?? ''

/** The pages that messages of workflows lead to after an event booking. */
export const afterwardsPages = new Hono<AppEnv>()
  .get('/:uid/rate', visitor, query(Token), c =>
    showRate(c, c.var.ctx, { ...c.req.param(), ...c.req.valid('query') }),
  )
  .post(
    '/:uid/rate',
    sameOrigin,
    form(Rating, (c, filled) =>
      showRate(c, visitorIn(c), { uid: uidOf(c), token: filled.values.token ?? '' }, filled),
    ),
    visitorOf(CLICKS, () => ''),
    c => {
      const uid = c.req.param('uid')
      const { token, ...said } = c.req.valid('form')
      const work = () => rateByToken(c.var.ctx, { token, ...said })
      const show: ShowForm = (_c, filled, status, message) =>
        showRate(c, c.var.ctx, { uid, token }, filled, status, message)
      const typed = { rating: String(said.rating), feedback: said.feedback }
      return submit(c, work, { next: linkTo(`/e/${uid}/rate`, { token }), show, typed })
    },
  )
  .get('/:uid/no-show', visitor, query(Token), c =>
    showNoShow(c, c.var.ctx, { ...c.req.param(), ...c.req.valid('query') }),
  )
  .post(
    '/:uid/no-show',
    sameOrigin,
    form(NoShow, c => showNoLink(c, 422)),
    visitorOf(CLICKS, () => ''),
    c => {
      const uid = c.req.param('uid')
      const { token, ...named } = c.req.valid('form')
      const absent = Object.values(named).map(one => one.toLowerCase())
      const work = async () => {
        const { booking } = (await findBookingByUid(c.var.ctx, uid)) ?? {}
        const invited = booking?.attendees.map(a => a.email) ?? []
        const present = invited.filter(one => !absent.includes(one.toLowerCase()))
        return noShowByToken(c.var.ctx, { token, absent, present })
      }
      const show: ShowForm = (_c, _filled, status, message) =>
        showNoShow(c, c.var.ctx, { uid, token }, status, message)
      return submit(c, work, { next: linkTo(`/e/${uid}/no-show`, { token }), show, typed: {} })
    },
  )
