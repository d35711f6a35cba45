import { sql } from 'drizzle-orm'
import { categories, extraServices, extras, services } from '#drizzle/schema/catalog.ts'
import { locations } from '#drizzle/schema/company.ts'
import { serviceResources } from '#drizzle/schema/resources.ts'
import { crud } from '#lib/core/crud.ts'
import { requireLive, setLinks } from '#lib/db/links.ts'
import { into, query } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import { categoryList, extraList, serviceList } from './queries.ts'
import {
  ActiveFilter,
  type Category,
  type Extra,
  ExtraFilter,
  NewCategory,
  NewExtra,
  NewService,
  type Service,
  ServiceFilter,
} from './schema.ts'

type ExtraInput = Partial<typeof NewExtra._zod.output>

/** Categories of services. Deleting one leaves its services without a category. */
export const category = crud<Category>()({
  noun: 'category',
  label: 'Category',
  table: categories,
  New: NewCategory,
  Filter: ActiveFilter,
  list: categoryList,
  read: 'catalog.read',
  write: 'catalog.write',
  slug: { index: 'categories_slug', column: categories.slug },
})

/** Add-ons of services. */
export const extra = crud<Extra>()({
  noun: 'extra',
  label: 'Extra',
  table: extras,
  New: NewExtra,
  Filter: ExtraFilter,
  list: extraList,
  read: 'catalog.read',
  write: 'catalog.write',
  columns: ({ serviceId: _one, serviceIds: _many, ...columns }) => columns,
  links: (write, id, newest, { serviceIds: many, serviceId: one }: ExtraInput) => {
    const all = many ?? (one === undefined ? undefined : [one])
    requireLive(write, services, all ?? [])
    const { extraId: owner, serviceId: other } = extraServices
    if (all) setLinks(write, { table: extraServices, owner, other }, id, newest, all)
  },
})

/** What customers book. A deleted service is kept for the appointments that were made of it. */
export const service = crud<Service>()({
  noun: 'service',
  label: 'Service',
  table: services,
  New: NewService,
  Filter: ServiceFilter,
  list: serviceList,
  read: 'catalog.read',
  write: 'catalog.write',
  columns: ({ resources: _needed, ...columns }) => columns,
  before: (write, _id, { locationId }) =>
    requireLive(write, locations, typeof locationId === 'number' ? [locationId] : []),
  links: (write, id, _newest, input) => {
    if (input.resources) setResources(write, id ?? null, input.resources)
  },
  slug: { index: 'services_slug', column: services.slug },
  soft: true,
})

const dropResources = query<{ id: number }, unknown>(
  p => sql`delete from ${serviceResources} where ${serviceResources.accountId} = ${p.account}
    and ${serviceResources.serviceId} = ${p.id}::int`,
)

const addResources = query<{ id: number | null; needed: string }, unknown>(
  p => sql`insert into ${into(
    serviceResources,
    serviceResources.serviceId,
    serviceResources.resourceId,
    serviceResources.quantity,
  )} select ${p.account}::int, coalesce(${p.id}::int, currval('services_id_seq')::int),
      n."resourceId", coalesce(max(n.quantity), 1)
    from jsonb_to_recordset(${p.needed}::jsonb) as n("resourceId" int, quantity int)
    group by n."resourceId"`,
)

/** Makes `needed` all that a service needs; without an id, the one that this batch just inserted. */
function setResources(write: Write, id: number | null, needed: unknown): void {
  if (id !== null) write.run(dropResources, { id })
  write.run(addResources, { id, needed: JSON.stringify(needed) })
}
