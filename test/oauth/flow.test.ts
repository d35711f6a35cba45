import * as oauth from 'oauth4webapi'
import { beforeAll, describe, expect, it } from 'vitest'
import { anyone, somebody } from '../browser.ts'
import { platform } from '../platform.ts'
import {
  authorize,
  BACK,
  decide,
  leadsTo,
  makeClient,
  type SignedIn,
  signedInAccount,
} from './world.ts'

/*
 * The flow as a client library of others carries it out: it checks every answer by its standards.
 */

const insecure = { [oauth.allowInsecureRequests]: true } as const
/** Requests of the library, each from an address of its own. */
const options = () => ({ ...insecure, headers: new Headers(somebody()) })

let user: SignedIn
let server: oauth.AuthorizationServer
const api = () => new URL('/api/services/services', platform().url)

const discover = async () => {
  const issuer = new URL(platform().url)
  const answer = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' })
  return oauth.processDiscoveryResponse(issuer, answer)
}

beforeAll(async () => {
  user = await signedInAccount()
  server = await discover()
})

/** The user's part: the page, the button, the redirect. */
async function askUser(client: oauth.Client, fields: Record<string, string>) {
  const query = {
    client_id: client.client_id,
    redirect_uri: BACK,
    response_type: 'code',
    ...fields,
  }
  const page = await authorize(query, user.cookie)
  return leadsTo(await decide(page.text, user.cookie))
}

async function wholeFlow(client: oauth.Client, auth: oauth.ClientAuth, redirect = BACK) {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const back = await askUser(client, {
    redirect_uri: redirect,
    state,
    scope: 'SERVICES_READ READ_PROFILE',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  // It also checks that `iss` is there and is the server's (RFC 9207).
  const found = oauth.validateAuthResponse(server, client, back, state)
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    auth,
    found,
    redirect,
    verifier,
    options(),
  )
  return oauth.processAuthorizationCodeResponse(server, client, answer)
}

describe('oauth4webapi', () => {
  it.each(['confidential, Basic', 'confidential, form', 'public'])(
    'carries out the whole flow: %s',
    async kind => {
      const type = kind === 'public' ? 'public' : 'confidential'
      const { clientId, clientSecret } = await makeClient(user, { type })
      const client: oauth.Client = { client_id: clientId }
      const auth =
        type === 'public'
          ? oauth.None()
          : kind.endsWith('Basic')
            ? oauth.ClientSecretBasic(clientSecret ?? '')
            : oauth.ClientSecretPost(clientSecret ?? '')
      const tokens = await wholeFlow(client, auth)
      expect(tokens).toMatchObject({
        token_type: 'bearer',
        expires_in: 1800,
        scope: 'READ_PROFILE SERVICES_READ',
      })
      const services = await oauth.protectedResourceRequest(
        tokens.access_token,
        'GET',
        api(),
        new Headers(somebody()),
        undefined,
        insecure,
      )
      expect(services.status).toBe(200)

      const again = await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(
          server,
          client,
          auth,
          tokens.refresh_token ?? '',
          options(),
        ),
      )
      expect(again.access_token).not.toBe(tokens.access_token)
      expect(again.refresh_token).not.toBe(tokens.refresh_token)

      const revoked = await oauth.revocationRequest(
        server,
        client,
        auth,
        again.refresh_token ?? '',
        options(),
      )
      expect(await oauth.processRevocationResponse(revoked)).toBeUndefined()
      const after = oauth.protectedResourceRequest(
        again.access_token,
        'GET',
        api(),
        new Headers(somebody()),
        undefined,
        insecure,
      )
      await expect(after).rejects.toMatchObject({
        code: oauth.WWW_AUTHENTICATE_CHALLENGE,
        cause: [{ scheme: 'bearer', parameters: { error: 'invalid_token' } }],
      })
    },
  )

  it('checks the access token by the published keys (RFC 9068)', async () => {
    const { clientId } = await makeClient(user, { type: 'public' })
    const client = { client_id: clientId }
    const tokens = await wholeFlow(client, oauth.None())
    const claims = await oauth.validateJwtAccessToken(
      server,
      new Request(api(), { headers: { authorization: `Bearer ${tokens.access_token}` } }),
      server.issuer,
      insecure,
    )
    expect(claims).toMatchObject({
      iss: platform().url,
      sub: String(user.userId),
      client_id: clientId,
      scope: 'READ_PROFILE SERVICES_READ',
    })
    expect(claims.exp - claims.iat).toBe(1800)
  })

  it('registers a client, which carries out the flow on another port (RFC 7591, RFC 8252)', async () => {
    const answer = await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: 'A command line',
        redirect_uris: ['http://127.0.0.1/callback'],
        token_endpoint_auth_method: 'none',
      },
      options(),
    )
    const client = await oauth.processDynamicClientRegistrationResponse(answer)
    const tokens = await wholeFlow(client, oauth.None(), 'http://127.0.0.1:52345/callback')
    expect(tokens.scope).toBe('READ_PROFILE SERVICES_READ')
  })

  it('registers a confidential client, which shows its secret by Basic', async () => {
    const answer = await oauth.dynamicClientRegistrationRequest(
      server,
      { redirect_uris: [BACK] },
      options(),
    )
    const client = await oauth.processDynamicClientRegistrationResponse(answer)
    expect(client).toMatchObject({
      token_endpoint_auth_method: 'client_secret_basic',
      client_secret_expires_at: 0,
    })
    await wholeFlow(client, oauth.ClientSecretBasic(String(client.client_secret)))
  })

  it.each([
    ['the tool server', '/api/mcp', ['mcp']],
    ['the API', '', undefined],
  ])('finds where tokens for %s come from (RFC 9728)', async (_, path, scopes) => {
    const resource = new URL(`${platform().url}${path}`)
    const answer = await oauth.resourceDiscoveryRequest(resource, insecure)
    const found = await oauth.processResourceDiscoveryResponse(resource, answer)
    expect(found.authorization_servers).toEqual([server.issuer])
    if (scopes) expect(found.scopes_supported).toEqual(scopes)
    else expect(found.scopes_supported).toContain('BOOKING_WRITE')
  })
})

describe('GET /.well-known/oauth-authorization-server', () => {
  it('200 with everything that real clients look for', async () => {
    const { body, headers } = await anyone.get('/.well-known/oauth-authorization-server')
    const at = (path: string) => `${platform().url}${path}`
    expect(body).toMatchObject({
      issuer: platform().url,
      authorization_endpoint: at('/auth/oauth2/authorize'),
      token_endpoint: at('/api/auth/oauth/token'),
      registration_endpoint: at('/api/auth/oauth/register'),
      revocation_endpoint: at('/api/auth/oauth/revoke'),
      jwks_uri: at('/api/auth/oauth/jwks'),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_post', 'client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
      scopes_supported: [
        'READ_PROFILE',
        'READ_BOOKING',
        'BOOKING_WRITE',
        'SERVICES_READ',
        'SERVICES_WRITE',
        'mcp',
        'FULL_ACCESS',
      ],
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
  })

  it('204 to the preflight of a client in a browser, with its headers', async () => {
    const answer = await fetch(`${platform().url}/.well-known/oauth-authorization-server`, {
      method: 'OPTIONS',
      headers: {
        ...somebody(),
        origin: 'http://localhost:6274',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version')
  })
})
