import { type SQL, sql } from 'drizzle-orm'
import { eventTypeHosts, eventTypes } from '#drizzle/schema/calendar.ts'
import { type Member, requireScope } from '#lib/core/context.ts'
import type { Json } from '#lib/core/json.ts'
import type { Minutes, Url } from '#lib/core/kinds.ts'
import { json, jsonArray } from '#lib/db/json.ts'
import { query } from '#lib/db/query.ts'
import { bookingPath } from '../event-types/address.ts'

/** An event type as the browser extension lists it. */
export interface Bookable {
  id: number
  title: string
  slug: string
  length: Minutes
  /** Other lengths to choose from, in minutes. */
  lengthOptions: number[]
  hidden: boolean
  /** How several hosts share it. */
  schedulingType: 'roundRobin' | 'collective' | null
  bookingUrl: Url
}

const e = eventTypes

/** Whether a user hosts the event type of a row of `event_types`. */
export const isHostedBy = (userId: SQL): SQL =>
  sql`(${e.userId} = ${userId}::int or exists (select from ${eventTypeHosts}
    where ${eventTypeHosts.accountId} = ${e.accountId} and ${eventTypeHosts.eventTypeId} = ${e.id}
      and ${eventTypeHosts.userId} = ${userId}::int))`

const bookable = query<{ userId: number; publicUrl: string }, Bookable[]>(
  p =>
    sql`select ${jsonArray(
      json<Bookable>({
        id: e.id,
        title: e.title,
        slug: e.slug,
        length: e.length,
        lengthOptions: e.lengthOptions,
        hidden: e.hidden,
        schedulingType: e.schedulingType,
        bookingUrl: sql`${p.publicUrl}::text || ${bookingPath()}`,
      }),
      sql`from ${e} where ${e.accountId} = ${p.account} and ${isHostedBy(p.userId)}
      order by ${e.id}`,
    )}`,
)

/** The event types that the member hosts, with the pages they are booked at. */
export async function listBookable(m: Member): Promise<Json<Bookable[]>> {
  requireScope(m, 'calendar.read')
  return m.tenant.text(bookable, { userId: m.userId, publicUrl: m.settings.publicUrl })
}
