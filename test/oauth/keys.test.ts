import {
  createLocalJWKSet,
  decodeProtectedHeader,
  generateKeyPair,
  importJWK,
  jwtVerify,
  SignJWT,
} from 'jose'
import { describe, expect, it } from 'vitest'
import { anyone, somebody } from '../browser.ts'
import type { Body } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { fireJob, platform } from '../platform.ts'
import {
  bearer,
  codeFor,
  exchange,
  makeClient,
  post,
  signedInAccount,
  statusOf,
  tokensFor,
} from './world.ts'

const keys = async () => {
  const { body } = await anyone.get('/api/auth/oauth/jwks', somebody())
  return body.keys as unknown as Record<string, string>[]
}

const kidOf = (tokens: Body) => decodeProtectedHeader(String(tokens.access_token)).kid

describe('GET /api/auth/oauth/jwks', () => {
  it('200 with public parts alone', async () => {
    const user = await signedInAccount()
    const tokens = await tokensFor(user, await makeClient(user))
    const published = await keys()
    expect(published.map(key => key.kid)).toContain(kidOf(tokens))
    for (const key of published)
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  it('the private part is kept encrypted', async () => {
    const rows = await queryDatabase(`select private_key from oauth_keys`)
    expect(rows.length).toBeGreaterThan(0)
    for (const { private_key } of rows) expect(private_key).toMatch(/^sealed:1:[\w.-]+$/)
  })
})

describe('the key that tokens are signed with', () => {
  it('is there once, however many tokens are first', async () => {
    const current = await queryDatabase(`select kid from oauth_keys where retired_at is null`)
    expect(current).toHaveLength(1)
    const second = queryDatabase(
      `insert into oauth_keys values ('second', '{}', 'x', now(), null) returning kid`,
    )
    await expect(second).rejects.toThrow(/oauth_keys_current/)
  })

  it('changes after 90 days; tokens of the one before it are good until they end', async () => {
    const user = await signedInAccount()
    const client = await makeClient(user)
    const before = await tokensFor(user, client)
    await queryDatabase(
      `update oauth_keys set created_at = now() - interval '89 days' where kid = $1`,
      [kidOf(before)],
    )
    await fireJob('cleanup')
    expect(kidOf(await tokensFor(user, client))).toBe(kidOf(before))
    await queryDatabase(
      `update oauth_keys set created_at = now() - interval '91 days' where kid = $1`,
      [kidOf(before)],
    )
    await fireJob('cleanup')
    const after = await tokensFor(user, client)
    expect(kidOf(after)).not.toBe(kidOf(before))
    expect(await statusOf(before.access_token)).toBe(200)
    expect(await statusOf(after.access_token)).toBe(200)
    const local = createLocalJWKSet({ keys: (await keys()) as never })
    for (const { access_token } of [before, after])
      await jwtVerify(String(access_token), local, { issuer: platform().url, typ: 'at+jwt' })
  })

  it('is published for a day after it was in use', async () => {
    // Not the one that was: other files' tokens are signed with it.
    await queryDatabase(
      `insert into oauth_keys (kid, public_key, private_key, created_at, retired_at)
       select kid, public_key || jsonb_build_object('kid', kid), 'sealed:1:x', now(),
         now() - hours * interval '1 hour'
       from (select public_key from oauth_keys where retired_at is null) k,
         unnest(array[23, 25]) hours, lateral (select 'retired ' || hours || ' h' as kid) named`,
    )
    await fireJob('cleanup')
    const retired = await queryDatabase(
      `delete from oauth_keys where kid like 'retired %' returning kid`,
    )
    expect(retired).toEqual([{ kid: 'retired 23 h' }])
  })

  it('is made anew where the present APP_SECRET does not open it', async () => {
    const user = await signedInAccount()
    const client = await makeClient(user)
    const before = await tokensFor(user, client)
    // Tokens of other files stay good: the key that they were signed with is there as one that was.
    await queryDatabase(
      `with broken as (
         update oauth_keys set kid = 'of-another-secret', private_key = 'sealed:1:AAAA.AAAA'
         where kid = $1 returning *)
       insert into oauth_keys (kid, public_key, private_key, created_at, retired_at)
       select $1, public_key, private_key, created_at, now() from broken`,
      [kidOf(before)],
    )
    const after = await tokensFor(user, client)
    expect(kidOf(after)).not.toBe(kidOf(before))
    for (const { access_token } of [before, after]) expect(await statusOf(access_token)).toBe(200)
  })
})

describe('a forged token', () => {
  it('401: another key, no signature, another type, issuer or algorithm', async () => {
    const user = await signedInAccount()
    const client = await makeClient(user)
    const { body } = await post('token', exchange(client, await codeFor(user, client)))
    const token = String(body.access_token)
    const [header = '', payload = ''] = token.split('.')
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    const known = decodeProtectedHeader(token)
    const { privateKey } = await generateKeyPair('ES256')
    const theirs = (head: Record<string, string>) =>
      new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...head })
        .sign(privateKey)
    const [jwk] = await keys()
    const shared = await importJWK({ kty: 'oct', k: String(jwk?.x) }, 'HS256')
    const forged = [
      await theirs({ kid: String(known.kid) }),
      await theirs({ kid: 'unknown' }),
      await theirs({}),
      `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: String(known.kid) })
        .sign(shared),
      `${header}.${encode({ ...claims, scope: 'FULL_ACCESS' })}.${token.split('.')[2]}`,
      ...[5, {}, ['x'], null, false, '\0', '\ud800'].map(
        kid => `${encode({ ...known, kid })}.${payload}.${token.split('.')[2]}`,
      ),
      `${token}x`,
      token.slice(0, -2),
      `${header}.${payload}`,
      'x'.repeat(5000),
    ]
    for (const one of forged) {
      const reply = await anyone.get('/api/auth/oauth/me', bearer(one))
      expect([reply.status, reply.body.error]).toEqual([401, 'UNAUTHORIZED'])
      expect(reply.headers.get('www-authenticate')).toContain('error="invalid_token"')
      expect(reply.text).not.toContain(one)
    }
    expect(await statusOf(token)).toBe(200)
  })
})

describe('GET /api/auth/oauth/me', () => {
  it('200 with the user, for a token, a key as bearer, and a key in its header', async () => {
    const user = await signedInAccount()
    const { access_token } = await tokensFor(user, await makeClient(user))
    for (const headers of [
      bearer(access_token),
      bearer(user.apiKey),
      { 'cal-api-key': user.apiKey },
    ]) {
      const { status, body } = await anyone.get('/api/auth/oauth/me', headers)
      expect([status, body.username, body.id]).toEqual([200, user.username, user.userId])
    }
  })

  it('401 that calls a refused key invalid, as it does a refused token', async () => {
    for (const secret of ['cal_no', `cal_${'A'.repeat(43)}`]) {
      const { status, headers } = await anyone.get('/api/auth/oauth/me', bearer(secret))
      expect([status, headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining('error="invalid_token"'),
      ])
    }
  })

  it('401 without a credential, which says where tokens come from', async () => {
    const { status, body, headers } = await anyone.get('/api/auth/oauth/me', somebody())
    expect([status, body.error]).toEqual([401, 'UNAUTHORIZED'])
    expect(headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${platform().url}/.well-known/oauth-protected-resource"`,
    )
  })
})
