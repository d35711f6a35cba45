import { giveTokens } from '#lib/domain/oauth/exchange.ts'
import { publicKeys } from '#lib/domain/oauth/keys.ts'
import { resourceMetadata, serverMetadata } from '#lib/domain/oauth/metadata.ts'
import { registerClient } from '#lib/domain/oauth/register.ts'
import { revokeToken } from '#lib/domain/oauth/revoke.ts'
import { getMe } from '#lib/domain/users/operations.ts'
import { createApp } from '#lib/http/app.ts'
import { member, preflight, visitor, visitorOf } from '#lib/http/callers.ts'
import { asClient, noStore, once, presentOAuth, published, readJsonBody } from '#lib/http/oauth.ts'
import { bare } from '#lib/http/reply.ts'

/** Registrations a minute from one address. */
const REGISTRATIONS = 10

const KEYS_SECONDS = 300
const METADATA_SECONDS = 3600

export default createApp('/', presentOAuth)
  .post('/api/auth/oauth/token', once, visitor, c =>
    asClient(c, asked => giveTokens(c.var.ctx, asked, ['authorization_code', 'refresh_token'])),
  )
  .post('/api/auth/oauth/refreshToken', once, visitor, c =>
    asClient(c, asked => giveTokens(c.var.ctx, asked, ['refresh_token'])),
  )
  .post('/api/auth/oauth/revoke', once, visitor, c =>
    asClient(c, asked => revokeToken(c.var.ctx, asked)),
  )
  .post(
    '/api/auth/oauth/register',
    once,
    visitorOf(REGISTRATIONS, () => ''),
    async c => noStore(c, await registerClient(c.var.ctx, await readJsonBody(c)), 201),
  )
  .get('/api/auth/oauth/me', member, c => bare(c, () => getMe(c.var.ctx)))
  .get('/api/auth/oauth/jwks', visitor, async c =>
    published(c, { keys: await publicKeys(c.var.ctx.db) }, KEYS_SECONDS),
  )
  .get('/.well-known/oauth-authorization-server', visitor, c =>
    published(c, serverMetadata(c.var.ctx.settings.publicUrl), METADATA_SECONDS),
  )
  .get('/.well-known/oauth-protected-resource', visitor, c =>
    published(c, resourceMetadata(c.var.ctx.settings.publicUrl, false), METADATA_SECONDS),
  )
  .get('/.well-known/oauth-protected-resource/api/mcp', visitor, c =>
    published(c, resourceMetadata(c.var.ctx.settings.publicUrl, true), METADATA_SECONDS),
  )
  .options('/api/auth/oauth/token', preflight('POST'))
  .options('/api/auth/oauth/refreshToken', preflight('POST'))
  .options('/api/auth/oauth/revoke', preflight('POST'))
  .options('/api/auth/oauth/register', preflight('POST'))
  .options('/api/auth/oauth/jwks', preflight('GET'))
  .options('/.well-known/oauth-authorization-server', preflight('GET'))
  .options('/.well-known/oauth-protected-resource', preflight('GET'))
  .options('/.well-known/oauth-protected-resource/api/mcp', preflight('GET'))
