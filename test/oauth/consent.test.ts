import { beforeAll, describe, expect, it } from 'vitest'
import type { ShownClient } from '#lib/domain/oauth/schema.ts'
import { anyone, cookieOf, HTML, own, sendForm } from '../browser.ts'
import { queryDatabase } from '../database.ts'
import { platform } from '../platform.ts'
import {
  authorize,
  BACK,
  bearer,
  decide,
  fieldsOf,
  leadsTo,
  makeClient,
  request,
  type SignedIn,
  signedInAccount,
  tokensFor,
} from './world.ts'

let user: SignedIn
let other: SignedIn
let client: ShownClient

beforeAll(async () => {
  ;[user, other] = await Promise.all([signedInAccount(), signedInAccount()])
  client = await makeClient(user)
})

const page = async (cookie = user.cookie, more = {}) =>
  (await authorize(request(client, more), cookie)).text

const codes = async () =>
  Number(
    (
      await queryDatabase(`select count(*) as n from oauth_codes where account_id = $1`, [
        user.accountId,
      ])
    )[0]?.n,
  )

/** Runs what must make no code. */
async function makesNothing(work: () => Promise<number>): Promise<number> {
  const before = await codes()
  const status = await work()
  expect(await codes()).toBe(before)
  return status
}

describe('POST /auth/oauth2/consent', () => {
  it('303 back with a code, the state as it was, and who answers', async () => {
    const state = 'ä & = ? # "quoted" +plus'
    const url = leadsTo(await decide(await page(user.cookie, { state }), user.cookie))
    expect(`${url.origin}${url.pathname}`).toBe(BACK)
    const { code, ...rest } = Object.fromEntries(url.searchParams)
    expect(rest).toEqual({ state, iss: platform().url })
    // 320 random bits.
    expect(code).toMatch(/^[\w-]{54}$/)
  })

  it('303 by the button alone, whatever parameters of its own the client has added', async () => {
    const added = { decision: 'allow', token: 'mine', prompt: 'consent' }
    const html = await page(user.cookie, added)
    // What a browser sends is all of the form's fields, and the button's.
    expect([...fieldsOf(html).keys()].filter(name => name in added).sort()).toEqual([
      'prompt',
      'token',
    ])
    const answers = async (decision: string) =>
      leadsTo(await decide(html, user.cookie, decision)).searchParams
    expect((await answers('allow')).get('code')).not.toBeNull()
    expect((await answers('deny')).get('error')).toBe('access_denied')
  })

  it('303 back with access_denied when the user cancels, and no code is made', async () => {
    await makesNothing(async () => {
      const reply = await decide(await page(), user.cookie, 'deny')
      expect(Object.fromEntries(leadsTo(reply).searchParams)).toEqual({
        error: 'access_denied',
        error_description: 'The user denied the request',
        state: 'a state',
        iss: platform().url,
      })
      return reply.status
    })
  })

  it('keeps only a hash of the code', async () => {
    const url = leadsTo(await decide(await page(), user.cookie))
    const code = url.searchParams.get('code') ?? ''
    const found = await queryDatabase(
      `select count(*) as n from oauth_codes c where to_jsonb(c)::text like '%' || $1 || '%'`,
      [code],
    )
    expect(Number(found[0]?.n)).toBe(0)
  })

  it.each([
    ['another site', { origin: 'https://elsewhere.example' }],
    ['no Origin', {}],
    ['an Origin that is nobody', { origin: 'null' }],
    ['a sandboxed frame', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ])('403 from %s', async (_, headers) => {
    const html = await page()
    const sent = async () => (await decide(html, user.cookie, 'allow', headers)).status
    expect(await makesNothing(sent)).toBe(403)
  })

  it('303 from the page itself, whose Origin browsers withhold', async () => {
    const headers = { origin: 'null', 'sec-fetch-site': 'same-origin' }
    expect((await decide(await page(), user.cookie, 'allow', headers)).status).toBe(303)
  })

  it('403 without the token of the page, or with a made-up one', async () => {
    const html = await page()
    for (const token of ['', 'made.up.token']) {
      const sent = async () => (await decide(html, user.cookie, 'allow', own(), { token })).status
      expect(await makesNothing(sent)).toBe(403)
    }
  })

  it("403 with the token of another's session, or of another session of one's own", async () => {
    const html = await page(other.cookie)
    expect(await makesNothing(async () => (await decide(html, user.cookie)).status)).toBe(403)
    const { email, password } = user
    const second = cookieOf((await sendForm('/signin', { email, password })).headers)
    const mine = await page()
    expect(await makesNothing(async () => (await decide(mine, second)).status)).toBe(403)
  })

  it.each([
    ['scope', { scope: 'FULL_ACCESS' }],
    ['state', { state: 'mine' }],
    ['code_challenge', { code_challenge: 'A'.repeat(43) }],
    ['resource', { resource: 'http://nowhere.example' }],
  ])('refuses another %s than the page was shown for', async (name, change) => {
    const html = await page()
    const reply = await decide(html, user.cookie, 'allow', own(), change)
    if (name === 'resource') expect(leadsTo(reply).searchParams.get('error')).toBe('invalid_target')
    else expect(reply.status).toBe(403)
    expect(reply.headers.get('location') ?? '').not.toContain('code=')
  })

  it('403 with another client than the page was shown for', async () => {
    const second = await makeClient(user)
    const html = await page()
    const sent = async () =>
      (await decide(html, user.cookie, 'allow', own(), { client_id: second.clientId })).status
    expect(await makesNothing(sent)).toBe(403)
  })

  it('403 half an hour later', async () => {
    const html = await page()
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
    const later = { ...own(), 'x-test-now': at(31) }
    expect((await decide(html, user.cookie, 'allow', later)).status).toBe(403)
    const soon = { ...own(), 'x-test-now': at(29) }
    expect((await decide(html, user.cookie, 'allow', soon)).status).toBe(303)
  })

  it('303 to the sign-in page without a session', async () => {
    const html = await page()
    const { pathname, searchParams } = leadsTo(await decide(html, '__Host-session=gone'))
    expect(pathname).toBe('/signin')
    // From there back to the question, not to where only an answer goes.
    const { status, text } = await anyone.get(searchParams.get('next')!, {
      ...HTML,
      cookie: user.cookie,
    })
    expect([status, text.match(/<h1>.*?<\/h1>/)?.[0]]).toEqual([
      200,
      html.match(/<h1>.*?<\/h1>/)?.[0],
    ])
    expect(searchParams.get('next')).not.toMatch(/token|decision/)
  })

  it('a member of staff gives access to what is theirs', async () => {
    const { staff } = user
    const signed = await sendForm('/signin', { email: staff.email, password: staff.password })
    const cookie = cookieOf(signed.headers)
    const { access_token } = await tokensFor({ cookie }, client)
    const { body } = await anyone.get('/api/auth/oauth/me', bearer(access_token))
    expect([body.email, body.role]).toEqual([staff.email, 'staff'])
  })

  it('a GET of it changes nothing and is 405', async () => {
    const fields = fieldsOf(await page())
    fields.set('decision', 'allow')
    const answer = await fetch(`${platform().url}/auth/oauth2/consent?${fields}`, {
      headers: { ...HTML, cookie: user.cookie },
      redirect: 'manual',
    })
    expect(answer.status).toBe(405)
  })
})
