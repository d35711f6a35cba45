import { SESSION_COOKIE } from './cookies.ts'

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

const header = (description: string) => ({ description, schema: { type: 'integer' } })

/** What every answer says of the rate limit. */
export const HEADERS = {
  'X-RateLimit-Limit': header('Requests a minute'),
  'X-RateLimit-Remaining': header('Requests that are left in this minute'),
  'X-RateLimit-Reset': header('Unix time at which the minute ends'),
}

/** The ways to sign in, of which an operation that asks for one takes any. */
export const SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'cal-api-key' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or an OAuth access token' },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
}

/** The header that makes a write safe to repeat. */
export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Up to 255 characters: the same request under the same key happens once',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}
