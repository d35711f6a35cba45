import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { anyone, HTML, own, PASSWORD, somebody } from '../browser.ts'
import { fingerprint, messagesSettled } from '../database.ts'
import { type Receiver, startReceiver } from '../events/receiver.ts'
import {
  type Everything,
  formsIn,
  makeEverything,
  openEvery,
  pageRoutes,
  type SeenForm,
  type SeenPage,
} from './every-page.ts'
import { textOf } from './person.ts'

/** Where the token of a link alone says who asks: mail programs press its button from elsewhere (RFC 8058). */
const BY_TOKEN = ['POST /unsubscribe']

/** Where the link of a message opens to who has it; the form still has to be one of our pages. */
const BY_LINK = [
  'POST /confirm',
  'POST /reset',
  'POST /invitation',
  'POST /invitation/accept',
  'POST /invitation/decline',
  'POST /connect-and-join',
  'POST /e/:uid/answer',
  'POST /e/:uid/rate',
  'POST /e/:uid/no-show',
  'POST /e/:uid/host-no-show',
]

/** What pages ask for beyond what their forms hold already. */
const typed: Record<string, Record<string, string>> = {
  'POST /reset': { password: 'battery staple' },
  'POST /invitation': { name: 'Ida', password: PASSWORD },
  'POST /invitation/accept': { password: PASSWORD },
  'POST /e/:uid/rate': { rating: '5' },
}

const STEPS_MS = 120_000

let receiver: Receiver
let everything: Everything
let pages: SeenPage[]
let forms: SeenForm[]
beforeAll(async () => {
  receiver = await startReceiver(() => 200)
  everything = await makeEverything(receiver)
  pages = await openEvery(everything)
  forms = await formsIn(pages)
  await messagesSettled(everything.owner.accountId)
}, STEPS_MS)
afterAll(() => receiver.stop())

const state = () => fingerprint(everything.owner.accountId)

/** Where a form is sent from. */
type From = Record<string, string>

/** Sends a form as a page of some site does, with whatever cookies the browser has. */
const send = (form: SeenForm, from: From) =>
  anyone.post(
    form.action,
    new URLSearchParams({ ...form.fields, ...typed[form.name] }).toString(),
    {
      'content-type': 'application/x-www-form-urlencoded',
      ...HTML,
      ...somebody(),
      ...everything.clock,
      ...from,
    },
  )

/** What days and months are called where the business is, and where its guests are. */
const namesIn = (locale: string): string[] => {
  const days = Array.from({ length: 12 }, (_, i) => new Date(Date.UTC(2027, i, i + 1)))
  const write = (options: Intl.DateTimeFormatOptions) =>
    days.map(day => new Intl.DateTimeFormat(locale, options).format(day))
  return [...write({ weekday: 'long' }), ...write({ month: 'long' })]
}
const ENGLISH = namesIn('en')
const OTHERS = ['de', 'fr'].flatMap(namesIn).filter(name => !ENGLISH.includes(name))

describe('every page', () => {
  it('says that it is in English, and writes its dates in English', () => {
    const found = pages.flatMap(({ path, page }) => {
      if (page.text.startsWith('BEGIN:') || path.startsWith('/assets/')) return []
      const text = textOf(page)
      const words = OTHERS.filter(name =>
        new RegExp(`(?<!\\p{L})${name}(?!\\p{L})`, 'u').test(text),
      )
      const isSaid = page.text.includes('<html lang="en">')
      return words.length > 0 || !isSaid ? [[path, isSaid, ...words]] : []
    })
    expect(found).toEqual([])
    const dated = pages.filter(({ page }) => ENGLISH.some(name => textOf(page).includes(name)))
    expect(dated.length).toBeGreaterThan(10)
  })
})

const cookie = () => ({ cookie: everything.owner.cookie })
const FOREIGN = { origin: 'https://evil.example' }

/** The forms that were not refused for where they came from, which have to change nothing. */
async function accepted(some: readonly SeenForm[], from: From) {
  const before = await state()
  const answers = await Promise.all(
    some.map(async form => [form.name, (await send(form, from)).status] as const),
  )
  expect(await state()).toEqual(before)
  return answers.filter(([, status]) => status !== 403)
}

const guarded = () => forms.filter(({ route }) => !BY_TOKEN.includes(route))
/** Those of them that need no session: without one, the pages of who is signed in lead to sign in. */
const openToAll = () => guarded().filter(({ route }) => !route.startsWith('POST /settings'))

/** What takes away what other forms need comes last. */
const isLast = ({ name }: SeenForm): boolean =>
  /delete|decline|signout|password|reset|signin|invitation|businesses/.test(name)

describe('every form of every page', () => {
  it('is known to this walk', async () => {
    expect(pages.filter(({ page }) => page.status !== 200).map(({ path }) => path)).toEqual([])
    const posts = (await pageRoutes()).filter(({ method }) => method === 'POST')
    const found = forms.map(({ route }) => route)
    expect([...new Set(found)].sort()).toEqual(posts.map(({ name }) => name).sort())
    for (const name of [...BY_TOKEN, ...BY_LINK]) expect(found).toContain(name)
    // Whatever has a token is named above.
    const tokened = forms.filter(f => 'token' in f.fields || f.action.includes('token='))
    const named = [...BY_TOKEN, ...BY_LINK, 'POST /auth/oauth2/consent']
    expect([...new Set(tokened.map(({ route }) => route))].sort()).toEqual(named.sort())
  })

  const changesNothing = async (from: From) => {
    expect(await accepted(guarded(), { ...from, ...cookie() })).toEqual([])
    expect(await accepted(openToAll(), from)).toEqual([])
  }

  it.each<[string, From]>([
    ['another site', FOREIGN],
    ['a site beside ours', { origin: 'http://evil.localhost', 'sec-fetch-site': 'same-site' }],
    ['no origin', {}],
    ['a hidden origin of another site', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
    ['another site, as JSON', { ...FOREIGN, 'content-type': 'application/json' }],
  ])(
    '403 from %s, signed in or not, and nothing is changed',
    (_, from) => changesNothing(from),
    STEPS_MS,
  )

  it.each<[string, From]>([
    ['another site, as the browser says too', { ...FOREIGN, 'sec-fetch-site': 'cross-site' }],
    ['a hidden origin', { origin: 'null' }],
    ['another site, as text', { ...FOREIGN, 'content-type': 'text/plain' }],
    ['another site, in parts', { ...FOREIGN, 'content-type': 'multipart/form-data; boundary=x' }],
  ])('403 from %s, and nothing is changed', async (_, from) => {
    expect(await accepted(openToAll(), from)).toEqual([])
  })

  it('with the token of a link: 404 with another, and nothing is changed', async () => {
    const before = await state()
    const other = (text = '') => text.replace(/.$/, last => (last === '0' ? '1' : '0'))
    for (const form of forms.filter(({ route }) => [...BY_TOKEN, ...BY_LINK].includes(route))) {
      const fields = { ...form.fields, token: other(form.fields.token) }
      const action = form.action.replace(/token=.*$/, other)
      const { status } = await send({ ...form, action, fields }, { ...own(), ...cookie() })
      expect([form.name, status]).toEqual([form.name, 404])
    }
    expect(await state()).toEqual(before)
  })

  it('200 from elsewhere for the one click that ends reminders, by its token', async () => {
    const [form] = forms.filter(({ route }) => BY_TOKEN.includes(route))
    const click = { ...form!, fields: { 'List-Unsubscribe': 'One-Click' } }
    const before = await state()
    expect((await send(click, { origin: 'https://mail.example' })).status).toBe(200)
    expect(await state()).not.toEqual(before)
  })

  it(
    'is taken from our own pages',
    async () => {
      const found: [string, number][] = []
      for (const form of forms.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b))))
        found.push([form.name, (await send(form, { ...own(), ...cookie() })).status])
      // What was not typed is asked for, what is over or to come is said; the rest is done.
      expect(found.filter(([, status]) => ![303, 409, 422].includes(status))).toEqual([])
      expect(found.filter(([, status]) => status === 303).length).toBeGreaterThan(25)
    },
    STEPS_MS,
  )
})
