import { beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#lib/core/permissions.ts'
import { anyone, HTML, own, somebody } from '../browser.ts'
import { fingerprint } from '../database.ts'
import { readRoutes } from '../routes.ts'
import { joining, newOwner, type Person } from './person.ts'

type Owner = Awaited<ReturnType<typeof newOwner>>

let owner: Owner
let stranger: Owner
let people: Record<Role, Person>
/** The pages of the settings as they are in the owner's account. */
let pages: string[]

beforeAll(async () => {
  ;[owner, stranger] = await Promise.all([newOwner(), newOwner()])
  const [admin, manager, staff] = await Promise.all(
    (['admin', 'manager', 'staff'] as const).map(role => joining(owner.accountId, role)),
  )
  people = { owner, admin: admin!, manager: manager!, staff: staff! }
  const made: Record<string, string> = {}
  const note = async (path: string, act: string, fields: Record<string, string>) => {
    made[`/settings/${path}`] = String(
      (await owner.press(`/settings/${path}`, act, fields)).location,
    )
  }
  await note('schedules', 'create', { name: 'Summer', timeZone: 'UTC' })
  await note('teams', 'create', { name: 'Front desk' })
  await note('webhooks', 'create', {
    subscriberUrl: 'http://127.0.0.1:9/hook',
    'triggers.BOOKING_CREATED': 'on',
  })
  await note('clients', 'create', {
    type: 'confidential',
    name: 'Till',
    redirectUris: 'https://till.example/back',
  })
  await owner.press('/settings/away', 'create', { start: '2041-05-01', end: '2041-05-02' })
  const away = await owner.open('/settings/away')
  made['/settings/away'] = /\/settings\/away\/\d+/.exec(away.text)?.[0] ?? ''
  const routes = (await readRoutes()).filter(r => r.path.startsWith('/settings'))
  pages = [...new Set(routes.map(r => r.path))].map(path => {
    const [noun = '', id] = path.split('/:')
    return id ? (made[noun] ?? `no sample of ${path}`) : path
  })
})

/** Pages that lead to another at once. */
const LEADING = ['/settings']
const seen = () => pages.filter(page => !LEADING.includes(page))
const isOf =
  (...nouns: string[]) =>
  (page: string) =>
    nouns.some(noun => page === `/settings/${noun}` || page.startsWith(`/settings/${noun}/`))

/** What a page of the owner's answers another user of the account. */
function expected(role: Role, page: string): number {
  const isOne = /\d$/.test(page)
  if (role !== 'staff') return 200
  if (isOf('webhooks', 'people')(page)) return 403
  return isOne && isOf('schedules', 'away', 'teams', 'clients')(page) ? 404 : 200
}

describe('every page of the settings', () => {
  it('is known to this walk', () => {
    expect(pages.filter(page => !page.startsWith('/settings'))).toEqual([])
    expect(pages.length).toBeGreaterThan(10)
  })

  it.each(['owner', 'admin', 'manager', 'staff'] as const)(
    'is shown to a user as far as their role goes: %s',
    async role => {
      const found = Object.fromEntries(
        await Promise.all(
          seen().map(async page => [page, (await people[role].open(page)).status] as const),
        ),
      )
      expect(found).toEqual(Object.fromEntries(seen().map(page => [page, expected(role, page)])))
    },
  )

  it('303 to the sign-in page and back without a session, 401 for a program', async () => {
    for (const page of pages) {
      const reply = await anyone.get(page, { ...HTML, ...somebody() })
      const next = encodeURIComponent(page)
      expect([reply.status, reply.headers.get('location')]).toEqual([303, `/signin?next=${next}`])
      expect((await anyone.get(page, somebody())).status).toBe(401)
    }
  })

  it('401 for an API key: a program must not make others, nor change whose it is', async () => {
    const before = await fingerprint(owner.accountId)
    for (const page of seen()) {
      const headers = { 'cal-api-key': owner.apiKey, ...own() }
      expect((await anyone.get(page, headers)).status).toBe(401)
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      const sent = await anyone.post(page, 'act=create&note=x', { ...headers, ...form })
      expect([sent.status, sent.headers.get('location')?.split('?')[0]]).toEqual([303, '/signin'])
    }
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('shows and changes nothing of another account: 404', async () => {
    const before = await fingerprint(owner.accountId)
    for (const page of seen().filter(p => /\d$/.test(p))) {
      expect([page, (await stranger.open(page)).status]).toEqual([page, 404])
      for (const act of ['save', 'delete', 'rotate', 'test', 'off', 'default']) {
        const fields = {
          act,
          name: 'Mine',
          timeZone: 'UTC',
          start: '2041-01-01',
          end: '2041-01-02',
        }
        const { status } = await stranger.send(page, fields)
        expect([page, act, [404, 400, 422].includes(status)]).toEqual([page, act, true])
      }
    }
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('changes nothing when it is looked at', async () => {
    const before = await fingerprint(owner.accountId)
    for (const page of pages) await owner.open(page)
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin', {}],
    ['an origin that is hidden', { origin: 'null' }],
  ])('403 for a form of %s, which changes nothing', async (_, headers) => {
    const before = await fingerprint(owner.accountId)
    for (const page of seen())
      for (const act of ['delete', 'create', 'save', 'rotate'])
        expect((await owner.send(page, { act, name: 'Evil', note: 'Evil' }, headers)).status).toBe(
          403,
        )
    expect(await fingerprint(owner.accountId)).toEqual(before)
  })

  it('400 for a button that it does not have, and for what is no form', async () => {
    for (const page of seen())
      for (const act of ['toString', '__proto__', 'nothing', '']) {
        expect((await owner.send(page, { act })).status).toBe(400)
      }
    const json = { ...own(), cookie: owner.cookie }
    expect((await anyone.post('/settings/keys', { act: 'create' }, json)).status).toBe(400)
  })

  it('404 for an id that nothing has, however large, with the way home', async () => {
    expect((await owner.open('/settings/teams/1999999999')).text).toContain(
      '<a href="/home">Go home</a>',
    )
    for (const noun of ['schedules', 'away', 'teams', 'webhooks', 'clients'])
      for (const id of ['2147483647', '99999999999999999999', '0', '-1', 'new'])
        expect((await owner.open(`/settings/${noun}/${id}`)).status).toBe(404)
  })

  it('has a heading, a way to skip to it, and says which it is', async () => {
    for (const page of seen()) {
      const { text, headers } = await owner.open(page)
      expect(text.match(/<h1>/g)).toHaveLength(1)
      expect(text).toContain('<a class="skip" href="#main">')
      expect(text).toContain('aria-label="Settings"')
      expect(text.match(/aria-current="page"/g)?.length).toBeGreaterThan(0)
      expect(headers.get('content-security-policy')).not.toContain('unsafe')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(text).not.toMatch(/<script(?! src="\/assets\/)| style="| on\w+="/)
    }
  })

  it('leads staff to nothing that they may not see', async () => {
    const { text } = await people.staff.open('/settings/profile')
    expect(text).not.toContain('/settings/webhooks')
    expect(text).toContain('/settings/away')
  })
})
