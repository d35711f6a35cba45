import { sql } from 'drizzle-orm'
import { oauthClients, oauthGrants, oauthRefreshTokens } from '#drizzle/schema/oauth.ts'
import type { Base } from '#lib/core/context.ts'
import { sha256 } from '#lib/core/text.ts'
import { json, jsonRow } from '#lib/db/json.ts'
import { entrance, lookUp } from '#lib/db/query.ts'
import { readAccess } from './access.ts'
import { refuse } from './errors.ts'
import type { ClientRequest } from './exchange.ts'
import { authenticate, type KnownClient } from './presented.ts'
import { knownClient, revokeGrant } from './tokens.ts'

const g = oauthGrants
const r = oauthRefreshTokens

interface Facts {
  client: KnownClient | null
  grant: { accountId: number; id: number; clientId: number } | null
}

const facts = entrance<
  { clientId: string; hash: string; accountId: number; grantId: number },
  Facts
>(
  p =>
    sql`select ${json({
      client: knownClient(sql`${p.clientId}`),
      grant: jsonRow(
        json({ accountId: g.accountId, id: g.id, clientId: g.clientId }),
        sql`from ${g} join ${oauthClients} on ${oauthClients.id} = ${g.clientId}
        where (${g.accountId} = ${p.accountId}::int and ${g.id} = ${p.grantId}::int)
          or exists (select from ${r} where ${r.hash} = ${p.hash}
            and ${r.accountId} = ${g.accountId} and ${r.grantId} = ${g.id})`,
      ),
    })}`,
)

/**
 * Takes back what a token is of (RFC 7009): the whole grant, whichever of its tokens is shown. Of a
 * token that nobody has nothing is said.
 * @throws OAuthError invalid_grant for a token of another client
 */
export async function revokeToken(base: Base, { form, presented }: ClientRequest): Promise<object> {
  const { one } = form
  await base.admission()
  const token = one.token ?? ''
  const access = await readAccess(base.db, base.settings, token, base.now)
  const { accountId, grantId } = access ?? { accountId: 0, grantId: 0 }
  const { clientId } = presented
  const hash = await sha256(token)
  const known = await lookUp(base.db, facts, { clientId, hash, accountId, grantId })
  const client = await authenticate(known.client, presented, base.now)
  if (token === '') refuse('invalid_request', 'token is missing')
  const { grant } = known
  if (!grant) return {}
  if (grant.clientId !== client.id) refuse('invalid_grant', 'The token was given to another client')
  const write = base.enter(grant.accountId).write('oauth_grant.revoke', grant.id)
  await write.run(revokeGrant, { id: grant.id, now: base.now.toISOString() }).commit(undefined)
  return {}
}
