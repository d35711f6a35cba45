import { type SQL, sql } from 'drizzle-orm'
import { events } from '#drizzle/schema/events.ts'
import { deliveries, webhooks } from '#drizzle/schema/webhooks.ts'
import type { Field } from '#lib/db/json.ts'
import { into, type Query, queueing, type Slots } from '#lib/db/query.ts'
import type { EventType } from './catalog.ts'

/** What every emission is given: what happened, and when (ISO 8601). */
export interface Emission {
  type: EventType
  now: string
}

/** The events that a statement makes, one for each row of `from`. */
export interface EventRows {
  /** What the events are about, such as `appointment`: those of one subject arrive in order. */
  subject: string | SQL
  subjectId: Field
  /** The subject's own count of changes. */
  version: Field
  /** JSON of the type's payload (lib/events/catalog.ts). */
  payload: SQL
  /** The event type that a booking is of: subscriptions may be to one event type alone. */
  eventTypeId?: Field
  /** `from … where … order by …`; empty for one event made of parameters. */
  from: SQL
}

type Given<P> = P & Emission

/** What a new delivery is inserted by: the account, its webhook, its event, what that is about, and when. */
export const newDeliveries = into(
  deliveries,
  deliveries.webhookId,
  deliveries.eventId,
  deliveries.subject,
  deliveries.subjectId,
  deliveries.createdAt,
)

/**
 * A statement that emits, for the batch that makes it happen: it inserts the events, and a delivery
 * for each active webhook that has subscribed to them. What a payload tells is read after the
 * statements before it.
 */
export const emitFrom = <P extends object>(
  rows: (p: Slots<Given<P>>) => EventRows,
): Query<Given<P>, unknown> =>
  queueing<Given<P>>('deliveries', p => {
    const { subject, subjectId, version, payload, eventTypeId, from } = rows(p)
    return sql`with made as (
      insert into ${into(
        events,
        events.type,
        events.subject,
        events.subjectId,
        events.version,
        events.eventTypeId,
        events.payload,
        events.createdAt,
      )}
      select ${p.account}::int, ${p.type}, ${subject}, ${subjectId}, ${version},
        ${eventTypeId ?? null}::int, ${payload}, ${p.now}::timestamptz ${from}
      returning *
    )
    insert into ${newDeliveries}
    select ${p.account}::int, ${webhooks.id}, made.id, made.subject, made.subject_id, made.created_at
    from made join ${webhooks} on ${webhooks.accountId} = ${p.account} and ${webhooks.active}
      and made.type = any(${webhooks.triggers})
      and (${webhooks.eventTypeId} is null or ${webhooks.eventTypeId} = made.event_type_id)
    order by made.id, ${webhooks.id} returning 1`
  })
