import { Hono } from 'hono'
import * as z from 'zod'
import { setSubscription } from '#lib/domain/messaging/opt-outs.ts'
import { visitor, visitorOf } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { form, query } from '#lib/http/validate.ts'
import { linkTo } from '#lib/pages/words.ts'
import { showNoSubscription, showSubscription } from './pages/unsubscribe.tsx'

/** Clicks a minute of one address at one link: mail programs send for many people. */
const CLICKS = 30

const Token = z.object({ token: z.string().max(1000).catch('') })
const Click = z.object({
  answer: z.enum(['off', 'on']).optional(),
  /** What mail programs send at one click, rather in parts than as a form (RFC 8058 section 3.2). */
  'List-Unsubscribe': z.string().max(100).optional(),
})

/**
 * The page of the link that ends reminders. A write needs no Origin of ours: the token says who asks,
 * and mail programs press the button from elsewhere.
 */
export const unsubscribePages = new Hono<AppEnv>()
  .get('/', visitor, query(Token), c => showSubscription(c, c.var.ctx, c.req.valid('query').token))
  .post(
    '/',
    query(Token),
    form(Click, (c, shown) => showNoSubscription(c, shown), { takesParts: true }),
    visitorOf(CLICKS, () => ''),
    async c => {
      const { token } = c.req.valid('query')
      const { answer = 'off', 'List-Unsubscribe': oneClick } = c.req.valid('form')
      await c.var.ctx.admission()
      if (!(await setSubscription(c.var.ctx, token, answer === 'off'))) return showNoSubscription(c)
      if (oneClick) return showSubscription(c, c.var.ctx, token)
      return c.redirect(linkTo('/unsubscribe', { token }), 303)
    },
  )
