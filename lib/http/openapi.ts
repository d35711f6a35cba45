import type * as z from 'zod'
import { member } from './callers.ts'
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts'
import { oauthParts } from './openapi-oauth.ts'
import { ERRORS, HEADERS, IDEMPOTENCY_KEY, SCHEMES } from './openapi-parts.ts'
import { creates, type Named, summaryOf } from './openapi-words.ts'
import { SCHEMAS } from './validate.ts'

/** A parameter of an operation, or where one that many share is found. */
export interface ApiParameter {
  $ref?: string
  name?: string
  in?: 'query' | 'path' | 'header'
  required?: boolean
  description?: string
  schema?: JsonSchema
}

/** An endpoint as OpenAPI describes it. */
export interface ApiOperation {
  operationId: string
  summary: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters: ApiParameter[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, object>
}

/** The description of the API, OpenAPI 3.1. Operations are keyed by method in lower case. */
export interface ApiDocument {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, ApiOperation>>
  components: object
}

/** One function's route table. */
export interface ApiTable {
  name: string
  routes: readonly { method: string; path: string; handler: object }[]
}

interface Route {
  tag: string
  method: string
  path: string
  query?: z.ZodType
  body?: z.ZodType
  bodyType?: 'json' | 'form'
  isForMembers: boolean
}

/** The routes of a table with what guards them; what browsers ask before they send is left out. */
function routesOf({ name, routes }: ApiTable): Route[] {
  const found = new Map<string, Route>()
  for (const { method, path, handler } of routes) {
    if (method === 'ALL' || method === 'OPTIONS') continue
    const key = `${method} ${path}`
    const route = found.get(key) ?? { tag: name, method, path, isForMembers: false }
    const known = SCHEMAS.get(handler)
    if (known?.in === 'query') route.query = known.schema
    else if (known) Object.assign(route, { body: known.schema, bodyType: known.in })
    if (handler === member) route.isForMembers = true
    found.set(key, route)
  }
  return [...found.values()]
}

const pathParameters = (path: string): ApiParameter[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

function queryParameters(query: z.ZodType | undefined): ApiParameter[] {
  if (!query) return []
  const { properties = {}, required = [] } = jsonSchemaOf(query)
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema,
  }))
}

const FORM = 'application/x-www-form-urlencoded'

/** Whether a request of this method heeds an `Idempotency-Key`. */
const mayRepeat = (method: string): boolean => /^(?:POST|PUT|PATCH)$/.test(method)

function describe(route: Route, named: Named): ApiOperation {
  const { tag, method, path, query, body, bodyType, isForMembers } = route
  const schema = body && jsonSchemaOf(body)
  const types = bodyType === 'form' ? [FORM, 'application/json'] : ['application/json']
  return {
    operationId: operationId(method, path),
    summary: summaryOf(named),
    tags: [tag],
    security: isForMembers ? Object.keys(SCHEMES).map(name => ({ [name]: [] })) : [],
    parameters: [
      ...pathParameters(path),
      ...queryParameters(query),
      ...(mayRepeat(method) ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ],
    ...(schema
      ? {
          requestBody: {
            required: true,
            content: Object.fromEntries(types.map(type => [type, { schema }])),
          },
        }
      : {}),
    responses: { ...(successOf(`${method} ${path}`) ?? success(named)), ...refusals(route) },
    ...oauthParts(method, path),
  }
}

/** `postServicesAppointments` */
const operationId = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .replace(/^\/api/, '')
    .split(/[^A-Za-z0-9]+/)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

const answer = (description: string, schema: JsonSchema) => ({
  description,
  headers: HEADERS,
  content: { 'application/json': { schema } },
})

const ONE = { $ref: '#/components/schemas/Success' }
const MANY = { $ref: '#/components/schemas/List' }

const A_RECORD = answer('What was made', { type: 'object' })
const A_TRIAL = answer('What would be made (`_isDryRun`)', ONE)

/** The successes that neither the method nor the path of an operation tells. */
function successOf(operation: string): Record<string, object> | undefined {
  switch (operation) {
    case 'POST /api/book/event':
      return { 200: A_TRIAL, 201: A_RECORD }
    case 'POST /api/book/recurring-event':
      return {
        200: A_TRIAL,
        201: answer('What was made, date by date', { type: 'array', items: { type: 'object' } }),
      }
    case 'GET /api/auth/oauth/me':
      return { 200: answer('The user', objectOf({ username: { type: 'string' } })) }
    default:
      return undefined
  }
}

/** A record by itself where one was made, else the envelope; a list has its pagination beside. */
function success(named: Named): Record<string, object> {
  if (creates(named)) return { 201: answer('What was made', { type: 'object' }) }
  if (!named.isList) return { 200: answer('Done', ONE) }
  return { 200: answer('A page of the list', named.findsOne ? { anyOf: [MANY, ONE] } : MANY) }
}

/** Public paths that want to be shown something: the signature of an event, the token of a link. */
const PROVEN = new Set(['/api/webhooks/video', '/api/services/confirm-appointment'])

function refusals({ method, query, body, path, isForMembers }: Route) {
  const namesSomething = queryParameters(query).some(({ name = '' }) => /^id$|Id$/.test(name))
  const codes = [
    query || body ? 400 : undefined,
    ...(isForMembers ? [401, 403] : PROVEN.has(path) ? [401] : []),
    namesSomething || body || path.includes(':') ? 404 : undefined,
    method === 'GET' ? undefined : 409,
    // Without a body the key of a request may still be another's.
    body || mayRepeat(method) ? 422 : undefined,
    429,
    500,
  ]
  return Object.fromEntries(
    codes.flatMap(code =>
      code ? [[code, { $ref: `#/components/responses/${ERRORS[code]?.name}` }]] : [],
    ),
  )
}

const errorResponses = () =>
  Object.fromEntries(
    Object.values(ERRORS).map(({ name, description }) => [
      name,
      answer(description, { $ref: '#/components/schemas/Error' }),
    ]),
  )

const components = () => ({
  securitySchemes: SCHEMES,
  parameters: { IdempotencyKey: IDEMPOTENCY_KEY },
  responses: errorResponses(),
  schemas: {
    Success: objectOf({ status: { const: 'success' }, data: {} }),
    List: objectOf({
      status: { const: 'success' },
      data: { type: 'array', items: { type: 'object' } },
      pagination: objectOf({
        limit: { type: 'integer' },
        nextCursor: { type: ['string', 'null'] },
      }),
    }),
    Error: {
      ...objectOf({
        status: { const: 'error' },
        error: { enum: [...new Set(Object.values(ERRORS).map(({ code }) => code))] },
        message: { type: 'string' },
      }),
      description: '`details` names the faults of a request by field.',
    },
  },
})

const objectOf = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
})

/** Describes the endpoints of some route tables, in their order. */
export function describeApi(tables: readonly ApiTable[]): ApiDocument {
  const routes = tables.flatMap(routesOf)
  const lists = new Set(routes.filter(isList).map(({ path }) => path))
  const paths: ApiDocument['paths'] = {}
  for (const route of routes) {
    const { method, path } = route
    const properties = queryParameters(route.query)
    const named: Named = {
      method,
      path,
      isList: isList(route),
      findsOne: properties.some(({ name, required }) => name === 'id' && !required),
      isCollection: lists.has(path),
    }
    const at = path.replace(/:(\w+)(?:\{[^}]+\})?/g, '{$1}')
    paths[at] = { ...paths[at], [method.toLowerCase()]: describe(route, named) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Almanac',
      version: '0.1.0',
      description: 'Scheduling and business management.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map(name => ({ name })),
    paths,
    components: components(),
  }
}

const isList = ({ method, query }: Route): boolean =>
  method === 'GET' && queryParameters(query).some(({ name }) => name === 'limit')
