import { sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
import { oauthClients, oauthCodes } from '#drizzle/schema/oauth.ts'
import { type Base, type Member, requirePermission } from '#lib/core/context.ts'
import { knownScopes, namesIn, type Scope, strangerIn } from '#lib/core/scopes.ts'
import { randomText, sha256, withoutNul } from '#lib/core/text.ts'
import { json } from '#lib/db/json.ts'
import { entrance, lookUp } from '#lib/db/query.ts'
import { registration } from './clients.ts'
import { OAuthError, refuse } from './errors.ts'
import { resourcesOf } from './metadata.ts'
import { audienceFor, type Parameters, requireReadable } from './parameters.ts'
import { isRegistered, withAnswer } from './redirects.ts'
import type { Registration } from './schema.ts'

const CODE_BYTES = 40
const CODE_MINUTES = 10
/** What S256 makes of any verifier: 32 bytes as base64url. */
const CHALLENGE = /^[\w-]{43}$/

/** A client as it asks a user for access. */
export interface AskingClient extends Registration {
  /** The business that made it; null for one that registered itself. */
  madeBy: string | null
}

const c = oauthClients
const asking = entrance<{ clientId: string }, AskingClient | null>(
  p =>
    sql`select ${json({
      ...registration,
      madeBy: sql`(select ${accounts.name} from ${accounts} where ${accounts.id} = ${c.accountId})`,
    })} from ${c} where ${c.clientId} = ${p.clientId}`,
)

/** What a client asks a user for, once everything about it is in order. */
export interface Ask {
  client: AskingClient
  redirectUri: string
  state: string | undefined
  scopes: Scope[]
  audience: string[]
  challenge: string | undefined
}

/** A request for access: to be asked of the user, or to be answered by leading back at once. */
export type Authorization = { ask: Ask } | { back: string }

/** The address that leads an answer back to the client; it says who answers (RFC 9207). */
const answerTo = (
  { settings }: Base,
  { redirectUri, state }: Pick<Ask, 'redirectUri' | 'state'>,
  answer: { code: string } | { error: string; error_description: string },
): string => withAnswer(redirectUri, { ...answer, state, iss: settings.publicUrl })

/**
 * Reads a request for access (RFC 6749 4.1.1). Without a client and an address of its own nobody is led
 * anywhere; from there on the client is told what is wrong.
 * @throws OAuthError client_not_found, redirect_uri_mismatch, not_approved: shown, never led back
 */
export async function readAuthorization(base: Base, given: Parameters): Promise<Authorization> {
  const { one, repeated } = given
  const { client_id, redirect_uri: redirectUri } = one
  if (repeated.has('client_id') || repeated.has('redirect_uri')) requireReadable(given)
  const found = client_id
    ? await lookUp(base.db, asking, { clientId: withoutNul(client_id) })
    : null
  const client = found ?? refuse('client_not_found', 'There is no client with this client_id')
  if (!redirectUri || !isRegistered(redirectUri, client.redirectUris, client.madeBy === null))
    return refuse('redirect_uri_mismatch', 'redirect_uri is not one that the client registered')
  if (client.status !== 'approved') refuse('not_approved', 'This client has not been approved')
  try {
    return { ask: readAsk(base, client, redirectUri, given) }
  } catch (thrown) {
    if (!(thrown instanceof OAuthError)) throw thrown
    const { error, message } = thrown
    const state = repeated.has('state') ? undefined : one.state
    const answer = { error, error_description: message }
    return { back: answerTo(base, { redirectUri, state }, answer) }
  }
}

function readAsk(base: Base, client: AskingClient, redirectUri: string, given: Parameters): Ask {
  requireReadable(given)
  const { response_type = 'code', state, scope } = given.one
  if (response_type !== 'code') refuse('unsupported_response_type', 'response_type must be "code"')
  const challenge = readChallenge(client, given)
  const isBound = client.madeBy === null && challenge !== undefined
  if (state === undefined && !isBound) refuse('invalid_request', 'state is missing')
  const most = resourcesOf(base.settings.publicUrl)
  const audience = audienceFor(base.settings.publicUrl, given.resources, most)
  const isForTools = audience.every(resource => resource === most[1])
  const scopes = scope === undefined ? usualScopes(client, isForTools) : askedScopes(client, scope)
  return { client, redirectUri, state, scopes, audience, challenge }
}

/** The challenge of PKCE (RFC 7636); S256 alone, which is also what is meant where nothing is said. */
function readChallenge({ type }: AskingClient, { one }: Parameters): string | undefined {
  const { code_challenge: challenge, code_challenge_method: method } = one
  if (method !== undefined && method !== 'S256')
    refuse('invalid_request', 'code_challenge_method must be "S256"')
  if (challenge === undefined && (type === 'public' || method !== undefined))
    refuse('invalid_request', 'code_challenge is missing')
  if (challenge !== undefined && !CHALLENGE.test(challenge))
    refuse('invalid_request', 'code_challenge must be the base64url of a SHA-256')
  return challenge
}

function askedScopes(client: AskingClient, scope: string): Scope[] {
  const names = namesIn(scope)
  const stranger = strangerIn(names, client.scopes)
  if (stranger !== undefined || names.length === 0)
    refuse('invalid_scope', 'scope has a name that this client may not ask for')
  return knownScopes(names)
}

/** What is asked for where no scope is named: the tools for those, else all parts but the whole. */
function usualScopes({ scopes }: AskingClient, isForTools: boolean): Scope[] {
  if (isForTools && scopes.includes('mcp')) return ['mcp']
  const parts = scopes.filter(scope => scope !== 'mcp' && scope !== 'FULL_ACCESS')
  return parts.length > 0 ? parts : scopes
}

/** The user allows it: makes the code, and answers the address that takes it to the client. */
export async function allow(m: Member, ask: Ask): Promise<string> {
  requirePermission(m, 'credentials.write')
  const { client, redirectUri, scopes, audience, challenge } = ask
  const code = randomText(CODE_BYTES)
  const write = m.tenant.write('oauth_code.create', client.id)
  write.insert(oauthCodes, {
    userId: m.userId,
    clientId: client.id,
    hash: await sha256(code),
    redirectUri,
    challenge: challenge ?? null,
    scopes,
    audience,
    createdAt: m.now.toISOString(),
    expiresAt: new Date(m.now.getTime() + CODE_MINUTES * 60_000).toISOString(),
  })
  return write.commitSecret(answerTo(m, ask, { code }))
}

/** The user does not: answers the address that tells the client. */
export const deny = (base: Base, ask: Ask): string =>
  answerTo(base, ask, { error: 'access_denied', error_description: 'The user denied the request' })
