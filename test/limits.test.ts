import { beforeAll, describe, expect, it } from 'vitest'
import type { Plan } from '#lib/core/context.ts'
import { createApiKey } from '#lib/domain/accounts/operations.ts'
import { client, createAccount, directly, type Reply, type TestAccount } from './client.ts'
import { queryDatabase } from './database.ts'
import { platform } from './platform.ts'
import { together } from './together.ts'

type Send = (index: number) => Promise<Reply>

async function burst(count: number, send: Send): Promise<Reply[]> {
  const replies: Reply[] = []
  const indices = Array.from({ length: count }, (_, index) => index)
  await together(indices, async index => replies.push(await send(index)))
  return replies
}

const header = (reply: Reply, name: string) => Number(reply.headers.get(name))
const isCounted = (reply: Reply) => reply.headers.get('x-ratelimit-policy') === null

/** Replies by the window that they were counted in: a burst may begin in one and end in the next. */
function byWindow(replies: Reply[]): Reply[][] {
  const windows = new Map<number, Reply[]>()
  for (const reply of replies.filter(isCounted)) {
    const reset = header(reply, 'x-ratelimit-reset')
    windows.set(reset, [...(windows.get(reset) ?? []), reply])
  }
  return [...windows.values()]
}

/**
 * In each window exactly the limit passed. On a busy machine Redis may not answer in time: such a
 * request passes without a count in its answer, and may have been counted all the same.
 */
function expectExactly(limit: number, replies: Reply[]): void {
  const uncounted = replies.filter(r => !isCounted(r)).length
  for (const window of byWindow(replies)) {
    const passed = window.filter(r => r.status !== 429).length
    expect(passed).toBeLessThanOrEqual(limit)
    expect(passed).toBeGreaterThanOrEqual(Math.min(limit, window.length) - uncounted)
  }
}

/** Sends until a window is over its limit. */
async function exhaust(limit: number, send: Send): Promise<Reply[]> {
  const replies: Reply[] = []
  for (let bursts = 0; bursts < 4; bursts++) {
    replies.push(...(await burst(limit + 12, i => send(replies.length + i))))
    expectExactly(limit, replies)
    if (replies.some(r => r.status === 429)) return replies
  }
  throw new Error(`Never over ${limit}`)
}

const PATHS = ['categories', 'locations', 'customers', 'resources'].map(p => `/api/services/${p}`)
const pathOf = (index: number) => PATHS[index % PATHS.length]!

const addKey = (account: TestAccount) =>
  directly(async base => {
    const { accountId, userId } = account
    return client((await createApiKey(base, base.enter(accountId), { userId })).key)
  })

describe('an account', () => {
  it.each([
    ['free', 60],
    ['pro', 120],
    ['enterprise', 600],
  ] as [Plan, number][])(
    '%s: 429 after %i a minute, over all keys and functions',
    async (plan, limit) => {
      const account = await createAccount(plan)
      const keys = [account.client, await addKey(account), account.staffClient]
      const replies = await exhaust(limit, i => keys[i % 3]!.get(pathOf(i)))
      const now = Date.now() / 1000
      const passed = replies.filter(r => r.status !== 429)
      const refused = replies.filter(r => r.status === 429)
      for (const reply of replies) {
        expect(header(reply, 'x-ratelimit-limit')).toBe(limit)
        expect(header(reply, 'x-ratelimit-reset')).toBeGreaterThan(now - 60)
        expect(header(reply, 'x-ratelimit-reset')).toBeLessThanOrEqual(now + 61)
      }
      expect(passed.every(r => r.headers.get('retry-after') === null)).toBe(true)
      for (const reply of refused) {
        expect(reply.body.error).toBe('RATE_LIMITED')
        expect(header(reply, 'x-ratelimit-remaining')).toBe(0)
        expect(header(reply, 'retry-after')).toBeGreaterThanOrEqual(1)
        expect(header(reply, 'retry-after')).toBeLessThanOrEqual(60)
      }
      const left = byWindow(passed).map(w => w.map(r => header(r, 'x-ratelimit-remaining')))
      for (const remaining of left) expect(new Set(remaining).size).toBe(remaining.length)
    },
    90_000,
  )

  it('429 for a write changes nothing and is not kept under its key', async () => {
    const account = await createAccount('free')
    let key = {}
    const write = (headers = {}) =>
      account.client.post('/api/services/customers', { name: 'Late' }, headers)
    const made = async () => {
      const sql = `select count(*) as n from customers where account_id = $1 and name = 'Late'`
      return Number((await queryDatabase(sql, [account.accountId]))[0]?.n)
    }
    let passed = 0
    for (let tries = 0; tries < 3; tries++) {
      await exhaust(60, i => account.client.get(pathOf(i)))
      key = { 'idempotency-key': crypto.randomUUID() }
      const replies = [await write(), await write(key)]
      const late = replies.filter(r => r.status !== 429)
      passed += late.length
      if (late.length === 0) break
    }
    expect(await made()).toBe(passed)
    await queryDatabase(`update accounts set plan = 'enterprise' where id = $1`, [
      account.accountId,
    ])
    const allowed = await addKey(account)
    const late = await allowed.post('/api/services/customers', { name: 'Late' }, key)
    expect([late.status, late.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect(await made()).toBe(passed + 1)
  })
})

describe('an address without valid credentials', () => {
  it('429 after 60 a minute, whatever it shows as a key', async () => {
    const address = { 'x-test-client': '203.0.113.201' }
    const anybody = client()
    await exhaust(60, i =>
      anybody.get(pathOf(i), i % 2 ? { ...address, authorization: `Bearer cal_${i}` } : address),
    )
  })

  it('429 after 60 a minute from one IPv6 network, over all of its addresses', async () => {
    const anybody = client()
    await exhaust(60, i => anybody.get('/health', { 'x-test-client': `2001:db8:0:0::${i + 1}` }))
  })

  it('429 after 30 bookings a minute of one service; another can still be asked for', async () => {
    const address = { 'x-test-client': '203.0.113.202' }
    const body = (serviceId: number) => ({
      serviceId,
      startTime: '2031-06-02T14:00:00Z',
      customer: { name: 'Ann', email: 'ann@example.org' },
    })
    const book = (serviceId: number) =>
      client().post('/api/services/book', body(serviceId), address)
    const replies = await burst(42, () => book(2_147_483_647))
    expectExactly(30, replies)
    expect(replies.filter(r => r.status !== 404 && r.status !== 429)).toEqual([])
    expect((await book(2_147_483_646)).status).toBe(404)
  })
})

describe('without Redis', () => {
  let account: TestAccount
  beforeAll(async () => {
    account = await createAccount('pro')
  })
  const fault = (order: object) =>
    fetch(`${platform().url}/_dev/redis/fault`, {
      method: 'POST',
      body: JSON.stringify({ contains: `limit:a${account.accountId}:`, ...order }),
    })

  it.each([
    ['slow', { delayMilliseconds: 20_000 }],
    ['down', { status: 503 }],
  ])('%s: requests pass at once, with the usual headers and a word about it', async (_, order) => {
    await fault({ ...order, times: 1000 })
    const start = Date.now()
    const [read, write] = await Promise.all([
      account.client.get('/api/services/categories'),
      account.client.post('/api/services/categories', { name: 'Hair' }),
    ])
    const took = Date.now() - start
    await fault({ times: 0 })
    expect([read.status, write.status]).toEqual([200, 201])
    expect(took).toBeLessThan(10_000)
    for (const reply of [read, write]) {
      expect(reply.headers.get('x-ratelimit-policy')).toBe('unavailable')
      expect(header(reply, 'x-ratelimit-limit')).toBe(120)
      expect(header(reply, 'x-ratelimit-remaining')).toBe(120)
      expect(header(reply, 'x-ratelimit-reset') * 1000).toBeGreaterThan(start)
    }
    const after = await account.client.get('/api/services/categories')
    expect(after.headers.get('x-ratelimit-policy')).toBeNull()
  })
})

describe('the three headers', () => {
  it('stand on every answer, whatever its status', async () => {
    const account = await createAccount()
    const at = { 'x-test-client': '203.0.113.203' }
    const { client: owner } = account
    const made = await owner.post('/api/services/districts', { name: 'North' }, at)
    await owner.post('/api/services/products', { name: 'Oil', price: 1, sku: 'OIL' }, at)
    const answers: [number, Reply][] = [
      [200, await owner.get('/api/services/districts', at)],
      [201, made],
      [400, await owner.get('/api/services/districts?limit=0', at)],
      [401, await client().get('/api/services/districts', at)],
      [404, await owner.get('/api/services/districts?id=2147483647', at)],
      [404, await owner.get('/no/such/page', at)],
      [405, await owner.patch('/api/services/districts', {}, at)],
      [409, await owner.post('/api/services/products', { name: 'Oil', price: 1, sku: 'OIL' }, at)],
      [413, await owner.post('/api/services/districts', { name: 'x'.repeat(2 ** 20) }, at)],
      [422, await owner.post('/api/services/districts', {}, at)],
      [403, await account.staffClient.post('/api/services/districts', { name: 'East' }, at)],
    ]
    const broken = await createAccount()
    const { body } = await broken.client.post('/api/services/services', { name: 'Cut' })
    const sql = `update accounts set time_zone = 'Nowhere/Never' where id = $1`
    await queryDatabase(sql, [broken.accountId])
    const ask = `/api/services/availability?serviceId=${body.id}&date=2031-06-02`
    answers.push([500, await broken.client.get(ask)])
    expect(answers.map(([, reply]) => reply.status)).toEqual(answers.map(([status]) => status))
    for (const [status, reply] of answers)
      for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
        expect(reply.headers.get(name), `${name} of ${status}`).toMatch(/^\d+$/)
  })
})
