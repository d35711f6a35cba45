import type * as z from 'zod'
import { member } from './callers.ts'
import { type JsonSchema, jsonSchemaOf } from './json-schema.ts'
import { PAGINATION, successes, webhooks } from './openapi-answers.ts'
import { oauthParts } from './openapi-oauth.ts'
import { answer, ERROR, ERRORS, LIMITS, PARAMETERS, REPEATABLE, SCHEMES } from './openapi-parts.ts'
import type {
  ApiAnswer,
  ApiDocument,
  ApiOperation,
  ApiParameter,
  ApiShapes,
} from './openapi-types.ts'
import { type Named, summaryOf } from './openapi-words.ts'
import { SCHEMAS } from './validate.ts'

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

function describe(route: Route, answers: readonly ApiAnswer[]): ApiOperation {
  const { tag, method, path, query, body, bodyType, isForMembers } = route
  const schema = body && jsonSchemaOf(body)
  const types = bodyType === 'form' ? [FORM, 'application/json'] : ['application/json']
  const oauth = oauthParts(method, path)
  return {
    operationId: operationId(method, path),
    summary: summaryOf(nameOf(route, answers)),
    tags: [tag],
    security: isForMembers ? Object.keys(SCHEMES).map(name => ({ [name]: [] })) : [],
    parameters: [
      ...pathParameters(path),
      ...queryParameters(query),
      ...(mayRepeat(method) ? REPEATABLE : []),
    ],
    ...(schema
      ? {
          requestBody: {
            required: true,
            content: Object.fromEntries(types.map(type => [type, { schema }])),
          },
        }
      : {}),
    responses: { ...successes(answers), ...(oauth?.refusals ?? refusals(route)) },
    ...oauth?.request,
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

/** What an operation is called by. */
const nameOf = ({ method, path }: Route, answers: readonly ApiAnswer[]): Named => ({
  method,
  path,
  isList: answers.some(({ form }) => form === 'page'),
  findsOne: answers.some(({ form }) => form === 'data'),
  creates: answers.some(({ status }) => status === 201),
})

/** How public paths refuse somebody all the same. */
const REFUSING: Record<string, readonly number[]> = {
  // They want to be shown something: the signature of an event, the token of a link.
  '/api/webhooks/video': [401, 413],
  '/api/services/confirm-appointment': [401],
  // A booking with seats is its host's to move and to cancel.
  '/api/book/event': [403],
  '/api/cancel': [403],
}

function refusals({ method, query, body, path, isForMembers }: Route) {
  const namesSomething = queryParameters(query).some(({ name = '' }) => /^id$|Id$/.test(name))
  const codes = [
    query || body ? 400 : undefined,
    ...(isForMembers ? [401, 403] : (REFUSING[path] ?? [])),
    namesSomething || body || path.includes(':') ? 404 : undefined,
    method === 'GET' ? undefined : 409,
    body ? 413 : undefined,
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

const components = (schemas: Record<string, JsonSchema>) => ({
  securitySchemes: SCHEMES,
  headers: LIMITS,
  parameters: PARAMETERS,
  responses: errorResponses(),
  schemas: { ...schemas, Pagination: PAGINATION, Error: ERROR },
})

/**
 * Describes the endpoints of some route tables, in their order.
 * @param shapes what they answer, and what webhooks are sent
 */
export function describeApi(tables: readonly ApiTable[], shapes: ApiShapes): ApiDocument {
  const routes = tables.flatMap(routesOf)
  const paths: ApiDocument['paths'] = {}
  for (const route of routes) {
    const { method, path } = route
    const answers = shapes.answers[`${method} ${path}`]
    if (!answers) throw new Error(`Nothing tells what ${method} ${path} answers`)
    const at = path.replace(/:(\w+)(?:\{[^}]+\})?/g, '{$1}')
    paths[at] = { ...paths[at], [method.toLowerCase()]: describe(route, answers) }
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
    webhooks: webhooks(shapes.events),
    components: components(shapes.schemas),
  }
}
