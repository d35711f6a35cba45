import { beforeAll, describe, expect, it } from 'vitest'
import type { Member } from '#lib/core/context.ts'
import type { Scope } from '#lib/core/scopes.ts'
import {
  createOAuthClient,
  decideOAuthClient,
  deleteOAuthClient,
  endPreviousClientSecret,
  findOAuthClient,
  listOAuthClients,
  rotateClientSecret,
  updateOAuthClient,
} from '#lib/domain/oauth/clients.ts'
import { disconnectApp, listConnectedApps } from '#lib/domain/oauth/connections.ts'
import { NewOAuthClient, type ShownClient } from '#lib/domain/oauth/schema.ts'
import { queryDatabase } from '../database.ts'
import {
  BACK,
  codeFor,
  exchange,
  inNameOf,
  makeClient,
  post,
  type SignedIn,
  signedInAccount,
  statusOf,
  tokensFor,
} from './world.ts'

let a: SignedIn
let b: SignedIn
let client: ShownClient

beforeAll(async () => {
  ;[a, b] = await Promise.all([signedInAccount(), signedInAccount()])
  client = await makeClient(a)
})

const input = (change: object = {}) =>
  NewOAuthClient.parse({ name: 'Till', type: 'confidential', redirectUris: [BACK], ...change })

/** Everything that can be done with a client, by its id. */
const acts: [string, (m: Member, id: number) => Promise<unknown>][] = [
  ['read', (m, id) => findOAuthClient(m, { id })],
  ['change', (m, id) => updateOAuthClient(m, { id, name: 'Mine' })],
  ['approve', (m, id) => decideOAuthClient(m, { id, status: 'rejected' })],
  ['rotate', (m, id) => rotateClientSecret(m, { id })],
  ['end the old secret of', (m, id) => endPreviousClientSecret(m, { id })],
  ['delete', (m, id) => deleteOAuthClient(m, { id })],
]

describe('a client', () => {
  it('has its secret shown once; only a hash of it is kept', async () => {
    expect(client.clientSecret).toMatch(/^[\w-]{43}$/)
    const found = (await inNameOf(a, m => findOAuthClient(m, { id: client.id }))).read()
    expect(found).not.toHaveProperty('clientSecret')
    expect(found.secretHint).toBe(client.clientSecret?.slice(-4))
    const rows = await queryDatabase(
      `select count(*) as n from oauth_clients c where to_jsonb(c)::text like '%' || $1 || '%'`,
      [client.clientSecret],
    )
    expect(Number(rows[0]?.n)).toBe(0)
  })

  it('that is public has no secret, and gets none', async () => {
    const open = await makeClient(a, { type: 'public' })
    expect([open.clientSecret, open.secretHint]).toEqual([null, null])
    const rotate = inNameOf(a, m => rotateClientSecret(m, { id: open.id }))
    await expect(rotate).rejects.toThrow('A public client has no secret')
  })

  it.each([
    ['owner', 'approved'],
    ['admin', 'approved'],
    ['manager', 'pending'],
    ['staff', 'pending'],
  ] as const)('made by %s is %s', async (role, status) => {
    expect((await makeClient(a, {}, { role })).status).toBe(status)
  })

  it.each(acts)("404 to %s another account's", async (_, act) => {
    const gone = { code: 'NOT_FOUND', message: 'OAuth client does not exist' }
    await expect(inNameOf(b, m => act(m, client.id))).rejects.toMatchObject(gone)
    await expect(inNameOf(b, m => act(m, 2_147_483_647))).rejects.toMatchObject(gone)
    const { items } = await inNameOf(b, m => listOAuthClients(m, {}))
    expect(items.read().map(c => c.id)).not.toContain(client.id)
  })

  it.each(acts)("staff may not %s somebody else's", async (_, act) => {
    const as = { role: 'staff', userId: a.userId + 1_000_000 } as const
    await expect(inNameOf(a, m => act(m, client.id), as)).rejects.toMatchObject({
      code: expect.stringMatching(/NOT_FOUND|FORBIDDEN/),
    })
    const { items } = await inNameOf(a, m => listOAuthClients(m, {}), as)
    expect(items.read()).toEqual([])
  })

  it('nobody approves their own without being an owner or admin', async () => {
    const mine = await makeClient(a, {}, { role: 'manager' })
    const decide = inNameOf(a, m => decideOAuthClient(m, { id: mine.id, status: 'approved' }), {
      role: 'manager',
    })
    await expect(decide).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await inNameOf(a, m => decideOAuthClient(m, { id: mine.id, status: 'approved' }))
    expect((await inNameOf(a, m => findOAuthClient(m, { id: mine.id }))).read().status).toBe(
      'approved',
    )
  })

  it('no token makes, changes or shows one of the credentials', async () => {
    const scopes: Scope[] = ['FULL_ACCESS']
    const make = inNameOf(a, m => createOAuthClient(m, input()), { scopes })
    await expect(make).rejects.toMatchObject({ code: 'FORBIDDEN', message: 'No token may do this' })
    for (const [, act] of acts.slice(1))
      await expect(inNameOf(a, m => act(m, client.id), { scopes })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
  })

  it('of an account that has 50 is the last', async () => {
    const full = await signedInAccount()
    await inNameOf(full, async m => {
      for (let n = 0; n < 50; n++) await createOAuthClient(m, input())
    })
    await expect(makeClient(full)).rejects.toMatchObject({ constraint: 'oauth_clients_limit' })
  })

  it.each([
    ['redirectUris', { redirectUris: [] }],
    ['redirectUris', { redirectUris: ['http://app.example/'] }],
    ['name', { name: '' }],
    ['type', { type: 'secret' }],
    ['scopes', { scopes: ['everything'] }],
    ['scopes', { scopes: [] }],
  ])('is refused for its %s', (field, change) => {
    const { error } = NewOAuthClient.safeParse({ ...input(), ...change })
    expect(error?.issues[0]?.path[0]).toBe(field)
  })
})

describe('connected applications', () => {
  it('are those of the user alone, with what they allowed', async () => {
    const mine = await makeClient(b, { name: 'Of another account' })
    const tokens = await tokensFor(a, mine, { scope: 'READ_PROFILE' })
    await tokensFor(a, mine, { scope: 'READ_BOOKING' })
    const list = (who: SignedIn) => inNameOf(who, async m => (await listConnectedApps(m)).read())
    const [app] = await list(a)
    expect(app).toMatchObject({ id: mine.id, name: 'Of another account' })
    expect(app?.scopes.toSorted()).toEqual(['READ_BOOKING', 'READ_PROFILE'])
    expect(app?.madeBy).toEqual(expect.any(String))
    expect((await list(b)).map(({ id }) => id)).not.toContain(mine.id)
    const theirs = inNameOf(b, m => disconnectApp(m, { id: mine.id }))
    await expect(theirs).rejects.toMatchObject({ constraint: 'oauth_grants_gone' })
    expect(await statusOf(tokens.access_token)).toBe(200)
  })

  it("a token of one account's user reaches that account alone", async () => {
    const { body } = await post('token', exchange(client, await codeFor(b, client)))
    const claims = JSON.parse(
      Buffer.from(String(body.access_token).split('.')[1] ?? '', 'base64url').toString(),
    )
    expect([claims.account, claims.sub]).toEqual([b.accountId, String(b.userId)])
  })
})
