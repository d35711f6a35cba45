import { sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
import { categories, services } from '#drizzle/schema/catalog.ts'
import { locations } from '#drizzle/schema/company.ts'
import { employeeLocations, employeeServices, employees } from '#drizzle/schema/people.ts'
import { json, jsonArray } from '#lib/db/json.ts'
import { query } from '#lib/db/query.ts'
import type { Storefront } from './schema.ts'

const shownServices = jsonArray(
  json({
    id: services.id,
    slug: services.slug,
    name: services.name,
    description: services.description,
    category: categories.name,
    duration: services.duration,
    price: services.price,
    currency: services.currency,
    depositType: services.depositType,
    depositAmount: sql`${services.depositAmount}::double precision`,
    seats: sql`case when ${services.enableGroupBooking} then ${services.maxCapacity} end`,
    locationId: services.locationId,
  }),
  sql`from ${services} left join ${categories} on ${categories.accountId} = ${services.accountId}
      and ${categories.id} = ${services.categoryId}
    where ${services.accountId} = ${accounts.id} and ${services.active}
      and ${services.deletedAt} is null
    order by ${categories.position} nulls last, ${categories.id}, ${services.position},
      ${services.id}`,
)

const shownLocations = jsonArray(
  json({
    id: locations.id,
    name: locations.name,
    address: sql`nullif(concat_ws(', ', ${locations.address}, ${locations.city},
      ${locations.state}, ${locations.postalCode}), '')`,
    timeZone: locations.timeZone,
  }),
  sql`from ${locations} where ${locations.accountId} = ${accounts.id} and ${locations.active}
    and ${locations.deletedAt} is null order by ${locations.id}`,
)

const serviceIds = jsonArray(
  employeeServices.serviceId,
  sql`from ${employeeServices} where ${employeeServices.accountId} = ${employees.accountId}
    and ${employeeServices.employeeId} = ${employees.id}`,
)

const locationIds = jsonArray(
  employeeLocations.locationId,
  sql`from ${employeeLocations} where ${employeeLocations.accountId} = ${employees.accountId}
    and ${employeeLocations.employeeId} = ${employees.id}`,
)

const shownEmployees = jsonArray(
  json({
    id: employees.id,
    name: employees.name,
    serviceIds: sql`case when ${employees.allServices} then null else ${serviceIds} end`,
    locationIds,
  }),
  sql`from ${employees} where ${employees.accountId} = ${accounts.id} and ${employees.active}
    and ${employees.deletedAt} is null order by ${employees.name}, ${employees.id}`,
)

/** What the booking page of an account shows, in one statement. */
export const storefront = query<object, Storefront>(
  p =>
    sql`select ${json({
      name: accounts.name,
      subdomain: accounts.subdomain,
      description: accounts.description,
      phone: accounts.phone,
      email: accounts.email,
      address: accounts.address,
      timeZone: accounts.timeZone,
      locale: accounts.locale,
      weekStart: accounts.weekStart,
      policy: accounts.bookingPolicy,
      services: shownServices,
      locations: shownLocations,
      employees: shownEmployees,
    })} from ${accounts} where ${accounts.id} = ${p.account}`,
)
