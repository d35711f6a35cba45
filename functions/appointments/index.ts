import { ById, MaybeById } from '#lib/core/schemas.ts'
import { listAvailability } from '#lib/domain/appointments/availability.ts'
import { removeAppointment } from '#lib/domain/appointments/cancel.ts'
import { confirmByToken, updateAppointment } from '#lib/domain/appointments/changes.ts'
import {
  createAppointment,
  findAppointment,
  listAppointments,
} from '#lib/domain/appointments/operations.ts'
import { bookPublicly } from '#lib/domain/appointments/public.ts'
import {
  AppointmentChange,
  AppointmentFilter,
  AvailabilityQuery,
  Confirmation,
  NewAppointment,
  PublicBooking,
  Removal,
} from '#lib/domain/appointments/schema.ts'
import { checkResource, resource } from '#lib/domain/resources/operations.ts'
import { ResourceQuestion } from '#lib/domain/resources/schema.ts'
import { createApp } from '#lib/http/app.ts'
import { member, preflight, visitorOf } from '#lib/http/callers.ts'
import { crudRoutes } from '#lib/http/crud.ts'
import { created, list, ok } from '#lib/http/reply.ts'
import { json, jsonOrQuery, query } from '#lib/http/validate.ts'

export default createApp('/api/services')
  .get('/appointments', member, query(AppointmentFilter.extend(MaybeById.shape)), c => {
    const { id, ...filter } = c.req.valid('query')
    return id === undefined
      ? list(c, () => listAppointments(c.var.ctx, filter))
      : ok(c, () => findAppointment(c.var.ctx, { id }))
  })
  .post('/appointments', member, json(NewAppointment), c =>
    created(c, () => createAppointment(c.var.ctx, c.req.valid('json'))),
  )
  .put('/appointments', member, query(ById), json(AppointmentChange), c =>
    ok(c, () => updateAppointment(c.var.ctx, { ...c.req.valid('json'), ...c.req.valid('query') })),
  )
  .delete('/appointments', member, query(Removal), c =>
    ok(c, () => removeAppointment(c.var.ctx, c.req.valid('query'))),
  )
  .get('/availability', member, query(AvailabilityQuery), c =>
    ok(c, () => listAvailability(c.var.ctx, c.req.valid('query'))),
  )
  .post(
    '/book',
    json(PublicBooking),
    visitorOf<PublicBooking>(30, b => b.serviceId),
    c => created(c, () => bookPublicly(c.var.ctx, c.req.valid('json'))),
  )
  .options('/book', preflight('POST'))
  .post(
    '/confirm-appointment',
    jsonOrQuery(Confirmation, 'token'),
    visitorOf(30, () => 'link'),
    c => ok(c, () => confirmByToken(c.var.ctx, c.req.valid('json'))),
  )
  .route('/resources', crudRoutes(resource, 'PUT'))
  .get('/resource-availability', member, query(ResourceQuestion), c =>
    ok(c, () => checkResource(c.var.ctx, c.req.valid('query'))),
  )
