import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { oauthClients } from '#drizzle/schema/oauth.ts'
import type { Base } from '#lib/core/context.ts'
import { knownScopes, namesIn, SCOPES, type Scope } from '#lib/core/scopes.ts'
import { newUid, randomText, sha256, withoutNul } from '#lib/core/text.ts'
import { entrance } from '#lib/db/query.ts'
import { refuse } from './errors.ts'
import { MAX_REDIRECTS, redirectUri } from './schema.ts'

const SECRET_BYTES = 32

/** What of a registration is looked at (RFC 7591 section 2); the rest is ignored. */
const Registration = z.object({
  redirect_uris: z.array(redirectUri).min(1).max(MAX_REDIRECTS),
  client_name: z.string().trim().min(1).max(100).optional(),
  token_endpoint_auth_method: z
    .enum(['none', 'client_secret_post', 'client_secret_basic'])
    .optional(),
  grant_types: z.array(z.string().max(100)).max(20).optional(),
  response_types: z.array(z.string().max(100)).max(20).optional(),
  scope: z.string().max(1000).optional(),
})

/** A client as it is told of itself. */
export interface Registered {
  client_id: string
  client_id_issued_at: number
  client_secret?: string
  /** 0: the secret does not expire. */
  client_secret_expires_at?: number
  client_name: string
  redirect_uris: string[]
  token_endpoint_auth_method: string
  grant_types: string[]
  response_types: string[]
  scope: string
}

const insert = entrance<
  {
    clientId: string
    name: string
    type: string
    redirectUris: readonly string[]
    scopes: readonly string[]
    secretHash: string | null
    secretHint: string | null
    now: string
  },
  unknown
>(
  p => sql`insert into ${oauthClients} (client_id, name, type, status, redirect_uris, scopes,
      secret_hash, secret_hint, created_at, updated_at)
    values (${p.clientId}, ${p.name}, ${p.type}, 'approved', ${p.redirectUris}::text[],
      ${p.scopes}::text[], ${p.secretHash}, ${p.secretHint}, ${p.now}::timestamptz,
      ${p.now}::timestamptz)`,
)

function read(body: unknown): z.output<typeof Registration> {
  const { success, data, error } = Registration.safeParse(dropNulls(body))
  if (success) return data
  const { path = [], message = '' } = error.issues[0] ?? {}
  const code = path[0] === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata'
  return refuse(code, `${path.join('.') || 'the body'}: ${message}`)
}

/** Some clients say null for what they leave out. */
const dropNulls = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
    : body

function requireCodeFlow({ grant_types, response_types }: z.output<typeof Registration>): void {
  if (grant_types && !grant_types.includes('authorization_code'))
    refuse('invalid_client_metadata', 'grant_types must have "authorization_code"')
  if (response_types && !response_types.includes('code'))
    refuse('invalid_client_metadata', 'response_types must have "code"')
}

/** A name as the database can keep it. */
const keepable = (text: string): string => withoutNul(text).replace(/\p{Cs}/gu, '\ufffd')

/**
 * Registers a client that nobody has vouched for (RFC 7591). The user whom it asks is told so. Scopes
 * that there are not are left out of what it may ask for.
 * @throws OAuthError invalid_redirect_uri, invalid_client_metadata
 */
export async function registerClient(base: Base, body: unknown): Promise<Registered> {
  const wanted = read(body)
  requireCodeFlow(wanted)
  const { token_endpoint_auth_method: method = 'client_secret_basic' } = wanted
  const asked = knownScopes(namesIn(wanted.scope ?? ''))
  const scopes: readonly Scope[] = asked.length > 0 ? asked : SCOPES
  const redirectUris = [...new Set(wanted.redirect_uris)]
  const secret = method === 'none' ? undefined : randomText(SECRET_BYTES)
  const name = keepable(wanted.client_name ?? '') || 'An application'
  const clientId = newUid()
  await base.admission()
  const now = base.now.toISOString()
  const row = {
    clientId,
    name,
    type: secret === undefined ? 'public' : 'confidential',
    redirectUris,
    scopes,
    secretHash: secret === undefined ? null : await sha256(secret),
    secretHint: secret === undefined ? null : secret.slice(-4),
    now,
  }
  await base.db.trip([insert.with(row)])
  return {
    client_id: clientId,
    client_id_issued_at: Math.floor(base.now.getTime() / 1000),
    ...(secret === undefined ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    client_name: name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: method,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: scopes.join(' '),
  }
}
