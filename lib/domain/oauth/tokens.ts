import { type SQL, sql } from 'drizzle-orm'
import { oauthClients, oauthCodes, oauthGrants, oauthRefreshTokens } from '#drizzle/schema/oauth.ts'
import type { Scope } from '#lib/core/scopes.ts'
import { epochMillis, json, jsonRow } from '#lib/db/json.ts'
import { entrance, query } from '#lib/db/query.ts'
import { currentKey, type KeptKey } from './keys.ts'
import type { KnownClient } from './presented.ts'

/** What a code or a refresh token was made for. */
export interface Given {
  accountId: number
  id: number
  userId: number
  clientId: number
  scopes: Scope[]
  audience: string[]
  /** Milliseconds since the epoch. */
  expiresAt: number
  /** The grant; of a code, once it was used. */
  grantId: number | null
}

/** A code as it is kept. */
export type Code = Given & { redirectUri: string; challenge: string | null }
/** A refresh token as it is kept. */
export type Refresh = Given & { grantId: number; isUsed: boolean; isRevoked: boolean }

/** What giving tokens needs to know. */
export interface TokenFacts {
  client: KnownClient | null
  code: Code | null
  refresh: Refresh | null
  key: KeptKey | null
  grantId: number
}

const c = oauthClients
const o = oauthCodes
const r = oauthRefreshTokens
const g = oauthGrants

/** What a client that presents itself is known by; part of a query. */
export const knownClient = (clientId: SQL) =>
  jsonRow(
    json({
      id: c.id,
      type: c.type,
      status: c.status,
      secretHash: c.secretHash,
      previousSecretHash: c.previousSecretHash,
      previousSecretUntil: epochMillis(c.previousSecretUntil),
    }),
    sql`from ${c} where ${c.clientId} = ${clientId}`,
  )

/** The client, what it comes with (by its hash), what signs, and an id for a new grant. */
export const tokenFacts = entrance<{ clientId: string; hash: string }, TokenFacts>(
  p =>
    sql`select ${json({
      client: knownClient(sql`${p.clientId}`),
      code: jsonRow(
        json({
          accountId: o.accountId,
          id: o.id,
          userId: o.userId,
          clientId: o.clientId,
          scopes: o.scopes,
          audience: o.audience,
          expiresAt: epochMillis(o.expiresAt),
          grantId: o.grantId,
          redirectUri: o.redirectUri,
          challenge: o.challenge,
        }),
        sql`from ${o} where ${o.hash} = ${p.hash}`,
      ),
      refresh: jsonRow(
        json({
          accountId: r.accountId,
          id: r.id,
          userId: g.userId,
          clientId: g.clientId,
          scopes: g.scopes,
          audience: g.audience,
          expiresAt: epochMillis(r.expiresAt),
          grantId: g.id,
          isUsed: sql`${r.usedAt} is not null`,
          isRevoked: sql`${g.revokedAt} is not null`,
        }),
        sql`from ${r} join ${g} on ${g.accountId} = ${r.accountId} and ${g.id} = ${r.grantId}
        where ${r.hash} = ${p.hash}`,
      ),
      key: currentKey(),
      grantId: sql`nextval('oauth_grants_id_seq')::int`,
    })}`,
)

/** Uses a code for a grant that was just made, guarded: it can be done once. */
export const useCode = query<{ id: number; grantId: number }, unknown>(
  p => sql`with used as (
    update ${o} set grant_id = ${p.grantId}::int
    where ${o.accountId} = ${p.account} and ${o.id} = ${p.id}::int and ${o.grantId} is null
    returning 1
  ) select must(exists(select from used), 'oauth_codes_used')`,
)

/** Takes a refresh token of a live grant out of use, guarded: it can be done once. */
export const useRefresh = query<{ id: number; now: string }, unknown>(
  p => sql`with used as (
    update ${r} set used_at = ${p.now}::timestamptz
    where ${r.accountId} = ${p.account} and ${r.id} = ${p.id}::int and ${r.usedAt} is null
      and exists (select from ${g} where ${g.accountId} = ${p.account}
        and ${g.id} = ${r.grantId} and ${g.revokedAt} is null)
    returning 1
  ) select must(exists(select from used), 'oauth_refresh_tokens_used')`,
)

/** A grant lasts as long as its last refresh token. */
export const prolong = query<{ id: number; now: string; until: string }, unknown>(
  p => sql`update ${g} set expires_at = ${p.until}::timestamptz, last_used_at = ${p.now}::timestamptz
    where ${g.accountId} = ${p.account} and ${g.id} = ${p.id}::int`,
)

/** Takes back what came of a code: read when it is written, so that whoever won just now is seen. */
export const revokeOfCode = query<{ id: number; now: string }, unknown>(
  p => sql`update ${g} set revoked_at = ${p.now}::timestamptz
    where ${g.accountId} = ${p.account} and ${g.revokedAt} is null and ${g.id} = (
      select ${o.grantId} from ${o} where ${o.accountId} = ${p.account} and ${o.id} = ${p.id}::int)`,
)

/** Takes a grant back: every token of it is worth nothing from now on. */
export const revokeGrant = query<{ id: number; now: string }, unknown>(
  p => sql`update ${g} set revoked_at = ${p.now}::timestamptz
    where ${g.accountId} = ${p.account} and ${g.id} = ${p.id}::int and ${g.revokedAt} is null`,
)
