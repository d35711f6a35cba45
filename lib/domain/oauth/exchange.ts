import { oauthGrants, oauthRefreshTokens } from '#drizzle/schema/oauth.ts'
import type { Base } from '#lib/core/context.ts'
import { knownScopes, namesIn, type Scope, strangerIn } from '#lib/core/scopes.ts'
import { base64url, randomText, sameText, sha256 } from '#lib/core/text.ts'
import { lostTo } from '#lib/db/meanings.ts'
import { lookUp } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import { ACCESS_SECONDS, signAccess } from './access.ts'
import { refuse } from './errors.ts'
import { type Signer, signerOf } from './keys.ts'
import { audienceFor, type Parameters } from './parameters.ts'
import { authenticate, type KnownClient, type Presented } from './presented.ts'
import {
  type Code,
  type Given,
  prolong,
  type Refresh,
  revokeGrant,
  revokeOfCode,
  type TokenFacts,
  tokenFacts,
  useCode,
  useRefresh,
} from './tokens.ts'

const TOKEN_BYTES = 40
const YEAR_MS = 365 * 86_400_000

/** The answer to a token request (RFC 6749 5.1). */
export interface Tokens {
  access_token: string
  token_type: 'Bearer'
  /** In seconds. */
  expires_in: number
  refresh_token: string
  scope: string
}

/** How a client may ask for tokens. */
export type GrantType = 'authorization_code' | 'refresh_token'

/** What a client asks with: the form that it sends, and how it shows who it is. */
export interface ClientRequest {
  form: Parameters
  presented: Presented
}

/**
 * Gives a client tokens for a code or a refresh token, once.
 * @param takes what the endpoint gives them for
 * @throws OAuthError in the words of RFC 6749 5.2
 */
export async function giveTokens(
  base: Base,
  { form, presented }: ClientRequest,
  takes: readonly GrantType[],
): Promise<Tokens> {
  const { grant_type, code, refresh_token, redirect_uri } = form.one
  if (grant_type === undefined) refuse('invalid_request', 'grant_type is missing')
  const type = takes.find(known => known === grant_type)
  if (!type) refuse('unsupported_grant_type', `grant_type must be ${takes.join(' or ')}`)
  await base.admission()
  const secret = (type === 'authorization_code' ? code : refresh_token) ?? ''
  const { clientId } = presented
  const known = await lookUp(base.db, tokenFacts, { clientId, hash: await sha256(secret) })
  const client = await authenticate(known.client, presented, base.now)
  if (type === 'refresh_token') {
    if (secret === '') refuse('invalid_request', 'refresh_token is missing')
    return refreshed(base, form, client, clientId, known)
  }
  if (secret === '') refuse('invalid_request', 'code is missing')
  if (redirect_uri === undefined) refuse('invalid_request', 'redirect_uri is missing')
  return exchanged(base, form, client, clientId, known)
}

const BAD_CODE = 'The code is unknown, expired or used, or was given to another client'

async function exchanged(
  base: Base,
  form: Parameters,
  client: KnownClient,
  clientId: string,
  { code, key, grantId }: TokenFacts,
): Promise<Tokens> {
  if (!code || code.clientId !== client.id) return refuse('invalid_grant', BAD_CODE)
  if (code.grantId !== null) return replayed(base, code)
  if (base.now.getTime() >= code.expiresAt) refuse('invalid_grant', BAD_CODE)
  if (code.redirectUri !== form.one.redirect_uri)
    refuse('invalid_grant', 'redirect_uri is not the one that the code was asked for with')
  await requireVerifier(code.challenge, form.one.code_verifier)
  const { publicUrl, secret } = base.settings
  const { scopes } = code
  const audience = audienceFor(publicUrl, form.resources, code.audience)
  const signer = await signerOf(base.db, secret, key, base.now)
  const write = base.enter(code.accountId).write('oauth_grant.create', grantId)
  write.insert(oauthGrants, {
    id: grantId,
    userId: code.userId,
    clientId: client.id,
    scopes,
    audience: code.audience,
    createdAt: base.now.toISOString(),
    expiresAt: yearFrom(base.now),
  })
  write.run(useCode, { id: code.id, grantId })
  try {
    return await finish(base, write, signer, clientId, { ...code, grantId, scopes, audience })
  } catch (error) {
    if (lostTo(error) === 'oauth_codes_used') return replayed(base, code)
    throw error
  }
}

/** Somebody comes second with a code: one of the two stole it, so what the first got ends (10.5). */
async function replayed(base: Base, { accountId, id }: Code): Promise<never> {
  const write = base.enter(accountId).write('oauth_code.replay', id)
  await write.run(revokeOfCode, { id, now: base.now.toISOString() }).commit(undefined)
  return refuse('invalid_grant', BAD_CODE)
}

/** PKCE (RFC 7636 4.6): the verifier of the challenge, and none where there was no challenge. */
async function requireVerifier(challenge: string | null, verifier?: string): Promise<void> {
  if (challenge === null) {
    if (verifier !== undefined)
      refuse('invalid_grant', 'code_verifier is given, but the code was asked for without one')
    return
  }
  const given = verifier ?? refuse('invalid_request', 'code_verifier is missing')
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(given))
  if (!sameText(base64url(new Uint8Array(bytes)), challenge))
    refuse('invalid_grant', 'code_verifier is wrong')
}

const BAD_TOKEN = 'The refresh token is unknown, expired or revoked, or was given to another client'

async function refreshed(
  base: Base,
  form: Parameters,
  client: KnownClient,
  clientId: string,
  { refresh, key }: TokenFacts,
): Promise<Tokens> {
  if (!refresh || refresh.clientId !== client.id || refresh.isRevoked)
    return refuse('invalid_grant', BAD_TOKEN)
  if (refresh.isUsed) return reused(base, refresh)
  if (base.now.getTime() >= refresh.expiresAt) refuse('invalid_grant', BAD_TOKEN)
  const { publicUrl, secret } = base.settings
  const scopes = narrowed(refresh.scopes, form.one.scope)
  const audience = audienceFor(publicUrl, form.resources, refresh.audience)
  const signer = await signerOf(base.db, secret, key, base.now)
  const now = base.now.toISOString()
  const write = base.enter(refresh.accountId).write('oauth_grant.refresh', refresh.grantId)
  write.run(useRefresh, { id: refresh.id, now })
  write.run(prolong, { id: refresh.grantId, now, until: yearFrom(base.now) })
  try {
    return await finish(base, write, signer, clientId, { ...refresh, scopes, audience })
  } catch (error) {
    if (lostTo(error) === 'oauth_refresh_tokens_used') return reused(base, refresh)
    throw error
  }
}

/** A refresh token comes again: one of the two who have it stole it, so the family ends (10.4). */
async function reused(base: Base, { accountId, grantId }: Refresh): Promise<never> {
  const write = base.enter(accountId).write('oauth_grant.reuse', grantId)
  await write.run(revokeGrant, { id: grantId, now: base.now.toISOString() }).commit(undefined)
  return refuse('invalid_grant', BAD_TOKEN)
}

/** The scopes of the next access token: what was granted, or less (RFC 6749 section 6). */
function narrowed(granted: Scope[], scope: string | undefined): Scope[] {
  if (scope === undefined) return granted
  const names = namesIn(scope)
  if (names.length === 0 || strangerIn(names, granted) !== undefined)
    refuse('invalid_scope', 'scope has a name that was not granted')
  return knownScopes(names)
}

const yearFrom = (now: Date): string => new Date(now.getTime() + YEAR_MS).toISOString()

/** Adds the next refresh token, sends everything, and answers with it and an access token. */
async function finish(
  base: Base,
  write: Write,
  signer: Signer,
  clientId: string,
  { accountId, userId, grantId, scopes, audience }: Given & { grantId: number },
): Promise<Tokens> {
  const refresh = randomText(TOKEN_BYTES)
  write.insert(oauthRefreshTokens, {
    grantId,
    hash: await sha256(refresh),
    createdAt: base.now.toISOString(),
    expiresAt: yearFrom(base.now),
  })
  const access = { accountId, grantId, userId, clientId, scopes, audience }
  return write.commitSecret({
    access_token: await signAccess(signer, base.settings.publicUrl, access, base.now),
    token_type: 'Bearer' as const,
    expires_in: ACCESS_SECONDS,
    refresh_token: refresh,
    scope: scopes.join(' '),
  })
}
