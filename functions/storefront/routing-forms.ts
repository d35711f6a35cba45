import { type Context, Hono } from 'hono'
import { Answers } from '#lib/domain/routing-forms/schema.ts'
import { visitor, visitorIn, visitorOf } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { sameOrigin } from '#lib/http/forms.ts'
import { form } from '#lib/http/validate.ts'
import { sendForm, showForm, showOutcome } from './pages/form.tsx'

/** Answers a minute at one form from one address. */
const ANSWERS = 30

const pathOf = (c: Context<AppEnv>) => ({
  subdomain: c.req.param('subdomain') ?? '',
  slug: c.req.param('slug') ?? '',
})

/** The pages of routing forms, by the subdomain of their business and their slug. */
export const formPages = new Hono<AppEnv>()
  .get('/:subdomain/:slug', visitor, c => showForm(c, c.var.ctx, c.req.param()))
  .post(
    '/:subdomain/:slug',
    sameOrigin,
    form(Answers, (c, filled) => showForm(c, visitorIn(c), pathOf(c), filled, 422)),
    visitorOf(ANSWERS, () => ''),
    c => sendForm(c, c.var.ctx, c.req.param(), c.req.valid('form')),
  )
  .get('/:subdomain/:slug/:uid', visitor, c => showOutcome(c, c.var.ctx, c.req.param('uid')))
