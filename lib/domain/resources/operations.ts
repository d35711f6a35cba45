import { locations } from '#drizzle/schema/company.ts'
import { resources } from '#drizzle/schema/resources.ts'
import { type Member, requirePermission } from '#lib/core/context.ts'
import { crud } from '#lib/core/crud.ts'
import { existing, type Json } from '#lib/core/json.ts'
import { requireLive } from '#lib/db/links.ts'
import {
  lockResource,
  requireEnough,
  requireUnused,
  resourceAvailability,
  resourceList,
} from './queries.ts'
import {
  NewResource,
  type Resource,
  type ResourceAvailability,
  ResourceFilter,
  type ResourceQuestion,
} from './schema.ts'

const at = (m: Member): string => m.now.toISOString()

/** Rooms, stations and equipment that appointments share. */
export const resource = crud<Resource>()({
  noun: 'resource',
  label: 'Resource',
  table: resources,
  New: NewResource,
  Filter: ResourceFilter,
  list: resourceList,
  read: 'resources.read',
  write: 'resources.write',
  before: (write, id, input, m) => {
    const { locationId, quantity } = input as Partial<Resource>
    if (locationId !== undefined) requireLive(write, locations, [locationId])
    if (id !== undefined && quantity !== undefined)
      write.run(lockResource, { id }).run(requireEnough, { id, quantity, now: at(m) })
  },
  beforeRemove: (write, id, m) =>
    write.run(lockResource, { id }).run(requireUnused, { id, now: at(m) }),
})

/**
 * How much of a resource is free throughout a time.
 * @throws NOT_FOUND when the account has no such resource
 */
export async function checkResource(
  m: Member,
  { resourceId: id, startTime: from, endTime: to, quantity = 1 }: ResourceQuestion,
): Promise<Json<ResourceAvailability>> {
  requirePermission(m, 'resources.read')
  return existing(await m.tenant.text(resourceAvailability, { id, from, to, quantity }), 'Resource')
}
