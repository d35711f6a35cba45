import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { disconnectApp, listConnectedApps } from '#lib/domain/oauth/connections.ts'
import { anyone, somebody } from '../browser.ts'
import { platform } from '../platform.ts'
import {
  authorize,
  bearer,
  decide,
  inNameOf,
  leadsTo,
  makeClient,
  type SignedIn,
  signedInAccount,
  tokensFor,
} from './world.ts'

/*
 * An assistant that knows nothing but the address of the tool server, as the official SDK connects one:
 * by the 401 to the metadata, registration, the user's consent and PKCE.
 */

const BACK = 'http://localhost:6274/oauth/callback'

/** Keeps what the SDK gives it to keep, and the address that the user is to be sent to. */
class Assistant implements OAuthClientProvider {
  known: OAuthClientInformationMixed | undefined
  kept: OAuthTokens | undefined
  verifier = ''
  sentTo: URL | undefined
  readonly redirectUrl = BACK
  readonly clientMetadata = {
    client_name: 'Assistant',
    redirect_uris: [BACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  clientInformation = () => this.known
  saveClientInformation = (information: OAuthClientInformationMixed) => {
    this.known = information
  }
  tokens = () => this.kept
  saveTokens = (tokens: OAuthTokens) => {
    this.kept = tokens
  }
  redirectToAuthorization = (url: URL) => {
    this.sentTo = url
  }
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier
  }
  codeVerifier = () => this.verifier
  state = () => crypto.randomUUID()
  invalidateCredentials = () => {
    this.kept = undefined
  }
}

const address = () => new URL('/api/mcp', platform().url)
const from = somebody()
const transportFor = (authProvider: Assistant) =>
  new StreamableHTTPClientTransport(address(), { authProvider, requestInit: { headers: from } })

let user: SignedIn
const assistant = new Assistant()

const connect = async () => {
  const client = new Client({ name: 'assistant', version: '1.0.0' })
  await client.connect(transportFor(assistant) as Parameters<Client['connect']>[0])
  return client
}

beforeAll(async () => {
  user = await signedInAccount()
})

describe('the official SDK', () => {
  it('registers, sends the user to the consent page, and uses the tools', async () => {
    const transport = transportFor(assistant)
    const first = new Client({ name: 'assistant', version: '1.0.0' })
    const refused = first.connect(transport as Parameters<Client['connect']>[0])
    await expect(refused).rejects.toBeInstanceOf(UnauthorizedError)
    const asked = assistant.sentTo?.searchParams ?? new URLSearchParams()
    expect(asked.get('resource')).toBe(address().href)
    expect(asked.get('scope')).toBe('mcp')
    const page = await authorize(asked, user.cookie)
    expect(page.text).toContain('Use all tools of an assistant')
    const back = leadsTo(await decide(page.text, user.cookie))
    await transport.finishAuth(back.searchParams.get('code') ?? '')
    const client = await connect()
    const { tools } = await client.listTools()
    expect(tools.length).toBeGreaterThan(20)
    const me = await client.callTool({ name: 'get_current_user', arguments: {} })
    expect(JSON.stringify(me)).toContain(user.username)
    await client.close()
  })

  it('gets new tokens by itself once the access token has ended', async () => {
    const { kept } = assistant
    if (!kept) throw new Error('There are no tokens')
    const before = kept.refresh_token
    assistant.kept = { ...kept, access_token: 'ended' }
    const client = await connect()
    expect((await client.listTools()).tools.length).toBeGreaterThan(20)
    expect(assistant.kept?.refresh_token).not.toBe(before)
    await client.close()
  })

  it('has to ask again once the user has taken it back', async () => {
    await inNameOf(user, async m => {
      const [app] = (await listConnectedApps(m)).read()
      expect(app).toMatchObject({ name: 'Assistant', madeBy: null, scopes: ['mcp'] })
      await disconnectApp(m, { id: app?.id ?? 0 })
    })
    assistant.sentTo = undefined
    await expect(connect()).rejects.toBeInstanceOf(UnauthorizedError)
    expect(assistant.sentTo).toBeInstanceOf(URL)
  })
})

describe('POST /api/mcp', () => {
  const ping = (headers: Record<string, string>) =>
    anyone.post('/api/mcp', { jsonrpc: '2.0', id: 1, method: 'ping' }, headers)

  it('200 by a token for mcp or FULL_ACCESS, for the tools or for everything', async () => {
    const client = await makeClient(user)
    const ways: Record<string, string>[] = [
      { scope: 'mcp', resource: address().href },
      { scope: 'mcp' },
      { scope: 'FULL_ACCESS' },
      { scope: 'mcp', resource: `${address().href}/` },
    ]
    for (const more of ways) {
      const { access_token } = await tokensFor(user, client, more)
      expect((await ping(bearer(access_token))).status).toBe(200)
    }
  })

  it('403 by a token without either, 401 by one for the API alone', async () => {
    const client = await makeClient(user)
    const less = await tokensFor(user, client, { scope: 'SERVICES_WRITE READ_BOOKING' })
    const refused = await ping(bearer(less.access_token))
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
    expect(refused.headers.get('www-authenticate')).toContain('scope="mcp"')
    const other = await tokensFor(user, client, { scope: 'mcp', resource: platform().url })
    const elsewhere = await ping(bearer(other.access_token))
    expect([elsewhere.status, elsewhere.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringContaining('/.well-known/oauth-protected-resource/api/mcp'),
    ])
  })
})
