import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  primaryKey,
  smallint,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { ofAccount } from './accounts.ts'
import { eventTypes } from './calendar.ts'
import { instant, owned, ownedKey, stamps, within } from './columns.ts'
import { events } from './events.ts'
import { table } from './lazy.ts'

/**
 * A subscription: where events of some types are sent. After a rotation both secrets sign until
 * `previous_secret_until`. `failing_since` is the first failure since the last success.
 */
export const webhooks = table(
  'webhooks',
  {
    ...owned(),
    userId: integer('user_id'),
    subscriberUrl: text('subscriber_url').notNull(),
    triggers: text().array().notNull(),
    secret: text(),
    previousSecret: text('previous_secret'),
    previousSecretUntil: instant('previous_secret_until'),
    active: boolean().notNull().default(true),
    eventTypeId: integer('event_type_id'),
    payloadTemplate: text('payload_template'),
    failingSince: instant('failing_since'),
    disabledAt: instant('disabled_at'),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'webhooks'),
    ofAccount(t, 'webhooks'),
    within(t, t.eventTypeId, eventTypes, 'webhooks_event_type_fk').onDelete('cascade'),
    unique('webhooks_url').on(t.accountId, t.subscriberUrl, t.eventTypeId).nullsNotDistinct(),
  ],
)

/**
 * One event on its way to one webhook. Those of one subject go out in the order of their ids. A new
 * one is due at once, whatever the clock says; `next_at` is when the next try is due, `leased_until`
 * how long the present one may take. No index knows of a lease: to take one touches none (pages are
 * left half empty for that), and to give one back neither.
 */
export const deliveries = table(
  'deliveries',
  {
    accountId: integer('account_id').notNull(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    webhookId: integer('webhook_id').notNull(),
    eventId: bigint('event_id', { mode: 'number' }).notNull(),
    subject: text().notNull(),
    subjectId: integer('subject_id').notNull(),
    status: text({ enum: ['pending', 'delivered', 'failed'] })
      .notNull()
      .default('pending'),
    attempts: smallint().notNull().default(0),
    nextAt: instant('next_at').notNull().default('-infinity'),
    leasedUntil: instant('leased_until').notNull().default('-infinity'),
    responseCode: smallint('response_code'),
    durationMs: integer('duration_ms'),
    error: text(),
    createdAt: instant('created_at').notNull(),
    finishedAt: instant('finished_at'),
  },
  t => [
    primaryKey({ name: 'deliveries_pkey', columns: [t.accountId, t.id] }),
    within(t, t.webhookId, webhooks, 'deliveries_webhook_fk').onDelete('cascade'),
    foreignKey({
      name: 'deliveries_event_fk',
      columns: [t.accountId, t.eventId],
      foreignColumns: [events.accountId, events.id],
    }).onDelete('cascade'),
    index('deliveries_due')
      .on(t.accountId, t.webhookId, t.nextAt, t.id)
      .where(sql`status = 'pending'`),
    index('deliveries_queue')
      .on(t.accountId, t.webhookId, t.subject, t.subjectId, t.id)
      .where(sql`status = 'pending'`),
    index('deliveries_log').on(t.accountId, t.webhookId, t.id),
    index('deliveries_event').on(t.accountId, t.eventId),
  ],
)

/**
 * The tries of a delivery that failed; never the body of the answer. The one that arrived is the
 * delivery itself.
 */
export const deliveryAttempts = table(
  'delivery_attempts',
  {
    accountId: integer('account_id').notNull(),
    deliveryId: bigint('delivery_id', { mode: 'number' }).notNull(),
    attempt: smallint().notNull(),
    at: instant('at').notNull(),
    responseCode: smallint('response_code'),
    durationMs: integer('duration_ms').notNull(),
    error: text(),
  },
  t => [
    primaryKey({
      name: 'delivery_attempts_pkey',
      columns: [t.accountId, t.deliveryId, t.attempt],
    }),
    foreignKey({
      name: 'delivery_attempts_delivery_fk',
      columns: [t.accountId, t.deliveryId],
      foreignColumns: [deliveries.accountId, deliveries.id],
    }).onDelete('cascade'),
  ],
)
