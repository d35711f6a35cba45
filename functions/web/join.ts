import { Hono } from 'hono'
import * as z from 'zod'
import { joinInstantBooking } from '#lib/domain/bookings/instant.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { sameOrigin, submit } from '#lib/http/forms.ts'
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
    form(Token, (c, shown) => showNoMeeting(c, shown)),
    c => {
      const { token } = c.req.valid('form')
      return submit(c, () => joinInstantBooking(c.var.ctx, token), {
        next: joined => linkTo('/connect-and-join', { booking: joined.read().uid }),
        show: shown => showJoin(c, c.var.ctx, token, shown),
      })
    },
  )
