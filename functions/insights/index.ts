import { getInsights, getStats } from '#lib/domain/insights/operations.ts'
import { Period } from '#lib/domain/insights/schema.ts'
import { createApp } from '#lib/http/app.ts'
import { member } from '#lib/http/callers.ts'
import { ok } from '#lib/http/reply.ts'
import { query } from '#lib/http/validate.ts'

export default createApp('/api/services')
  .get('/insights', member, query(Period), c =>
    ok(c, () => getInsights(c.var.ctx, c.req.valid('query'))),
  )
  .get('/stats', member, c => ok(c, () => getStats(c.var.ctx)))
