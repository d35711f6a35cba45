import { beforeAll, describe, expect, it } from 'vitest'
import type { ShownClient } from '#lib/domain/oauth/schema.ts'
import { anyone } from '../browser.ts'
import { platform } from '../platform.ts'
import {
  authorize,
  bearer,
  codeFor,
  exchange,
  makeClient,
  post,
  refresh,
  request,
  type SignedIn,
  signedInAccount,
  statusOf,
  tokensFor,
} from './world.ts'

let user: SignedIn
let client: ShownClient
let stranger: ShownClient

beforeAll(async () => {
  user = await signedInAccount()
  client = await makeClient(user)
  stranger = await makeClient(user)
})

const at = (ms: number) => ({ 'x-test-now': new Date(Date.now() + ms).toISOString() })
const MINUTE = 60_000
const DAY = 1440 * MINUTE

/** What a refusal says, with its status. */
const refusal = async (reply: ReturnType<typeof post>) => {
  const { status, body } = await reply
  return [status, body.error]
}

describe('POST /api/auth/oauth/refreshToken', () => {
  it('200 with a new pair; the access token ends after 1800 seconds', async () => {
    const first = await tokensFor(user, client)
    const { status, body } = await post('refreshToken', refresh(client, first.refresh_token))
    expect([status, Object.keys(body).toSorted()]).toEqual([
      200,
      ['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type'],
    ])
    expect(body.refresh_token).not.toBe(first.refresh_token)
    const me = (ms: number) =>
      anyone.get('/api/auth/oauth/me', { ...bearer(body.access_token), ...at(ms) })
    expect((await me(1795_000)).status).toBe(200)
    expect((await me(1801_000)).status).toBe(401)
  })

  it('a refresh token lasts a year', async () => {
    const { refresh_token } = await tokensFor(user, client)
    const send = (ms: number) => post('refreshToken', refresh(client, refresh_token), at(ms))
    expect(await refusal(send(365 * DAY + MINUTE))).toEqual([400, 'invalid_grant'])
    expect((await send(365 * DAY - MINUTE)).status).toBe(200)
  })

  it('400 for another grant type, none, and no token', async () => {
    const { refresh_token } = await tokensFor(user, client)
    const form = refresh(client, refresh_token)
    const { grant_type: _, ...without } = form
    expect(await refusal(post('refreshToken', without))).toEqual([400, 'invalid_request'])
    expect(
      await refusal(post('refreshToken', { ...form, grant_type: 'authorization_code' })),
    ).toEqual([400, 'unsupported_grant_type'])
    const { refresh_token: __, ...none } = form
    expect(await refusal(post('refreshToken', none))).toEqual([400, 'invalid_request'])
    const header = await post('refreshToken', none, bearer(refresh_token))
    expect([header.status, header.body.error]).toEqual([400, 'invalid_request'])
    expect((await post('refreshToken', form)).status).toBe(200)
  })

  it('400 invalid_grant for a token of another client, which stays good', async () => {
    const { refresh_token } = await tokensFor(user, client)
    const theirs = refresh(stranger, refresh_token)
    expect(await refusal(post('refreshToken', theirs))).toEqual([400, 'invalid_grant'])
    expect((await post('refreshToken', refresh(client, refresh_token))).status).toBe(200)
  })
})

describe('resource (RFC 8707)', () => {
  const tools = () => `${platform().url}/api/mcp`

  it('a token for the tool server is not one for the API', async () => {
    const { access_token } = await tokensFor(user, client, {
      resource: tools(),
      scope: 'mcp READ_PROFILE',
    })
    expect(await statusOf(access_token)).toBe(401)
  })

  it('the token request may name less, not more', async () => {
    const code = await codeFor(user, client, { resource: tools() })
    const send = (resource: string) => post('token', exchange(client, code, { resource }))
    expect(await refusal(send('https://other.example/'))).toEqual([400, 'invalid_target'])
    expect(await refusal(send(platform().url))).toEqual([400, 'invalid_target'])
    expect((await send(tools())).status).toBe(200)
    const both = await codeFor(user, client)
    const less = await post('token', exchange(client, both, { resource: platform().url }))
    const [, payload = ''] = String(less.body.access_token).split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).aud).toEqual([platform().url])
  })

  it('where no scope is named, the tools are what is asked for there', async () => {
    const page = await authorize(request(client, { resource: tools() }), user.cookie)
    expect(page.text).toContain('Use all tools of an assistant')
    expect(page.text).not.toContain('See who you are')
  })
})
