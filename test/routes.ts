import path from 'node:path'
import type { Hono } from 'hono'
import type * as z from 'zod'
import { readWranglerConfig } from '#dev/workers.ts'
import { member } from '#lib/http/callers.ts'
import { SCHEMAS } from '#lib/http/validate.ts'
import { ROOT } from './source.ts'

/** One line of a function's route table. */
export interface Route {
  /** `POST /api/services/services`, as tests name it. */
  name: string
  /** The function's key in wrangler.toml. */
  fn: string
  method: string
  path: string
  query: z.ZodType | undefined
  body: z.ZodType | undefined
  /** Needs a user of an account. */
  isForMembers: boolean
}

/** The functions of wrangler.toml: their path patterns, with the pattern of the rest last. */
export const FUNCTIONS = readWranglerConfig(path.join(ROOT, 'wrangler.toml')).functions

/** Every route of every function, read off the route tables. */
export async function readRoutes(): Promise<Route[]> {
  const tables = await Promise.all(
    FUNCTIONS.filter(({ paths }) => paths.length > 0).map(async ({ key, main }) => {
      const { default: app } = (await import(main)) as { default: Hono }
      return routesOf(key, app)
    }),
  )
  return tables.flat()
}

function routesOf(fn: string, app: Hono): Route[] {
  const found = new Map<string, Route>()
  for (const { method, path: at, handler } of app.routes) {
    if (method === 'ALL') continue
    const name = `${method} ${at}`
    const route = found.get(name) ?? {
      name,
      fn,
      method,
      path: at,
      query: undefined,
      body: undefined,
      isForMembers: false,
    }
    const known = SCHEMAS.get(handler)
    if (known?.in === 'query') route.query = known.schema
    else if (known) route.body = known.schema
    if ((handler as unknown) === member) route.isForMembers = true
    found.set(name, route)
  }
  return [...found.values()]
}
