import { ById, Paging } from '#lib/core/schemas.ts'
import { listBookable } from '#lib/domain/bookings/extension.ts'
import { holdSlot, readHold, releaseSlot } from '#lib/domain/bookings/holds.ts'
import { NewHold, SlotsQuery } from '#lib/domain/bookings/schema.ts'
import { listSlots } from '#lib/domain/bookings/slots.ts'
import { createApp } from '#lib/http/app.ts'
import { member } from '#lib/http/callers.ts'
import { created, list, ok } from '#lib/http/reply.ts'
import { json, query } from '#lib/http/validate.ts'

export default createApp('/api')
  .get('/extension/event-types', member, query(Paging), c =>
    list(c, () => listBookable(c.var.ctx, c.req.valid('query'))),
  )
  .get('/extension/slots', member, query(SlotsQuery), c =>
    ok(c, () => listSlots(c.var.ctx, c.req.valid('query'))),
  )
  .get('/extension/slots/reservations', member, query(ById), c =>
    ok(c, () => readHold(c.var.ctx, c.req.valid('query'))),
  )
  .post('/extension/slots/reservations', member, json(NewHold), c =>
    created(c, () => holdSlot(c.var.ctx, c.req.valid('json'))),
  )
  .delete('/extension/slots/reservations', member, query(ById), c =>
    ok(c, () => releaseSlot(c.var.ctx, c.req.valid('query'))),
  )
