import { beforeAll, describe, expect, it } from 'vitest'
import { createAccount, type TestAccount } from '../client.ts'
import { platform } from '../platform.ts'
import { post, request, type Sender } from './rpc.ts'

let account: TestAccount
let by: Sender

beforeAll(async () => {
  account = await createAccount()
  by = { key: account.apiKey }
})

const SSE = { accept: 'application/json, text/event-stream' }
const ping = request('ping')
const initialize = request('initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})
const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }

describe('POST /api/mcp', () => {
  it('200 to initialize with 2025-03-26 and a session, whatever is asked for', async () => {
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2026-07-28', 'nonsense']) {
      const headers = { 'mcp-protocol-version': version }
      const { status, headers: got, body } = await post(initialize, { ...by, headers })
      expect([version, status, body.result?.protocolVersion]).toEqual([version, 200, '2025-03-26'])
      expect(body.result?.serverInfo).toMatchObject({ name: 'almanac', version: '2.1.0' })
      expect(got.get('mcp-session-id')).toMatch(/^[\w-]{22}\.[0-9a-f]{64}$/)
    }
  })

  it('200 with the session, with one that nobody gave out, and without', async () => {
    const given = (await post(initialize, by)).headers.get('mcp-session-id') ?? ''
    for (const session of [given, 'made-up', undefined]) {
      const headers: Record<string, string> = session ? { 'mcp-session-id': session } : {}
      const { status, body, headers: got } = await post(ping, { ...by, headers })
      expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }])
      expect(got.get('mcp-session-id')).toBeNull()
    }
  })

  it('202 and no body to what wants no answer, also as a batch', async () => {
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} }
    const answer = { jsonrpc: '2.0', id: 7, result: {} }
    for (const body of [notification, cancelled, answer, [notification, cancelled]]) {
      const { status, text, headers } = await post(body, { ...by, headers: SSE })
      expect([status, text]).toEqual([202, ''])
      expect(headers.get('content-type')).toBeNull()
    }
  })

  it.each([
    ['application/json', false],
    ['*/*', false],
    ['text/event-stream', true],
    ['Application/JSON, Text/Event-Stream', true],
    ['text/event-stream;q=0.5, application/json', true],
    ['text/event-stream;q=0, application/json', false],
    ['text/event-streams', false],
  ])('answers Accept "%s" with an event: %s', async (accept, isEvent) => {
    const { status, headers, text } = await post(ping, { ...by, headers: { accept } })
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe(isEvent ? 'text/event-stream' : 'application/json')
    const json = '{"jsonrpc":"2.0","id":1,"result":{}}'
    expect(text).toBe(isEvent ? `event: message\ndata: ${json}\n\n` : json)
  })

  it('repeats ids as they were: text, numbers, zero', async () => {
    for (const id of ['a', '', 0, -1, 12345678901]) {
      const { body } = await post(request('ping', {}, id), by)
      expect(body.id).toBe(id)
    }
  })

  it.each([
    ['no JSON', '{"jsonrpc":', 400, -32700, null],
    ['nothing', '', 400, -32700, null],
    ['a number', 7, 400, -32600, null],
    ['no version', { id: 1, method: 'ping' }, 400, -32600, 1],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }, 400, -32600, 1],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32600, 1],
    ['an id that is null', { jsonrpc: '2.0', id: null, method: 'ping' }, 400, -32600, null],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, 400, -32600, null],
    ['an empty batch', [], 400, -32600, null],
    ['an unknown method', request('tools/nothing'), 200, -32601, 1],
    ['a method of Object', request('constructor'), 200, -32601, 1],
    ['server/discover', request('server/discover'), 200, -32601, 1],
    ['params that are a list', { ...ping, params: [] }, 200, -32602, 1],
    ['an unknown tool', request('tools/call', { name: 'nothing' }), 200, -32602, 1],
    ['a tool of Object', request('tools/call', { name: 'toString' }), 200, -32602, 1],
    ['no tool', request('tools/call'), 200, -32602, 1],
    ['a cursor of nobody', request('tools/list', { cursor: 'nothing' }), 200, -32602, 1],
    ['a cursor that is a number', request('tools/list', { cursor: 7 }), 200, -32602, 1],
  ])('%s: its error', async (_, body, status, code, id) => {
    const reply = await post(body, by)
    expect([reply.status, reply.body.id, reply.body.error]).toEqual([
      status,
      id,
      { code, message: expect.any(String) },
    ])
    expect(Object.keys(reply.body)).toEqual(['jsonrpc', 'id', 'error'])
  })

  it('says that the name is missing where a call names no tool', async () => {
    for (const params of [undefined, {}, { name: 7 }])
      expect((await post(request('tools/call', params), by)).body.error).toEqual({
        code: -32602,
        message: 'name must be the name of a tool',
      })
  })

  it('200 with an error to what a newer client asks first, whose headers it knows', async () => {
    const headers = {
      ...SSE,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'server/discover',
    }
    const { status, body } = await post(request('server/discover'), { ...by, headers })
    expect([status, body.error]).toEqual([200, { code: -32601, message: expect.any(String) }])
  })

  it('400 for a protocol version that there is not, 400 for what is not JSON by its type', async () => {
    const bad: Record<string, string>[] = [
      { 'mcp-protocol-version': 'nonsense' },
      { 'content-type': 'text/plain' },
    ]
    for (const headers of bad) {
      const { status, body } = await post(ping, { ...by, headers })
      expect([status, body.error]).toEqual([400, { code: -32600, message: expect.any(String) }])
    }
    const known = { 'mcp-protocol-version': '2025-03-26' }
    expect((await post(ping, { ...by, headers: known })).status).toBe(200)
  })

  it('400 with a parse error for what is not UTF-8', async () => {
    const answer = await fetch(`${platform().url}/api/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${by.key}` },
      body: new Uint8Array([0x22, 0xff, 0x22]),
    })
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) } },
    ])
  })

  it('413 for more than 1 MiB', async () => {
    const { status } = await post(request('ping', { pad: 'x'.repeat(2 ** 20) }), by)
    expect(status).toBe(413)
  })
})

describe('a batch', () => {
  it('is answered in its order, each by itself, with the errors among them', async () => {
    const { status, body } = await post(
      [
        request('ping', {}, 'a'),
        notification,
        request('nothing', {}, 'b'),
        { ...initialize, id: 'c' },
        7,
        request('tools/call', { name: 'get_current_user' }, 'd'),
      ],
      by,
    )
    const all = body as unknown as {
      id: string | null
      result?: object
      error?: { code: number }
    }[]
    expect(status).toBe(200)
    expect(all.map(({ id, error }) => [id, error?.code])).toEqual([
      ['a', undefined],
      ['b', -32601],
      ['c', -32600],
      [null, -32600],
      ['d', undefined],
    ])
  })

  it('is carried out one after the other: what comes later finds what came before', async () => {
    const name = `In turn ${crypto.randomUUID()}`
    const { body } = await post(
      [
        request('tools/call', { name: 'create_customer', arguments: { name } }, 1),
        request('tools/call', { name: 'search_customers', arguments: { search: name } }, 2),
      ],
      by,
    )
    const found = body[1]?.result?.structuredContent?.items as { name: string }[]
    expect(found.map(c => c.name)).toEqual([name])
  })

  it('is one event where events are taken', async () => {
    const { text } = await post([ping, ping], { ...by, headers: SSE })
    expect(text).toMatch(/^event: message\ndata: \[\{.*\},\{.*\}\]\n\n$/)
  })

  it('400 for more than 100, and each of its messages counts against the limit', async () => {
    const many = (n: number) => Array.from({ length: n }, () => ping)
    const { status, body } = await post(many(101), by)
    expect([status, body.error]).toMatchObject([400, { code: -32600 }])
    const free = await createAccount('free')
    const seen: number[] = []
    for (let tries = 0; tries < 3 && !seen.includes(429); tries++)
      seen.push((await post(many(40), { key: free.apiKey })).status)
    expect(seen).toContain(200)
    expect(seen).toContain(429)
    const refused = await post(many(40), { key: free.apiKey })
    if (refused.status === 429) {
      expect(refused.headers.get('x-ratelimit-limit')).toBe('60')
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })

  it('over the limit does nothing at all', async () => {
    const free = await createAccount('free')
    const name = `Late ${crypto.randomUUID()}`
    const create = request('tools/call', { name: 'create_customer', arguments: { name } })
    // More than a window allows: refused as a whole, wherever in the minute it comes.
    const batch = [create, ...Array.from({ length: 60 }, () => ping)]
    expect((await post(batch, { key: free.apiKey })).status).toBe(429)
    const { items } = await account.client.get(`/api/services/customers?search=${name}`)
    expect(items).toEqual([])
  })
})
