import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platform } from '../platform.ts'
import { PREFLIGHTS } from '../surface.ts'
import { CHROMIUM, launch } from './chromium.ts'

/** Another site, and a way to the platform on which each test is somebody of its own. */
let site: Server
let way: Server
let visitor = ''
let browser: Browser
const listen = (server: Server) => server.listen(0, '127.0.0.1')
const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

beforeAll(async () => {
  if (!CHROMIUM) return
  site = listen(createServer((_, reply) => reply.end('<title>Elsewhere</title>')))
  way = listen(
    createServer((asked, reply) => {
      const headers = { ...asked.headers, 'x-test-client': visitor }
      const to = request(platform().url + asked.url, { method: asked.method, headers }, answer =>
        answer.pipe(reply.writeHead(answer.statusCode ?? 502, answer.headers)),
      )
      asked.pipe(to)
    }),
  )
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  site?.close()
  way?.close()
})

async function visit(): Promise<Page> {
  visitor = crypto.randomUUID()
  const page = await browser.newPage()
  await page.goto(urlOf(site))
  return page
}

/** What a script of the page reads of an answer; a text where the browser kept it from it. */
type Read = { status: number; headers: string[]; text: string } | string

/** Sends a request from a script of the page, as its browser lets it. */
const send = (page: Page, path: string, init: object): Promise<Read> =>
  page.evaluate(
    ([url, options]) =>
      fetch(url, options).then(
        async answer => ({
          status: answer.status,
          headers: [...answer.headers.keys()],
          text: await answer.text(),
        }),
        (error: unknown) => String(error),
      ),
    [urlOf(way) + path, init] as const,
  )

const LIMITS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id']

describe.skipIf(!CHROMIUM)('a script of another site (CHROMIUM_PATH names a browser)', () => {
  it.each(PREFLIGHTS)('reads what %s answers, with its headers', async path => {
    const page = await visit()
    const isRead = path.includes('.well-known') || path.endsWith('/jwks')
    const headers = {
      'idempotency-key': crypto.randomUUID(),
      'cal-api-key': 'cal_none',
      authorization: 'Bearer none',
    }
    const asked = isRead
      ? { headers: { 'mcp-protocol-version': '2025-03-26' } }
      : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}' }
    const read = await send(page, path, asked)
    expect(read).toMatchObject({ headers: expect.arrayContaining(LIMITS) })
    expect(read).toMatchObject({
      status: isRead ? 200 : expect.toSatisfy(n => n >= 400 && n < 500),
    })
  })

  it('is told of a repeated answer that it is one', async () => {
    const page = await visit()
    const headers = { 'idempotency-key': crypto.randomUUID(), 'content-type': 'application/json' }
    const asked = { method: 'POST', headers, body: '{"eventTypeId":2147483647}' }
    const [first, again] = [
      await send(page, '/api/book/event', asked),
      await send(page, '/api/book/event', asked),
    ]
    expect(first).toMatchObject({
      status: 422,
      headers: expect.not.arrayContaining(['idempotent-replayed']),
    })
    expect(again).toMatchObject({
      status: 422,
      headers: expect.arrayContaining(['idempotent-replayed']),
    })
  })

  it('reads in a 429 how long to wait', async () => {
    const page = await visit()
    const headers = { 'content-type': 'application/json' }
    const asked = { method: 'POST', headers, body: '{"eventTypeId":2147483647}' }
    let read: Read = ''
    for (let n = 0; n < 70 && !JSON.stringify(read).includes('429'); n++)
      read = await send(page, '/api/book/event', asked)
    expect(read).toMatchObject({ status: 429, headers: expect.arrayContaining(['retry-after']) })
  })

  it('reads nothing of what needs a user, and sends nothing there', async () => {
    const page = await visit()
    const headers = { 'cal-api-key': 'cal_none' }
    for (const path of ['/api/services/services', '/api/services/customers'])
      expect(await send(page, path, { headers })).toMatch(/^TypeError/)
    const body = JSON.stringify({ name: 'x' })
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    expect(await send(page, '/api/services/categories', post)).toMatch(/^TypeError/)
  })
})
