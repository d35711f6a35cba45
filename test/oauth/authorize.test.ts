import { beforeAll, describe, expect, it } from 'vitest'
import { updateOAuthClient } from '#lib/domain/oauth/clients.ts'
import type { ShownClient } from '#lib/domain/oauth/schema.ts'
import { anyone, somebody } from '../browser.ts'
import type { Reply } from '../client.ts'
import { platform } from '../platform.ts'
import {
  authorize,
  BACK,
  inNameOf,
  leadsTo,
  makeClient,
  pkce,
  request,
  type SignedIn,
  signedInAccount,
} from './world.ts'

const JSON_ONLY = { accept: 'application/json' }
/** A verifier that could be a challenge as well: only its method says that it is none. */
const FITTING = 'x'.repeat(43)

let user: SignedIn
let confidential: ShownClient
let open: ShownClient
let waiting: ShownClient

beforeAll(async () => {
  user = await signedInAccount()
  confidential = await makeClient(user)
  open = await makeClient(user, { type: 'public' })
  waiting = await makeClient(user, {}, { role: 'manager' })
})

/** What a client that is led back is told. */
function told(reply: Reply): Record<string, string> {
  const url = leadsTo(reply)
  expect(`${url.origin}${url.pathname}`).toBe(BACK)
  const { error_description: _, ...rest } = Object.fromEntries(url.searchParams)
  return rest
}

describe('GET /auth/oauth2/authorize', () => {
  it('303 to the sign-in page for a visitor, which leads back here', async () => {
    const url = leadsTo(await authorize(request(confidential)))
    expect(url.pathname).toBe('/signin')
    const next = new URL(url.searchParams.get('next') ?? '', platform().url)
    expect(next.pathname).toBe('/auth/oauth2/authorize')
    expect(Object.fromEntries(next.searchParams)).toEqual(request(confidential))
  })

  it('303 to the sign-in page for a key and for a token, which are no session', async () => {
    const headers = { 'cal-api-key': user.apiKey }
    expect(leadsTo(await authorize(request(confidential), undefined, headers)).pathname).toBe(
      '/signin',
    )
  })

  it.each([
    ['client_not_found', () => request({ clientId: 'nobody' })],
    ['client_not_found', () => ({ redirect_uri: BACK, state: 's' })],
    ['client_not_found', () => request({ clientId: 'a\0b' })],
    ['redirect_uri_mismatch', () => request(confidential, { redirect_uri: `${BACK}/` })],
    ['redirect_uri_mismatch', () => request(confidential, { redirect_uri: `${BACK}?a=b` })],
    ['redirect_uri_mismatch', () => request(confidential, { redirect_uri: '' })],
    [
      'redirect_uri_mismatch',
      () => request(confidential, { redirect_uri: 'http://127.0.0.1:4000/callback' }),
    ],
    [
      'redirect_uri_mismatch',
      () => request(confidential, { redirect_uri: 'https://evil.example/callback' }),
    ],
    ['not_approved', () => request(waiting)],
  ])('400 %s leads nowhere, whether one has signed in or not', async (code, fields) => {
    for (const cookie of [user.cookie, undefined]) {
      const asked = await authorize(fields(), cookie, JSON_ONLY)
      expect([asked.status, asked.body.error, asked.headers.get('location')]).toEqual([
        400,
        code,
        null,
      ])
      expect(asked.body.error_description).toEqual(expect.any(String))
      const page = await authorize(fields(), cookie)
      expect([page.status, page.headers.get('location')]).toEqual([400, null])
      expect(page.headers.get('content-type')).toContain('text/html')
      expect(page.text).toContain(code)
    }
  })

  it('400 leads nowhere when client_id or redirect_uri is given twice', async () => {
    for (const name of ['client_id', 'redirect_uri']) {
      const fields = new URLSearchParams(request(confidential))
      fields.append(name, name === 'client_id' ? confidential.clientId : BACK)
      const { status, body, headers } = await authorize(fields, user.cookie, JSON_ONLY)
      expect([status, body.error, headers.get('location')]).toEqual([400, 'invalid_request', null])
    }
    const both = new URLSearchParams(request(confidential))
    both.append('state', 'again')
    both.append('redirect_uri', BACK)
    const { status, headers } = await authorize(both, user.cookie, JSON_ONLY)
    expect([status, headers.get('location')]).toEqual([400, null])
  })

  it.each([
    ['invalid_request', 'no state', { state: '' }],
    ['unsupported_response_type', 'the implicit flow', { response_type: 'token' }],
    ['invalid_request', 'plain PKCE', { code_challenge: FITTING, code_challenge_method: 'plain' }],
    ['invalid_request', 'a method without a challenge', { code_challenge_method: 'S256' }],
    ['invalid_request', 'a challenge that is no SHA-256', { code_challenge: 'short' }],
    ['invalid_scope', 'a scope that there is not', { scope: 'READ_PROFILE everything' }],
    ['invalid_target', 'a resource of others', { resource: 'https://other.example/api/mcp' }],
  ])('303 back with %s for %s', async (error, _, more) => {
    const reply = await authorize(request(confidential, more), user.cookie)
    const state = 'state' in more ? {} : { state: 'a state' }
    expect(told(reply)).toEqual({ error, iss: platform().url, ...state })
    expect(leadsTo(reply).searchParams.get('error_description')).toEqual(expect.any(String))
    expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    expect(reply.headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('303 back with invalid_request for any other parameter given twice', async () => {
    for (const name of ['state', 'scope', 'code_challenge']) {
      const fields = new URLSearchParams({ ...request(confidential), scope: 'mcp' })
      fields.append(name, 'again')
      fields.append(name, 'and again')
      expect(told(await authorize(fields, user.cookie)).error).toBe('invalid_request')
    }
  })

  it('303 back with invalid_request for a public client without PKCE', async () => {
    expect(told(await authorize(request(open), user.cookie)).error).toBe('invalid_request')
    const { challenge } = pkce()
    const asked = await authorize(request(open, { code_challenge: challenge }), user.cookie)
    expect(asked.status).toBe(200)
  })

  it('303 back with invalid_scope for more than the client has registered', async () => {
    const small = await makeClient(user, { scopes: ['READ_BOOKING'] })
    const ask = (scope: string) => authorize(request(small, { scope }), user.cookie)
    expect(told(await ask('READ_BOOKING BOOKING_WRITE')).error).toBe('invalid_scope')
    expect((await ask('READ_BOOKING')).status).toBe(200)
  })

  it('keeps the query that an address has been registered with', async () => {
    const uri = 'https://app.example/back?tenant=7'
    const client = await makeClient(user, { redirectUris: [uri] })
    const reply = await authorize(
      request(client, { redirect_uri: uri, response_type: 'none' }),
      user.cookie,
    )
    expect(reply.headers.get('location')).toMatch(
      /^https:\/\/app\.example\/back\?tenant=7&error=unsupported_response_type&/,
    )
  })

  it('200 with a page that nobody frames, reads or is told the address of', async () => {
    const { status, headers } = await authorize(request(confidential), user.cookie, {
      origin: 'https://elsewhere.example',
    })
    expect(status).toBe(200)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("default-src 'self'")
    // Browsers would hold the whole way against it, also where the client's own address leads on.
    expect(policy).not.toContain('form-action')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  it('200 with who asks, for what, and where it leads, nothing of it as markup', async () => {
    const client = await makeClient(user, {
      name: '<script>alert(1)</script>',
      description: '"><img src=x>',
      redirectUris: ['https://app.example:8443/back'],
    })
    const { text } = await authorize(
      request(client, {
        redirect_uri: 'https://app.example:8443/back',
        scope: 'READ_BOOKING',
        state: '"><script>',
      }),
      user.cookie,
    )
    expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(text).not.toMatch(/<script>|<img/)
    expect(text).toContain('<strong>app.example:8443</strong>')
    expect(text).toContain('See bookings, appointments')
    expect(text).not.toContain('Change the business')
    expect(text).toContain(user.email)
  })

  it('a program that registered itself may leave the state out with PKCE, others may not', async () => {
    const registered = await anyone.post(
      '/api/auth/oauth/register',
      { redirect_uris: [BACK], token_endpoint_auth_method: 'none', client_name: 'Robot' },
      somebody(),
    )
    const client = { clientId: String(registered.body.client_id) }
    const bound = { state: '', code_challenge: pkce().challenge }
    const page = await authorize(request(client, bound), user.cookie)
    expect(page.status).toBe(200)
    expect(page.text).toContain('registered itself')
    expect(told(await authorize(request(open, bound), user.cookie)).error).toBe('invalid_request')
  })

  it('a client that waits again after a change asks nobody', async () => {
    const client = await makeClient(user, {}, { role: 'manager' })
    expect(client.status).toBe('pending')
    const mine = await makeClient(user)
    const change = { id: mine.id, redirectUris: ['https://app.example/other'] }
    await inNameOf(user, m => updateOAuthClient(m, change), { role: 'manager' })
    const { body } = await authorize(
      request(mine, { redirect_uri: 'https://app.example/other' }),
      user.cookie,
      JSON_ONLY,
    )
    expect(body.error).toBe('not_approved')
  })
})
