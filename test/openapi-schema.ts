/*
 * What a document of OpenAPI 3.1 is made of, as a JSON Schema, as far as ours uses it
 * (https://spec.openapis.org/oas/v3.1.0). What it does not know is wrong, but for extensions (`x-`).
 */

type Schema = Record<string, unknown>

const TEXT: Schema = { type: 'string' }
const FLAG: Schema = { type: 'boolean' }
const SCHEMA: Schema = { $ref: 'https://json-schema.org/draft/2020-12/schema' }

const objectOf = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  type: 'object',
  properties,
  required,
  patternProperties: { '^x-': {} },
  additionalProperties: false,
})
const mapOf = (values: Schema, names?: string): Schema => ({
  type: 'object',
  additionalProperties: values,
  ...(names ? { propertyNames: { pattern: names } } : {}),
})
const listOf = (items: Schema): Schema => ({ type: 'array', items })

const REFERENCE = objectOf({ $ref: TEXT, summary: TEXT, description: TEXT }, '$ref')
const orReference = (schema: Schema): Schema => ({ oneOf: [REFERENCE, schema] })

const content = mapOf(objectOf({ schema: SCHEMA, example: {} }))
const described: Schema = { oneOf: [{ required: ['schema'] }, { required: ['content'] }] }
const header = {
  ...objectOf({ description: TEXT, required: FLAG, deprecated: FLAG, schema: SCHEMA, content }),
  ...described,
}
const parameter = {
  ...objectOf(
    {
      name: TEXT,
      in: { enum: ['query', 'header', 'path', 'cookie'] },
      ...{ description: TEXT, required: FLAG, deprecated: FLAG, schema: SCHEMA, content },
    },
    'name',
    'in',
  ),
  ...described,
  anyOf: [
    { properties: { in: { not: { const: 'path' } } } },
    { properties: { required: { const: true } }, required: ['required'] },
  ],
}
const response = objectOf(
  { description: TEXT, headers: mapOf(orReference(header)), content },
  'description',
)
const body = objectOf({ description: TEXT, content, required: FLAG }, 'content')
const operation = objectOf(
  {
    ...{ tags: listOf(TEXT), summary: TEXT, description: TEXT, operationId: TEXT },
    parameters: listOf(orReference(parameter)),
    requestBody: orReference(body),
    responses: mapOf(orReference(response), '^(?:[1-5](?:\\d\\d|XX)|default)$'),
    security: listOf(mapOf(listOf(TEXT))),
    deprecated: FLAG,
  },
  'operationId',
  'responses',
)
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const path = objectOf({
  ...{ summary: TEXT, description: TEXT, parameters: listOf(orReference(parameter)) },
  ...Object.fromEntries(METHODS.map(method => [method, operation])),
})
const securityScheme = {
  oneOf: [
    objectOf(
      {
        type: { const: 'apiKey' },
        name: TEXT,
        in: { enum: ['query', 'header', 'cookie'] },
        description: TEXT,
      },
      'type',
      'name',
      'in',
    ),
    objectOf(
      { type: { const: 'http' }, scheme: TEXT, bearerFormat: TEXT, description: TEXT },
      'type',
      'scheme',
    ),
  ],
}
const COMPONENT = '^[\\w.-]+$'

/** The schema of a document. */
export const OPENAPI_3_1 = objectOf(
  {
    openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
    info: objectOf(
      { title: TEXT, version: TEXT, summary: TEXT, description: TEXT },
      'title',
      'version',
    ),
    servers: listOf(objectOf({ url: TEXT, description: TEXT }, 'url')),
    tags: listOf(objectOf({ name: TEXT, description: TEXT }, 'name')),
    paths: mapOf(path, '^/'),
    webhooks: mapOf(orReference(path)),
    components: objectOf({
      schemas: mapOf(SCHEMA, COMPONENT),
      responses: mapOf(orReference(response), COMPONENT),
      parameters: mapOf(orReference(parameter), COMPONENT),
      headers: mapOf(orReference(header), COMPONENT),
      securitySchemes: mapOf(orReference(securityScheme), COMPONENT),
    }),
  },
  'openapi',
  'info',
  'paths',
)
