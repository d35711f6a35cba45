import { type SQL, sql } from 'drizzle-orm'
import { eventTypeHosts, eventTypes } from '#drizzle/schema/calendar.ts'
import { isUserLetIn } from '#lib/db/let-in.ts'

const e = eventTypes
const h = eventTypeHosts

/** Whether anybody is there to host an event type. */
export const isHosted = (): SQL => sql`(${isUserLetIn(e.accountId, e.userId)}
  or exists (select from ${h} where ${h.accountId} = ${e.accountId}
    and ${h.eventTypeId} = ${e.id} and ${isUserLetIn(h.accountId, h.userId)}))`

/** Whether a user hosts the event type of a row of `event_types`. */
export const isHostedBy = (userId: SQL): SQL =>
  sql`(${e.userId} = ${userId}::int or exists (select from ${h}
    where ${h.accountId} = ${e.accountId} and ${h.eventTypeId} = ${e.id}
      and ${h.userId} = ${userId}::int))`
