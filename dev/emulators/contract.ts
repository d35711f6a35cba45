import { readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type FormData, parseForm } from './form.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

/** A request as the provider would see it. Header names in lower case. */
export interface SentRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

/** An operation of the contract that a request is for, with the values of its path's parameters. */
export interface MatchedOperation {
  operationId: string | undefined
  path: string
  values: Record<string, string>
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  explode?: boolean
  schema?: JsonObject
}

interface Operation {
  path: string
  method: string
  pattern: RegExp
  names: string[]
  definition: JsonObject
  parameters: { value: Parameter; pointer: string }[]
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const OPTIONS = { strict: false, allErrors: true, validateSchema: false, logger: false } as const

/** Formats of the providers' schemas that ajv-formats does not have; true means not looked at. */
const FORMATS: Record<string, RegExp | true> = {
  'unix-time': /^\d+$/,
  unixtime: true,
  decimal: /^-?\d+(\.\d+)?$/,
  'date-time-rfc-2822': true,
  'phone-number': true,
  currency: true,
}

/**
 * A provider's contract: an OpenAPI 3.1 document, cut to what is used, against which requests and
 * answers are held. Two keys go beyond OpenAPI: `x-query-schema` (one schema for the whole query)
 * and `x-webhook-bodies` (schemas by event type).
 */
export class Contract {
  readonly title: string
  private readonly document: JsonObject
  private readonly json = createAjv(false)
  /** Forms and queries carry text only: "5" passes as an integer, one value as an array. */
  private readonly text = createAjv(true)
  private readonly operations: Operation[]
  private readonly compiled = new Map<string, ValidateFunction>()

  constructor(document: unknown) {
    this.document = document as JsonObject
    this.title = String(at(this.document, '/info/title'))
    for (const ajv of [this.json, this.text])
      ajv.addSchema({ $id: 'contract:document', ...this.document })
    this.operations = listOperations(this.document)
  }

  /** Reads a contract from a JSON file. */
  static read(file: URL): Contract {
    return new Contract(JSON.parse(readFileSync(file, 'utf8')))
  }

  /** The hosts at which the provider answers. */
  get hosts(): string[] {
    const servers = (this.document.servers ?? []) as { url: string }[]
    return servers.map(server => new URL(server.url).hostname)
  }

  /** The operation that a request is for. */
  match(method: string, url: string): MatchedOperation | undefined {
    const found = this.find(method, url)
    if (!found) return undefined
    const { operation, values } = found
    const operationId = operation.definition.operationId
    return { path: operation.path, operationId: operationId as string | undefined, values }
  }

  /** What is wrong with a request, one sentence each; empty when nothing is. */
  checkRequest(request: SentRequest): string[] {
    const operation = this.find(request.method, request.url)?.operation
    if (!operation) return [`no operation ${request.method} ${pathOf(request.url)}`]
    return [
      ...this.checkQuery(operation, parseForm(new URL(request.url).search.slice(1))),
      ...checkHeaders(operation, request.headers),
      ...this.checkBody(operation, request),
    ]
  }

  /** What is wrong with an answer to a request. */
  checkResponse(method: string, url: string, status: number, body: string): string[] {
    const operation = this.find(method, url)?.operation
    if (!operation) return [`no operation ${method} ${pathOf(url)}`]
    const responses = operation.definition.responses as JsonObject
    const range = `${String(status)[0]}XX`
    const key = [String(status), range, 'default'].find(name => responses[name] !== undefined)
    if (!key || (key === 'default' && status < 400)) return [`status ${status} is not declared`]
    const pointer = this.resolve(`${pointerOf(operation)}/responses/${key}`)
    const content = at(this.document, `${pointer}/content`)
    if (!isObject(content)) return []
    const type = Object.keys(content).find(name => name.includes('json'))
    if (!type || !isObject(content[type]) || content[type].schema === undefined) return []
    const data = parseJson(body)
    if (data === undefined) return ['response is not JSON']
    return this.check(
      this.json,
      `${pointer}/content/${escapeSegment(type)}/schema`,
      data,
      'response',
    )
  }

  /** What is wrong with the body of a webhook of this type. */
  checkWebhook(type: string, payload: unknown): string[] {
    const pointer = `/x-webhook-bodies/${escapeSegment(type)}`
    if (at(this.document, pointer) === undefined) return [`no webhook ${type}`]
    return this.check(this.json, pointer, payload, 'webhook')
  }

  private find(method: string, url: string) {
    const path = pathOf(url)
    for (const operation of this.operations) {
      if (operation.method !== method.toLowerCase()) continue
      const match = operation.pattern.exec(path)
      if (!match) continue
      const entries = operation.names.map((name, index) => [
        name,
        decodeURIComponent(match[index + 1] ?? ''),
      ])
      return { operation, values: Object.fromEntries(entries) as Record<string, string> }
    }
    return undefined
  }

  private checkQuery(operation: Operation, query: FormData): string[] {
    if (operation.definition['x-query-schema'])
      return this.check(this.text, `${pointerOf(operation)}/x-query-schema`, query, 'query')
    const parameters = operation.parameters.filter(({ value }) => value.in === 'query')
    const known = new Set(parameters.map(({ value }) => plainName(value)))
    const unknown = Object.keys(query).filter(name => !known.has(name))
    return [
      ...unknown.map(name => `query has an unknown parameter ${name}`),
      ...parameters.flatMap(({ value, pointer }) => {
        const name = plainName(value)
        const given = query[name]
        if (given === undefined) return value.required ? [`query lacks ${name}`] : []
        if (!value.schema) return []
        const joined = value.explode === false && typeof given === 'string'
        const data = joined && value.schema.type === 'array' ? given.split(',') : given
        return this.check(this.text, `${pointer}/schema`, data, `query.${name}`)
      }),
    ]
  }

  private checkBody(operation: Operation, request: SentRequest): string[] {
    const definition = this.resolve(`${pointerOf(operation)}/requestBody`)
    const content = at(this.document, `${definition}/content`)
    if (!isObject(content))
      return request.body && request.body !== '{}' ? ['a body is not expected'] : []
    if (!request.body)
      return at(this.document, `${definition}/required`) === true ? ['body is missing'] : []
    const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? ''
    if (!isObject(content[type]))
      return [`content-type ${type || '(none)'} is not one of ${Object.keys(content).join(', ')}`]
    if (type.startsWith('multipart/')) return []
    const pointer = `${definition}/content/${escapeSegment(type)}/schema`
    if (type === 'application/x-www-form-urlencoded')
      return this.check(this.text, pointer, parseForm(request.body), 'body')
    const data = parseJson(request.body)
    return data === undefined ? ['body is not JSON'] : this.check(this.json, pointer, data, 'body')
  }

  private check(ajv: Ajv2020, pointer: string, data: unknown, where: string): string[] {
    const key = `${ajv === this.text ? 'text' : 'json'}${pointer}`
    let validate = this.compiled.get(key)
    if (!validate) {
      // Coercion can only replace what lies in something, hence the wrapping object.
      const target = { $ref: `contract:document#${encodeURI(pointer)}` }
      validate = ajv.compile({ type: 'object', properties: { value: target } })
      this.compiled.set(key, validate)
    }
    return validate({ value: data }) ? [] : (validate.errors ?? []).map(e => describe(e, where))
  }

  /** Where a pointer leads when what lies there is a reference. */
  private resolve(pointer: string): string {
    const value = at(this.document, pointer)
    return isObject(value) && typeof value.$ref === 'string' ? value.$ref.slice(1) : pointer
  }
}

function createAjv(coerce: boolean): Ajv2020 {
  const ajv = new Ajv2020({ ...OPTIONS, ...(coerce ? { coerceTypes: 'array' } : {}) })
  addFormats.default(ajv)
  for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format)
  return ajv
}

/** Those with the fewest parameters first, so that `/a/b` wins over `/a/{id}`. */
function listOperations(document: JsonObject): Operation[] {
  const operations: Operation[] = []
  for (const [path, item] of Object.entries(document.paths as Record<string, JsonObject>)) {
    for (const method of METHODS) {
      const definition = item[method]
      if (isObject(definition)) operations.push(describeOperation(document, path, method))
    }
  }
  return operations.sort((a, b) => a.names.length - b.names.length || b.path.length - a.path.length)
}

function describeOperation(document: JsonObject, path: string, method: string): Operation {
  const names: string[] = []
  const source = path.replace(/[.*+?^$()|\\]/g, '\\$&').replace(/\{(\w+)\}/g, (_, name: string) => {
    names.push(name)
    return '([^/]+)'
  })
  const base = `/paths/${escapeSegment(path)}`
  const parameters = [base, `${base}/${method}`].flatMap(owner => {
    const list = at(document, `${owner}/parameters`)
    return (Array.isArray(list) ? list : []).map((entry, index) => {
      const reference = isObject(entry) && typeof entry.$ref === 'string' ? entry.$ref.slice(1) : ''
      const pointer = reference || `${owner}/parameters/${index}`
      return { value: at(document, pointer) as unknown as Parameter, pointer }
    })
  })
  const definition = at(document, `${base}/${method}`) as JsonObject
  return { path, method, names, definition, parameters, pattern: new RegExp(`^${source}/?$`) }
}

function checkHeaders(operation: Operation, headers: Record<string, string>): string[] {
  return operation.parameters
    .filter(({ value }) => value.in === 'header' && value.required)
    .filter(({ value }) => headers[value.name.toLowerCase()] === undefined)
    .map(({ value }) => `header ${value.name} is missing`)
}

function describe(error: ErrorObject, where: string): string {
  const { additionalProperty, allowedValues } = error.params as Record<string, unknown>
  const detail = additionalProperty ?? (allowedValues && JSON.stringify(allowedValues))
  const path = error.instancePath.replace(/^\/value/, '').replaceAll('/', '.')
  return `${where}${path} ${error.message}${detail ? `: ${String(detail).slice(0, 160)}` : ''}`
}

/** `tags[]` and `tags` are one parameter. */
function plainName(parameter: Parameter): string {
  return parameter.name.replace(/\[\]$/, '')
}

function pointerOf(operation: Operation): string {
  return `/paths/${escapeSegment(operation.path)}/${operation.method}`
}

/** The value a JSON pointer names. */
function at(document: Json | undefined, pointer: string): Json | undefined {
  let value: Json | undefined = document
  for (const segment of pointer.split('/').slice(1)) {
    if (value === null || typeof value !== 'object') return undefined
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    value = Array.isArray(value) ? value[Number(name)] : value[name]
  }
  return value
}

function escapeSegment(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1')
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function pathOf(url: string): string {
  return new URL(url).pathname
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
