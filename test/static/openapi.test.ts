import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Hono } from 'hono'
import { expect, it } from 'vitest'
import { NOT_API, writeApiDocument } from '#dev/api-document.ts'
import { API_DOCUMENT } from '#dev/api-file.ts'
import { EVENT_TYPES } from '#lib/events/catalog.ts'
import type { JsonSchema } from '#lib/http/json-schema.ts'
import type { ApiDocument, ApiOperation } from '#lib/http/openapi-types.ts'
import { FUNCTIONS, type Route, readRoutes } from '../routes.ts'

const document = () => JSON.parse(readFileSync(API_DOCUMENT, 'utf8')) as ApiDocument
const isApi = ({ fn, method }: Route) => !NOT_API.has(fn) && method !== 'OPTIONS'
const operationOf = ({ method, path }: Route): ApiOperation | undefined =>
  document().paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]

it('the description of the API is as the route tables are; npm run openapi writes it', async () => {
  expect(readFileSync(API_DOCUMENT, 'utf8') === (await writeApiDocument())).toBe(true)
})

it('every endpoint is described once, under a name and an id of its own', async () => {
  const routes = (await readRoutes()).filter(isApi)
  expect(routes.filter(route => !operationOf(route)).map(route => route.name)).toEqual([])
  const all = Object.values(document().paths).flatMap(operations => Object.values(operations))
  expect(all).toHaveLength(routes.length)
  expect(new Set(all.map(o => o.operationId)).size).toBe(all.length)
  expect(new Set(all.map(o => o.summary)).size).toBe(all.length)
})

it('what makes a record is described with 201, everything else with 200', async () => {
  const wrong: string[] = []
  const seen = { created: 0, ok: 0, list: 0 }
  for (const { key, main, paths } of FUNCTIONS) {
    if (NOT_API.has(key) || paths.length === 0) continue
    const { default: app } = (await import(main)) as { default: Hono }
    for (const { method, path, handler } of app.routes) {
      const described = document().paths[path]?.[method.toLowerCase()]?.responses ?? {}
      // The handler of a route, not what guards it, makes the reply; a dry run makes no record.
      const replies = [...String(handler).matchAll(/\b(created|ok|list)\)?\(/g)].map(
        ([, name]) => name as keyof typeof seen,
      )
      const made = replies.includes('created') ? 'created' : replies[0]
      if (made) seen[made]++
      if (made && !((made === 'created' ? '201' : '200') in described))
        wrong.push(`${method} ${path}`)
    }
  }
  expect(wrong).toEqual([])
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5)
})

it('what is public is described without credentials, and nothing else', async () => {
  const wrong = (await readRoutes())
    .filter(isApi)
    .filter(route => (operationOf(route)?.security.length ?? 0) > 0 !== route.isForMembers)
  expect(wrong.map(route => route.name)).toEqual([])
})

it('every reference leads somewhere', () => {
  const text = readFileSync(API_DOCUMENT, 'utf8')
  const refs = [...new Set([...text.matchAll(/"\$ref": "#\/([^"]+)"/g)].map(([, ref]) => ref!))]
  const broken = refs.filter(ref => {
    let at: unknown = document()
    for (const step of ref.split('/')) at = (at as Record<string, unknown> | undefined)?.[step]
    return at === undefined
  })
  expect(refs.length).toBeGreaterThan(5)
  expect(broken).toEqual([])
})

it('every schema is one of JSON Schema 2020-12, and every success says what it answers', () => {
  const { paths, components } = document()
  const operations = Object.values(paths).flatMap(path => Object.values(path))
  const successes = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([status]) => /^2/.test(status))
      .map(([, response]) => ({ operationId, schema: schemaOf(response) })),
  )
  const ajv = new Ajv2020()
  const bodies = operations.flatMap(o => Object.values(o.requestBody?.content ?? {}))
  const all = [...Object.values(components.schemas), ...bodies.map(({ schema }) => schema)]
  const broken = [...all, ...successes.map(({ schema }) => schema)].filter(
    schema => !ajv.validateSchema(schema),
  )
  expect(broken).toEqual([])
  const mute = successes.filter(({ schema: { $ref, anyOf, type, properties } }) =>
    type === 'object' ? isMute(properties?.data) : !($ref ?? anyOf ?? type),
  )
  expect(mute.map(({ operationId }) => operationId)).toEqual([])
  expect(successes.length).toBeGreaterThan(operations.length)
})

const isMute = (data: JsonSchema | undefined): boolean =>
  data !== undefined && Object.keys(data).length === 0

const schemaOf = (response: object): JsonSchema =>
  (response as { content: Record<string, { schema: JsonSchema }> }).content['application/json']!
    .schema

it('every type of event is described', () => {
  expect(Object.keys(document().webhooks)).toEqual([...EVENT_TYPES])
})

it('instants are told by their format alone', () => {
  const text = readFileSync(API_DOCUMENT, 'utf8')
  expect(text).toContain('"format": "date-time"')
  expect(text).not.toMatch(/"format": "[^"]+",\s*"pattern"/)
})
