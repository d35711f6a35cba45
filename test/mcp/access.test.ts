import { beforeAll, describe, expect, it } from 'vitest'
import { createAccount, type TestAccount } from '../client.ts'
import {
  credentials,
  makeClient,
  post as revoke,
  signedInAccount,
  tokensFor,
} from '../oauth/world.ts'
import { platform } from '../platform.ts'
import { callTool, post, request, type Sender } from './rpc.ts'

let account: TestAccount
let by: Sender

beforeAll(async () => {
  account = await createAccount()
  by = { key: account.apiKey }
})

const ping = request('ping')
const initialize = request('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})

/** Another address for each request without credentials: it counts for itself. */
let addresses = 0
const elsewhere = () => ({ 'x-test-client': `10.44.${++addresses >> 8}.${addresses & 255}` })

const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(`${platform().url}${path}`, { method, headers: { ...elsewhere(), ...headers } })

describe('credentials', () => {
  it('401 with nothing but {error}, and where to get a token, without any', async () => {
    for (const path of ['/api/mcp', '/api/mcp/sse']) {
      const { status, body, headers } = await post(ping, { path, headers: elsewhere() })
      expect([status, Object.keys(body), typeof body.error]).toEqual([401, ['error'], 'string'])
      const challenge = headers.get('www-authenticate') ?? ''
      expect(challenge).toMatch(/^Bearer resource_metadata="http[^"]+", scope="mcp"$/)
      expect(challenge).toContain('/.well-known/oauth-protected-resource/api/mcp"')
      expect(headers.get('x-ratelimit-limit')).toBe('60')
    }
  })

  it.each([
    ['a made-up key', { authorization: `Bearer cal_${'A'.repeat(43)}` }],
    ['a key without its prefix', { authorization: 'Bearer AAAA' }],
    ['a made-up token', { authorization: 'Bearer a.b.c' }],
    ['a made-up key in its own header', { 'cal-api-key': 'cal_no' }],
  ])('401 that calls it invalid for %s', async (_, headers) => {
    const {
      status,
      body,
      headers: got,
    } = await post(ping, {
      headers: { ...headers, ...elsewhere() },
    })
    expect([status, Object.keys(body)]).toEqual([401, ['error']])
    expect(got.get('www-authenticate')).toContain('error="invalid_token"')
  })

  it('401 for a cookie: tools are for keys and tokens', async () => {
    const signedIn = await fetch(`${platform().url}/signin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...elsewhere() },
      body: JSON.stringify({ email: account.email, password: account.password }),
    })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(cookie).toContain('__Host-session=')
    const withOrigin: Record<string, string>[] = [{ origin: platform().url }, {}]
    for (const origin of withOrigin) {
      const { status, body } = await post(ping, { headers: { cookie, ...origin, ...elsewhere() } })
      expect([status, Object.keys(body)]).toEqual([401, ['error']])
    }
    const headers = { cookie, origin: 'https://evil.example', ...elsewhere() }
    expect((await post(ping, { headers })).status).toBe(403)
  })

  it('200 for the key in either header', async () => {
    expect((await post(ping, by)).status).toBe(200)
    expect((await post(ping, { headers: { 'cal-api-key': account.apiKey } })).status).toBe(200)
  })
})

describe('an OAuth token', () => {
  it('200 with the scope mcp or FULL_ACCESS, for the tools or for everything', async () => {
    const user = await signedInAccount()
    const client = await makeClient(user)
    const tools: Record<string, string> = { resource: `${platform().url}/api/mcp` }
    for (const asked of [{ scope: 'mcp', ...tools }, { scope: 'mcp' }, { scope: 'FULL_ACCESS' }]) {
      const key = String((await tokensFor(user, client, asked)).access_token)
      const { isError, value } = await callTool('get_current_user', {}, { key })
      expect([asked, isError, value.email]).toEqual([asked, false, user.email])
      // Writes as well, in the name of who consented.
      const made = await callTool('create_customer', { name: `By token ${asked.scope}` }, { key })
      expect(made.isError).toBe(false)
    }
  })

  it('403 with nothing but {error} for one without those scopes, whatever it opens elsewhere', async () => {
    const user = await signedInAccount()
    const scope = 'SERVICES_READ SERVICES_WRITE READ_PROFILE'
    const key = String((await tokensFor(user, await makeClient(user), { scope })).access_token)
    const { status, body, headers } = await post(ping, { key })
    expect([status, Object.keys(body)]).toEqual([403, ['error']])
    const challenge = headers.get('www-authenticate') ?? ''
    expect(challenge).toContain('error="insufficient_scope"')
    expect(challenge).toContain('scope="mcp"')
  })

  it('401 for one that was revoked', async () => {
    const user = await signedInAccount()
    const client = await makeClient(user)
    const mine = await tokensFor(user, client, { scope: 'mcp' })
    await revoke('revoke', {
      token: String(mine.refresh_token),
      ...credentials(client),
    })
    const { status, body, headers } = await post(ping, { key: String(mine.access_token) })
    expect([status, Object.keys(body)]).toEqual([401, ['error']])
    expect(headers.get('www-authenticate')).toContain('error="invalid_token"')
  })
})

describe('other methods', () => {
  it('405 with Allow for GET and DELETE, before anybody is asked who they are', async () => {
    for (const [method, path, allow] of [
      ['GET', '/api/mcp', 'OPTIONS, POST'],
      ['DELETE', '/api/mcp', 'OPTIONS, POST'],
      ['DELETE', '/api/mcp/sse', 'GET, HEAD, OPTIONS, POST'],
      ['GET', '/api/mcp/sse', 'GET, HEAD, OPTIONS, POST'],
    ] as const) {
      const answer = await send(method, path, { accept: 'application/json' })
      expect([method, path, answer.status]).toEqual([method, path, 405])
      expect(answer.headers.get('allow')).toBe(allow)
      expect(answer.headers.get('www-authenticate')).toBeNull()
      await answer.text()
    }
    const stream = await send('GET', '/api/mcp', { accept: 'text/event-stream' })
    expect(stream.status).toBe(405)
  })
})

describe('Origin', () => {
  const from = (origin: string) => post(ping, { ...by, headers: { origin } })

  it('200 from this machine, and the script may read the answer', async () => {
    for (const origin of ['http://localhost:6274', 'http://127.0.0.1:1', 'http://[::1]:9']) {
      const { status, headers } = await from(origin)
      expect([origin, status]).toEqual([origin, 200])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toContain('Mcp-Session-Id')
    }
  })

  it.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'http://evil.example#localhost',
    'null',
    'file://',
  ])('403 from %s', async origin => {
    expect((await from(origin)).status).toBe(403)
  })

  it('403 to a page that has rebound its name to this machine', async () => {
    const origin = 'http://rebound.example'
    const { status } = await post(initialize, {
      ...by,
      headers: { origin, host: 'rebound.example' },
    })
    expect(status).toBe(403)
  })

  it('204 to a browser that asks before it sends, with the headers that clients send', async () => {
    const ask = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, mcp-protocol-version',
    }
    const answer = await send('OPTIONS', '/api/mcp', { origin: 'http://localhost:6274', ...ask })
    expect(answer.status).toBe(204)
    const allowed = answer.headers.get('access-control-allow-headers') ?? ''
    for (const name of ['authorization', 'content-type', 'mcp-session-id', 'mcp-protocol-version'])
      expect(allowed).toContain(name)
    const foreign = await send('OPTIONS', '/api/mcp', { origin: 'https://evil.example', ...ask })
    expect(foreign.status).toBe(403)
  })
})

describe('GET /.well-known/mcp', () => {
  it('200 says to anybody where the server is and how to be let in', async () => {
    const answer = await send('GET', '/.well-known/mcp', { origin: 'https://anywhere.example' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    const found = (await answer.json()) as Record<string, unknown> & { endpoint: string }
    expect(found).toMatchObject({ protocolVersion: '2025-03-26', version: '2.1.0' })
    expect(new URL(found.endpoint).pathname).toBe('/api/mcp')
    expect(found.authentication).toMatchObject({
      schemes: ['bearer'],
      scopes: ['mcp', 'FULL_ACCESS'],
    })
  })
})
