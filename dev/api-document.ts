import { fileURLToPath } from 'node:url'
import type { Hono } from 'hono'
import { type ApiTable, describeApi } from '#lib/http/openapi.ts'
import { readShapes } from './api-shapes.ts'
import { type FunctionConfig, readWranglerConfig } from './workers.ts'

/** The functions that make pages. */
export const PAGES: ReadonlySet<string> = new Set(['web', 'storefront', 'settings', 'docs'])

/** Pages are no part of the API, and the tool server describes itself. */
export const NOT_API: ReadonlySet<string> = new Set([...PAGES, 'mcp'])

/** The description of the API as the route tables and types have it now, as the text of its file. */
export async function writeApiDocument(): Promise<string> {
  const { functions } = readWranglerConfig(
    fileURLToPath(new URL('../wrangler.toml', import.meta.url)),
  )
  const described = functions.filter(({ key, paths }) => paths.length > 0 && !NOT_API.has(key))
  const tables = await Promise.all(described.map(readTable))
  const shapes = readShapes(described.map(({ main }) => main))
  return `${JSON.stringify(describeApi(tables, shapes), null, 1)}\n`
}

async function readTable({ key, main }: FunctionConfig): Promise<ApiTable> {
  const { default: app } = (await import(main)) as { default: Hono }
  return { name: key, routes: app.routes }
}
