import { sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
import { oauthClients, oauthCodes, oauthGrants } from '#drizzle/schema/oauth.ts'
import { type Member, requirePermission } from '#lib/core/context.ts'
import type { Deleted, Json } from '#lib/core/json.ts'
import { iso, json, jsonArray } from '#lib/db/json.ts'
import { query } from '#lib/db/query.ts'
import type { ConnectedApp } from './schema.ts'

const g = oauthGrants
// Clients serve users of every account: theirs may be another than the user's.
const client = oauthClients

const connected = query<{ userId: number; now: string }, ConnectedApp[]>(
  p =>
    sql`select ${jsonArray(
      json({
        id: sql`c.id`,
        name: sql`c.name`,
        description: sql`c.description`,
        madeBy: sql`(select ${accounts.name} from ${accounts} where ${accounts.id} = c.account_id)`,
        scopes: sql`(select json_agg(distinct s.scope) from ${g} cross join unnest(${g.scopes}) s(scope)
        where ${g.accountId} = ${p.account} and ${g.userId} = ${p.userId}::int
          and ${g.clientId} = c.id and ${g.revokedAt} is null
          and ${g.expiresAt} > ${p.now}::timestamptz)`,
        connectedAt: iso(sql`c.since`),
        lastUsedAt: iso(sql`c.used`),
      }),
      sql`from (select ${client.id}, ${client.name}, ${client.description}, ${client.accountId},
        min(${g.createdAt}) as since, max(${g.lastUsedAt}) as used
      from ${g} join ${client} on ${client.id} = ${g.clientId}
      where ${g.accountId} = ${p.account} and ${g.userId} = ${p.userId}::int
        and ${g.revokedAt} is null and ${g.expiresAt} > ${p.now}::timestamptz
      group by ${client.accountId}, ${client.id}) c order by c.since desc, c.id desc`,
    )}`,
)

/** The applications that the member has given access and not taken it back, the latest first. */
export async function listConnectedApps(m: Member): Promise<Json<ConnectedApp[]>> {
  requirePermission(m, 'credentials.read')
  return m.tenant.text(connected, { userId: m.userId, now: m.now.toISOString() })
}

const disconnect = query<{ id: number; userId: number; now: string }, unknown>(
  p => sql`with revoked as (
    update ${g} set revoked_at = ${p.now}::timestamptz
    where ${g.accountId} = ${p.account} and ${g.userId} = ${p.userId}::int
      and ${g.clientId} = ${p.id}::int and ${g.revokedAt} is null returning 1
  ) select must(exists(select from revoked), 'oauth_grants_gone')`,
)

const dropCodes = query<{ id: number; userId: number }, unknown>(
  p => sql`delete from ${oauthCodes} where ${oauthCodes.accountId} = ${p.account}
    and ${oauthCodes.userId} = ${p.userId}::int and ${oauthCodes.clientId} = ${p.id}::int`,
)

/**
 * Takes back everything that the member gave an application. Its tokens are worth nothing at once.
 * @throws NOT_FOUND when they gave it nothing
 */
export async function disconnectApp(m: Member, { id }: { id: number }): Promise<Deleted> {
  requirePermission(m, 'credentials.write')
  const { userId } = m
  const write = m.tenant.write('oauth_grant.revoke', id)
  write.run(disconnect, { id, userId, now: m.now.toISOString() }).run(dropCodes, { id, userId })
  return write.commit({ id, deleted: true })
}
