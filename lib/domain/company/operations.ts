import { getTableColumns, sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
import { districts, locations, taxes } from '#drizzle/schema/company.ts'
import { type Member, requirePermission } from '#lib/core/context.ts'
import { crud } from '#lib/core/crud.ts'
import type { Json } from '#lib/core/json.ts'
import { requireLive } from '#lib/db/links.ts'
import {
  changeCompany,
  companySettings,
  districtList,
  leaveLocation,
  locationList,
  lockLocation,
  requireNoResources,
  requireOneName,
  taxList,
} from './queries.ts'
import {
  type Company,
  type CompanyChange,
  type District,
  type Location,
  LocationFilter,
  NewDistrict,
  NewLocation,
  NewTax,
  type Tax,
  TaxFilter,
} from './schema.ts'

/** The company's time zone, as SQL: where nothing is said, things are in it. */
export const companyZone = (accountId: number) =>
  sql`(select ${accounts.timeZone} from ${accounts} where ${accounts.id} = ${accountId})`

/** Groups of locations. Deleting one leaves its locations without a district. */
export const district = crud<District>()({
  noun: 'district',
  label: 'District',
  table: districts,
  New: NewDistrict,
  list: districtList,
  read: 'company.read',
  write: 'company.write',
})

/**
 * Places where services are given. A deleted one is kept for its appointments. Deleting it leaves its
 * services, taxes and employees without it; its resources have to be elsewhere first.
 */
export const location = crud<Location>()({
  noun: 'location',
  label: 'Location',
  table: locations,
  New: NewLocation,
  Filter: LocationFilter,
  list: locationList,
  read: 'company.read',
  write: 'company.write',
  defaults: m => ({ timeZone: companyZone(m.accountId) }),
  soft: true,
  beforeRemove: (write, id) => {
    write.run(lockLocation, { id }).run(requireNoResources, { id })
    for (const leave of leaveLocation) write.run(leave, { id })
  },
})

/** Taxes on services and products. */
export const tax = crud<Tax>()({
  noun: 'tax',
  label: 'Tax',
  table: taxes,
  New: NewTax,
  Filter: TaxFilter,
  list: taxList,
  before: (write, _id, { locationId }) =>
    requireLive(write, locations, typeof locationId === 'number' ? [locationId] : []),
  read: 'taxes.read',
  write: 'taxes.write',
})

/** The settings of the business. */
export async function getCompany(m: Member): Promise<Json<Company>> {
  requirePermission(m, 'company.read')
  return m.tenant.text(companySettings, {})
}

/** Changes the settings of the business; what is left out stays, also inside objects. */
export async function updateCompany(m: Member, input: CompanyChange): Promise<Json<Company>> {
  requirePermission(m, 'company.write')
  const given: Record<string, unknown> = input
  const columns = Object.entries(getTableColumns(accounts))
  const change = {
    ...Object.fromEntries(columns.map(([key, column]) => [column.name, given[key]])),
    slug: input.slug,
  }
  const write = m.tenant.write('company.update', m.accountId)
  const { slug, subdomain } = input
  if (slug !== undefined && subdomain !== undefined && slug !== subdomain)
    write.run(requireOneName, { slug, subdomain })
  write.run(changeCompany, { change: JSON.stringify(change), now: m.now.toISOString() })
  return write.commit(write.answer(companySettings, {}))
}
