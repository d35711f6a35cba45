import { type SQL, sql } from 'drizzle-orm'
import { members, users } from '#drizzle/schema/accounts.ts'
import { messages } from '#drizzle/schema/events.ts'
import { deliveries, deliveryAttempts, webhooks } from '#drizzle/schema/webhooks.ts'
import type { Statement } from '#lib/db/client.ts'
import { iso, json } from '#lib/db/json.ts'
import { isLetIn } from '#lib/db/let-in.ts'
import { bare, entrance, from, into, named } from '#lib/db/query.ts'
import { isOpen } from './claim.ts'

/** A webhook that did nothing but fail for so many days is switched off. */
const MAX_FAILING_DAYS = 5

/** What became of a claimed delivery. */
export interface DeliveryOutcome {
  accountId: number
  webhookId: number
  id: number
  /** Tells a late outcome from that of a later try. */
  attempts: number
  /** `pending` waits for another try, `released` was not tried at all. */
  status: 'delivered' | 'pending' | 'failed' | 'released'
  responseCode: number | null
  durationMs: number | null
  error: string | null
  /** When the next try is due, ISO 8601. */
  nextAt: string | null
}

const m = named(members, 'm')

/** Whom to tell of a webhook `w` that was switched off: who made it, unless they left, else the owner. */
const responsible = sql`lateral (select u.email from ${from(m)} join ${users} u on u.id = m.user_id
  where m.account_id = w.account_id
    and (m.role = 'owner' or (m.user_id = w.user_id and ${isLetIn(m)}))
  order by (m.user_id = w.user_id) desc nulls last, m.created_at limit 1) u`

const isExhausted = (now: SQL) =>
  sql`(not t.ok and w.active and w.failing_since <= ${now}::timestamptz
    - ${sql.raw(String(MAX_FAILING_DAYS))} * interval '1 day')`

/** The columns of outcomes, a list each: the cheapest way to hand rows to Postgres. */
type OutcomeColumns = { [K in keyof DeliveryOutcome]: DeliveryOutcome[K][] }

/**
 * A list that the planner cannot count: told of 200 rows it would read a table of thousands from end to
 * end, not look each up by its key.
 */
const uncounted = (list: SQL, type: string) => sql`(select ${list}::${sql.raw(type)}[])`

const outcomeRows = (p: Record<keyof DeliveryOutcome, SQL>) => sql`unnest(
  ${uncounted(p.accountId, 'int')}, ${uncounted(p.webhookId, 'int')}, ${uncounted(p.id, 'bigint')},
  ${uncounted(p.attempts, 'smallint')}, ${uncounted(p.status, 'text')},
  ${uncounted(p.responseCode, 'smallint')}, ${uncounted(p.durationMs, 'int')},
  ${uncounted(p.error, 'text')}, ${uncounted(p.nextAt, 'timestamptz')}
) as r(account_id, webhook_id, id, attempts, status, response_code, duration_ms, error, next_at)`

const record = entrance<OutcomeColumns & { now: string }, unknown>(
  p => sql`with r as (select * from ${outcomeRows(p)}), t as (
      select account_id, webhook_id, bool_or(status = 'delivered') as ok
      from r where status <> 'released' group by 1, 2
    ), hooks as (
      update ${webhooks} w set
        failing_since = case when not t.ok then coalesce(w.failing_since, ${p.now}::timestamptz) end,
        active = w.active and not coalesce(${isExhausted(p.now)}, false),
        disabled_at = case when ${isExhausted(p.now)} then ${p.now}::timestamptz else w.disabled_at end
      from t where w.account_id = t.account_id and w.id = t.webhook_id
        and (t.ok = (w.failing_since is not null) or ${isExhausted(p.now)})
      returning w.*, w.disabled_at = ${p.now}::timestamptz as is_off
    ), done as (
      update ${deliveries} d set
        status = case when w.is_off then 'failed' when r.status = 'released' then 'pending'
          else r.status end,
        attempts = case when r.status = 'delivered' then r.attempts
          else d.attempts - (r.status = 'released')::int end,
        next_at = coalesce(r.next_at, d.next_at), leased_until = '-infinity',
        response_code = case when r.status = 'released' then d.response_code else r.response_code end,
        duration_ms = case when r.status = 'released' then d.duration_ms else r.duration_ms end,
        error = case when r.status = 'released' then d.error else r.error end,
        finished_at = case when r.status in ('delivered', 'failed') or w.is_off
          then ${p.now}::timestamptz end
      from r left join hooks w on w.account_id = r.account_id and w.id = r.webhook_id
      where d.account_id = r.account_id and d.id = r.id and ${isOpen}
        and (d.attempts = r.attempts or r.status = 'delivered')
      returning r.*
    ), log as (
      insert into ${into(
        deliveryAttempts,
        ...[deliveryAttempts.deliveryId, deliveryAttempts.attempt, deliveryAttempts.at],
        ...[deliveryAttempts.responseCode, deliveryAttempts.durationMs, deliveryAttempts.error],
      )}
      select account_id, id, attempts, ${p.now}::timestamptz, response_code, duration_ms, error
      from done where status in ('pending', 'failed') on conflict do nothing
    ), ended as (
      update ${deliveries} d set ${bare(deliveries.status)} = 'failed',
        error = 'The webhook was switched off', finished_at = ${p.now}::timestamptz
      from hooks w where w.is_off and d.account_id = w.account_id and d.webhook_id = w.id
        and d.status = 'pending' and not exists (
          select from done where done.account_id = d.account_id and done.id = d.id)
    )
    insert into ${into(
      messages,
      ...[messages.channel, messages.kind, messages.recipient, messages.data, messages.dedupe],
      ...[messages.nextAt, messages.createdAt],
    )}
    select w.account_id, 'email', 'webhook_disabled', u.email, ${json({
      subscriberUrl: sql`w.subscriber_url`,
      failingSince: iso(sql`w.failing_since`),
    })}, 'webhook_disabled:' || w.id || ':' || ${p.now}, ${p.now}::timestamptz, ${p.now}::timestamptz
    from hooks w, ${responsible} where w.is_off on conflict do nothing`,
)

/**
 * Notes what became of deliveries, with every try in the log: the one that arrives is the delivery
 * itself, the others have a row each. Notes since when a webhook is failing, switches off one that
 * failed for too long, ends what waits for it, and queues the e-mail that says so. The outcome of a
 * try that somebody else has begun anew meanwhile is passed over, unless it arrived.
 */
export function recordDeliveries(outcomes: readonly DeliveryOutcome[], now: string): Statement {
  const all = <K extends keyof DeliveryOutcome>(name: K) => outcomes.map(outcome => outcome[name])
  return record.with({
    ...{ accountId: all('accountId'), webhookId: all('webhookId'), id: all('id') },
    ...{ attempts: all('attempts'), status: all('status'), responseCode: all('responseCode') },
    ...{ durationMs: all('durationMs'), error: all('error'), nextAt: all('nextAt'), now },
  })
}
