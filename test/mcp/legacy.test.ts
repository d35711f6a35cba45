import { beforeAll, describe, expect, it } from 'vitest'
import { createAccount, type TestAccount } from '../client.ts'
import { platform } from '../platform.ts'
import { post, request } from './rpc.ts'

let account: TestAccount
beforeAll(async () => {
  account = await createAccount()
})

/** Opens a stream and reads it event by event. */
async function openStream(key = account.apiKey, query = '') {
  const abort = new AbortController()
  const answer = await fetch(`${platform().url}/api/mcp/sse${query}`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${key}` },
    signal: abort.signal,
  })
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  const next = async (): Promise<{ event: string; data: string }> => {
    for (;;) {
      const end = rest.indexOf('\n\n')
      if (end >= 0) {
        const block = rest.slice(0, end)
        rest = rest.slice(end + 2)
        const found = /^event: (.*)\ndata: (.*)$/.exec(block)
        if (found) return { event: found[1]!, data: found[2]! }
        continue
      }
      const { value, done } = await reader.read()
      if (done) throw new Error('The stream has ended')
      rest += value
    }
  }
  return { answer, next, close: () => abort.abort() }
}

describe('GET /api/mcp/sse', () => {
  it('200 names an address with a sessionId first, on a stream that stays open', async () => {
    const stream = await openStream()
    expect(stream.answer.headers.get('content-type')).toBe('text/event-stream')
    expect(stream.answer.headers.get('x-ratelimit-limit')).toBe('600')
    const { event, data } = await stream.next()
    expect([event, data.split('?')[0]]).toEqual(['endpoint', '/api/mcp/sse'])
    expect(new URLSearchParams(data.split('?')[1]).get('sessionId')).toMatch(/^[\w-]{22}\./)
    stream.close()
  })

  it('200 keeps the toolsets and the page size that it was opened with', async () => {
    const stream = await openStream(
      account.apiKey,
      '?toolsets=bookings,user&pageSize=100&sessionId=x',
    )
    const path = (await stream.next()).data
    await post(request('tools/list'), { key: account.apiKey, path })
    const { result } = JSON.parse((await stream.next()).data) as { result: { tools: unknown[] } }
    expect([result.tools.length, 'nextCursor' in result]).toEqual([14, false])
    stream.close()
  })

  it('401 without a key', async () => {
    const headers = { accept: 'text/event-stream', 'x-test-client': '10.45.0.1' }
    const answer = await fetch(`${platform().url}/api/mcp/sse`, { headers })
    expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([401, ['error']])
  })
})

describe('POST /api/mcp/sse', () => {
  it('answers as the primary endpoint does, without a session', async () => {
    const sender = { key: account.apiKey, path: '/api/mcp/sse' }
    const { status, body } = await post(request('ping'), sender)
    expect([status, body]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }])
  })

  it('answers in the body and on the stream of its session, in order, batches one by one', async () => {
    const stream = await openStream()
    const path = (await stream.next()).data
    const sender = { key: account.apiKey, path }
    const first = await post(request('initialize', {}, 'hello'), sender)
    expect(JSON.parse((await stream.next()).data)).toEqual(JSON.parse(first.text))
    await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, sender)
    await post([request('ping', {}, 1), request('ping', {}, 2)], sender)
    const umlauts = await post(
      request('tools/call', { name: 'create_customer', arguments: { name: 'Jürgen ✂' } }, 3),
      sender,
    )
    const ids = []
    for (let n = 0; n < 3; n++) {
      const { event, data } = await stream.next()
      ids.push([event, (JSON.parse(data) as { id: number }).id])
      if (n === 2) expect(JSON.parse(data)).toEqual(JSON.parse(umlauts.text))
    }
    expect(ids).toEqual([
      ['message', 1],
      ['message', 2],
      ['message', 3],
    ])
    stream.close()
  })

  it("404 for the session of another account or of nobody: nothing reaches another's stream", async () => {
    const other = await createAccount()
    const stream = await openStream()
    const path = (await stream.next()).data
    expect((await post(request('ping'), { key: other.apiKey, path })).status).toBe(404)
    const forged = '/api/mcp/sse?sessionId=AAAAAAAAAAAAAAAAAAAAAA.0'
    expect((await post(request('ping'), { key: account.apiKey, path: forged })).status).toBe(404)
    await post(request('ping', {}, 'mine'), { key: account.apiKey, path })
    expect(JSON.parse((await stream.next()).data)).toMatchObject({ id: 'mine' })
    stream.close()
  })

  it('two streams of one account get the answers to their own requests alone', async () => {
    const streams = await Promise.all([openStream(), openStream()])
    const paths = await Promise.all(streams.map(async s => (await s.next()).data))
    await Promise.all(
      paths.map((path, n) => post(request('ping', {}, n), { key: account.apiKey, path })),
    )
    for (const [n, stream] of streams.entries()) {
      expect(JSON.parse((await stream.next()).data)).toMatchObject({ id: n })
      stream.close()
    }
  })
})
