import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, jsonb, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { members } from './accounts.ts'
import { instant, owned, ownedKey, stamps, within } from './columns.ts'
import { table } from './lazy.ts'

/**
 * A program that asks users for access. Those made in the developer settings belong to an account;
 * those that registered themselves belong to nobody. A confidential one has a secret, of which only
 * the SHA-256 is kept.
 */
export const oauthClients = table(
  'oauth_clients',
  {
    accountId: integer('account_id'),
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    userId: integer('user_id'),
    clientId: text('client_id').notNull(),
    name: text().notNull(),
    description: text(),
    type: text({ enum: ['confidential', 'public'] }).notNull(),
    status: text({ enum: ['pending', 'approved', 'rejected'] }).notNull(),
    redirectUris: text('redirect_uris').array().notNull(),
    scopes: text().array().notNull(),
    secretHash: text('secret_hash'),
    secretHint: text('secret_hint'),
    /** The secret before the last rotation, which works too until then. */
    previousSecretHash: text('previous_secret_hash'),
    previousSecretUntil: instant('previous_secret_until'),
    ...stamps(),
  },
  t => [
    uniqueIndex('oauth_clients_client_id').on(t.clientId),
    index('oauth_clients_account').on(t.accountId, t.id),
    foreignKey({
      name: 'oauth_clients_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
    check('oauth_clients_owner', sql`(account_id is null) = (user_id is null)`),
    check('oauth_clients_type', sql`type in ('confidential', 'public')`),
    check('oauth_clients_status', sql`status in ('pending', 'approved', 'rejected')`),
    check('oauth_clients_secret', sql`(secret_hash is not null) = (type = 'confidential')`),
    check(
      'oauth_clients_previous',
      sql`(previous_secret_hash is null) = (previous_secret_until is null)
        and (previous_secret_hash is null or secret_hash is not null)`,
    ),
    check('oauth_clients_redirects', sql`cardinality(redirect_uris) between 1 and 20`),
    check('oauth_clients_scopes', sql`cardinality(scopes) > 0`),
  ],
)

/**
 * What one consent of a user gave a client: the family of tokens that came of it. Once revoked, all
 * of them are worth nothing.
 */
export const oauthGrants = table(
  'oauth_grants',
  {
    ...owned(),
    userId: integer('user_id').notNull(),
    clientId: integer('client_id').notNull(),
    scopes: text().array().notNull(),
    /** Where its tokens may be used (RFC 8707). */
    audience: text().array().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    lastUsedAt: instant('last_used_at'),
    revokedAt: instant('revoked_at'),
  },
  t => [
    ownedKey(t, 'oauth_grants'),
    foreignKey({
      name: 'oauth_grants_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
    foreignKey({
      name: 'oauth_grants_client_fk',
      columns: [t.clientId],
      foreignColumns: [oauthClients.id],
    }).onDelete('cascade'),
    check('oauth_grants_scopes', sql`cardinality(scopes) > 0`),
    index('oauth_grants_client').on(t.clientId),
    index('oauth_grants_user').on(t.accountId, t.userId),
    index('oauth_grants_expires').on(t.expiresAt),
  ],
)

/**
 * An authorization code: used once, within ten minutes, by the client it was made for. Only its
 * SHA-256 is kept. A used one stays for a day, so that a replay is noticed and revokes the grant that
 * came of it.
 */
export const oauthCodes = table(
  'oauth_codes',
  {
    ...owned(),
    userId: integer('user_id').notNull(),
    clientId: integer('client_id').notNull(),
    hash: text().notNull(),
    redirectUri: text('redirect_uri').notNull(),
    challenge: text(),
    scopes: text().array().notNull(),
    audience: text().array().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    grantId: integer('grant_id'),
  },
  t => [
    ownedKey(t, 'oauth_codes'),
    uniqueIndex('oauth_codes_hash').on(t.hash),
    foreignKey({
      name: 'oauth_codes_member_fk',
      columns: [t.accountId, t.userId],
      foreignColumns: [members.accountId, members.userId],
    }),
    foreignKey({
      name: 'oauth_codes_client_fk',
      columns: [t.clientId],
      foreignColumns: [oauthClients.id],
    }).onDelete('cascade'),
    within(t, t.grantId, oauthGrants, 'oauth_codes_grant_fk').onDelete('cascade'),
    check('oauth_codes_life', sql`expires_at <= created_at + interval '10 minutes'`),
    index('oauth_codes_expires').on(t.expiresAt),
  ],
)

/**
 * A refresh token, by its SHA-256. Each use takes it out of use and makes the next; a grant has one
 * that can be used. Those that were used stay for a while: one that comes again was stolen.
 */
export const oauthRefreshTokens = table(
  'oauth_refresh_tokens',
  {
    ...owned(),
    grantId: integer('grant_id').notNull(),
    hash: text().notNull(),
    createdAt: instant('created_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  t => [
    ownedKey(t, 'oauth_refresh_tokens'),
    uniqueIndex('oauth_refresh_tokens_hash').on(t.hash),
    uniqueIndex('oauth_refresh_tokens_live').on(t.accountId, t.grantId).where(sql`used_at is null`),
    within(t, t.grantId, oauthGrants, 'oauth_refresh_tokens_grant_fk').onDelete('cascade'),
    index('oauth_refresh_tokens_grant').on(t.accountId, t.grantId),
    index('oauth_refresh_tokens_used').on(t.usedAt).where(sql`used_at is not null`),
  ],
)

/**
 * A key that access tokens are signed with. One is in use; those before it stay to check what they
 * have signed. `private_key` is encrypted under a key that is derived from APP_SECRET.
 */
export const oauthKeys = table(
  'oauth_keys',
  {
    kid: text().primaryKey(),
    publicKey: jsonb('public_key').$type<Record<string, string>>().notNull(),
    privateKey: text('private_key').notNull(),
    createdAt: instant('created_at').notNull(),
    retiredAt: instant('retired_at'),
  },
  () => [uniqueIndex('oauth_keys_current').on(sql`(true)`).where(sql`retired_at is null`)],
)
