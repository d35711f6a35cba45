import { sql } from 'drizzle-orm'
import { webhooks } from '#drizzle/schema/webhooks.ts'
import { type Member, requirePermission } from '#lib/core/context.ts'
import { crud } from '#lib/core/crud.ts'
import { conflict, invalid, notFound } from '#lib/core/errors.ts'
import type { Json, Page } from '#lib/core/json.ts'
import { overlapEnd, type SecretRotation } from '#lib/core/rotation.ts'
import type { Paging } from '#lib/core/schemas.ts'
import { randomText } from '#lib/core/text.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import { Courier } from '#lib/events/send.ts'
import { sealSecret } from '#lib/events/sign.ts'
import { checkingTargets } from '#lib/events/target.ts'
import {
  deliverAgain,
  deliveryById,
  deliveryPages,
  endDeliveries,
  failedSince,
  lockRoom,
  lockWebhook,
  receiverById,
  requireNotOnWay,
  requireRoom,
  rotatedSecret,
  webhookList,
} from './queries.ts'
import { sampleOf } from './sample.ts'
import {
  type Delivery,
  type DeliveryFilter,
  NewWebhook,
  type Replay,
  type Webhook,
  WebhookFilter,
} from './schema.ts'

/** The most webhooks that an account may have. */
const MAX_WEBHOOKS = 50

/** The most deliveries that one replay puts on their way. */
const MAX_REPLAYED = 1000

const NO_PREVIOUS = { previousSecret: null, previousSecretUntil: null }

/** What a change of some fields means for others. */
function consequences({ subscriberUrl, active, secret }: Record<string, unknown>) {
  // Another address, or being switched on, is a new beginning; to say again what holds already is not.
  const sameUrl = sql`coalesce(${webhooks.subscriberUrl} = ${subscriberUrl ?? null}, true)`
  const stays = active === true ? sql`${sameUrl} and ${webhooks.active}` : sameUrl
  return {
    // Set by hand, a secret is the only one at once; `rotateSecret` is the way to overlap.
    ...(secret === undefined ? {} : NO_PREVIOUS),
    failingSince: sql`case when ${stays} then ${webhooks.failingSince} end`,
    ...(active === true ? { disabledAt: null } : {}),
  }
}

const records = crud<Webhook>()({
  noun: 'webhook',
  label: 'Webhook',
  table: webhooks,
  New: NewWebhook,
  Filter: WebhookFilter,
  list: webhookList,
  read: 'connections.read',
  write: 'connections.write',
  defaults: m => ({ userId: m.userId }),
  columns: (input, id) => (id === undefined ? input : { ...input, ...consequences(input) }),
  before: (write, id, input, m) => {
    if (id === undefined) {
      write.run(lockRoom, {})
      write.run(requireRoom, { most: MAX_WEBHOOKS })
    } else if (input.active === false) write.run(endDeliveries, { id, now: m.now.toISOString() })
  },
})

/** Refuses (422) an address that deliveries may not be sent to. */
async function requireTarget(m: Member, url: unknown): Promise<void> {
  requirePermission(m, 'connections.write')
  if (typeof url !== 'string') return
  await m.admission()
  const message = await checkingTargets(m)(url)
  if (message) invalid({ field: 'subscriberUrl', message })
}

/** The input with its secret as it is kept. */
async function sealed<I extends Record<string, unknown>>(m: Member, input: I): Promise<I> {
  const { secret } = input
  if (typeof secret !== 'string') return input
  return { ...input, secret: await sealSecret(m.settings.secret, m.accountId, secret) }
}

/** Subscriptions to events. Their secrets go in and never come out, but for a rotated one, once. */
export const webhook: typeof records = {
  ...records,
  create: async (m, input) => {
    await requireTarget(m, input.subscriberUrl)
    return records.create(m, await sealed(m, input))
  },
  update: async (m, change) => {
    await requireTarget(m, change.subscriberUrl)
    return records.update(m, await sealed(m, change))
  },
}

/** What came of a test event: never what the receiver wrote. */
export interface WebhookTestResult {
  ok: boolean
  /** The status that it answered; null without an answer. */
  status: number | null
  durationMs: number
  error: string | null
}

/** Sends a sample event to a webhook, now and once. Nothing of it is kept. */
export async function testWebhook(m: Member, { id }: { id: number }): Promise<WebhookTestResult> {
  requirePermission(m, 'connections.write')
  const receiver = (await m.tenant.read(receiverById, { id })) ?? notFound('Webhook')
  await m.admission()
  const { status, durationMs, error } = await new Courier(m).send({
    accountId: m.accountId,
    uid: crypto.randomUUID(),
    attempts: 1,
    delivered: sampleOf(receiver.triggers, m.now),
    webhook: receiver,
  })
  return { ok: error === null, status, durationMs, error }
}

/** What was sent, or is to be sent, with every try; never a body. */
export async function listDeliveries(
  m: Member,
  filter: Paging & DeliveryFilter,
): Promise<Page<Delivery>> {
  requirePermission(m, 'connections.read')
  return deliveryPages(m.tenant, filter)
}

/** How many events a replay put on their way. */
export interface Replayed {
  replayed: number
}

/**
 * Sends events again, with the identifiers that they had: one delivery, or what failed to arrive
 * since an instant (1,000 at a time).
 * @throws CONFLICT when the delivery is still on its way, or the webhook is switched off
 */
export async function replayDeliveries(
  m: Member,
  { deliveryId, webhookId, from }: Replay,
): Promise<Replayed> {
  requirePermission(m, 'connections.write')
  // Of what failed, another replay may have sent some meanwhile; one delivery is asked for by its name.
  return lookingAgain(deliveryId === undefined ? ON_WAY : new Set(), async () => {
    const { active, ...found } =
      deliveryId !== undefined ? await oneDelivery(m, deliveryId) : await failed(m, webhookId, from)
    if (!active) conflict('The webhook is switched off; set active to true first')
    const write = m.tenant.write('webhook.replay', found.webhookId)
    write.run(lockWebhook, found)
    write.run(requireNotOnWay, found)
    write.run(deliverAgain, { ...found, now: m.now.toISOString() })
    return write.commit<Replayed>({ replayed: found.eventIds.length })
  })
}

/** An event is on its way to the webhook already. */
const ON_WAY: ReadonlySet<string> = new Set(['deliveries_on_way'])

async function oneDelivery(m: Member, id: number) {
  const { status, ...found } = (await m.tenant.read(deliveryById, { id })) ?? notFound('Delivery')
  return status === 'pending' ? conflict('The delivery is still on its way') : found
}

const failed = async (m: Member, id = 0, from = m.now) =>
  (await m.tenant.read(failedSince, { id, from: from.toISOString(), limit: MAX_REPLAYED })) ??
  notFound('Webhook')

/** A new secret, shown this once, and until when the one before it signs as well. */
export interface RotatedSecret {
  id: number
  secret: string
  previousSecretUntil: string | null
}

/** Gives a webhook another secret. For a while both sign, so that the receiver can change over. */
export async function rotateSecret(
  m: Member,
  { id, ...rotation }: SecretRotation,
): Promise<Json<RotatedSecret>> {
  requirePermission(m, 'connections.write')
  const until = overlapEnd(m.now, rotation)
  const write = m.tenant.write('webhook.rotate', id)
  const secret = `whsec_${randomText(32)}`
  const change = {
    secret: await sealSecret(m.settings.secret, m.accountId, secret),
    previousSecret: sql`${webhooks.secret}`,
    previousSecretUntil: sql`case when ${webhooks.secret} is not null then ${until}::timestamptz end`,
    updatedAt: m.now.toISOString(),
  }
  write.change(webhooks, id, change, 'webhooks_gone')
  return write.commitSecret(write.answer(rotatedSecret, { id, secret }))
}

/** Ends the secret before the last rotation at once: from now on the present one signs alone. */
export async function endPreviousSecret(
  m: Member,
  { id }: { id: number },
): Promise<{ id: number; previousSecretUntil: null }> {
  requirePermission(m, 'connections.write')
  const write = m.tenant.write('webhook.end_secret', id)
  write.change(webhooks, id, { ...NO_PREVIOUS, updatedAt: m.now.toISOString() }, 'webhooks_gone')
  return write.commit({ id, previousSecretUntil: null })
}
