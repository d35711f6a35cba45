import { sql } from 'drizzle-orm'
import { oauthClients, oauthCodes, oauthGrants, oauthRefreshTokens } from '#drizzle/schema/oauth.ts'
import type { System } from '#lib/core/context.ts'
import { entrance } from '#lib/db/query.ts'
import { rotateKeys } from './keys.ts'

interface Moment {
  now: string
}

/** Codes that expired a day ago, used or not. */
const dropCodes = entrance<Moment, unknown>(
  p => sql`delete from ${oauthCodes}
    where ${oauthCodes.expiresAt} < ${p.now}::timestamptz - interval '1 day'`,
)

/** Grants that ended a month ago, with their tokens. */
const dropGrants = entrance<Moment, unknown>(
  p => sql`delete from ${oauthGrants}
    where least(${oauthGrants.expiresAt}, ${oauthGrants.revokedAt})
      < ${p.now}::timestamptz - interval '30 days'`,
)

/** Refresh tokens that were used a season ago: whoever comes with one is refused all the same. */
const dropUsed = entrance<Moment, unknown>(
  p => sql`delete from ${oauthRefreshTokens}
    where ${oauthRefreshTokens.usedAt} < ${p.now}::timestamptz - interval '90 days'`,
)

/** Clients that registered themselves a season ago and were given nothing. */
const dropUnused = entrance<Moment, unknown>(
  p => sql`delete from ${oauthClients} where ${oauthClients.accountId} is null
    and ${oauthClients.createdAt} < ${p.now}::timestamptz - interval '90 days'
    and not exists (select from ${oauthGrants} where ${oauthGrants.clientId} = ${oauthClients.id})`,
)

/** Secrets of clients that ended with a rotation. */
const dropSecrets = entrance<Moment, unknown>(
  p => sql`update ${oauthClients} set previous_secret_hash = null, previous_secret_until = null
    where ${oauthClients.previousSecretUntil} <= ${p.now}::timestamptz`,
)

/** Drops what has ended, and changes the key that tokens are signed with when it has served its time. */
export async function cleanUpOAuth(system: System): Promise<void> {
  const now = system.now.toISOString()
  for (const sweep of [dropCodes, dropGrants, dropUsed, dropUnused, dropSecrets])
    await system.db.trip([sweep.with({ now })])
  await rotateKeys(system.db, system.settings.secret, system.now)
}
