import * as z from 'zod'
import type { Instant } from '#lib/core/kinds.ts'
import { id, instant, queryBoolean, queryId, url } from '#lib/core/schemas.ts'
import { EVENT_TYPES, type EventType } from '#lib/events/catalog.ts'
import { MAX_TEMPLATE, templateFault } from '#lib/events/template.ts'

/** Kept as it is: receivers compute with every character of it. */
const secret = z
  .string()
  .min(1)
  .max(200)
  .refine(s => !s.includes('\0'), 'must not contain a NUL character')

const payloadTemplate = z
  .string()
  .min(1)
  .max(MAX_TEMPLATE)
  .superRefine((template, context) => {
    const message = templateFault(template)
    if (message) context.addIssue({ code: 'custom', message })
  })

/** The body of a webhook: a subscription to events of some types. */
export const NewWebhook = z.object({
  subscriberUrl: url.describe('Where events are sent: https, a public host, port 443 or 8443'),
  triggers: z
    .array(z.enum(EVENT_TYPES))
    .min(1)
    .max(100)
    .transform(list => [...new Set(list)]),
  secret: secret.nullable().optional().describe('Signs what is sent; never answered'),
  active: z.boolean().optional(),
  eventTypeId: id.nullable().optional().describe('Only events of this event type'),
  payloadTemplate: payloadTemplate
    .nullable()
    .optional()
    .describe('JSON in which {{payload.title}} stands for a field of the event'),
})

/** Which webhooks are asked for. */
export const WebhookFilter = z.object({ active: queryBoolean.optional() })

/** Which webhook to send a test event to. */
export const WebhookTest = z.object({ id })

/** Which deliveries to list. */
export const DeliveryFilter = z.object({
  webhookId: queryId.optional(),
  status: z.enum(['pending', 'delivered', 'failed']).optional(),
})
export type DeliveryFilter = z.output<typeof DeliveryFilter>

/** What to send again: one delivery, or all that failed for a webhook since an instant. */
export const Replay = z
  .object({
    deliveryId: z.int().min(1).optional(),
    webhookId: id.optional(),
    from: instant.optional(),
  })
  .superRefine(({ deliveryId, webhookId, from }, context) => {
    const missing = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    if (deliveryId !== undefined && webhookId !== undefined)
      missing('deliveryId', 'goes without webhookId')
    else if (deliveryId === undefined && webhookId === undefined)
      missing('deliveryId', 'required, or webhookId and from')
    else if (webhookId !== undefined && from === undefined) missing('from', 'required')
  })
export type Replay = z.output<typeof Replay>

/** A subscription as it is answered: whether it has a secret, never which. */
export interface Webhook {
  id: number
  subscriberUrl: string
  triggers: EventType[]
  active: boolean
  /** Events of this event type alone; null: of all. */
  eventTypeId: number | null
  payloadTemplate: string | null
  hasSecret: boolean
  /** Until when the secret before the last rotation signs as well. */
  previousSecretUntil: Instant | null
  /** When it was switched off because it did nothing but fail. */
  disabledAt: Instant | null
  /** The first failure since the last success. */
  failingSince: Instant | null
  createdAt: Instant
  updatedAt: Instant
}

/** One event on its way to a webhook. */
export interface Delivery {
  id: number
  webhookId: number
  /** The event's identifier, `X-Service-Event-Id` of every try. */
  uid: string
  triggerEvent: EventType
  status: 'pending' | 'delivered' | 'failed'
  attempts: number
  responseCode: number | null
  durationMs: number | null
  error: string | null
  /** When the next try is due. */
  nextAt: Instant | null
  createdAt: Instant
  finishedAt: Instant | null
  /** The tries that failed, and the one that arrived. */
  log: {
    attempt: number
    at: Instant
    responseCode: number | null
    durationMs: number
    error: string | null
  }[]
}
