import type { Permission } from '#lib/core/permissions.ts'
import type { Client, Reply } from './client.ts'
import type { Route } from './routes.ts'
import { idFields, sample } from './samples.ts'
import { ALSO, NEEDS } from './surface.ts'

const NOBODYS = 2_147_483_647

/** A request, ready to be sent. A body that is a string travels as it is. */
export interface Asked {
  method: string
  path: string
  query: Record<string, string>
  body: unknown
  /** The content type, where it is not the body's own. */
  type?: string
}

/** A request that passes every schema and names records that do not exist, but for what `known` names. */
export function askedOf(
  { name, method, path, query, body }: Route,
  known: Record<string, unknown>,
): Asked {
  const nobodys = (fields: string[]) => Object.fromEntries(fields.map(f => [f, NOBODYS]))
  const values = {
    ...nobodys(idFields(query)),
    ...known,
    email: `${crypto.randomUUID()}@example.org`,
    name: `Sample ${crypto.randomUUID()}`,
  }
  const given = query ? sample(query, { values, also: ALSO[name] }) : {}
  return {
    method,
    path,
    query: Object.fromEntries(Object.entries(given).map(([k, v]) => [k, String(v)])),
    body: body && sample(body, { values, also: ALSO[name] }),
  }
}

/** Sends it. */
export function sendAsked(by: Client, { method, path, query, body, type }: Asked): Promise<Reply> {
  const url = `${path}?${new URLSearchParams(query)}`
  const headers: Record<string, string> = type ? { 'content-type': type } : {}
  if (method === 'GET') return by.get(url)
  if (method === 'DELETE') return by.del(url)
  if (method === 'POST') return by.post(url, body, headers)
  return method === 'PUT' ? by.put(url, body, headers) : by.patch(url, body, headers)
}

/** Makes such a request and sends it. */
export const ask = (by: Client, route: Route, known: Record<string, unknown>): Promise<Reply> =>
  sendAsked(by, askedOf(route, known))

/** The permission that a route takes, `own` where everybody has their own records. */
export const needOf = ({ method, path }: Route): Permission | 'own' | undefined =>
  NEEDS[path]?.[method === 'GET' ? 'read' : 'write']
