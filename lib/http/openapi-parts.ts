import { MAX_KEY } from '#lib/core/idempotency.ts'
import { SESSION_COOKIE } from './cookies.ts'
import type { JsonSchema } from './json-schema.ts'

/** The refusals of the interface by status: how a response is called, its code and its meaning. */
export const ERRORS: Record<number, { name: string; code: string; description: string }> = {
  400: {
    name: 'BadRequest',
    code: 'BAD_REQUEST',
    description: 'Malformed, or a query parameter is wrong or missing',
  },
  401: {
    name: 'Unauthorized',
    code: 'UNAUTHORIZED',
    description: 'Credentials are missing or invalid',
  },
  403: { name: 'Forbidden', code: 'FORBIDDEN', description: 'A permission is lacking' },
  404: {
    name: 'NotFound',
    code: 'NOT_FOUND',
    description: 'Something that was named does not exist',
  },
  409: { name: 'Conflict', code: 'CONFLICT', description: 'The present state does not allow it' },
  413: { name: 'TooLarge', code: 'BAD_REQUEST', description: 'The body is larger than 1 MiB' },
  422: {
    name: 'Invalid',
    code: 'VALIDATION_ERROR',
    description: 'The body breaks its schema; `details` says where',
  },
  429: {
    name: 'TooManyRequests',
    code: 'RATE_LIMITED',
    description: 'Too many requests; `Retry-After` says when to come back',
  },
  500: { name: 'ServerError', code: 'INTERNAL_ERROR', description: 'A fault of the service' },
}

const limit = (description: string) => ({ description, schema: { type: 'integer' } })

/** What every answer says of the rate limit. */
export const LIMITS: Record<string, object> = {
  'X-RateLimit-Limit': limit('Requests a minute'),
  'X-RateLimit-Remaining': limit('Requests that are left in this minute'),
  'X-RateLimit-Reset': limit('Unix time at which the minute ends'),
}

const HEADERS = Object.fromEntries(
  Object.keys(LIMITS).map(name => [name, { $ref: `#/components/headers/${name}` }]),
)

/** A response with its headers. */
export const answer = (description: string, schema: JsonSchema) => ({
  description,
  headers: HEADERS,
  content: { 'application/json': { schema } },
})

/** The ways to sign in, of which an operation that asks for one takes any. */
export const SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'cal-api-key' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or an OAuth access token' },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
}

const header = (name: string, description: string, schema = {}) => ({
  ...{ name, in: 'header', required: false, description },
  schema: { type: 'string', ...schema },
})

/** The header that makes a write safe to repeat. */
const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  `Up to ${MAX_KEY} characters: the same request under the same key happens once`,
  { minLength: 1, maxLength: MAX_KEY },
)

/** What comes with every event that is sent to a webhook. */
const DELIVERY = {
  EventId: header('X-Service-Event-Id', 'The same on every try'),
  Timestamp: header('X-Service-Timestamp', 'When this try was made', { format: 'date-time' }),
  Attempt: header('X-Service-Delivery-Attempt', 'Which try it is, from 1'),
  Signature: header('X-Service-Signature', 'HMAC-SHA256 of the body by the secret, in hex'),
  PreviousSignature: header(
    'X-Service-Signature-Previous',
    'The same by the secret before, while that still signs',
  ),
}

const named = (names: readonly string[]) =>
  names.map(name => ({ $ref: `#/components/parameters/${name}` }))

/** Headers that operations share, by the names that they refer to. */
export const PARAMETERS = { IdempotencyKey: IDEMPOTENCY_KEY, ...DELIVERY }
/** References to the header of writes. */
export const REPEATABLE = named(['IdempotencyKey'])
/** References to the headers of what is sent to webhooks. */
export const DELIVERED = named(Object.keys(DELIVERY))

const TEXT: JsonSchema = { type: 'string' }
const FAULT: JsonSchema = {
  type: 'object',
  required: ['field', 'message'],
  properties: { field: TEXT, message: TEXT },
}

/** What every refusal is. */
export const ERROR: JsonSchema = {
  type: 'object',
  required: ['status', 'error', 'message'],
  properties: {
    status: { type: 'string', const: 'error' },
    error: { type: 'string', enum: [...new Set(Object.values(ERRORS).map(({ code }) => code))] },
    message: TEXT,
    details: { type: 'array', items: FAULT, description: 'The faults of a request, by field' },
  },
}
