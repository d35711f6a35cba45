import { type SQL, sql } from 'drizzle-orm'
import { events } from '#drizzle/schema/events.ts'
import { deliveries, webhooks } from '#drizzle/schema/webhooks.ts'
import { Json } from '#lib/core/json.ts'
import type { Cells } from '#lib/db/client.ts'
import { iso, json } from '#lib/db/json.ts'
import { entrance } from '#lib/db/query.ts'
import type { Secrets } from './sign.ts'
import type { Delivered } from './template.ts'

/**
 * How long nobody else takes what was claimed. Longer than a run lasts (lib/events/deliver.ts), so
 * that only what a dead sender left comes up again.
 */
const LEASE_SECONDS = 120

/** How many deliveries of one webhook that is failing are taken at a time. */
const MAX_OF_FAILING = 10

/**
 * How many of one webhook are looked at however many others wait: as many as are under way at once,
 * twice. Else it is the webhook's share of what is asked for: a claim costs what it takes, and no more.
 */
const MIN_OF_ONE = 32

/** Where a delivery goes, and how it is signed and written. */
export interface Receiver extends Secrets {
  id: number
  subscriberUrl: string
  payloadTemplate: string | null
  /** Whether the last that was heard of it was a failure. */
  isFailing: boolean
}

/** A delivery that was claimed for sending. */
export interface ClaimedDelivery {
  accountId: number
  id: number
  /** How often sending was tried, this time included. */
  attempts: number
  /** The event's own identifier. */
  uid: string
  delivered: Delivered
  webhook: Receiver
}

/** The webhooks that something waits for, found by leaps over the index instead of a scan. */
const waiting = (scope: SQL) => sql`waiting as (
    (select d.account_id, d.webhook_id from ${deliveries} d
      where d.status = 'pending' ${scope} order by d.account_id, d.webhook_id limit 1)
    union all
    select n.account_id, n.webhook_id from waiting, lateral (
      select d.account_id, d.webhook_id from ${deliveries} d
      where d.status = 'pending' ${scope}
        and (d.account_id, d.webhook_id) > (waiting.account_id, waiting.webhook_id)
      order by d.account_id, d.webhook_id limit 1) n
  )`

/**
 * Nothing about the same subject waits for the same webhook before it. Said as a look at the first
 * one, which an index answers whatever the planner makes of the rest.
 */
const isHead = sql`d.id = (select e.id from ${deliveries} e
  where e.account_id = d.account_id and e.webhook_id = d.webhook_id and e.subject = d.subject
    and e.subject_id = d.subject_id and e.status = 'pending' order by e.id limit 1)`

/**
 * A delivery that is still waiting, where it is found by its key. Said like this because `status =
 * 'pending'` lets the planner take one of the partial indexes, of which the key is no prefix: it would
 * read the whole backlog for every delivery.
 */
export const isOpen = sql`d.finished_at is null`

/** Nobody is sending it; or whoever was, is gone. */
const isFree = (now: SQL) => sql`d.leased_until <= ${now}::timestamptz`

/** A webhook `w` as a `Receiver`. */
const receiver = json({
  id: sql`w.id`,
  subscriberUrl: sql`w.subscriber_url`,
  payloadTemplate: sql`w.payload_template`,
  secret: sql`w.secret`,
  previousSecret: sql`w.previous_secret`,
  previousSecretUntil: iso(sql`w.previous_secret_until`),
  isFailing: sql`w.failing_since is not null`,
})

interface ClaimParams {
  accountId: number | null
  limit: number
  now: string
  /** Webhooks, by their ids, whose deliveries are not to be taken. */
  busy: readonly number[]
}

/**
 * Takes up to `limit` deliveries that are due: each the first of its subject, and of every webhook
 * in turn, so that none waits behind another's backlog. They are nobody else's until their lease ends.
 * Whoever has claimed one meanwhile has counted a try, by which it is passed over.
 */
const claim = (scope: (p: Record<keyof ClaimParams, SQL>) => SQL) =>
  entrance<ClaimParams, unknown>(
    p => sql`with recursive ${waiting(scope(p))}, ready as (
      select d.account_id, d.id, d.attempts from waiting
      join ${webhooks} w on w.account_id = waiting.account_id and w.id = waiting.webhook_id
        and w.active and w.id <> all(${p.busy}::int[])
      cross join lateral (
        select d.account_id, d.id, d.attempts, d.next_at,
          row_number() over (order by d.next_at, d.id) as turn
        from ${deliveries} d
        where d.account_id = w.account_id and d.webhook_id = w.id and d.status = 'pending'
          and d.next_at <= ${p.now}::timestamptz and ${isFree(p.now)} and ${isHead}
        order by d.next_at, d.id limit least(${p.limit}::int, case when w.failing_since is null
          then greatest(${sql.raw(String(MIN_OF_ONE))}, ${p.limit}::int / (select count(*) from waiting))
          else ${sql.raw(String(MAX_OF_FAILING))} end)
      ) d
      order by d.turn, d.next_at, d.id limit ${p.limit}::int
    ), due as (
      select d.account_id, d.id from ${deliveries} d
      join ready on ready.account_id = d.account_id and ready.id = d.id
      where ${isOpen} and d.attempts = ready.attempts and ${isFree(p.now)}
      for update of d skip locked
    ), c as (
      update ${deliveries} d set attempts = d.attempts + 1, leased_until = ${p.now}::timestamptz
        + ${sql.raw(String(LEASE_SECONDS))} * interval '1 second'
      from due where d.account_id = due.account_id and d.id = due.id
      returning d.account_id, d.webhook_id, d.id, d.attempts, d.event_id
    )
    select c.account_id, c.id, c.attempts, e.uid, e.type, ${iso(sql`e.created_at`)}, e.payload, c.receiver
    from (select c.*, case when row_number() over (partition by c.account_id, c.webhook_id order by c.id) = 1
        then (select ${receiver} from ${webhooks} w
          where w.account_id = c.account_id and w.id = c.webhook_id) end as receiver
      from c) c join ${events} e on e.account_id = c.account_id and e.id = c.event_id
    order by c.account_id, c.webhook_id, c.id`,
  )

const claimOfAll = claim(() => sql``)
const claimOfAccount = claim(p => sql`and d.account_id = ${p.accountId}::int`)

/** The claim of one account's deliveries, or (undefined) of all. */
export const claimDeliveries = (
  accountId: number | undefined,
  params: Omit<ClaimParams, 'accountId'>,
) =>
  accountId === undefined
    ? claimOfAll.with({ ...params, accountId: null })
    : claimOfAccount.with({ ...params, accountId })

/**
 * What a claim has taken. Its rows are plain cells, and the receiver is in the first of its webhook: a
 * payload is sent as the text that is kept, which nobody has to read and write again.
 */
export function readClaimed(cells: Cells | undefined): ClaimedDelivery[] {
  const claimed: ClaimedDelivery[] = []
  let webhook: Receiver | undefined
  for (const [accountId, id, attempts, uid, triggerEvent, createdAt, payload, receiver] of cells ??
    []) {
    if (receiver) webhook = new Json<Receiver>(receiver).read()
    if (!webhook) continue
    claimed.push({
      accountId: Number(accountId),
      id: Number(id),
      attempts: Number(attempts),
      uid: uid ?? '',
      delivered: {
        triggerEvent: triggerEvent ?? '',
        createdAt: createdAt ?? '',
        payload: new Json(payload ?? 'null'),
      },
      webhook,
    })
  }
  return claimed
}
