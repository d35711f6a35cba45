import { Json } from '#lib/core/json.ts'
import type { JsonSchema } from '#lib/http/json-schema.ts'
import type { ApiDocument, ApiOperation } from '#lib/http/openapi-types.ts'

let text: string | undefined
let api: ApiDocument | undefined

/** The description of the API (OpenAPI 3.1) as JSON; `npm run openapi` makes it. */
export async function apiText(): Promise<string> {
  // It is large, and of no use to the other pages: made when it is first asked for.
  text ??= JSON.stringify((await import('./openapi.json', { with: { type: 'json' } })).default)
  return text
}

/** The description of the API, to be read: what is imported has a type of its own, which is none of ours. */
export async function readApi(): Promise<ApiDocument> {
  api ??= new Json<ApiDocument>(await apiText()).read()
  return api
}

/** An endpoint as the page of the API shows it. */
export interface Endpoint {
  /** What links to it name: `get-services-services`. */
  id: string
  method: string
  path: string
  operation: ApiOperation
}

/** The endpoints under the name of each group. */
export function groupsOf(api: ApiDocument): [name: string, Endpoint[]][] {
  const all = Object.entries(api.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      id: `${method}${path.replace(/^\/api/, '').replace(/[^a-z0-9]+/gi, '-')}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  return api.tags.map(({ name }) => [name, all.filter(e => e.operation.tags.includes(name))])
}

/** What a reference leads to: `Service`. */
const nameOf = (schema: JsonSchema): string | undefined =>
  typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined

/** What an operation answers when it succeeds. */
export interface Success {
  status: string
  /** `list of Service` */
  type: string
  /** The record that it is, or that it lists. */
  record: string | undefined
}

/** The record by itself, out of what is around it. */
const bareOf = (schema: JsonSchema): JsonSchema => schema.properties?.data ?? schema

/** The successes of an operation. */
export function successesOf({ responses }: ApiOperation): Success[] {
  const all = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return all.flatMap(([status, { content }]) => {
    const schema = content?.['application/json']?.schema ?? {}
    return (schema.anyOf ?? [schema]).map(bareOf).map(answered => ({
      status,
      type: typeOf(answered),
      record: nameOf(answered.items ?? answered),
    }))
  })
}

/** The records of the answers and events, in the order of their names. */
export const recordsOf = (api: ApiDocument): [name: string, schema: JsonSchema][] =>
  Object.entries(api.components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))

/** What is sent to webhooks: the type of the event, what it says, and its payload. */
export const eventsOf = (api: ApiDocument): [type: string, summary: string, payload: string][] =>
  Object.entries(api.webhooks).map(([type, { post }]) => {
    const [body] = Object.values(post.requestBody?.content ?? {})
    return [type, post.summary, typeOf(body?.schema.properties?.payload ?? {})]
  })

/** A field of a body, by its dotted path; `[]` stands for each item of a list. */
export interface FieldLine {
  name: string
  type: string
  required: boolean
  description: string
}

const DEPTH = 3

/** The schemas that a value may fit, without null. */
const variantsOf = (schema: JsonSchema): readonly JsonSchema[] =>
  (schema.anyOf ?? schema.oneOf ?? [schema]).filter(({ type }) => type !== 'null')

/** What a value may be, in words: `integer`, `string (date-time)`, `"a" or "b"`, `list of …`. */
export function typeOf(schema: JsonSchema): string {
  const name = nameOf(schema)
  if (name) return name
  const parts = (schema.anyOf ?? schema.oneOf)?.map(typeOf)
  if (parts) return [...new Set(parts)].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' or ')
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`
  const type = [schema.type ?? 'anything'].flat().join(' or ')
  return schema.format ? `${type} (${schema.format})` : type
}

/** The fields of a schema, those within objects and lists below their own. */
export function fieldsOf(schema: JsonSchema, prefix = '', depth = 0): FieldLine[] {
  if (depth === DEPTH) return []
  const lines = variantsOf(schema).flatMap(variant =>
    variant.type === 'array' && variant.items
      ? fieldsOf(variant.items, `${prefix}[].`.replace('.[]', '[]'), depth)
      : linesOf(variant, prefix, depth),
  )
  return [...new Map(lines.map(line => [line.name, line])).values()]
}

/** What is said of a field or record, without the marks around names. */
export const plain = (description = ''): string => description.replaceAll('`', '')

const linesOf = (schema: JsonSchema, prefix: string, depth: number): FieldLine[] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const name = `${prefix}${key}`
    const required = schema.required?.includes(key) ?? false
    const description = plain(inner.description)
    const line = { name, type: typeOf(inner), required, description }
    return [line, ...fieldsOf(inner, `${name}.`, depth + 1)]
  })

const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-03-09T14:00:00Z',
  date: '2026-03-09',
  email: 'ann@example.com',
  uri: 'https://example.com',
}

/** A value that fits a schema, with what is required of objects. */
function exampleOf(schema: JsonSchema): unknown {
  const [variant = schema] = variantsOf(schema)
  if (variant !== schema) return exampleOf(variant)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'integer' || schema.type === 'number') return 1
  if (schema.type === 'boolean') return true
  if (schema.type === 'array') return schema.items ? [exampleOf(schema.items)] : []
  if (schema.type !== 'object') return BY_FORMAT[schema.format ?? ''] ?? '…'
  const { properties = {}, required = [] } = schema
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, inner]) => [name, exampleOf(inner)]),
  )
}

/** The fields that a form requires, with values that fit. */
const formOf = ({ properties = {}, required = [] }: JsonSchema): string =>
  required.map(name => `${name}=${exampleOf(properties[name] ?? {})}`).join('&')

/** A call of an endpoint by curl. */
export function curlOf({ method, path, operation }: Endpoint, base: string): string {
  const { parameters, requestBody, security } = operation
  const needed = parameters.filter(p => p.in === 'query' && p.required)
  const query = needed.map(p => `${p.name}=${exampleOf(p.schema ?? {})}`).join('&')
  const schema = requestBody?.content['application/json']?.schema
  const form = requestBody?.content['application/x-www-form-urlencoded']?.schema
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${base}${path}${query ? `?${query}` : ''}'`,
    security.length > 0 ? `-H "cal-api-key: $API_KEY"` : '',
    schema ? `-H 'content-type: application/json'` : '',
    schema ? `-d '${JSON.stringify(exampleOf(schema))}'` : '',
    form && !schema ? `-d '${formOf(form)}'` : '',
  ]
  return parts.filter(Boolean).join(' \\\n  ')
}
