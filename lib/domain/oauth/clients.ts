import { sql } from 'drizzle-orm'
import { oauthClients } from '#drizzle/schema/oauth.ts'
import { type Member, may, requirePermission } from '#lib/core/context.ts'
import { removal } from '#lib/core/crud.ts'
import { conflict } from '#lib/core/errors.ts'
import { type Deleted, existing, type Json, type Page } from '#lib/core/json.ts'
import { overlapEnd, type SecretRotation } from '#lib/core/rotation.ts'
import { SCOPES } from '#lib/core/scopes.ts'
import { newUid, randomText, sha256 } from '#lib/core/text.ts'
import { json } from '#lib/db/json.ts'
import { type ListSpec, lister } from '#lib/db/list.ts'
import { query } from '#lib/db/query.ts'
import type {
  NewOAuthClient,
  OAuthClient,
  OAuthClientChange,
  OAuthClientDecision,
  OAuthClientFilter,
  ShownClient,
} from './schema.ts'

/** The most clients that an account may have. */
const MAX_CLIENTS = 50
const SECRET_BYTES = 32

const c = oauthClients
/** The fields of a `Registration`. */
export const registration = {
  id: c.id,
  clientId: c.clientId,
  name: c.name,
  description: c.description,
  type: c.type,
  status: c.status,
  redirectUris: c.redirectUris,
  scopes: c.scopes,
}
const record = json({
  ...registration,
  secretHint: c.secretHint,
  previousSecretUntil: c.previousSecretUntil,
  userId: c.userId,
  createdAt: c.createdAt,
  updatedAt: c.updatedAt,
})

const clientList: ListSpec = {
  table: c,
  record,
  filters: {
    status: given => sql`${c.status} = ${given.status}`,
    own: given => sql`${c.userId} = ${given.own}::int`,
  },
  search: sql`${c.name}`,
}
const page = lister<OAuthClient>(clientList)

const clientById = query<{ id: number; own: number | null }, OAuthClient>(
  p => sql`select ${record} from ${c} where ${c.accountId} = ${p.account} and ${c.id} = ${p.id}::int
    and (${p.own}::int is null or ${c.userId} = ${p.own}::int)`,
)

const newest = query<object, OAuthClient>(
  p => sql`select ${record} from ${c} where ${c.accountId} = ${p.account}
    and ${c.id} = currval('oauth_clients_id_seq')::int`,
)

const requireRoom = query<{ most: number }, unknown>(
  p => sql`select must((select count(*) from ${c} where ${c.accountId} = ${p.account})
    < ${p.most}::int, 'oauth_clients_limit')`,
)

/** Whose clients a member sees and changes: their own, or everybody's (null). */
const ownOf = (m: Member, all: 'connections.read' | 'connections.write'): number | null =>
  may(m, all) ? null : m.userId

/** The clients of the account: all of them, or for who may not see connections their own. */
export async function listOAuthClients(
  m: Member,
  filter: OAuthClientFilter,
): Promise<Page<OAuthClient>> {
  requirePermission(m, 'credentials.read')
  return page(m.tenant, { ...filter, own: ownOf(m, 'connections.read') ?? undefined })
}

async function find(m: Member, id: number, own: number | null): Promise<Json<OAuthClient>> {
  return existing(await m.tenant.text(clientById, { id, own }), 'OAuth client')
}

/** One client; 404 for those who see their own alone and did not make it. */
export async function findOAuthClient(
  m: Member,
  { id }: { id: number },
): Promise<Json<OAuthClient>> {
  requirePermission(m, 'credentials.read')
  return find(m, id, ownOf(m, 'connections.read'))
}

/** A new secret of 256 random bits with what is kept of it. */
async function newSecret() {
  const secret = randomText(SECRET_BYTES)
  return { secret, kept: { secretHash: await sha256(secret), secretHint: secret.slice(-4) } }
}

/** What the making of a client asks of those who see to the account's connections. */
const statusFor = (m: Member): OAuthClient['status'] =>
  may(m, 'connections.write') ? 'approved' : 'pending'

/**
 * Makes a client. That of an owner or admin is approved at once, another's waits for one of them. The
 * secret of a confidential one is shown here and never again.
 * @throws CONFLICT when the account has 50
 */
export async function createOAuthClient(m: Member, input: NewOAuthClient): Promise<ShownClient> {
  requirePermission(m, 'credentials.write')
  const made = input.type === 'confidential' ? await newSecret() : undefined
  const at = m.now.toISOString()
  const write = m.tenant.write('oauth_client.create')
  write.run(requireRoom, { most: MAX_CLIENTS })
  write.insert(c, {
    ...input,
    ...made?.kept,
    scopes: input.scopes ?? [...SCOPES],
    userId: m.userId,
    clientId: newUid(),
    status: statusFor(m),
    createdAt: at,
    updatedAt: at,
  })
  const client = await write.commitSecret(write.answer(newest, {}))
  return { ...client.read(), clientSecret: made?.secret ?? null }
}

/** A client that the member may change: their own, or any for who sees to connections. */
async function changeable(m: Member, id: number): Promise<OAuthClient> {
  requirePermission(m, 'credentials.write')
  return (await find(m, id, ownOf(m, 'connections.write'))).read()
}

/**
 * Changes a client; what is left out stays. Changed by who could not have approved it, it waits for
 * approval again. What users have given it stays as they gave it.
 */
export async function updateOAuthClient(
  m: Member,
  { id, ...change }: OAuthClientChange & { id: number },
): Promise<Json<OAuthClient>> {
  const was = await changeable(m, id)
  const status = statusFor(m) === 'approved' ? was.status : 'pending'
  const write = m.tenant.write('oauth_client.update', id)
  write.change(c, id, { ...change, status, updatedAt: m.now.toISOString() }, 'oauth_clients_gone')
  return write.commit(write.answer(clientById, { id, own: null }))
}

/**
 * Approves or rejects a client; an owner or admin does. What a rejected one was given is worth nothing
 * until it is approved again.
 */
export async function decideOAuthClient(
  m: Member,
  { id, status }: OAuthClientDecision & { id: number },
): Promise<Json<OAuthClient>> {
  requirePermission(m, 'connections.write')
  await changeable(m, id)
  const write = m.tenant.write(`oauth_client.${status === 'approved' ? 'approve' : 'reject'}`, id)
  write.change(c, id, { status, updatedAt: m.now.toISOString() }, 'oauth_clients_gone')
  return write.commit(write.answer(clientById, { id, own: null }))
}

/**
 * Gives a confidential client another secret, shown this once. For a while both work, so that whoever
 * runs it can change over.
 * @throws CONFLICT for a public client, which has none
 */
export async function rotateClientSecret(
  m: Member,
  { id, ...rotation }: SecretRotation,
): Promise<ShownClient> {
  const was = await changeable(m, id)
  if (was.type === 'public') conflict('A public client has no secret')
  const { secret, kept } = await newSecret()
  const write = m.tenant.write('oauth_client.rotate', id)
  const change = {
    ...kept,
    previousSecretHash: sql`${c.secretHash}`,
    previousSecretUntil: overlapEnd(m.now, rotation),
    updatedAt: m.now.toISOString(),
  }
  write.change(c, id, change, 'oauth_clients_gone')
  const client = await write.commitSecret(write.answer(clientById, { id, own: null }))
  return { ...client.read(), clientSecret: secret }
}

/** Ends the secret before the last rotation at once: from now on the present one works alone. */
export async function endPreviousClientSecret(
  m: Member,
  { id }: { id: number },
): Promise<Json<OAuthClient>> {
  await changeable(m, id)
  const write = m.tenant.write('oauth_client.end_secret', id)
  const change = { previousSecretHash: null, previousSecretUntil: null }
  write.change(c, id, { ...change, updatedAt: m.now.toISOString() }, 'oauth_clients_gone')
  return write.commit(write.answer(clientById, { id, own: null }))
}

/** Deletes a client, and with it everything that users gave it. */
export async function deleteOAuthClient(m: Member, { id }: { id: number }): Promise<Deleted> {
  await changeable(m, id)
  const write = m.tenant.write('oauth_client.delete', id)
  write.run(removal(c), { id })
  return write.commit({ id, deleted: true })
}
