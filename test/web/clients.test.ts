import { beforeAll, describe, expect, it } from 'vitest'
import { own } from '../browser.ts'
import { client } from '../client.ts'
import { fingerprint } from '../database.ts'
import { fieldOf, joining, newOwner, type Page, type Person, textOf } from './person.ts'

let owner: Person
let admin: Person
let manager: Person
let staff: Person
beforeAll(async () => {
  owner = await newOwner()
  ;[admin, manager, staff] = await Promise.all([
    joining(owner.accountId, 'admin'),
    joining(owner.accountId, 'manager'),
    joining(owner.accountId, 'staff'),
  ])
})

const PAGE = '/settings/clients'
const BACK = 'http://127.0.0.1:3999/callback'
const form = (change: Record<string, string> = {}) => ({
  type: 'confidential',
  name: 'Till <b>',
  description: '',
  redirectUris: `${BACK}\r\nhttps://till.example/back`,
  'scopes.READ_PROFILE': 'on',
  ...change,
})
const make = async (by: Person = owner, change: Record<string, string> = {}) => {
  const page = await by.press(PAGE, 'create', form(change))
  return { page, path: String(page.location), id: idIn(page), secret: secretIn(page) }
}
const idIn = ({ text }: Page) => /Client id<\/dt><dd><code>([\w-]+)/.exec(text)?.[1] ?? ''
const secretIn = ({ text }: Page) =>
  /<strong>Its secret<\/strong><code>([^<]+)/.exec(text)?.[1] ?? ''

/** Lets a user allow a client on the page that asks them; answers the code. */
async function allow(by: Person, clientId: string): Promise<string> {
  const query = { response_type: 'code', client_id: clientId, redirect_uri: BACK, state: 's' }
  const asked = await by.open(`/auth/oauth2/authorize?${new URLSearchParams(query)}`)
  const names = [...asked.text.matchAll(/<input type="hidden" name="([^"]+)"/g)].map(m => m[1]!)
  const fields = Object.fromEntries(names.map(name => [name, fieldOf(asked, name) ?? '']))
  const reply = await by.send('/auth/oauth2/consent', { ...fields, decision: 'allow' })
  return new URL(String(reply.location)).searchParams.get('code') ?? ''
}

const tokenOf = async (clientId: string, secret: string, code: string) => {
  const fields = {
    grant_type: 'authorization_code',
    client_id: clientId,
    client_secret: secret,
    redirect_uri: BACK,
    code,
  }
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(fields).toString()
  return client().post('/api/auth/oauth/token', body, type)
}
const me = (token: unknown) =>
  client().get('/api/auth/oauth/me', { authorization: `Bearer ${String(token)}` })

describe(PAGE, () => {
  it('303 with the secret, shown once, with which the flow works', async () => {
    const { page, path, id, secret } = await make()
    expect(secret).toMatch(/^[\w-]{43}$/)
    expect(page.text).toContain('<h1>Till &lt;b&gt;</h1>')
    expect(textOf(page)).toContain('Status Approved')
    expect((await owner.open(path)).text).not.toContain(secret)
    const { status, body } = await tokenOf(id, secret, await allow(owner, id))
    expect(status).toBe(200)
    expect((await me(body.access_token)).status).toBe(200)
    expect(page.text).toMatch(/name="scopes.READ_PROFILE"[^>]*checked/)
    expect(page.text).not.toMatch(/name="scopes.FULL_ACCESS"[^>]*checked/)
  })

  it('303 for a public one, which has no secret; everything where nothing is ticked', async () => {
    const { page, secret } = await make(owner, { type: 'public', 'scopes.READ_PROFILE': '' })
    expect(secret).toBe('')
    expect(textOf(page)).not.toContain('Change secret')
    expect(page.text).toMatch(/name="scopes.FULL_ACCESS"[^>]*checked/)
  })

  it.each([
    ['name', { name: '' }, 'Please fill this in.'],
    ['redirectUris', { redirectUris: 'http://till.example' }, 'http is for localhost'],
    ['redirectUris', { redirectUris: '' }, 'Redirect URIs: Please fill this in.'],
    ['type', { type: 'other' }, 'Type:'],
  ])('422 at %s for %j, which changes nothing', async (field, change, fault) => {
    const before = await fingerprint(owner.accountId)
    const reply = await owner.send(PAGE, { ...form(change), act: 'create' })
    expect(reply.status).toBe(422)
    expect(reply.text).toContain(`id="${field}-fault"`)
    expect(textOf(reply)).toContain(fault)
    if (field !== 'redirectUris')
      expect(reply.text).toContain('https://till.example/back</textarea>')
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('staff see their own alone, which waits until an owner or admin has approved it', async () => {
    const { page, path } = await make(staff, { name: 'Mine' })
    expect(textOf(page)).toContain('an owner or admin approves it')
    expect(textOf(page)).toContain('Status Waits for approval')
    expect(page.text).not.toContain('value="approve"')
    expect(textOf(await staff.open(PAGE))).not.toContain('Till')
    expect((await staff.send(path, { act: 'approve' })).status).toBe(403)
    expect(textOf(await admin.press(path, 'approve'))).toContain('Status Approved')
    const saved = await staff.press(path, 'save', form({ name: 'Mine again' }))
    expect(textOf(saved)).toContain('It waits for an owner or admin to approve it.')
    expect(textOf(await admin.press(path, 'reject'))).toContain('Status Rejected')
  })

  it('a manager sees those of others and changes none of them; staff do not see them', async () => {
    const { path } = await make()
    expect((await manager.open(path)).text).not.toContain('<form')
    expect((await staff.open(path)).status).toBe(404)
    const before = await fingerprint(owner.accountId)
    for (const act of ['save', 'approve', 'reject', 'rotate', 'end', 'delete'])
      for (const who of [manager, staff]) {
        const { status } = await who.send(path, { ...form(), act })
        expect([act, [403, 404].includes(status)]).toEqual([act, true])
      }
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })
})

describe(`${PAGE}/{id}`, () => {
  it.each(['name', 'redirectUris'])(
    '422 when %s is emptied, which changes nothing',
    async field => {
      const { path } = await make()
      const before = await fingerprint(owner.accountId)
      const reply = await owner.send(path, { ...form({ [field]: '' }), act: 'save' })
      expect([reply.status, reply.text.includes(`id="${field}-fault"`)]).toEqual([422, true])
      expect(await fingerprint(owner.accountId)).toEqual(before)
    },
  )

  it('303 with another secret; the one before it works for as long as was chosen', async () => {
    const { path, id, secret } = await make()
    const page = await owner.press(path, 'rotate', { overlapMinutes: '60' })
    const next = secretIn(page)
    expect(next).not.toBe(secret)
    expect(textOf(page)).toMatch(/The secret before it works too, until .*\d:\d\d/)
    expect((await tokenOf(id, secret, await allow(owner, id))).status).toBe(200)
    expect((await tokenOf(id, next, await allow(owner, id))).status).toBe(200)
    expect((await owner.open(path)).text).not.toContain(next)
    const later = { 'x-test-now': new Date(Date.now() + 3_601_000).toISOString() }
    expect(textOf(await owner.open(path, later))).not.toContain('The secret before it')
  })

  it('303 when the one before is ended at once', async () => {
    const { path, id, secret } = await make()
    const next = secretIn(await owner.press(path, 'rotate'))
    const page = await owner.press(path, 'end')
    expect(textOf(page)).toContain('The old secret has ended.')
    expect(textOf(page)).not.toContain('The secret before it')
    expect((await tokenOf(id, secret, await allow(owner, id))).status).toBe(401)
    expect((await tokenOf(id, next, await allow(owner, id))).status).toBe(200)
  })

  it.each(['43201', '-1', 'x'])('422 for an overlap of %s', async overlapMinutes => {
    const { path } = await make()
    const before = await fingerprint(owner.accountId)
    const { status } = await owner.send(path, { act: 'rotate', overlapMinutes })
    expect(status).toBe(422)
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('303 when it is deleted, and its tokens with it', async () => {
    const { path, id, secret } = await make()
    const { body } = await tokenOf(id, secret, await allow(staff, id))
    expect((await me(body.access_token)).status).toBe(200)
    expect((await owner.press(path, 'delete')).location).toBe(PAGE)
    expect((await me(body.access_token)).status).toBe(401)
    expect((await owner.open(path)).status).toBe(404)
  })
})

describe('/settings/apps', () => {
  const APPS = '/settings/apps'

  it('lists what the user has allowed, and 303 when it is taken back, at once', async () => {
    const { id, secret } = await make(owner, { name: 'Bell' })
    expect(textOf(await staff.open(APPS))).not.toContain('Bell')
    const { body } = await tokenOf(id, secret, await allow(staff, id))
    expect((await me(body.access_token)).status).toBe(200)
    const page = await staff.open(APPS)
    expect(textOf(page)).toMatch(/Bell made by .* connected .* See who you are/)
    expect(textOf(await manager.open(APPS))).not.toContain('Bell')

    const app = /name="id" value="(\d+)"/.exec(page.text)?.[1] ?? ''
    const theirs = await manager.send(APPS, { act: 'disconnect', id: app }, own())
    expect(theirs.status).toBe(404)
    expect((await me(body.access_token)).status).toBe(200)
    const gone = await staff.press(APPS, 'disconnect', { id: app })
    expect(textOf(gone)).toContain('The application is disconnected.')
    expect(textOf(gone)).not.toContain('Bell')
    expect((await me(body.access_token)).status).toBe(401)
  })
})
