import { ById } from '#lib/core/schemas.ts'
import { testWebhook, webhook } from '#lib/domain/webhooks/operations.ts'
import { WebhookTest } from '#lib/domain/webhooks/schema.ts'
import { DELETED } from '#lib/mcp/output.ts'
import { changeById, creates, deletes, reads, sends, type Tools, updates } from '#lib/mcp/tool.ts'
import { ANSWER } from '../answers.ts'

/** Programs of others that are sent what happens. */
export const tools: Tools = {
  list_webhooks: reads(
    'List webhooks: addresses that are sent events as they happen.',
    webhook.Filter,
    webhook.list,
    ANSWER.webhooks,
  ),
  get_webhook: reads('Read one webhook.', ById, webhook.find, ANSWER.webhook),
  create_webhook: creates(
    'Have events of some types sent to an https address. The secret signs them and is never shown again.',
    webhook.New,
    webhook.create,
    ANSWER.webhook,
  ),
  update_webhook: updates(
    'Change a webhook; what is left out stays.',
    changeById(webhook.Change),
    webhook.update,
    ANSWER.webhook,
  ),
  delete_webhook: deletes(
    'Delete a webhook with the log of its deliveries.',
    ById,
    webhook.remove,
    DELETED,
  ),
  test_webhook: sends(
    'Send a made-up event to a webhook, now and once, and tell what came of it.',
    WebhookTest,
    testWebhook,
    ANSWER.webhookTest,
  ),
}
