import { beforeAll, describe, expect, it } from 'vitest'
import { decideOAuthClient, deleteOAuthClient } from '#lib/domain/oauth/clients.ts'
import { disconnectApp, listConnectedApps } from '#lib/domain/oauth/connections.ts'
import type { ShownClient } from '#lib/domain/oauth/schema.ts'
import { queryDatabase } from '../database.ts'
import {
  basic,
  codeFor,
  credentials,
  exchange,
  inNameOf,
  makeClient,
  post,
  refresh,
  type SignedIn,
  signedInAccount,
  statusOf,
  tokensFor,
} from './world.ts'

let user: SignedIn
let client: ShownClient

beforeAll(async () => {
  user = await signedInAccount()
  client = await makeClient(user)
})

const FIVE = [1, 2, 3, 4, 5]

describe('a code', () => {
  it('of five exchanges at once one wins, ten times over, and what it won is taken back', async () => {
    for (let round = 0; round < 10; round++) {
      const code = await codeFor(user, client)
      const replies = await Promise.all(FIVE.map(() => post('token', exchange(client, code))))
      const sorted = replies.map(r => `${r.status} ${r.body.error ?? 'tokens'}`).toSorted()
      expect(sorted).toEqual(['200 tokens', ...Array(4).fill('400 invalid_grant')])
      // One of the five has stolen it, and nothing tells which.
      const won = replies.find(r => r.status === 200)
      expect(await statusOf(won?.body.access_token)).toBe(401)
    }
  })

  it('used twice takes back what it gave, at once', async () => {
    const code = await codeFor(user, client)
    const { body } = await post('token', exchange(client, code))
    expect(await statusOf(body.access_token)).toBe(200)
    const again = await post('token', exchange(client, code))
    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant'])
    expect(await statusOf(body.access_token)).toBe(401)
    const next = await post('token', refresh(client, body.refresh_token))
    expect([next.status, next.body.error]).toEqual([400, 'invalid_grant'])
  })

  it('used twice takes back what came of refreshing, and nothing of another consent', async () => {
    const other = await tokensFor(user, client)
    const code = await codeFor(user, client)
    const first = await post('token', exchange(client, code))
    const second = await post('token', refresh(client, first.body.refresh_token))
    expect(await statusOf(second.body.access_token)).toBe(200)
    await post('token', exchange(client, code))
    expect(await statusOf(second.body.access_token)).toBe(401)
    expect(await statusOf(other.access_token)).toBe(200)
  })

  it('of another client, used by a stranger, takes back nothing', async () => {
    const stranger = await makeClient(user)
    const code = await codeFor(user, client)
    const { body } = await post('token', exchange(client, code))
    await post('token', exchange(stranger, code))
    expect(await statusOf(body.access_token)).toBe(200)
  })
})

describe('a refresh token', () => {
  it('used again ends the family: the newest tokens as well', async () => {
    const first = await tokensFor(user, client)
    const second = await post('token', refresh(client, first.refresh_token))
    const third = await post('token', refresh(client, second.body.refresh_token))
    expect(await statusOf(third.body.access_token)).toBe(200)
    const reused = await post('token', refresh(client, first.refresh_token))
    expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant'])
    expect(await statusOf(third.body.access_token)).toBe(401)
    const next = await post('token', refresh(client, third.body.refresh_token))
    expect([next.status, next.body.error]).toEqual([400, 'invalid_grant'])
  })

  it('of five uses at once one wins, and the family ends, five times over', async () => {
    for (let round = 0; round < 5; round++) {
      const { refresh_token } = await tokensFor(user, client)
      const form = refresh(client, refresh_token)
      const replies = await Promise.all(FIVE.map(() => post('token', form)))
      const sorted = replies.map(r => `${r.status} ${r.body.error ?? 'tokens'}`).toSorted()
      expect(sorted).toEqual(['200 tokens', ...Array(4).fill('400 invalid_grant')])
      const won = replies.find(r => r.status === 200)
      expect(await statusOf(won?.body.access_token)).toBe(401)
    }
  })

  it('a grant has one that can be used, whatever the code does', async () => {
    const { refresh_token } = await tokensFor(user, client)
    await post('token', refresh(client, refresh_token))
    const rows = await queryDatabase(
      `select account_id, grant_id from oauth_refresh_tokens where used_at is null
       group by 1, 2 having count(*) > 1`,
    )
    expect(rows).toEqual([])
    const insert = queryDatabase(
      `insert into oauth_refresh_tokens (account_id, grant_id, hash, created_at, expires_at)
       select account_id, grant_id, 'second', now(), now() from oauth_refresh_tokens
       where used_at is null limit 1`,
    )
    await expect(insert).rejects.toThrow(/oauth_refresh_tokens_live/)
  })
})

describe('POST /api/auth/oauth/revoke', () => {
  it.each(['access_token', 'refresh_token'])('200 with %s ends all of the grant', async kind => {
    const tokens = await tokensFor(user, client)
    const fields = { token: String(tokens[kind]), token_type_hint: kind }
    expect((await post('revoke', fields, basic(client))).status).toBe(200)
    expect(await statusOf(tokens.access_token)).toBe(401)
    const next = await post('token', refresh(client, tokens.refresh_token))
    expect([next.status, next.body.error]).toEqual([400, 'invalid_grant'])
    expect((await post('revoke', fields, basic(client))).status).toBe(200)
  })

  it('200 for a token that nobody has, 400 without one', async () => {
    const ask = (fields: Record<string, string>) => post('revoke', fields, basic(client))
    expect((await ask({ token: 'nonsense' })).status).toBe(200)
    const none = await ask({})
    expect([none.status, none.body.error]).toEqual([400, 'invalid_request'])
  })

  it('401 or 400 by who is not the client, and the token stays good', async () => {
    const tokens = await tokensFor(user, client)
    const stranger = await makeClient(user)
    const token = String(tokens.refresh_token)
    const wrong = await post('revoke', { token }, basic({ ...client, clientSecret: 'wrong' }))
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client'])
    const theirs = await post('revoke', { token, ...credentials(stranger) })
    expect([theirs.status, theirs.body.error]).toEqual([400, 'invalid_grant'])
    expect(await statusOf(tokens.access_token)).toBe(200)
  })
})

describe('what a user gave ends at once', () => {
  it('when they take it back, codes that are on their way included', async () => {
    const mine = await makeClient(user)
    const tokens = await tokensFor(user, mine)
    const code = await codeFor(user, mine)
    await inNameOf(user, async m => {
      expect((await listConnectedApps(m)).read().map(app => app.id)).toContain(mine.id)
      await disconnectApp(m, { id: mine.id })
      expect((await listConnectedApps(m)).read().map(app => app.id)).not.toContain(mine.id)
    })
    expect(await statusOf(tokens.access_token)).toBe(401)
    const late = await post('token', exchange(mine, code))
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant'])
  })

  it('when the client is deleted', async () => {
    const mine = await makeClient(user)
    const { access_token, refresh_token } = await tokensFor(user, mine)
    await inNameOf(user, m => deleteOAuthClient(m, { id: mine.id }))
    expect(await statusOf(access_token)).toBe(401)
    const next = await post('token', refresh(mine, refresh_token))
    expect([next.status, next.body.error]).toEqual([401, 'invalid_client'])
  })

  it('while the client is rejected, and is there again once it is approved', async () => {
    const mine = await makeClient(user)
    const { access_token, refresh_token } = await tokensFor(user, mine)
    const decide = (status: 'approved' | 'rejected') =>
      inNameOf(user, m => decideOAuthClient(m, { id: mine.id, status }))
    await decide('rejected')
    expect(await statusOf(access_token)).toBe(401)
    const next = await post('token', refresh(mine, refresh_token))
    expect([next.status, next.body.error]).toEqual([400, 'unauthorized_client'])
    await decide('approved')
    expect(await statusOf(access_token)).toBe(200)
  })
})
