import { sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
import { services } from '#drizzle/schema/catalog.ts'
import { districts, locations, taxes } from '#drizzle/schema/company.ts'
import { employeeLocations } from '#drizzle/schema/people.ts'
import { resources } from '#drizzle/schema/resources.ts'
import { json } from '#lib/db/json.ts'
import { idsOf, type ListSpec } from '#lib/db/list.ts'
import { query } from '#lib/db/query.ts'
import type { Company, District, Location, Tax } from './schema.ts'

/** How districts are listed. */
export const districtList: Omit<ListSpec, 'table'> = {
  record: json<District>({
    id: districts.id,
    name: districts.name,
    region: districts.region,
    description: districts.description,
    createdAt: districts.createdAt,
    updatedAt: districts.updatedAt,
  }),
  orders: { name: { by: districts.name, type: 'text' } },
  search: sql`${districts.name} || ' ' || coalesce(${districts.region}, '')`,
}

/** How locations are listed. */
export const locationList: Omit<ListSpec, 'table'> = {
  record: json<Location>({
    id: locations.id,
    name: locations.name,
    address: locations.address,
    city: locations.city,
    state: locations.state,
    postalCode: locations.postalCode,
    country: locations.country,
    timeZone: locations.timeZone,
    phone: locations.phone,
    email: locations.email,
    latitude: locations.latitude,
    longitude: locations.longitude,
    districtId: locations.districtId,
    openingHours: locations.openingHours,
    active: locations.active,
    createdAt: locations.createdAt,
    updatedAt: locations.updatedAt,
  }),
  where: sql`${locations.deletedAt} is null`,
  orders: { name: { by: locations.name, type: 'text' } },
  filters: {
    active: given => sql`${locations.active} = ${given.active}::boolean`,
    districtId: given => sql`${locations.districtId} = ${given.districtId}::int`,
  },
  names: { districtId: idsOf(districts) },
  search: sql`${locations.name} || ' ' || coalesce(${locations.city}, '')`,
}

/** Makes whoever names the location wait (`requireLive`), and then find it gone. */
export const lockLocation = query<{ id: number }, unknown>(
  p => sql`select 1 from ${locations}
    where ${locations.accountId} = ${p.account} and ${locations.id} = ${p.id}::int for update`,
)

/** Fails with `locations_resources` when resources are at the location. */
export const requireNoResources = query<{ id: number }, unknown>(
  p => sql`select must(not exists (select from ${resources}
    where ${resources.accountId} = ${p.account} and ${resources.locationId} = ${p.id}::int),
    'locations_resources')`,
)

/** Takes the location from everything that can do without one. */
export const leaveLocation = [
  query<{ id: number }, unknown>(
    p => sql`update ${services} set location_id = null
      where ${services.accountId} = ${p.account} and ${services.locationId} = ${p.id}::int`,
  ),
  query<{ id: number }, unknown>(
    p => sql`update ${taxes} set location_id = null
      where ${taxes.accountId} = ${p.account} and ${taxes.locationId} = ${p.id}::int`,
  ),
  query<{ id: number }, unknown>(
    p => sql`delete from ${employeeLocations} where ${employeeLocations.accountId} = ${p.account}
      and ${employeeLocations.locationId} = ${p.id}::int`,
  ),
] as const

/** How taxes are listed. */
export const taxList: Omit<ListSpec, 'table'> = {
  record: json<Tax>({
    id: taxes.id,
    name: taxes.name,
    rate: sql`${taxes.rate}::double precision`,
    type: taxes.type,
    scope: taxes.scope,
    locationId: taxes.locationId,
    isDefault: taxes.isDefault,
    active: taxes.active,
    createdAt: taxes.createdAt,
    updatedAt: taxes.updatedAt,
  }),
  orders: { name: { by: taxes.name, type: 'text' } },
  filters: { active: given => sql`${taxes.active} = ${given.active}::boolean` },
  search: sql`${taxes.name}`,
}

/** The business as its settings show it; the subdomain goes by the name `slug` as well. */
export const companySettings = query<object, Company>(
  p =>
    sql`select ${json<Company>({
      id: accounts.id,
      name: accounts.name,
      slug: accounts.subdomain,
      subdomain: accounts.subdomain,
      email: accounts.email,
      phone: accounts.phone,
      website: accounts.website,
      logoUrl: accounts.logoUrl,
      description: accounts.description,
      address: accounts.address,
      timeZone: accounts.timeZone,
      currency: accounts.currency,
      weekStart: accounts.weekStart,
      locale: accounts.locale,
      bookingPolicy: accounts.bookingPolicy,
      branding: accounts.branding,
      closures: accounts.closures,
      taxNumber: accounts.taxNumber,
      invoicePrefix: accounts.invoicePrefix,
      plan: accounts.plan,
      createdAt: accounts.createdAt,
      updatedAt: accounts.updatedAt,
    })} from ${accounts} where ${accounts.id} = ${p.account}`,
)

/**
 * Of `slug` and `subdomain`, which are one name, a change may have both: that which is sent back as it
 * is says nothing. Fails with `accounts_slug` where both are new, and different.
 */
export const requireOneName = query<{ slug: string; subdomain: string }, unknown>(
  p => sql`select must(exists (select from ${accounts} where ${accounts.id} = ${p.account}
    and ${accounts.subdomain} in (${p.slug}, ${p.subdomain})), 'accounts_slug')`,
)

/** Changes the settings; `change` is JSON by column, objects inside merge with what is there. */
export const changeCompany = query<{ change: string; now: string }, unknown>(
  p => sql`update ${accounts} set
    name = coalesce(c.name, ${accounts.name}),
    subdomain = coalesce(nullif(c.subdomain, ${accounts.subdomain}), c.slug, ${accounts.subdomain}),
    time_zone = coalesce(c.time_zone, ${accounts.timeZone}),
    currency = coalesce(c.currency, ${accounts.currency}),
    week_start = coalesce(c.week_start, ${accounts.weekStart}),
    locale = coalesce(c.locale, ${accounts.locale}),
    invoice_prefix = coalesce(c.invoice_prefix, ${accounts.invoicePrefix}),
    closures = coalesce(c.closures, ${accounts.closures}),
    booking_policy = ${accounts.bookingPolicy} || coalesce(c.booking_policy, '{}'),
    branding = ${accounts.branding} || coalesce(c.branding, '{}'),
    email = case when ${p.change}::jsonb ? 'email' then c.email else ${accounts.email} end,
    phone = case when ${p.change}::jsonb ? 'phone' then c.phone else ${accounts.phone} end,
    website = case when ${p.change}::jsonb ? 'website' then c.website else ${accounts.website} end,
    logo_url = case when ${p.change}::jsonb ? 'logo_url' then c.logo_url else ${accounts.logoUrl} end,
    description =
      case when ${p.change}::jsonb ? 'description' then c.description else ${accounts.description} end,
    address = case when ${p.change}::jsonb ? 'address' then c.address else ${accounts.address} end,
    tax_number =
      case when ${p.change}::jsonb ? 'tax_number' then c.tax_number else ${accounts.taxNumber} end,
    updated_at = ${p.now}::timestamptz
  from jsonb_to_record(${p.change}::jsonb) as c(name text, subdomain text, slug text, email text, phone text,
    website text, logo_url text, description text, address text, time_zone text, currency text,
    week_start smallint, locale text, booking_policy jsonb, branding jsonb, closures jsonb,
    tax_number text, invoice_prefix text)
  where ${accounts.id} = ${p.account}`,
)
