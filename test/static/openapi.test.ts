import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Hono } from 'hono'
import { expect, it } from 'vitest'
import { NOT_API, writeApiDocument } from '#dev/api-document.ts'
import { API_DOCUMENT } from '#dev/api-file.ts'
import { sampleOf } from '#lib/domain/webhooks/sample.ts'
import { EVENT_TYPES } from '#lib/events/catalog.ts'
import type { JsonSchema } from '#lib/http/json-schema.ts'
import type { ApiDocument, ApiOperation } from '#lib/http/openapi-types.ts'
import { undescribedEvent } from '../described.ts'
import { OPENAPI_3_1 } from '../openapi-schema.ts'
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

it('the document is one of OpenAPI 3.1, and each schema of it one of JSON Schema 2020-12', () => {
  const check = new Ajv2020({ strict: false }).compile(OPENAPI_3_1)
  expect([check(document()), check.errors]).toEqual([true, null])
})

it('paths have the parameters that they name, and operations schemes and tags that there are', () => {
  const { paths, tags, components } = document()
  const wrong: string[] = []
  for (const [path, operations] of Object.entries(paths))
    for (const { operationId, parameters, security, tags: own } of Object.values(operations)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `path ${name}`)
      const given = parameters.map(({ $ref, in: place, name }) => $ref ?? `${place} ${name}`)
      const isTwice = new Set(given).size < given.length
      const inPath = given.filter(parameter => parameter.startsWith('path '))
      const schemes = security.flatMap(Object.keys)
      if (isTwice || inPath.join() !== named.join()) wrong.push(`${operationId} ${given}`)
      if (!schemes.every(name => name in components.securitySchemes)) wrong.push(operationId)
      if (!own.every(tag => tags.some(({ name }) => name === tag))) wrong.push(operationId)
    }
  expect(wrong).toEqual([])
})

it('every component is referred to', () => {
  const text = readFileSync(API_DOCUMENT, 'utf8')
  const { securitySchemes: _, ...components } = document().components
  const idle = Object.entries(components).flatMap(([kind, all]) =>
    Object.keys(all)
      .map(name => `#/components/${kind}/${name}`)
      .filter(place => !text.includes(`"$ref": "${place}"`)),
  )
  expect(idle).toEqual([])
})

it('every success says what it answers', () => {
  const operations = Object.values(document().paths).flatMap(path => Object.values(path))
  const successes = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([, { content }]) => ({ operationId, ...content!['application/json']! })),
  )
  const mute = successes.filter(({ schema: { $ref, anyOf, type, properties } }) =>
    type === 'object' ? isMute(properties?.data) : !($ref ?? anyOf ?? type),
  )
  expect(mute.map(({ operationId }) => operationId)).toEqual([])
  expect(successes.length).toBeGreaterThan(operations.length)
})

const isMute = (data: JsonSchema | undefined): boolean =>
  data !== undefined && Object.keys(data).length === 0

it('every type of event is described, and samples of them are as described', () => {
  expect(Object.keys(document().webhooks)).toEqual([...EVENT_TYPES])
  const samples = EVENT_TYPES.map(type => sampleOf([type], new Date()))
  expect(samples.map(undescribedEvent).filter(Boolean)).toEqual([])
})

it('instants are told by their format alone', () => {
  const text = readFileSync(API_DOCUMENT, 'utf8')
  expect(text).toContain('"format": "date-time"')
  expect(text).not.toMatch(/"format": "[^"]+",\s*"pattern"/)
})
