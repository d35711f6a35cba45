import { HEADERS } from './openapi-parts.ts'

interface Schema {
  type: string
  description?: string
  enum?: readonly string[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: readonly string[]
}

const text = (description: string): Schema => ({ type: 'string', description })
const objectOf = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
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
const grantType = (...types: string[]): Schema => ({ type: 'string', enum: types })

const TOKENS = objectOf(
  {
    access_token: text('A JWT, for `Authorization: Bearer`'),
    token_type: { type: 'string', enum: ['Bearer'] },
    expires_in: { type: 'integer', description: 'In seconds: 1800' },
    refresh_token: text('Lasts a year'),
    scope: text('What was granted'),
  },
  'access_token',
  'token_type',
  'expires_in',
  'refresh_token',
  'scope',
)

const list = (description: string): Schema => ({
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
  body?: Schema
  status: 200 | 201
  answer: Schema
  isPublished?: boolean
}

const ANYTHING: Schema = { type: 'object' }
const document: Described = { status: 200, answer: ANYTHING, isPublished: true }

/** The endpoints whose bodies and answers are as the standards of OAuth have them. */
const ENDPOINTS: Record<string, Described> = {
  'POST /api/auth/oauth/token': {
    type: FORM,
    body: objectOf(
      {
        grant_type: grantType('authorization_code', 'refresh_token'),
        ...client,
        ...code,
        ...refresh,
      },
      'grant_type',
    ),
    status: 200,
    answer: TOKENS,
  },
  'POST /api/auth/oauth/refreshToken': {
    type: FORM,
    body: objectOf(
      { grant_type: grantType('refresh_token'), ...client, ...refresh },
      'grant_type',
      'refresh_token',
    ),
    status: 200,
    answer: TOKENS,
  },
  'POST /api/auth/oauth/revoke': {
    type: FORM,
    body: objectOf({ token: text('An access or refresh token'), ...client }, 'token'),
    status: 200,
    answer: ANYTHING,
  },
  'POST /api/auth/oauth/register': {
    type: JSON_TYPE,
    body: objectOf(registration, 'redirect_uris'),
    status: 201,
    answer: objectOf(
      { client_id: text('Its name from now on'), client_secret: text('Shown once') },
      'client_id',
    ),
  },
  'GET /api/auth/oauth/jwks': document,
  'GET /.well-known/oauth-authorization-server': document,
  'GET /.well-known/oauth-protected-resource': document,
  'GET /.well-known/oauth-protected-resource/api/mcp': document,
}

const answer = (description: string, schema: Schema) => ({
  description,
  headers: HEADERS,
  content: { [JSON_TYPE]: { schema } },
})

const FAULT = objectOf(
  { error: text('As RFC 6749 5.2'), error_description: text('In words') },
  'error',
)
const TOO_MANY = { 429: { $ref: '#/components/responses/TooManyRequests' } }

/** What of an operation is as OAuth's standards have it, in the place of what is usual; else nothing. */
export function oauthParts(method: string, path: string): object {
  const known = ENDPOINTS[`${method} ${path}`]
  if (!known) return {}
  const { type = FORM, body, status, answer: schema, isPublished } = known
  const refusals = isPublished
    ? {}
    : { 400: answer('The request is refused', FAULT), 401: answer('Not who it says', FAULT) }
  return {
    parameters: [],
    ...(body ? { requestBody: { required: true, content: { [type]: { schema: body } } } } : {}),
    responses: { [status]: answer('Done', schema), ...refusals, ...TOO_MANY },
  }
}
