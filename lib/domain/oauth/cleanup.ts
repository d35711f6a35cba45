import { sql } from 'drizzle-orm'
import { oauthClients, oauthCodes, oauthGrants, oauthRefreshTokens } from '#drizzle/schema/oauth.ts'
import type { System } from '#lib/core/context.ts'
import { entrance } from '#lib/db/query.ts'
import { sweep, sweepOf } from '#lib/db/sweep.ts'
import { rotateKeys } from './keys.ts'

const c = oauthClients
const g = oauthGrants

const sweeps = [
  // Codes that expired a day ago, used or not.
  sweepOf(oauthCodes, now => sql`${oauthCodes.expiresAt} < ${now} - interval '1 day'`),
  // Grants that ended a month ago, with their tokens.
  sweepOf(g, now => sql`least(${g.expiresAt}, ${g.revokedAt}) < ${now} - interval '30 days'`),
  // Refresh tokens that were used a season ago: whoever comes with one is refused all the same.
  sweepOf(
    oauthRefreshTokens,
    now => sql`${oauthRefreshTokens.usedAt} < ${now} - interval '90 days'`,
  ),
  // Clients that registered themselves a season ago and were given nothing.
  sweepOf(
    c,
    now => sql`${c.accountId} is null and ${c.createdAt} < ${now} - interval '90 days'
      and not exists (select from ${g} where ${g.clientId} = ${c.id})`,
  ),
]

/** Secrets of clients that ended with a rotation. */
const dropSecrets = entrance<{ now: string }, unknown>(
  p => sql`update ${c} set previous_secret_hash = null, previous_secret_until = null
    where ${c.previousSecretUntil} <= ${p.now}::timestamptz`,
)

/** Drops what has ended, and changes the key that tokens are signed with when it has served its time. */
export async function cleanUpOAuth({ db, settings, now }: System): Promise<void> {
  for (const statement of sweeps) await sweep(db, statement, now)
  await db.trip([dropSecrets.with({ now: now.toISOString() })])
  await rotateKeys(db, settings.secret, now)
}
