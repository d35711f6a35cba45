import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { API_DOCUMENT } from '#dev/api-file.ts'
import type { JsonSchema } from '#lib/http/json-schema.ts'
import type { ApiDocument } from '#lib/http/openapi-types.ts'

/*
 * Whatever the platform answers to a test is held against the description of the API. There, answers
 * may have more fields than are described, so that clients bear with new ones; here they may not.
 */

/** Closes every object of which the fields are described. */
function close(schema: unknown): void {
  if (typeof schema !== 'object' || schema === null) return
  for (const inner of Object.values(schema)) close(inner)
  const { properties, additionalProperties } = schema as JsonSchema
  if (properties && additionalProperties === undefined)
    Object.assign(schema, { additionalProperties: false })
}

/**
 * Says what is wrong with a value by the schema at a place of a document; its objects are closed for that.
 * A schema is compiled when it is first needed.
 */
export function faultsBy(document: object): (place: readonly string[], value: unknown) => string {
  close(document)
  const options = { strict: false, allErrors: true, validateSchema: false, inlineRefs: false }
  const ajv = new Ajv2020(options)
  formats.default(ajv)
  ajv.addSchema(document, 'api')
  const found = new Map<string, ValidateFunction>()
  return (place, value) => {
    const steps = place.map(step => step.replaceAll('~', '~0').replaceAll('/', '~1'))
    const name = `api#/${steps.map(encodeURIComponent).join('/')}`
    const check = found.get(name) ?? ajv.getSchema(name)
    if (!check) throw new Error(`Nothing is described at ${name}`)
    found.set(name, check)
    if (check(value)) return ''
    const named = (check.errors ?? []).map(({ instancePath, message, params }) => {
      const extra = 'additionalProperty' in params ? `: ${params.additionalProperty}` : ''
      return `${instancePath || 'the whole'} ${message}${extra}`
    })
    return [...new Set(named)].join('; ')
  }
}

const document = JSON.parse(readFileSync(API_DOCUMENT, 'utf8')) as ApiDocument
const faults = faultsBy(document)

/** The operation of a method and path, with the place of it in the document; none of a page's. */
const OPERATIONS = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, { responses }]) => ({
    method: method.toUpperCase(),
    path: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
    at: ['paths', path, method, 'responses'],
    responses: responses as Record<string, { $ref?: string }>,
  })),
)
const BODY = ['content', 'application/json', 'schema']

/**
 * What is wrong with an answer by the description of the API; empty when nothing is, or when it is of
 * a path that is not described.
 */
export function undescribed(method: string, url: string, status: number, body: unknown): string {
  const path = url.replace(/[?#].*$/, '')
  const operation = OPERATIONS.find(o => o.method === method && o.path.test(path))
  if (!operation) return ''
  const response = operation.responses[status]
  const route = `${method} ${path} ${status}`
  if (!response) return `${route} is not described: ${JSON.stringify(body)}`
  const place = response.$ref?.slice(2).split('/') ?? [...operation.at, String(status)]
  const wrong = faults([...place, ...BODY], body)
  return wrong && `${route} is not as described: ${wrong}`
}

/** What is wrong with what came to a webhook by the description; empty when nothing is. */
export function undescribedEvent(event: { triggerEvent?: string }): string {
  const { triggerEvent = '' } = event
  if (!document.webhooks[triggerEvent]) return ''
  const wrong = faults(['webhooks', triggerEvent, 'post', 'requestBody', ...BODY], event)
  return wrong && `${triggerEvent} is not as described: ${wrong}`
}
