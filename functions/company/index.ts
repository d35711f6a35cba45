import { SecretRotation } from '#lib/core/rotation.ts'
import { Paging } from '#lib/core/schemas.ts'
import { district, getCompany, location, updateCompany } from '#lib/domain/company/operations.ts'
import { CompanyChange } from '#lib/domain/company/schema.ts'
import { sendReminders } from '#lib/domain/notifications/operations.ts'
import {
  listDeliveries,
  replayDeliveries,
  rotateSecret,
  testWebhook,
  webhook,
} from '#lib/domain/webhooks/operations.ts'
import { DeliveryFilter, Replay, WebhookTest } from '#lib/domain/webhooks/schema.ts'
import { createApp } from '#lib/http/app.ts'
import { member } from '#lib/http/callers.ts'
import { crudRoutes } from '#lib/http/crud.ts'
import { list, ok } from '#lib/http/reply.ts'
import { json, query } from '#lib/http/validate.ts'

export default createApp('/api/services')
  .get('/company-settings', member, c => ok(c, () => getCompany(c.var.ctx)))
  .patch('/company-settings', member, json(CompanyChange), c =>
    ok(c, () => updateCompany(c.var.ctx, c.req.valid('json'))),
  )
  .route('/locations', crudRoutes(location))
  .route('/districts', crudRoutes(district, 'PUT'))
  .post('/notifications/reminders', member, c => ok(c, () => sendReminders(c.var.ctx)))
  .route('/webhooks', crudRoutes(webhook))
  .post('/webhooks/test', member, json(WebhookTest), c =>
    ok(c, () => testWebhook(c.var.ctx, c.req.valid('json'))),
  )
  .get('/webhooks/deliveries', member, query(Paging.extend(DeliveryFilter.shape)), c =>
    list(c, () => listDeliveries(c.var.ctx, c.req.valid('query'))),
  )
  .post('/webhooks/replay', member, json(Replay), c =>
    ok(c, () => replayDeliveries(c.var.ctx, c.req.valid('json'))),
  )
  .post('/webhooks/rotate-secret', member, json(SecretRotation), c =>
    ok(c, () => rotateSecret(c.var.ctx, c.req.valid('json'))),
  )
