import { listBookable } from '#lib/domain/bookings/extension.ts'
import { SlotsQuery } from '#lib/domain/bookings/schema.ts'
import { listSlots } from '#lib/domain/bookings/slots.ts'
import { createApp } from '#lib/http/app.ts'
import { member } from '#lib/http/callers.ts'
import { ok } from '#lib/http/reply.ts'
import { query } from '#lib/http/validate.ts'

export default createApp('/api')
  .get('/extension/event-types', member, c => ok(c, () => listBookable(c.var.ctx)))
  .get('/extension/slots', member, query(SlotsQuery), c =>
    ok(c, () => listSlots(c.var.ctx, c.req.valid('query'))),
  )
