import { district, getCompany, location, updateCompany } from '#lib/domain/company/operations.ts'
import { CompanyChange } from '#lib/domain/company/schema.ts'
import { createApp } from '#lib/http/app.ts'
import { member } from '#lib/http/callers.ts'
import { crudRoutes } from '#lib/http/crud.ts'
import { ok } from '#lib/http/reply.ts'
import { json } from '#lib/http/validate.ts'

export default createApp('/api/services')
  .get('/company-settings', member, c => ok(c, () => getCompany(c.var.ctx)))
  .patch('/company-settings', member, json(CompanyChange), c =>
    ok(c, () => updateCompany(c.var.ctx, c.req.valid('json'))),
  )
  .route('/locations', crudRoutes(location))
  .route('/districts', crudRoutes(district, 'PUT'))
