import { Agent, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, client, createAccount, type TestAccount } from './client.ts'
import { platform } from './platform.ts'
import { type Route, readRoutes } from './routes.ts'
import { fieldsOf, idFields, type JsonSchema, sample } from './samples.ts'
import { together } from './together.ts'

let account: TestAccount
let owner: Client
/** Requests go round: together they are more than one account may make in a minute. */
let accounts: TestAccount[] = []
let turn = 0
let routes: Route[] = []

beforeAll(async () => {
  accounts = await Promise.all([createAccount(), createAccount(), createAccount()])
  account = await createAccount()
  owner = account.client
  routes = (await readRoutes()).filter(r => r.path.startsWith('/api/'))
})

const withBody = () => routes.filter(r => r.body !== undefined)

/** A request of a route with this body, as its owner or as anybody where that is enough. */
function sendBody(
  { method, path, query }: Route,
  body: string,
  headers: Record<string, string> = {},
) {
  const values = Object.fromEntries(idFields(query).map(f => [f, 2_147_483_647]))
  const given = query ? sample(query, { values }) : {}
  const search = new URLSearchParams(Object.entries(given).map(([k, v]) => [k, String(v)]))
  const address = { 'x-test-client': `2001:db8:${crypto.randomUUID().slice(0, 4)}::1` }
  return fetch(`${platform().url}${path}?${search}`, {
    method,
    headers: {
      'cal-api-key': accounts[turn++ % accounts.length]!.apiKey,
      'content-type': 'application/json',
      ...address,
      ...headers,
    },
    body,
  }).then(async answer => ({ status: answer.status, text: await answer.text() }))
}

/** What each route with a body answers to the same one, told by those that answer otherwise. */
async function unlike(
  expected: [status: number, code: string],
  body: string,
  headers?: Record<string, string>,
): Promise<string[]> {
  const others: string[] = []
  await together(withBody(), async route => {
    const { status, text } = await sendBody(route, body, headers)
    if (status !== expected[0] || !text.includes(`"error":"${expected[1]}"`))
      others.push(`${route.name}: ${status} ${text}`)
  })
  return others
}

describe('every route with a body', () => {
  it('there are some', () => expect(withBody().length).toBeGreaterThan(20))

  it.each([
    ['no JSON', '{"name":'],
    ['nothing', ''],
    ['a comment', '// {}'],
  ])('400 for %s', async (_, body) => {
    expect(await unlike([400, 'BAD_REQUEST'], body)).toEqual([])
  })

  it.each([['text/plain'], ['application/x-www-form-urlencoded'], ['application/jsonp'], ['']])(
    '400 for the content type "%s"',
    async type => {
      expect(await unlike([400, 'BAD_REQUEST'], '{}', { 'content-type': type })).toEqual([])
    },
  )

  it('takes JSON under each of its names', async () => {
    for (const type of [
      'application/json;charset=utf-8',
      'Application/JSON; charset="utf-8"',
      'application/json ; x=y',
      'application/merge-patch+json',
    ]) {
      const { status } = await owner.post(
        '/api/services/categories',
        { name: type },
        { 'content-type': type },
      )
      expect([type, status]).toEqual([type, 201])
    }
  })

  it.each([['[]'], ['"text"'], ['null'], ['7'], ['[{"name":"x"}]']])(
    '422 for %s, which is JSON and no object',
    async body => {
      expect(await unlike([422, 'VALIDATION_ERROR'], body)).toEqual([])
    },
  )

  it('413 for more than 1 MiB, whether its length is told beforehand or not', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(2 ** 20) })
    expect(await unlike([413, 'BAD_REQUEST'], body)).toEqual([])
    expect(await sendChunked(body)).toBe(413)
    expect(await sendChunked(JSON.stringify({ name: 'Chunked' }))).toBe(201)
  })

  it('refuses who may not send it, or not there, once a large body has been sent', async () => {
    const body = 'x'.repeat(2 ** 23)
    const told: Record<string, string> = { 'content-length': `${2 ** 23}` }
    for (const length of [told, {}]) {
      const owned = { 'cal-api-key': account.apiKey, ...length }
      expect(await sendChunked(body, '/api/services/stats', owned)).toBe(405)
      expect(await sendChunked(body, '/api/mcp', length)).toBe(401)
    }
  })

  /** Sends each route its sample with bad values in some fields; all of them must be told. */
  async function untold(isMeant: (schema: JsonSchema, field: string) => boolean, bad: unknown) {
    const wrong: string[] = []
    for (const route of withBody()) {
      const body = sample(route.body!, { full: true })
      const fields = [...fieldsOf(route.body!)].filter(([field, schema]) => isMeant(schema, field))
      const placed = fields.map(([field]) => field).filter(f => place(body, f.split('.'), bad))
      if (placed.length === 0) continue
      const { status, text } = await sendBody(route, JSON.stringify(body))
      const details: { field: string }[] = JSON.parse(text).details ?? []
      const told = details.map(d => d.field.replace(/\.\d+(?=\.|$)/g, ''))
      const missing = placed.filter(field => !told.includes(field))
      if (status !== 422 || missing.length > 0)
        wrong.push(`${route.name}: ${status}, nothing of ${missing}: ${text}`)
    }
    return wrong
  }

  it.each([
    ['a NUL character', 'a\0b'],
    ['half a surrogate pair', 'a\ud800b'],
  ])('422 by field for text with %s', async (_, bad) => {
    expect(await untold(schema => schema.type === 'string', bad)).toEqual([])
  })

  it('422 by field for numbers that are too large for an id', async () => {
    // Deliveries are many: theirs go further.
    const isId = (schema: JsonSchema, field: string) =>
      schema.type === 'integer' && /(?:^id|\.id|Ids?)$/.test(field) && field !== 'deliveryId'
    expect(await untold(isId, 99_999_999_999)).toEqual([])
  })

  it.each([
    ['bytes that are not UTF-8', {}, Buffer.from('{"name":"\xff"}', 'latin1'), /is not UTF-8$/],
    ['what is compressed', { 'content-encoding': 'gzip' }, gzipSync('{}'), /a Content-Encoding/],
  ])('400 for %s, in words', async (_, more, body, message) => {
    const answer = await fetch(`${platform().url}/api/services/categories`, {
      method: 'POST',
      headers: { 'cal-api-key': account.apiKey, 'content-type': 'application/json', ...more },
      body,
    })
    const told = { error: 'BAD_REQUEST', message: expect.stringMatching(message) }
    expect([answer.status, await answer.json()]).toMatchObject([400, told])
  })

  it('stands deep nesting and names of prototypes', async () => {
    const deep = `{"name":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
    const prototypes = '{"__proto__":{"role":"owner","name":"P"},"constructor":{"prototype":{}}}'
    const faults: string[] = []
    await together(withBody(), async route => {
      for (const body of [deep, prototypes]) {
        const { status, text } = await sendBody(route, body)
        if (status >= 500) faults.push(`${route.name}: ${text}`)
      }
    })
    expect(faults).toEqual([])
    const { status, body } = await owner.post(
      '/api/services/categories',
      '{"name":"Kept","__proto__":{"color":"#000000"},"toString":1}',
    )
    expect([status, body.name, body.color]).toEqual([201, 'Kept', null])
  })
})

/** Puts a value at a dotted field of a sample; tells whether there was such a place. */
function place(at: Record<string, unknown>, [head, ...rest]: string[], value: unknown): boolean {
  if (head === undefined || !(head in at)) return false
  if (rest.length === 0) {
    at[head] = Array.isArray(at[head]) && !Array.isArray(value) ? [value] : value
    return true
  }
  const inner = at[head]
  const next = Array.isArray(inner) ? inner[0] : inner
  return (
    typeof next === 'object' && next !== null && place(next as Record<string, unknown>, rest, value)
  )
}

/** Sends a body in chunks, without a Content-Length unless the headers have one. */
const sendChunked = (
  body: string,
  path: string = '/api/services/categories',
  headers: Record<string, string> = { 'cal-api-key': account.apiKey },
): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${platform().url}${path}`,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      answer => answer.resume().on('end', () => resolve(answer.statusCode ?? 0)),
    )
    sent.on('error', reject)
    for (let at = 0; at < body.length; at += 65_536) sent.write(body.slice(at, at + 65_536))
    sent.end()
  })

describe('every answer', () => {
  it('has the headers of safety, and a request id of its own', async () => {
    const anybody = client()
    const at = { 'x-test-client': '203.0.113.91', 'x-request-id': 'mine' }
    const replies = await Promise.all([
      ...['/health', '/api/services/services', '/nothing', '/api/services/nothing'].map(p =>
        anybody.get(p, at),
      ),
      owner.get('/api/services/services', at),
      owner.post('/api/services/services', '{', at),
      owner.del('/api/services/services?id=2147483647', at),
    ])
    for (const { headers } of replies) {
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('strict-transport-security')).toMatch(/max-age=\d{8}/)
      expect(headers.get('referrer-policy')).toBeTruthy()
      expect(headers.get('cache-control')).toMatch(/no-store|no-cache|max-age/)
      expect(headers.get('x-powered-by')).toBeNull()
    }
    const ids = replies.map(r => r.headers.get('x-request-id'))
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).not.toContain('mine')
  })

  it('leaves the connection open, also where it refuses without reading on', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const reused: boolean[] = []
    for (let n = 0; n < 4; n++) {
      await new Promise<void>((resolve, reject) => {
        const url = `${platform().url}/api/services/categories`
        const headers = { 'content-type': 'application/json', 'x-test-client': '203.0.113.93' }
        const sent = request(url, { method: 'POST', agent, headers }, answer => {
          answer.resume()
          answer.on('end', resolve)
        })
        sent.on('error', reject)
        sent.end(JSON.stringify({ name: 'x'.repeat(10_000) }), () => reused.push(sent.reusedSocket))
      })
      await new Promise(resolve => setTimeout(resolve, 30))
    }
    agent.destroy()
    expect(reused).toEqual([false, true, true, true])
  })

  it('to a key with spaces around it is that to the key', async () => {
    const { apiKey } = account
    for (const key of [
      { 'cal-api-key': ` ${apiKey}  ` },
      { authorization: `Bearer ${apiKey}  ` },
    ]) {
      const status = await new Promise(resolve => {
        const url = `${platform().url}/api/services/services`
        request(url, { headers: key }, answer => resolve(answer.resume().statusCode)).end()
      })
      expect(status).toBe(200)
    }
  })

  it('to HEAD is that to GET without the body', async () => {
    const ask = (method: string) =>
      fetch(`${platform().url}/api/services/services`, {
        method,
        headers: { 'cal-api-key': account.apiKey },
      })
    const [head, get] = [await ask('HEAD'), await ask('GET')]
    expect([head.status, await head.text()]).toEqual([200, ''])
    expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    expect(head.headers.get('x-ratelimit-limit')).toBe('600')
  })

  it('to a public route can be read by scripts of any site, refusals as well', async () => {
    const at = { origin: 'https://elsewhere.example', 'x-test-client': '203.0.113.92' }
    const anybody = client()
    const replies = [
      await anybody.post('/api/services/book', {}, at),
      await anybody.post('/api/services/book', '{', at),
      await anybody.post('/api/services/confirm-appointment', { token: 'x' }, at),
    ]
    expect(replies.map(r => r.status)).toEqual([422, 400, 400])
    expect(replies.map(r => r.headers.get('access-control-allow-origin'))).toEqual(['*', '*', '*'])
    const mine = await owner.get('/api/services/services', at)
    expect(mine.headers.get('access-control-allow-origin')).toBeNull()
  })
})
