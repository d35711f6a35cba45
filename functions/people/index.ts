import { ById } from '#lib/core/schemas.ts'
import { customer } from '#lib/domain/customers/operations.ts'
import { invite, revokeInvitation } from '#lib/domain/invitations/operations.ts'
import { NewInvitation } from '#lib/domain/invitations/schema.ts'
import { employee } from '#lib/domain/staff/operations.ts'
import { getSchedule, updateSchedule } from '#lib/domain/staff/schedule/operations.ts'
import { ScheduleChange, ScheduleOf } from '#lib/domain/staff/schedule/schema.ts'
import { createApp } from '#lib/http/app.ts'
import { member } from '#lib/http/callers.ts'
import { crudRoutes } from '#lib/http/crud.ts'
import { created, ok } from '#lib/http/reply.ts'
import { json, query } from '#lib/http/validate.ts'

export default createApp('/api/services')
  .route('/customers', crudRoutes(customer, 'PUT'))
  .route('/employees', crudRoutes(employee, 'PUT'))
  .post('/employees/invite', member, json(NewInvitation), c =>
    created(c, () => invite(c.var.ctx, c.req.valid('json'))),
  )
  .delete('/employees/invite', member, query(ById), c =>
    ok(c, () => revokeInvitation(c.var.ctx, c.req.valid('query'))),
  )
  .get('/employees/schedule', member, query(ScheduleOf), c =>
    ok(c, () => getSchedule(c.var.ctx, c.req.valid('query'))),
  )
  .patch('/employees/schedule', member, query(ScheduleOf), json(ScheduleChange), c =>
    ok(c, () => updateSchedule(c.var.ctx, { ...c.req.valid('json'), in: c.req.valid('query') })),
  )
