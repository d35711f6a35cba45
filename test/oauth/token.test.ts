import { beforeAll, describe, expect, it } from 'vitest'
import type { ShownClient } from '#lib/domain/oauth/schema.ts'
import { anyone, somebody } from '../browser.ts'
import { queryDatabase } from '../database.ts'
import { platform, roomInMinute } from '../platform.ts'
import {
  basic,
  bearer,
  codeFor,
  exchange,
  makeClient,
  pkce,
  post,
  refresh,
  type SignedIn,
  signedInAccount,
  tokensFor,
} from './world.ts'

let user: SignedIn
let client: ShownClient
let open: ShownClient
let stranger: ShownClient

beforeAll(async () => {
  user = await signedInAccount()
  client = await makeClient(user)
  open = await makeClient(user, { type: 'public' })
  stranger = await makeClient(user)
})

const at = (ms: number) => ({ 'x-test-now': new Date(Date.now() + ms).toISOString() })
const MINUTE = 60_000

/** What a refusal says, with its status. */
const refusal = async (reply: ReturnType<typeof post>) => {
  const { status, body } = await reply
  return [status, body.error]
}

describe('POST /api/auth/oauth/token', () => {
  it('200 with the four fields and the scope, kept by nobody on the way', async () => {
    const { status, body, headers } = await post(
      'token',
      exchange(client, await codeFor(user, client)),
    )
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^ey[\w-]+\.[\w-]+\.[\w-]+$/),
        token_type: 'Bearer',
        expires_in: 1800,
        refresh_token: expect.stringMatching(/^[\w-]{54}$/),
        scope: 'READ_PROFILE READ_BOOKING BOOKING_WRITE SERVICES_READ SERVICES_WRITE',
      },
    ])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('pragma')).toBe('no-cache')
    expect(headers.get('x-ratelimit-limit')).toBe('60')
  })

  it('keeps only a hash of the refresh token', async () => {
    const { refresh_token } = await tokensFor(user, client)
    const found = await queryDatabase(
      `select count(*) as n from oauth_refresh_tokens t
       where to_jsonb(t)::text like '%' || $1 || '%'`,
      [String(refresh_token)],
    )
    expect(Number(found[0]?.n)).toBe(0)
  })

  it.each([
    ['grant_type', 'invalid_request'],
    ['code', 'invalid_request'],
    ['redirect_uri', 'invalid_request'],
    ['client_id', 'invalid_request'],
  ])('400 without %s, or with an empty one', async (name, error) => {
    const code = await codeFor(user, client)
    const { [name]: _, ...without } = exchange(client, code)
    expect(await refusal(post('token', without))).toEqual([400, error])
    expect(await refusal(post('token', { ...without, [name]: '' }))).toEqual([400, error])
    expect((await post('token', exchange(client, code))).status).toBe(200)
  })

  it('400 unsupported_grant_type for the password grant and others', async () => {
    for (const grant_type of ['password', 'client_credentials', 'toString'])
      expect(await refusal(post('token', exchange(client, 'x', { grant_type })))).toEqual([
        400,
        'unsupported_grant_type',
      ])
  })

  it('400 invalid_request for a parameter given twice; resource may be', async () => {
    const code = await codeFor(user, client)
    const form = new URLSearchParams(exchange(client, code))
    const resources = `&resource=${platform().url}&resource=${platform().url}/api/mcp`
    expect(await refusal(post('token', `${form}&code=${code}`))).toEqual([400, 'invalid_request'])
    expect((await post('token', `${form}${resources}&unknown=1&unknown_too=`)).status).toBe(200)
  })

  it('400 invalid_request for JSON, and for what stands in the address', async () => {
    const fields = exchange(client, await codeFor(user, client))
    const json = await anyone.post('/api/auth/oauth/token', fields, somebody())
    expect([json.status, json.body.error]).toEqual([400, 'invalid_request'])
    const query = new URLSearchParams(fields)
    const address = await anyone.post(`/api/auth/oauth/token?${query}`, '', {
      'content-type': 'application/x-www-form-urlencoded',
      ...somebody(),
    })
    expect([address.status, address.body.error]).toEqual([400, 'invalid_request'])
  })

  it('400 and 413 invalid_request for a form that is no text, and one that is too large', async () => {
    const send = async (endpoint: string, body: BodyInit) => {
      const answer = await fetch(`${platform().url}/api/auth/oauth/${endpoint}`, {
        method: 'POST',
        headers: {
          'content-type':
            endpoint === 'register' ? 'application/json' : 'application/x-www-form-urlencoded',
          ...somebody(),
        },
        body,
      })
      return [answer.status, Object.keys((await answer.json()) as object)]
    }
    const members = ['error', 'error_description']
    for (const endpoint of ['token', 'refreshToken', 'revoke', 'register']) {
      expect(await send(endpoint, new Uint8Array([0xff, 0xfe]))).toEqual([400, members])
      expect(await send(endpoint, `x=${'y'.repeat(2 ** 20)}`)).toEqual([413, members])
    }
  })

  it('401 invalid_client for an unknown client, a wrong secret, and none', async () => {
    const code = await codeFor(user, client)
    const { client_secret: _, ...without } = exchange(client, code)
    const wrong = [
      exchange({ clientId: 'nobody', clientSecret: 'x' }, code),
      exchange({ clientId: 'nobody', clientSecret: null }, code),
      exchange({ ...client, clientSecret: 'wrong' }, code),
      exchange({ ...client, clientSecret: stranger.clientSecret }, code),
      without,
      exchange({ ...open, clientSecret: 'it has none' }, code),
    ]
    for (const form of wrong) {
      const reply = await post('token', form)
      expect([reply.status, reply.body.error]).toEqual([401, 'invalid_client'])
      expect(reply.headers.get('www-authenticate')).toBeNull()
    }
    expect((await post('token', exchange(client, code))).status).toBe(200)
  })

  it('401 with WWW-Authenticate: Basic where Basic was used', async () => {
    const form = { grant_type: 'authorization_code', code: 'x', redirect_uri: 'x' }
    for (const authorization of [
      basic({ ...client, clientSecret: 'wrong' }).authorization!,
      'Basic %%%',
      `Basic ${Buffer.from('no colon').toString('base64')}`,
      `Basic ${Buffer.from('a%00b:c').toString('base64')}`,
      'basic',
    ]) {
      const reply = await post('token', form, { authorization })
      expect([reply.status, reply.body.error]).toEqual([401, 'invalid_client'])
      expect(reply.headers.get('www-authenticate')).toMatch(/^Basic /)
    }
  })

  it('200 by Basic, both parts form-decoded', async () => {
    const {
      client_id: _,
      client_secret: __,
      ...form
    } = exchange(client, await codeFor(user, client))
    const encoded = (text: string | null) =>
      [...(text ?? '')].map(c => `%${c.charCodeAt(0).toString(16)}`).join('')
    const [id, secret] = [encoded(client.clientId), encoded(client.clientSecret)]
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
    expect((await post('token', form, { authorization })).status).toBe(200)
  })

  it('400 invalid_request for a client that shows itself in two ways', async () => {
    const form = exchange(client, await codeFor(user, client))
    expect(await refusal(post('token', form, basic(client)))).toEqual([400, 'invalid_request'])
    const { client_secret: _, ...rest } = form
    expect(await refusal(post('token', rest, basic(stranger)))).toEqual([400, 'invalid_request'])
    expect((await post('token', rest, basic(client))).status).toBe(200)
  })

  it('400 invalid_grant for a code of another client, address or time, which stays good', async () => {
    const code = await codeFor(user, client)
    const wrong: [Record<string, string>, Record<string, string>][] = [
      [exchange(stranger, code), {}],
      [exchange(client, 'unknown'), {}],
      [exchange(client, code, { redirect_uri: 'http://127.0.0.1:3999/callback/' }), {}],
      [exchange(client, code), at(10 * MINUTE)],
    ]
    for (const [form, headers] of wrong)
      expect(await refusal(post('token', form, headers))).toEqual([400, 'invalid_grant'])
    expect((await post('token', exchange(client, code), at(9.9 * MINUTE))).status).toBe(200)
  })

  it('400 for a verifier that is missing, wrong or the challenge itself', async () => {
    for (const asking of [client, open]) {
      const { verifier, challenge } = pkce()
      const code = await codeFor(user, asking, { code_challenge: challenge })
      const send = (more: Record<string, string>) => post('token', exchange(asking, code, more))
      expect(await refusal(send({}))).toEqual([400, 'invalid_request'])
      for (const code_verifier of ['wrong', challenge, pkce().verifier])
        expect(await refusal(send({ code_verifier }))).toEqual([400, 'invalid_grant'])
      expect((await send({ code_verifier: verifier })).status).toBe(200)
    }
  })

  it('400 invalid_grant for a verifier where there was no challenge (downgrade)', async () => {
    const code = await codeFor(user, client)
    const form = exchange(client, code, { code_verifier: pkce().verifier })
    expect(await refusal(post('token', form))).toEqual([400, 'invalid_grant'])
  })

  it('takes refresh tokens as well, and scopes no wider than they were granted', async () => {
    const { refresh_token } = await tokensFor(user, client, {
      scope: 'SERVICES_WRITE READ_PROFILE',
    })
    const send = (scope: string) => post('token', refresh(client, refresh_token, { scope }))
    expect(await refusal(send('SERVICES_WRITE FULL_ACCESS'))).toEqual([400, 'invalid_scope'])
    expect(await refusal(send('nonsense'))).toEqual([400, 'invalid_scope'])
    const less = await send('READ_PROFILE')
    expect([less.status, less.body.scope]).toEqual([200, 'READ_PROFILE'])
    const write = { ...bearer(less.body.access_token) }
    expect((await anyone.post('/api/services/categories', { name: 'x' }, write)).status).toBe(403)
    const all = await post('token', refresh(client, less.body.refresh_token))
    expect(all.body.scope).toBe('READ_PROFILE SERVICES_WRITE')
  })

  it('an Idempotency-Key keeps nothing of an answer', async () => {
    const key = crypto.randomUUID()
    const form = exchange(client, await codeFor(user, client))
    const first = await post('token', form, { 'idempotency-key': key })
    expect(first.status).toBe(200)
    const kept = await queryDatabase(`select 1 as x from idempotency_keys where key = $1`, [key])
    expect(kept).toEqual([])
  })

  it('429 after ten wrong secrets, also for the right one, and for that client alone', async () => {
    await roomInMinute()
    const guessed = await makeClient(user)
    const code = await codeFor(user, guessed)
    const from = { 'x-test-client': '203.0.113.204' }
    for (let n = 0; n < 10; n++) {
      const form = exchange({ ...guessed, clientSecret: `guess ${n}` }, code)
      expect((await post('token', form, from)).status).toBe(401)
    }
    const refused = await post('token', exchange(guessed, code), from)
    expect([refused.status, refused.body.error]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0')
    const fine = exchange(client, await codeFor(user, client))
    expect((await post('token', fine, from)).status).toBe(200)
    expect((await post('token', exchange(guessed, code))).status).toBe(200)
  })
})
