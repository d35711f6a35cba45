import { Hono } from 'hono'
import * as z from 'zod'
import { joinInstantBooking } from '#lib/domain/bookings/instant.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { type ShowForm, sameOrigin, submit } from '#lib/http/forms.ts'
import { form, query } from '#lib/http/validate.ts'
import { signedIn } from '#lib/pages/guard.ts'
import { linkTo } from '#lib/pages/words.ts'
import { showJoin, showJoined, showNoMeeting } from './pages/join.tsx'

const Token = z.object({ token: z.string().max(200) })

/** What a link leads to: a meeting that waits (`token`), or one that was joined (`booking`). */
const Link = z.object({
  token: z.string().max(200).optional().catch(undefined),
  booking: z.string().max(64).optional().catch(undefined),
})

/** Where a host who is signed in joins an instant meeting. */
export const joinPages = new Hono<AppEnv>()
  .get('/', signedIn, query(Link), c => {
    const { token = '', booking } = c.req.valid('query')
    return booking ? showJoined(c, c.var.ctx, booking) : showJoin(c, c.var.ctx, token)
  })
  .post(
    '/',
    sameOrigin,
    signedIn,
    form(Token, c => showNoMeeting(c, 422)),
    c => {
      const { token } = c.req.valid('form')
      let uid = ''
      const work = async () => {
        const joined = await joinInstantBooking(c.var.ctx, token)
        ;({ uid } = joined.read())
        return joined
      }
      const show: ShowForm = (_c, _filled, status, message) =>
        showJoin(c, c.var.ctx, token, status, message)
      return submit(c, work, {
        next: () => linkTo('/connect-and-join', { booking: uid }),
        show,
        typed: {},
      })
    },
  )
