import { beforeAll, describe, expect, it } from 'vitest'
import { anyone, HTML, newEmail, own, sendForm, signUp, somebody } from '../browser.ts'
import { platform, readMessages } from '../platform.ts'
import { at, BOOK, bookingBy, clocked, NOW, openShop, someAddress } from './appointments/shop.ts'

/** How far the walk goes from where it begins; months and days go on for ever. */
const MAX_PAGES = 120
const clock = { 'x-test-now': NOW }

interface Visited {
  status: number
  text: string
  type: string
}

const plainText = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#39;', "'")

/** The addresses that a page, an e-mail or an answer shows, those of ours as paths. */
function linksOf(text: string): string[] {
  const attributes = [...text.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(m => plainText(m[1]!))
  const escaped = platform().url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const plain = [...text.matchAll(new RegExp(`${escaped}/[^\\s"<>&']*`, 'g'))].map(m => m[0])
  return [...attributes, ...plain]
    .map(link => link.replace(platform().url, ''))
    .filter(link => !/^(?:tel|mailto):/.test(link))
}

async function visit(path: string, cookie: string): Promise<Visited> {
  const reply = await anyone.get(path, {
    ...HTML,
    ...somebody(),
    // A session of today has ended by the clock of these tests.
    ...(cookie ? { cookie } : clock),
  })
  return { ...reply, type: reply.headers.get('content-type') ?? '' }
}

/** Follows every link from some places on, each once. Answers what is broken, and what was seen. */
async function walk(from: readonly string[], cookie = '') {
  const broken: string[] = []
  const seen = new Map<string, Visited>()
  const open = from.map(path => ({ path, on: 'the start' }))
  for (let next = open.shift(); next && seen.size < MAX_PAGES; next = open.shift()) {
    const [path = '', fragment] = next.path.split('#')
    const page = path || next.on
    const known = seen.get(page)
    const found = known ?? (await visit(page, cookie))
    const where = `${next.path} on ${next.on}`
    if (!page.startsWith('/')) broken.push(`leads elsewhere: ${where}`)
    if (found.status !== 200 && found.status !== 303) broken.push(`${found.status}: ${where}`)
    if (fragment && !found.text.includes(`id="${fragment}"`)) broken.push(`no #: ${where}`)
    if (known) continue
    seen.set(page, found)
    // The page of the API has examples of calls, which are not links.
    const links = found.type.startsWith('text/html') ? linksOf(hrefsOnly(page, found.text)) : []
    // Days and times are followed as visitors alone: there are hundreds, and a user's pages are counted.
    const followed = cookie ? links.filter(link => !link.includes('?')) : links
    open.push(...[...new Set(followed)].map(to => ({ path: to, on: page })))
  }
  return { broken, seen }
}

const hrefsOnly = (page: string, text: string): string =>
  page === '/docs' ? text.replace(/<code>.*?<\/code>/gs, '') : text

/** Labels of what is typed in, and the ids that descriptions name, are on the page itself. */
function danglingOf(text: string): string[] {
  const named = [...text.matchAll(/\s(?:for|aria-describedby|aria-labelledby)="([^"]+)"/g)]
  const ids = named.flatMap(m => m[1]!.split(' '))
  return ids.filter(id => !text.includes(`id="${id}"`))
}

describe('links', () => {
  let uid = ''
  let shop = ''
  let answer = ''
  const email = newEmail()
  let cookie = ''

  beforeAll(async () => {
    const business = await openShop({ service: { name: 'Trim' } })
    shop = `/b/${business.subdomain}`
    const body = bookingBy(business.serviceId, at('10:00'), {}, email)
    const booked = await clocked(anyone).post(BOOK, body, someAddress())
    answer = booked.text
    uid = String(booked.body.uid)
    const policy = { bookingPolicy: { autoConfirm: false } }
    await business.client.patch('/api/services/company-settings', policy)
    const start = at('12:00')
    const pending = await sendForm(
      `${shop}/trim/book`,
      { start, name: 'Vera', email },
      { ...own(), ...clock },
    )
    expect(pending.status).toBe(303)
    cookie = (await signUp()).cookie
  })

  it('200 for every link of every page, from the start page, a booking page and a booking on', async () => {
    const { broken, seen } = await walk(['/', shop, `/a/${uid}`])
    expect(broken).toEqual([])
    for (const page of ['/docs', '/openapi.json', '/signup', `${shop}/trim`, `/a/${uid}/move`])
      expect([...seen.keys()]).toContain(page)
    expect([...seen.keys()].some(page => page.includes('/trim/book?'))).toBe(true)
    const dangling = [...seen].map(([page, { text }]) => [page, danglingOf(text)] as const)
    expect(dangling.filter(([, ids]) => ids.length > 0)).toEqual([])
  })

  it('200 for those of a user’s home', async () => {
    const { broken, seen } = await walk(['/home'], cookie)
    expect(broken).toEqual([])
    expect([...seen.keys()].some(page => page.startsWith('/b/'))).toBe(true)
  })

  it('200 for those of e-mails and of answers', async () => {
    await expect.poll(() => readMessages({ to: email }), { timeout: 5000 }).toHaveLength(2)
    const mails = (await readMessages({ to: email })).flatMap(m => [m.text ?? '', m.html ?? ''])
    const links = [...mails, answer.replaceAll('\\/', '/')].flatMap(linksOf)
    for (const part of ['/confirm?token=', `/a/${uid}`, '/calendar.ics'])
      expect(links.some(link => link.includes(part))).toBe(true)
    for (const link of new Set(links)) {
      const { status } = await visit(link, '')
      expect({ link, status }).toEqual({ link, status: 200 })
    }
  })
})
