import { beforeAll, describe, expect, it } from 'vitest'
import type { Permission } from '#lib/core/permissions.ts'
import { SCOPES, type Scope } from '#lib/core/scopes.ts'
import type { ShownClient } from '#lib/domain/oauth/schema.ts'
import { ask, needOf } from '../ask.ts'
import { cookieOf, sendForm } from '../browser.ts'
import type { Client } from '../client.ts'
import { fingerprint } from '../database.ts'
import { platform } from '../platform.ts'
import { type Route, readRoutes } from '../routes.ts'
import { together } from '../together.ts'
import { bearerClient, makeClient, type SignedIn, signedInAccount, tokensFor } from './world.ts'

/*
 * What each scope opens, as the consent page promises it. It is written out here once more, so that no
 * slip of the product goes unseen; a new permission is entered here as well.
 */
const BUSINESS: readonly Scope[] = ['SERVICES_READ', 'SERVICES_WRITE', 'FULL_ACCESS']
const CHANGES: readonly Scope[] = ['SERVICES_WRITE', 'FULL_ACCESS']
const EVERYTHING: readonly Scope[] = ['FULL_ACCESS']

const OPENS: Partial<Record<Permission, readonly Scope[]>> = {
  'profile.read': ['READ_PROFILE', 'FULL_ACCESS'],
  'availability.read': [...BUSINESS, 'READ_BOOKING', 'BOOKING_WRITE'],
  'appointments.read': [...BUSINESS, 'READ_BOOKING', 'BOOKING_WRITE'],
  'appointments.write': [...CHANGES, 'BOOKING_WRITE'],
  'connections.write': EVERYTHING,
  'money.write': EVERYTHING,
  'roles.write': EVERYTHING,
  'billing.write': EVERYTHING,
}

/** The scopes of which one is enough for a route. */
function enough(route: Route): readonly Scope[] {
  const need = needOf(route)
  const reads = route.method === 'GET'
  if (need === 'own' && /^\/api\/(?:extension|routing)\//.test(route.path))
    return [...(reads ? (['READ_BOOKING'] as const) : []), 'BOOKING_WRITE', 'FULL_ACCESS']
  if (route.path === '/api/services/appointments')
    return reads ? [...BUSINESS, 'READ_BOOKING', 'BOOKING_WRITE'] : [...CHANGES, 'BOOKING_WRITE']
  const known = need && need !== 'own' ? OPENS[need] : undefined
  if (known) return known
  return (need === 'own' ? reads : need?.endsWith('.read')) ? BUSINESS : CHANGES
}

let user: SignedIn
let client: ShownClient
let routes: Route[] = []

beforeAll(async () => {
  user = await signedInAccount()
  client = await makeClient(user)
  routes = (await readRoutes()).filter(r => r.isForMembers && r.path.startsWith('/api/'))
})

/** An account for one walk: two are more than an account may ask for in a minute. */
async function newStage(): Promise<{ owner: SignedIn; serviceId: number }> {
  const owner = await signedInAccount()
  const made = await owner.client.post('/api/services/services', { name: 'Cut' })
  return { owner, serviceId: Number(made.body.id) }
}

/** Staff of the same account, signed in. */
async function signedInStaff(owner: SignedIn): Promise<SignedIn> {
  const { email, password } = owner.staff
  return { ...owner, cookie: cookieOf((await sendForm('/signin', { email, password })).headers) }
}

/** What a token with one scope is refused or let in to wrongly, by route. */
async function strayings(
  by: Client,
  serviceId: number,
  scope: Scope,
  wanted: 'closed' | 'open',
): Promise<string[]> {
  const wrong: string[] = []
  const asked = routes.filter(r => enough(r).includes(scope) === (wanted === 'open'))
  await together(asked, async route => {
    const { status, headers, text } = await ask(by, route, { serviceId })
    const challenge = headers.get('www-authenticate') ?? ''
    const isRefused = status === 403 && challenge.includes('error="insufficient_scope"')
    if (isRefused !== (wanted === 'closed')) wrong.push(`${route.name}: ${status} ${text}`)
  })
  return wrong
}

describe('every route for members', () => {
  it.each(SCOPES)(
    '403 insufficient_scope by a token for %s alone, where that is not enough',
    async scope => {
      const { owner, serviceId } = await newStage()
      const { access_token } = await tokensFor(owner, client, { scope })
      const before = await fingerprint(owner.accountId)
      const by = bearerClient(access_token)
      expect(await strayings(by, serviceId, scope, 'closed')).toEqual([])
      expect(await fingerprint(owner.accountId)).toEqual(before)
    },
  )

  it.each(SCOPES)('is open to a token for %s where that is enough', async scope => {
    const { owner, serviceId } = await newStage()
    const { access_token } = await tokensFor(owner, client, { scope })
    expect(await strayings(bearerClient(access_token), serviceId, scope, 'open')).toEqual([])
  })

  it('403 by a token of staff for reading, wherever their own is changed', async () => {
    const { owner, serviceId } = await newStage()
    const staff = await signedInStaff(owner)
    const { access_token } = await tokensFor(staff, client, {
      scope: 'READ_PROFILE READ_BOOKING SERVICES_READ',
    })
    const by = bearerClient(access_token)
    const wrong: string[] = []
    const before = await fingerprint(owner.accountId)
    for (const route of routes.filter(r => r.method !== 'GET')) {
      const { status } = await ask(by, route, { serviceId })
      if (status !== 403) wrong.push(`${route.name}: ${status}`)
    }
    expect(wrong).toEqual([])
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('a token can do no more than its user, whatever its scopes', async () => {
    const staff = await signedInStaff(user)
    const { access_token } = await tokensFor(staff, client, { scope: 'FULL_ACCESS' })
    const by = bearerClient(access_token)
    const customers = await by.get('/api/services/customers')
    expect([customers.status, customers.body.message]).toEqual([
      403,
      'Your role "staff" lacks the permission customers.read',
    ])
    expect(customers.headers.get('www-authenticate')).toBeNull()
    expect((await by.get('/api/services/appointments')).status).toBe(200)
  })

  it('says which scope is missing, and where tokens come from (RFC 6750, RFC 9728)', async () => {
    const { access_token } = await tokensFor(user, client, { scope: 'SERVICES_READ' })
    const reply = await bearerClient(access_token).post('/api/services/categories', { name: 'x' })
    expect([reply.status, reply.body]).toEqual([
      403,
      {
        status: 'error',
        error: 'FORBIDDEN',
        message: 'The token lacks the scope SERVICES_WRITE',
      },
    ])
    const metadata = `${platform().url}/.well-known/oauth-protected-resource`
    expect(reply.headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="SERVICES_WRITE", resource_metadata="${metadata}"`,
    )
  })

  it('a role cannot be given by a token for the services alone', async () => {
    const { access_token } = await tokensFor(user, client, { scope: 'SERVICES_WRITE' })
    const by = bearerClient(access_token)
    const made = await by.post('/api/services/employees', { name: 'Eve', email: 'eve@example.org' })
    expect(made.status).toBe(201)
    const change = await by.put(`/api/services/employees?id=${made.body.id}`, { role: 'admin' })
    expect(change.status).toBe(403)
  })
})

describe('pages', () => {
  it('of keys and clients are closed to tokens', async () => {
    const { access_token } = await tokensFor(user, client, { scope: 'FULL_ACCESS' })
    const by = bearerClient(access_token)
    for (const path of ['/settings/keys', '/settings/clients', '/settings/apps'])
      expect((await by.get(path, { accept: 'application/json' })).status).toBe(401)
  })
})
