import { checkResource, resource } from '#lib/domain/resources/operations.ts'
import { ResourceQuestion } from '#lib/domain/resources/schema.ts'
import { createApp } from '#lib/http/app.ts'
import { member } from '#lib/http/callers.ts'
import { crudRoutes } from '#lib/http/crud.ts'
import { ok } from '#lib/http/reply.ts'
import { query } from '#lib/http/validate.ts'

export default createApp('/api/services')
  .route('/resources', crudRoutes(resource, 'PUT'))
  .get('/resource-availability', member, query(ResourceQuestion), c =>
    ok(c, () => checkResource(c.var.ctx, c.req.valid('query'))),
  )
