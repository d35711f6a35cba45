import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { anyone, somebody } from '../browser.ts'
import { queryDatabase } from '../database.ts'
import { fireJob, roomInMinute } from '../platform.ts'
import {
  authorize,
  basic,
  codeFor,
  exchange,
  pkce,
  post,
  type SignedIn,
  signedInAccount,
} from './world.ts'

const register = (body: unknown, headers: Record<string, string> = somebody()) =>
  anyone.post('/api/auth/oauth/register', body, headers)

const CURSOR = [
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'https://www.cursor.com/agents/mcp/oauth/callback',
  'http://localhost:8787/callback',
]

describe('POST /api/auth/oauth/register', () => {
  it.each([
    ['Claude', ['https://claude.ai/api/mcp/auth_callback']],
    ["Claude's twin", ['https://claude.com/api/mcp/auth_callback']],
    ['a command line', ['http://localhost:54545/callback']],
    ['Cursor', CURSOR],
    ['VS Code', ['https://vscode.dev/redirect', 'http://127.0.0.1/', 'http://127.0.0.1:33418/']],
    ['the Inspector', ['http://localhost:6274/oauth/callback']],
  ])('201 for %s, without a null, and users can be asked', async (client_name, redirect_uris) => {
    const reply = await register({
      client_name,
      redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'mcp offline_access',
      logo_uri: null,
      software_id: 'ignored',
    })
    expect([reply.status, reply.body]).toEqual([
      201,
      {
        client_id: expect.stringMatching(/^[\w-]{22}$/),
        client_id_issued_at: expect.any(Number),
        client_name,
        redirect_uris,
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        scope: 'mcp',
      },
    ])
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    for (const redirect_uri of redirect_uris) {
      const asked = await authorize({
        client_id: String(reply.body.client_id),
        redirect_uri,
        code_challenge: pkce().challenge,
      })
      expect(asked.headers.get('location')).toMatch(/^\/signin\?next=/)
    }
  })

  it('201 with a secret that does not expire, as an integer, where one is to be kept', async () => {
    const { body } = await register({ redirect_uris: ['https://app.example/cb'] })
    expect(body).toMatchObject({
      token_endpoint_auth_method: 'client_secret_basic',
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      client_secret_expires_at: 0,
    })
  })

  it.each([
    ['invalid_redirect_uri', {}],
    ['invalid_redirect_uri', { redirect_uris: [] }],
    ['invalid_redirect_uri', { redirect_uris: 'https://app.example/cb' }],
    ['invalid_redirect_uri', { redirect_uris: ['http://app.example/cb'] }],
    ['invalid_redirect_uri', { redirect_uris: ['javascript:alert(1)'] }],
    ['invalid_redirect_uri', { redirect_uris: Array(21).fill('https://app.example/cb') }],
    ['invalid_client_metadata', { redirect_uris: CURSOR, token_endpoint_auth_method: 'magic' }],
    ['invalid_client_metadata', { redirect_uris: CURSOR, grant_types: ['client_credentials'] }],
    ['invalid_client_metadata', { redirect_uris: CURSOR, response_types: ['token'] }],
    ['invalid_client_metadata', { redirect_uris: CURSOR, client_name: 'x'.repeat(101) }],
    ['invalid_client_metadata', '{'],
    ['invalid_client_metadata', '[]'],
    ['invalid_client_metadata', 'null'],
  ])('400 %s, which registers nothing', async (error, body) => {
    // By a name of its own: other files register beside this one.
    const named = typeof body === 'string' ? body : { client_name: randomUUID(), ...body }
    const reply = await register(named)
    expect([reply.status, reply.body.error]).toEqual([400, error])
    const { client_name = '' } = Object(named) as { client_name?: string }
    const kept = await queryDatabase(`select from oauth_clients where name = $1`, [client_name])
    expect(kept).toEqual([])
  })

  it('400 for a form', async () => {
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const reply = await register('redirect_uris=https://app.example/cb', { ...somebody(), ...type })
    expect([reply.status, reply.body.error]).toEqual([400, 'invalid_client_metadata'])
  })

  it('201 with the name as it is kept: no NUL character, no half of a surrogate pair', async () => {
    const mark = randomUUID()
    const { body } = await register({
      redirect_uris: ['https://app.example/cb'],
      client_name: `a\0 ${mark} \ud800`,
    })
    expect(body.client_name).toBe(`a ${mark} \ufffd`)
    const kept = await queryDatabase(`select name from oauth_clients where client_id = $1`, [
      body.client_id,
    ])
    expect(kept).toEqual([{ name: body.client_name }])
  })

  it('429 for the eleventh of a minute from one address', async () => {
    await roomInMinute()
    const from = somebody()
    const statuses: number[] = []
    for (let n = 0; n < 11; n++)
      statuses.push((await register({ redirect_uris: CURSOR }, from)).status)
    expect(statuses).toEqual([...Array(10).fill(201), 429])
  })

  it('is forgotten after a season in which no user gave it anything', async () => {
    const user: SignedIn = await signedInAccount()
    const fresh = async () => {
      const { body } = await register({ redirect_uris: ['http://127.0.0.1:3999/callback'] })
      return { clientId: String(body.client_id), clientSecret: String(body.client_secret) }
    }
    const [unused, used] = [await fresh(), await fresh()]
    await post('token', exchange(used, await codeFor(user, used)))
    await queryDatabase(
      `update oauth_clients set created_at = now() - interval '91 days' where client_id in ($1, $2)`,
      [unused.clientId, used.clientId],
    )
    await fireJob('cleanup')
    const ask = async (client: typeof used) =>
      (await post('token', { grant_type: 'refresh_token', refresh_token: 'x' }, basic(client))).body
        .error
    expect([await ask(unused), await ask(used)]).toEqual(['invalid_client', 'invalid_grant'])
  })
})
