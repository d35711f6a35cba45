import type { Client, Reply } from './client.ts'
import type { Route } from './routes.ts'
import { idFields, type Sampling, sample } from './samples.ts'
import { ALSO } from './surface.ts'
import { kindOf, type World } from './world.ts'

const ownIds = (world: World, { path }: Route, fields: readonly string[]): Sampling['values'] => {
  const values: Record<string, unknown> = {}
  for (const field of fields) {
    const kind = kindOf(path, field)
    values[field] = kind ? asGiven(field, world.ids[kind]) : undefined
  }
  return values
}

/** Fields for many take a list. */
export const asGiven = (field: string, id: number) => (field.endsWith('Ids') ? [id] : id)

const LATER = { startTime: '2031-06-09T14:00:00Z', endTime: '2031-06-09T15:00:00Z' }

/** A request, ready to be sent. */
export interface Asked {
  method: string
  path: string
  body: object | undefined
}

/** A whole request whose ids are those of a world, but for the fields that `other` replaces. */
export function requestOf(route: Route, world: World, other: Record<string, unknown> = {}): Asked {
  const subdomain = `s-${crypto.randomUUID()}`
  const values: Record<string, unknown> = {
    ...ownIds(world, route, idFields(route.query)),
    ...ownIds(world, route, idFields(route.body)),
    // One of the world's own, so that nothing else stands against it.
    email: `${crypto.randomUUID()}@example.org`,
    sku: crypto.randomUUID(),
    subdomain,
    slug: subdomain,
    subscriberUrl: `http://127.0.0.1:9/${crypto.randomUUID()}`,
    name: `Sample ${crypto.randomUUID()}`,
    version: undefined,
    // Moved to a time that nothing else of the walk takes.
    ...(route.method === 'PUT' ? LATER : {}),
    ...other,
  }
  // One and many of a kind are two ways to say the same: only the one that is tried is said.
  if ('deliveryId' in values) values['webhookId' in other ? 'deliveryId' : 'webhookId'] = undefined
  for (const field of Object.keys(other)) {
    if (field.endsWith('Ids')) values[field.slice(0, -1)] = undefined
    else if (`${field}s` in values) values[`${field}s`] = undefined
  }
  if ('employeeId' in values && route.path.endsWith('/invite')) values.email = undefined
  const query = route.query ? sample(route.query, { values, also: ALSO[route.name] }) : {}
  for (const field of idFields(route.query)) if (field in other) query[field] = other[field]
  const search = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)]))
  return {
    method: route.method,
    path: `${route.path}${search.size > 0 ? `?${search}` : ''}`,
    body: route.body ? sample(route.body, { full: true, values }) : undefined,
  }
}

/** After everything else of the walk, or to be tried in this order. */
export const ORDER = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

/** Sends a request, from an address of its own. */
export const send = (by: Client, { method, path, body }: Asked): Promise<Reply> => {
  const headers = { 'x-test-client': `2001:db8:${crypto.randomUUID().slice(0, 4)}::1` }
  switch (method) {
    case 'GET':
      return by.get(path, headers)
    case 'DELETE':
      return by.del(path, headers)
    case 'POST':
      return by.post(path, body ?? {}, headers)
    case 'PUT':
      return by.put(path, body ?? {}, headers)
    default:
      return by.patch(path, body ?? {}, headers)
  }
}
