import { sql } from 'drizzle-orm'
import { categories, extraServices, extras, services } from '#drizzle/schema/catalog.ts'
import { locations } from '#drizzle/schema/company.ts'
import { employeeServices, employees } from '#drizzle/schema/people.ts'
import { serviceResources } from '#drizzle/schema/resources.ts'
import { json, jsonArray, jsonIf } from '#lib/db/json.ts'
import { idsOf, type ListSpec } from '#lib/db/list.ts'
import type { Category, Extra, Service } from './schema.ts'

/** How categories are listed. */
export const categoryList: Omit<ListSpec, 'table'> = {
  record: json<Category>({
    id: categories.id,
    name: categories.name,
    slug: categories.slug,
    description: categories.description,
    color: categories.color,
    position: categories.position,
    active: categories.active,
    createdAt: categories.createdAt,
    updatedAt: categories.updatedAt,
  }),
  orders: {
    position: { by: categories.position, type: 'int' },
    name: { by: categories.name, type: 'text' },
  },
  filters: { active: given => sql`${categories.active} = ${given.active}::boolean` },
  search: sql`${categories.name}`,
}

/** How extras are listed. */
export const extraList: Omit<ListSpec, 'table'> = {
  record: json<Extra>({
    id: extras.id,
    name: extras.name,
    description: extras.description,
    price: extras.price,
    duration: extras.duration,
    maxQuantity: extras.maxQuantity,
    active: extras.active,
    serviceIds: jsonArray(
      extraServices.serviceId,
      sql`from ${extraServices} join ${services} on ${services.accountId} = ${extraServices.accountId}
          and ${services.id} = ${extraServices.serviceId} and ${services.deletedAt} is null
        where ${extraServices.accountId} = ${extras.accountId}
          and ${extraServices.extraId} = ${extras.id} order by 1`,
    ),
    createdAt: extras.createdAt,
    updatedAt: extras.updatedAt,
  }),
  orders: { name: { by: extras.name, type: 'text' }, price: { by: extras.price, type: 'int' } },
  filters: {
    active: given => sql`${extras.active} = ${given.active}::boolean`,
    serviceId: given => sql`exists (select from ${extraServices}
      where ${extraServices.accountId} = ${extras.accountId}
        and ${extraServices.extraId} = ${extras.id}
        and ${extraServices.serviceId} = ${given.serviceId}::int)`,
  },
  names: { serviceId: idsOf(services) },
  search: sql`${extras.name}`,
}

/** The extras of a service, in the order they were made. */
const extrasOfService = jsonArray(
  json({
    id: extras.id,
    name: extras.name,
    price: extras.price,
    duration: extras.duration,
    maxQuantity: extras.maxQuantity,
  }),
  sql`from ${extraServices} join ${extras} on ${extras.accountId} = ${extraServices.accountId}
      and ${extras.id} = ${extraServices.extraId} and ${extras.active}
    where ${extraServices.accountId} = ${services.accountId}
      and ${extraServices.serviceId} = ${services.id} order by ${extras.id}`,
)

/** The shared resources that a service needs. */
const resourcesOfService = jsonArray(
  json({ resourceId: serviceResources.resourceId, quantity: serviceResources.quantity }),
  sql`from ${serviceResources} where ${serviceResources.accountId} = ${services.accountId}
    and ${serviceResources.serviceId} = ${services.id} order by ${serviceResources.resourceId}`,
)

/** How services are listed. */
export const serviceList: Omit<ListSpec, 'table'> = {
  record: json<Service>({
    id: services.id,
    name: services.name,
    slug: services.slug,
    description: services.description,
    duration: services.duration,
    price: services.price,
    currency: services.currency,
    categoryId: services.categoryId,
    locationId: services.locationId,
    bufferTimeBefore: services.bufferTimeBefore,
    bufferTimeAfter: services.bufferTimeAfter,
    maxCapacity: services.maxCapacity,
    depositType: services.depositType,
    depositAmount: sql`${services.depositAmount}::double precision`,
    enableRecurring: services.enableRecurring,
    enableGroupBooking: services.enableGroupBooking,
    minNoticeMinutes: services.minNoticeMinutes,
    horizonDays: services.horizonDays,
    slotIntervalMinutes: services.slotIntervalMinutes,
    color: services.color,
    imageUrl: services.imageUrl,
    position: services.position,
    active: services.active,
    category: jsonIf(categories.id, {
      id: categories.id,
      name: categories.name,
      slug: categories.slug,
    }),
    extras: extrasOfService,
    resources: resourcesOfService,
    createdAt: services.createdAt,
    updatedAt: services.updatedAt,
  }),
  joins: sql`left join ${categories} on ${categories.accountId} = ${services.accountId}
    and ${categories.id} = ${services.categoryId}`,
  where: sql`${services.deletedAt} is null`,
  orders: {
    name: { by: services.name, type: 'text' },
    price: { by: services.price, type: 'int' },
    position: { by: services.position, type: 'int' },
  },
  filters: {
    active: given => sql`${services.active} = ${given.active}::boolean`,
    categoryId: given => sql`${services.categoryId} = ${given.categoryId}::int`,
    locationId: given => sql`${services.locationId} = ${given.locationId}::int`,
    employeeId: given => sql`exists (select from ${employees}
      where ${employees.accountId} = ${services.accountId}
        and ${employees.id} = ${given.employeeId}::int and (${employees.allServices}
          or exists (select from ${employeeServices}
            where ${employeeServices.accountId} = ${services.accountId}
              and ${employeeServices.employeeId} = ${employees.id}
              and ${employeeServices.serviceId} = ${services.id})))`,
  },
  names: {
    categoryId: idsOf(categories),
    locationId: idsOf(locations),
    employeeId: idsOf(employees),
  },
  search: sql`${services.name} || ' ' || coalesce(${services.description}, '')`,
}
