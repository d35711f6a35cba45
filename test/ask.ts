import type { Permission } from '#lib/core/permissions.ts'
import type { Client, Reply } from './client.ts'
import type { Route } from './routes.ts'
import { idFields, sample } from './samples.ts'
import { ALSO, NEEDS } from './surface.ts'

const NOBODYS = 2_147_483_647

/**
 * Sends a request that passes every schema and names records that do not exist, but for what `known`
 * names.
 */
export function ask(
  by: Client,
  { name, method, path, query, body }: Route,
  known: Record<string, unknown>,
): Promise<Reply> {
  const nobodys = (fields: string[]) => Object.fromEntries(fields.map(f => [f, NOBODYS]))
  const values = {
    ...nobodys(idFields(query)),
    ...known,
    email: `${crypto.randomUUID()}@example.org`,
    name: `Sample ${crypto.randomUUID()}`,
  }
  const given = query ? sample(query, { values, also: ALSO[name] }) : {}
  const search = new URLSearchParams(Object.entries(given).map(([k, v]) => [k, String(v)]))
  const url = `${path}?${search}`
  const sent = body && sample(body, { values, also: ALSO[name] })
  if (method === 'GET') return by.get(url)
  if (method === 'DELETE') return by.del(url)
  if (method === 'POST') return by.post(url, sent)
  return method === 'PUT' ? by.put(url, sent) : by.patch(url, sent)
}

/** The permission that a route takes, `own` where everybody has their own records. */
export const needOf = ({ method, path }: Route): Permission | 'own' | undefined =>
  NEEDS[path]?.[method === 'GET' ? 'read' : 'write']
