import type { JsonSchema } from './json-schema.ts'
import { answer } from './openapi-parts.ts'

const text = (description: string): JsonSchema => ({ type: 'string', description })
const objectOf = (properties: Record<string, JsonSchema>, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
})

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

const client = {
  client_id: text('Or in `Authorization: Basic`'),
  client_secret: text('Of a confidential client'),
}
const resource = text('What the tokens are for (RFC 8707): this API, or the tool server')
const refresh = {
  refresh_token: text('Works once; the answer has the next'),
  scope: text('Less than was granted'),
  resource,
}
const code = {
  code: text('From the redirect'),
  redirect_uri: text('The same as at authorization'),
  code_verifier: text('Of PKCE (RFC 7636)'),
}
const grantType = (...types: string[]): JsonSchema => ({ type: 'string', enum: types })

const list = (description: string): JsonSchema => ({
  type: 'array',
  items: { type: 'string' },
  description,
})
const registration = {
  redirect_uris: list('https, http on the machine itself, or a scheme of its own'),
  client_name: text('What users are asked to allow'),
  token_endpoint_auth_method: {
    type: 'string',
    enum: ['none', 'client_secret_post', 'client_secret_basic'],
  },
  grant_types: list('With authorization_code'),
  response_types: list('With code'),
  scope: text('The most that it may ask for'),
}

interface Described {
  type?: string
  body?: JsonSchema
  isPublished?: boolean
}

const document: Described = { isPublished: true }

/** The endpoints whose bodies and refusals are as the standards of OAuth have them. */
const ENDPOINTS: Record<string, Described> = {
  'POST /api/auth/oauth/token': {
    body: objectOf(
      {
        grant_type: grantType('authorization_code', 'refresh_token'),
        ...client,
        ...code,
        ...refresh,
      },
      'grant_type',
    ),
  },
  'POST /api/auth/oauth/refreshToken': {
    body: objectOf(
      { grant_type: grantType('refresh_token'), ...client, ...refresh },
      'grant_type',
      'refresh_token',
    ),
  },
  'POST /api/auth/oauth/revoke': {
    body: objectOf({ token: text('An access or refresh token'), ...client }, 'token'),
  },
  'POST /api/auth/oauth/register': {
    type: JSON_TYPE,
    body: objectOf(registration, 'redirect_uris'),
  },
  'GET /api/auth/oauth/jwks': document,
  'GET /.well-known/oauth-authorization-server': document,
  'GET /.well-known/oauth-protected-resource': document,
  'GET /.well-known/oauth-protected-resource/api/mcp': document,
}

const FAULT = objectOf(
  { error: text('As RFC 6749 5.2'), error_description: text('In words') },
  'error',
)
const TOO_MANY = { 429: { $ref: '#/components/responses/TooManyRequests' } }
const REFUSED = {
  400: answer('The request is refused', FAULT),
  401: answer('Not who it says', FAULT),
  413: answer('The body is larger than 1 MiB', FAULT),
}

/** What of an operation is as OAuth's standards have it: how it is asked, and what it refuses. */
interface OAuthParts {
  request: object
  refusals: Record<string, object>
}

/** The parts of an operation that are in the place of what is usual; undefined for any other. */
export function oauthParts(method: string, path: string): OAuthParts | undefined {
  const known = ENDPOINTS[`${method} ${path}`]
  if (!known) return undefined
  const { type = FORM, body, isPublished } = known
  const content = body && { required: true, content: { [type]: { schema: body } } }
  return {
    request: { parameters: [], ...(content ? { requestBody: content } : {}) },
    refusals: { ...(isPublished ? {} : REFUSED), ...TOO_MANY },
  }
}
