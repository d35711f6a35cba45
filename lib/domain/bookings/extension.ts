import { sql } from 'drizzle-orm'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import { type Member, requireScope } from '#lib/core/context.ts'
import type { Page } from '#lib/core/json.ts'
import type { Minutes, Url } from '#lib/core/kinds.ts'
import type { Paging } from '#lib/core/schemas.ts'
import { json } from '#lib/db/json.ts'
import { lister } from '#lib/db/list.ts'
import { bookingPath } from '../event-types/address.ts'
import { isHostedBy } from '../event-types/hosted.ts'

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

/** In the order in which they were made; `publicUrl` is what the addresses of their pages begin with. */
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
    bookingUrl: sql`${sql.placeholder('publicUrl')}::text || ${bookingPath()}`,
  }),
  defaultOrder: 'id',
  orders: { title: { by: sql`lower(${e.title})`, type: 'text' } },
  filters: { own: given => isHostedBy(sql`${given.own}`) },
  search: sql`${e.title}`,
})

/** The event types that the member hosts, with the pages they are booked at. */
export async function listBookable(m: Member, paging: Paging): Promise<Page<Bookable>> {
  requireScope(m, 'calendar.read')
  return page(m.tenant, { ...paging, own: m.userId, publicUrl: m.settings.publicUrl })
}
