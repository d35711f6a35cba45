import { sql } from 'drizzle-orm'
import { events } from '#drizzle/schema/events.ts'
import { deliveries, deliveryAttempts, webhooks } from '#drizzle/schema/webhooks.ts'
import { iso, json, jsonArray } from '#lib/db/json.ts'
import { idsOf, type ListSpec, lister } from '#lib/db/list.ts'
import { query, queueing } from '#lib/db/query.ts'
import type { Receiver } from '#lib/events/claim.ts'
import { newDeliveries } from '#lib/events/emit.ts'
import type { Delivery, Webhook } from './schema.ts'

/** How webhooks are listed. */
export const webhookList: Omit<ListSpec, 'table'> = {
  record: json<Webhook>({
    id: webhooks.id,
    subscriberUrl: webhooks.subscriberUrl,
    triggers: webhooks.triggers,
    active: webhooks.active,
    eventTypeId: webhooks.eventTypeId,
    payloadTemplate: webhooks.payloadTemplate,
    hasSecret: sql`${webhooks.secret} is not null`,
    previousSecretUntil: webhooks.previousSecretUntil,
    disabledAt: webhooks.disabledAt,
    failingSince: webhooks.failingSince,
    createdAt: webhooks.createdAt,
    updatedAt: webhooks.updatedAt,
  }),
  filters: { active: given => sql`${webhooks.active} = ${given.active}::boolean` },
  search: sql`${webhooks.subscriberUrl}`,
}

/** Makes those who add a webhook to an account wait for each other. */
export const lockRoom = query<object, unknown>(
  p => sql`select pg_advisory_xact_lock(${p.account}::int, hashtext('webhooks'))`,
)

/** Refuses a webhook too many; each event costs a look at every one of them. */
export const requireRoom = query<{ most: number }, unknown>(
  p => sql`select must((select count(*) from ${webhooks} where ${webhooks.accountId} = ${p.account})
    < ${p.most}::int, 'webhooks_limit')`,
)

/** Ends what waits for a webhook that is switched off. */
export const endDeliveries = query<{ id: number; now: string }, unknown>(
  p => sql`update ${deliveries} set status = 'failed', error = 'The webhook was switched off',
      finished_at = ${p.now}::timestamptz
    where ${deliveries.accountId} = ${p.account} and ${deliveries.webhookId} = ${p.id}::int
      and ${deliveries.status} = 'pending'`,
)

/** Where a webhook leads and how it is signed; with its types. */
export const receiverById = query<{ id: number }, (Receiver & { triggers: string[] }) | null>(
  p =>
    sql`select ${json({
      id: webhooks.id,
      subscriberUrl: webhooks.subscriberUrl,
      triggers: webhooks.triggers,
      payloadTemplate: webhooks.payloadTemplate,
      secret: webhooks.secret,
      previousSecret: webhooks.previousSecret,
      previousSecretUntil: webhooks.previousSecretUntil,
      isFailing: sql`${webhooks.failingSince} is not null`,
    })} from ${webhooks} where ${webhooks.accountId} = ${p.account} and ${webhooks.id} = ${p.id}::int`,
)

/** A webhook after a rotation, with the secret that is kept sealed. */
export const rotatedSecret = query<
  { id: number; secret: string },
  { id: number; secret: string; previousSecretUntil: string | null }
>(
  p =>
    sql`select ${json({
      id: webhooks.id,
      secret: sql`${p.secret}::text`,
      previousSecretUntil: webhooks.previousSecretUntil,
    })} from ${webhooks} where ${webhooks.accountId} = ${p.account} and ${webhooks.id} = ${p.id}::int`,
)

/** The tries that failed, and the one that arrived. */
const log = jsonArray(
  json({
    attempt: sql`t.attempt`,
    at: iso(sql`t.at`),
    responseCode: sql`t.response_code`,
    durationMs: sql`t.duration_ms`,
    error: sql`t.error`,
  }),
  sql`from (
    select ${deliveryAttempts.attempt}, ${deliveryAttempts.at}, ${deliveryAttempts.responseCode},
      ${deliveryAttempts.durationMs}, ${deliveryAttempts.error}
    from ${deliveryAttempts} where ${deliveryAttempts.accountId} = ${deliveries.accountId}
      and ${deliveryAttempts.deliveryId} = ${deliveries.id}
    union
    select ${deliveries.attempts}, ${deliveries.finishedAt}, ${deliveries.responseCode},
      ${deliveries.durationMs}, ${deliveries.error} where ${deliveries.status} = 'delivered'
  ) t order by t.attempt`,
)

/** When the next try is due, the present one at the latest; what was never tried is due since it is there. */
const nextAt = sql`case when ${deliveries.status} <> 'pending' then null
  when ${deliveries.attempts} = 0 then ${iso(deliveries.createdAt)}
  else ${iso(sql`greatest(${deliveries.nextAt}, ${deliveries.leasedUntil})`)} end`

/** Pages of deliveries, the newest first. */
export const deliveryPages = lister<Delivery>({
  table: deliveries,
  joins: sql`join ${events} on ${events.accountId} = ${deliveries.accountId}
    and ${events.id} = ${deliveries.eventId}`,
  record: json<Delivery>({
    id: deliveries.id,
    webhookId: deliveries.webhookId,
    uid: events.uid,
    triggerEvent: events.type,
    status: deliveries.status,
    attempts: deliveries.attempts,
    responseCode: deliveries.responseCode,
    durationMs: deliveries.durationMs,
    error: deliveries.error,
    nextAt,
    createdAt: deliveries.createdAt,
    finishedAt: deliveries.finishedAt,
    log,
  }),
  filters: {
    webhookId: given => sql`${deliveries.webhookId} = ${given.webhookId}::int`,
    status: given => sql`${deliveries.status} = ${given.status}`,
  },
  names: { webhookId: idsOf(webhooks) },
})

/** What a replay of one delivery needs to know. */
export const deliveryById = query<
  { id: number },
  { status: Delivery['status']; active: boolean; webhookId: number; eventIds: number[] } | null
>(
  p => sql`select ${json({
    status: deliveries.status,
    active: webhooks.active,
    webhookId: deliveries.webhookId,
    eventIds: sql`json_build_array(${deliveries.eventId})`,
  })} from ${deliveries} join ${webhooks} on ${webhooks.accountId} = ${deliveries.accountId}
      and ${webhooks.id} = ${deliveries.webhookId}
    where ${deliveries.accountId} = ${p.account} and ${deliveries.id} = ${p.id}::bigint`,
)

/**
 * The first events, `limit` at most, that failed to reach a webhook since `from` and were not sent
 * again since.
 */
export const failedSince = query<
  { id: number; from: string; limit: number },
  { active: boolean; webhookId: number; eventIds: number[] } | null
>(
  p =>
    sql`select ${json({
      active: webhooks.active,
      webhookId: webhooks.id,
      eventIds: jsonArray(
        sql`f.event_id`,
        sql`from (select event_id from ${deliveries}
        where ${deliveries.accountId} = ${p.account} and ${deliveries.webhookId} = ${p.id}::int
          and ${deliveries.createdAt} >= ${p.from}::timestamptz
        group by event_id having bool_and(${deliveries.status} = 'failed')
        order by event_id limit ${p.limit}::int) f`,
      ),
    })} from ${webhooks} where ${webhooks.accountId} = ${p.account} and ${webhooks.id} = ${p.id}::int`,
)

/** Makes those who send again to a webhook wait for each other. */
export const lockWebhook = query<{ webhookId: number }, unknown>(
  p => sql`select 1 from ${webhooks} where ${webhooks.accountId} = ${p.account}
    and ${webhooks.id} = ${p.webhookId}::int for update`,
)

/** Refuses events that are on their way to a webhook. */
export const requireNotOnWay = query<{ webhookId: number; eventIds: readonly number[] }, unknown>(
  p => sql`select must(not exists (select from ${deliveries}
    where ${deliveries.accountId} = ${p.account} and ${deliveries.eventId} = any(${p.eventIds}::bigint[])
      and ${deliveries.webhookId} = ${p.webhookId}::int and ${deliveries.status} = 'pending'),
    'deliveries_on_way')`,
)

/** Puts events on their way to a webhook once more. */
export const deliverAgain = queueing<{
  webhookId: number
  eventIds: readonly number[]
  now: string
}>(
  'deliveries',
  p => sql`insert into ${newDeliveries}
    select ${p.account}::int, ${p.webhookId}::int, ${events.id}, ${events.subject},
      ${events.subjectId}, ${p.now}::timestamptz
    from ${events} where ${events.accountId} = ${p.account}
      and ${events.id} = any(${p.eventIds}::bigint[]) order by ${events.id} returning 1`,
)
