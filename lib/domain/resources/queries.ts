import { type SQL, sql } from 'drizzle-orm'
import { lower } from '#drizzle/schema/columns.ts'
import { locations } from '#drizzle/schema/company.ts'
import { resourceBookings, resources } from '#drizzle/schema/resources.ts'
import { json } from '#lib/db/json.ts'
import { idsOf, type ListSpec } from '#lib/db/list.ts'
import { query } from '#lib/db/query.ts'
import type { Resource, ResourceAvailability } from './schema.ts'

/** How resources are listed. */
export const resourceList: Omit<ListSpec, 'table'> = {
  record: json<Resource>({
    id: resources.id,
    locationId: resources.locationId,
    name: resources.name,
    type: resources.type,
    description: resources.description,
    quantity: resources.quantity,
    active: resources.active,
    createdAt: resources.createdAt,
    updatedAt: resources.updatedAt,
  }),
  orders: { name: { by: lower(resources.name), type: 'text' } },
  filters: {
    locationId: given => sql`${resources.locationId} = ${given.locationId}::int`,
    type: given => sql`${resources.type} = ${given.type}`,
    active: given => sql`${resources.active} = ${given.active}::boolean`,
  },
  names: { locationId: idsOf(locations) },
  search: sql`(${resources.name} || ' ' || coalesce(${resources.description}, ''))`,
}

/**
 * The most of the joined `resources` row that is in use at any instant of `during`: a running sum
 * over its bookings' edges, where one that ends makes room for one that begins.
 */
export const peakUse = (during: SQL): SQL => sql`(
  select coalesce(max(used), 0)::int from (
    select sum(edge.delta) over (order by edge.at, edge.delta) as used
    from ${resourceBookings}, lateral (values
      (lower(${resourceBookings.during}), ${resourceBookings.quantity}),
      (upper(${resourceBookings.during}), -${resourceBookings.quantity})
    ) as edge(at, delta)
    where ${resourceBookings.accountId} = ${resources.accountId}
      and ${resourceBookings.resourceId} = ${resources.id}
      and ${resourceBookings.during} && ${during}
  ) as uses)`

interface Question {
  id: number
  from: Date
  to: Date
  quantity: number
}

/** How much of a resource is free throughout `[from, to)`; null when there is no such resource. */
export const resourceAvailability = query<Question, ResourceAvailability>(
  p => sql`select ${json<ResourceAvailability>({
    available: sql`${resources.active} and peak + ${p.quantity}::int <= ${resources.quantity}`,
    totalQuantity: resources.quantity,
    bookedQuantity: sql`peak`,
    availableQuantity: sql`case when ${resources.active}
      then greatest(${resources.quantity} - peak, 0) else 0 end`,
    requestedQuantity: sql`${p.quantity}::int`,
  })} from ${resources},
    lateral ${peakUse(sql`tstzrange(${p.from}::timestamptz, ${p.to}::timestamptz)`)} as used(peak)
    where ${resources.accountId} = ${p.account} and ${resources.id} = ${p.id}::int`,
)

/** Makes bookings of a resource wait. */
export const lockResource = query<{ id: number }, unknown>(
  p => sql`select 1 from ${resources}
    where ${resources.accountId} = ${p.account} and ${resources.id} = ${p.id}::int for update`,
)

/** Fails with `resources_in_use` when a resource is booked now or later. */
export const requireUnused = query<{ id: number; now: string }, unknown>(
  p => sql`select must(not exists (select from ${resourceBookings}
    where ${resourceBookings.accountId} = ${p.account}
      and ${resourceBookings.resourceId} = ${p.id}::int
      and ${resourceBookings.during} && tstzrange(${p.now}::timestamptz, null)), 'resources_in_use')`,
)

/** Fails with `resources_booked` when more than `quantity` is booked at any instant from now on. */
export const requireEnough = query<{ id: number; quantity: number; now: string }, unknown>(
  p => sql`select must(not exists (select from ${resources}
    where ${resources.accountId} = ${p.account} and ${resources.id} = ${p.id}::int
      and ${peakUse(sql`tstzrange(${p.now}::timestamptz, null)`)} > ${p.quantity}::int
    ), 'resources_booked')`,
)
