import { cancelByUid } from '#lib/domain/bookings/cancel.ts'
import { askCode } from '#lib/domain/bookings/codes.ts'
import { createBooking, tryBooking } from '#lib/domain/bookings/create.ts'
import { createInstantBooking } from '#lib/domain/bookings/instant.ts'
import { receiveVideoEvent } from '#lib/domain/bookings/recordings.ts'
import { createSeries, isTried, trySeries } from '#lib/domain/bookings/recurring.ts'
import { Cancellation, CodeAsked, NewBooking, NewSeries } from '#lib/domain/bookings/schema.ts'
import { createApp } from '#lib/http/app.ts'
import { readText } from '#lib/http/body.ts'
import { memberIfAny, preflight, visitor, visitorOf } from '#lib/http/callers.ts'
import { created, ok } from '#lib/http/reply.ts'
import { json } from '#lib/http/validate.ts'

/** Bookings that one address may make of one event type in a minute. */
const A_MINUTE = 30

/** Codes that one address may ask for of one event type in a minute. */
const CODES = 10

const seriesOf = (body: NewSeries): number =>
  Array.isArray(body) ? (body[0]?.eventTypeId ?? 0) : body.eventTypeId

export default createApp('/api')
  .post(
    '/book/event',
    json(NewBooking),
    visitorOf<NewBooking>(A_MINUTE, b => b.eventTypeId),
    c => {
      const [v, body, m] = [c.var.ctx, c.req.valid('json'), memberIfAny(c.var.exchange)]
      if (body._isDryRun) return ok(c, () => tryBooking(v, body, m))
      return created(c, () => createBooking(v, body, m))
    },
  )
  .post('/book/recurring-event', json(NewSeries), visitorOf<NewSeries>(A_MINUTE, seriesOf), c => {
    const [v, body, m] = [c.var.ctx, c.req.valid('json'), memberIfAny(c.var.exchange)]
    if (isTried(body)) return ok(c, () => trySeries(v, body, m))
    return created(c, () => createSeries(v, body, m))
  })
  .post(
    '/book/instant-event',
    json(NewBooking),
    visitorOf<NewBooking>(A_MINUTE, b => b.eventTypeId),
    c =>
      created(c, () =>
        createInstantBooking(c.var.ctx, c.req.valid('json'), memberIfAny(c.var.exchange)),
      ),
  )
  .post(
    '/book/verify-email',
    json(CodeAsked),
    visitorOf<CodeAsked>(CODES, b => b.eventTypeId),
    c => ok(c, () => askCode(c.var.ctx, c.req.valid('json'))),
  )
  .post(
    '/cancel',
    json(Cancellation),
    visitorOf<Cancellation>(A_MINUTE, b => b.uid ?? 'none'),
    c => ok(c, () => cancelByUid(c.var.ctx, c.req.valid('json'), memberIfAny(c.var.exchange))),
  )
  .post('/webhooks/video', visitor, async c => {
    const [timestamp, signature] = ['timestamp', 'signature'].map(n =>
      c.req.header(`x-webhook-${n}`),
    )
    const signed = { body: await readText(c), timestamp, signature }
    return ok(c, () => receiveVideoEvent(c.var.ctx, signed))
  })
  .options('/book/event', preflight('POST'))
  .options('/book/recurring-event', preflight('POST'))
  .options('/book/instant-event', preflight('POST'))
  .options('/book/verify-email', preflight('POST'))
  .options('/cancel', preflight('POST'))
