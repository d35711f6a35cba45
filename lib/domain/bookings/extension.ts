import { type SQL, sql } from 'drizzle-orm'
import { eventTypeHosts, eventTypes } from '#drizzle/schema/calendar.ts'
import { type Member, requireScope } from '#lib/core/context.ts'
import { Json, type Page } from '#lib/core/json.ts'
import type { Minutes, Url } from '#lib/core/kinds.ts'
import type { Paging } from '#lib/core/schemas.ts'
import { json } from '#lib/db/json.ts'
import { lister } from '#lib/db/list.ts'
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

/** How they are listed: in the order they were made. `bookingUrl` is the path of the page alone. */
const page = lister<Bookable>({
  table: e,
  record: json<Bookable>({
    id: e.id,
    title: e.title,
    slug: e.slug,
    length: e.length,
    lengthOptions: e.lengthOptions,
    hidden: e.hidden,
    schedulingType: e.schedulingType,
    bookingUrl: bookingPath(),
  }),
  defaultOrder: 'id',
  orders: { title: { by: sql`lower(${e.title})`, type: 'text' } },
  filters: { own: given => isHostedBy(sql`${given.own}`) },
  search: sql`${e.title}`,
})

/** The event types that the member hosts, with the pages they are booked at. */
export async function listBookable(m: Member, paging: Paging): Promise<Page<Bookable>> {
  requireScope(m, 'calendar.read')
  const { items, ...rest } = await page(m.tenant, { ...paging, own: m.userId })
  const found = items
    .read()
    .map(type => ({ ...type, bookingUrl: m.settings.publicUrl + type.bookingUrl }))
  return { items: new Json(JSON.stringify(found)), ...rest }
}
