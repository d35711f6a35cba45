import { Hono } from 'hono'
import { USERNAME_SEGMENT } from '#lib/domain/accounts/names.ts'
import type { OwnerAddress } from '#lib/domain/event-types/public.ts'
import { visitor, visitorOf } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { sameOrigin } from '#lib/http/forms.ts'
import { form, query } from '#lib/http/validate.ts'
import { EventChoices } from './event-choices.ts'
import { EventForm } from './event-form.ts'
import { bookEvent, showEventBook, showEventBookAgain } from './pages/event/book.tsx'
import { showEventType } from './pages/event/choose.tsx'
import { showOwner } from './pages/event/owner.tsx'

/** Bookings a minute of one address at one event type. */
const CLICKS = 30

type Params = Record<string, string | undefined>

/** What an owner offers, and the pages of each of their event types. */
const pagesOf = (path: string, ownerOf: (params: Params) => OwnerAddress) => {
  const addressOf = (params: Params) => ({ ...ownerOf(params), slug: params.slug ?? '' })
  return new Hono<AppEnv>()
    .get(path, visitor, c => showOwner(c, c.var.ctx, ownerOf(c.req.param())))
    .get(`${path}/:slug`, visitor, query(EventChoices), c =>
      showEventType(c, c.var.ctx, addressOf(c.req.param()), c.req.valid('query')),
    )
    .get(`${path}/:slug/book`, visitor, query(EventChoices), c =>
      showEventBook(c, c.var.ctx, addressOf(c.req.param()), c.req.valid('query')),
    )
    .post(
      `${path}/:slug/book`,
      sameOrigin,
      form(EventForm, (c, shown) => showEventBookAgain(c, addressOf(c.req.param()), shown)),
      visitorOf(CLICKS, () => ''),
      c => bookEvent(c, c.var.ctx, addressOf(c.req.param()), c.req.valid('form')),
    )
}

/** The public pages of teams and, at the root of the site, of users. */
export const eventPages = new Hono<AppEnv>()
  .route(
    '/',
    pagesOf('/team/:subdomain/:teamSlug', ({ subdomain = '', teamSlug = '' }) => ({
      subdomain,
      teamSlug,
    })),
  )
  .route(
    '/',
    pagesOf(`/:username{${USERNAME_SEGMENT}}`, ({ username = '' }) => ({ username })),
  )
