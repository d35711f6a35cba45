import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, client, createAccount, createMember, type TestAccount } from './client.ts'
import { queryDatabase } from './database.ts'

const CATEGORIES = '/api/services/categories'
const CUSTOMERS = '/api/services/customers'

let account: TestAccount
let owner: Client

beforeAll(async () => {
  account = await createAccount()
  owner = account.client
})

const withKey = (key: string = crypto.randomUUID(), more: Record<string, string> = {}) => ({
  'idempotency-key': key,
  ...more,
})

/** How many rows of a table of the account have a name. */
const countOf = async (table: string, name: string) => {
  const sql = `select count(*) as n from "${table}" where account_id = $1 and name = $2`
  return Number((await queryDatabase(sql, [account.accountId, name]))[0]?.n)
}

describe('the same request with the same Idempotency-Key', () => {
  it('201 again, byte for byte, for a create; one record', async () => {
    const key = withKey()
    const send = () => owner.post(CUSTOMERS, { name: 'Once', notes: 'ü "quoted" \n' }, key)
    const [first, again, later] = [await send(), await send(), await send()]
    expect(first.status).toBe(201)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    for (const replay of [again, later]) {
      expect([replay.status, replay.text]).toEqual([201, first.text])
      expect(replay.headers.get('idempotent-replayed')).toBe('true')
      expect(replay.headers.get('content-type')).toBe(first.headers.get('content-type'))
      expect(replay.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    }
    expect(await countOf('customers', 'Once')).toBe(1)
  })

  it('200 again for a PATCH and a PUT, although the record has changed since', async () => {
    const category = await owner.post(CATEGORIES, { name: 'Before' })
    const customer = await owner.post(CUSTOMERS, { name: 'Before' })
    const changes = [
      (name: string, headers = {}) =>
        owner.patch(`${CATEGORIES}?id=${category.body.id}`, { name }, headers),
      (name: string, headers = {}) =>
        owner.put(`${CUSTOMERS}?id=${customer.body.id}`, { name }, headers),
    ]
    for (const change of changes) {
      const key = withKey()
      const first = await change('After', key)
      await change('Later still')
      const replay = await change('After', key)
      expect([replay.status, replay.text]).toEqual([200, first.text])
      expect(replay.headers.get('idempotent-replayed')).toBe('true')
      const now = await change('Later still')
      expect(now.body.data.name).toBe('Later still')
    }
  })

  it('repeats an appointment, which is booked once', async () => {
    const service = await owner.post('/api/services/services', { name: 'Cut' })
    const key = withKey()
    const times = { startTime: '2031-06-02T14:00:00Z', endTime: '2031-06-02T15:00:00Z' }
    const body = { serviceId: service.body.id, employeeId: account.staff.employeeId, ...times }
    const send = () => owner.post('/api/services/appointments', body, key)
    const [first, replay] = [await send(), await send()]
    expect([first.status, replay.status, replay.text]).toEqual([201, 201, first.text])
  })

  it('repeats a public booking for its address alone', async () => {
    const service = await owner.post('/api/services/services', { name: 'Wash', duration: 60 })
    const key = crypto.randomUUID()
    const book = (address: string) =>
      client().post(
        '/api/services/book',
        {
          serviceId: service.body.id,
          startTime: '2031-06-03T14:00:00Z',
          customer: { name: 'Vic', email: 'vic@example.org' },
        },
        withKey(key, { 'x-test-client': address, 'x-test-now': '2031-06-01T00:00:00Z' }),
      )
    const first = await book('203.0.113.31')
    const replay = await book('203.0.113.31')
    const other = await book('203.0.113.32')
    expect([first.status, replay.status, replay.text]).toEqual([201, 201, first.text])
    expect(replay.headers.get('idempotent-replayed')).toBe('true')
    expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([409, null])
  })

  it('repeats a refusal: of the schema, of a missing record, and of the database', async () => {
    const oil = { name: 'Oil', price: 900, sku: 'OIL-1' }
    await owner.post('/api/services/products', oil)
    const refusals = [
      () => [422, '/api/services/districts', {}] as const,
      () => [404, CATEGORIES, { name: 'X' }] as const,
      () => [409, '/api/services/products', oil] as const,
    ]
    for (const refusal of refusals) {
      const [status, path, body] = refusal()
      const key = withKey()
      const send = () =>
        status === 404
          ? owner.patch(`${path}?id=2147483647`, body, key)
          : owner.post(path, body, key)
      const [first, replay] = [await send(), await send()]
      expect([first.status, replay.status, replay.text]).toEqual([status, status, first.text])
      expect(replay.headers.get('idempotent-replayed')).toBe('true')
    }
  })

  it('is another request for another account', async () => {
    const stranger = await createAccount()
    const key = withKey()
    const first = await owner.post(CATEGORIES, { name: 'Mine' }, key)
    const other = await stranger.client.post(CATEGORIES, { name: 'Mine' }, key)
    expect([first.status, other.status]).toEqual([201, 201])
    expect(other.headers.get('idempotent-replayed')).toBeNull()
  })

  it('is the same request for another member of the account', async () => {
    const admin = await createMember(account.accountId, 'admin')
    const key = withKey()
    const first = await owner.post(CATEGORIES, { name: 'Shared' }, key)
    expect((await admin.post(CATEGORIES, { name: 'Shared' }, key)).text).toBe(first.text)
  })

  it('422 for a member who may do less: they are not told the answer', async () => {
    const manager = await createMember(account.accountId, 'manager')
    const key = withKey()
    const body = { name: 'Not for all', email: `${crypto.randomUUID()}@example.com` }
    expect((await owner.post(CUSTOMERS, body, key)).status).toBe(201)
    for (const lesser of [manager, account.staffClient]) {
      const { status, text } = await lesser.post(CUSTOMERS, body, key)
      expect([status, text.includes(body.email)]).toEqual([422, false])
    }
  })
})

describe('another request with the same key', () => {
  it('422 for another body, path, query or method; nothing is made', async () => {
    const category = await owner.post(CATEGORIES, { name: 'There' })
    const key = withKey()
    await owner.post(CATEGORIES, { name: 'First' }, key)
    const others = [
      await owner.post(CATEGORIES, { name: 'Second' }, key),
      await owner.post('/api/services/districts', { name: 'First' }, key),
      await owner.post(`${CATEGORIES}?x=1`, { name: 'First' }, key),
      await owner.patch(`${CATEGORIES}?id=${category.body.id}`, { name: 'First' }, key),
    ]
    for (const { status, body } of others) {
      expect([status, body.error]).toEqual([422, 'VALIDATION_ERROR'])
      expect(body.details[0]!.field).toBe('Idempotency-Key')
    }
    expect(await countOf('categories', 'Second')).toBe(0)
    expect(await countOf('categories', 'First')).toBe(1)
    expect(await countOf('districts', 'First')).toBe(0)
  })
})

describe('the key', () => {
  it('400 when it is empty or longer than 255 characters', async () => {
    for (const key of ['', 'k'.repeat(256)]) {
      const { status, body } = await owner.post(CATEGORIES, { name: 'Key' }, withKey(key))
      expect([status, body.error]).toEqual([400, 'BAD_REQUEST'])
    }
    expect((await owner.post(CATEGORIES, { name: 'Key' }, withKey('k'.repeat(255)))).status).toBe(
      201,
    )
    expect(await countOf('categories', 'Key')).toBe(1)
  })

  it('means nothing on a GET or a DELETE', async () => {
    const key = withKey()
    expect((await owner.get(CATEGORIES, key)).status).toBe(200)
    const { body } = await owner.post(CATEGORIES, { name: 'Short' })
    expect((await owner.del(`${CATEGORIES}?id=${body.id}`, key)).status).toBe(200)
    expect((await owner.post(CATEGORIES, { name: 'Free' }, key)).status).toBe(201)
  })

  it('is free again after 24 hours', async () => {
    const key = crypto.randomUUID()
    const send = (at: string) =>
      owner.post(CATEGORIES, { name: 'Daily' }, withKey(key, { 'x-test-now': at }))
    const first = await send('2031-01-01T00:00:00Z')
    const late = await send('2031-01-01T23:59:59Z')
    const next = await send('2031-01-02T00:00:01Z')
    expect([late.text, late.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    expect([next.status, next.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect(await countOf('categories', 'Daily')).toBe(2)
  })

  it('is given back when the fault was ours', async () => {
    const mine = await createAccount()
    const { body } = await mine.client.post('/api/services/services', { name: 'Cut', duration: 60 })
    const setPolicy = (policy: string) =>
      queryDatabase(`update accounts set booking_policy = $2 where id = $1`, [
        mine.accountId,
        policy,
      ])
    const [row] = await queryDatabase<{ policy: object }>(
      'select booking_policy as policy from accounts where id = $1',
      [mine.accountId],
    )
    const key = crypto.randomUUID()
    const now = { 'x-test-client': '203.0.113.33', 'x-test-now': '2031-06-01T00:00:00Z' }
    const book = () =>
      client().post(
        '/api/services/book',
        {
          serviceId: body.id,
          startTime: '2031-06-03T14:00:00Z',
          customer: { name: 'V', email: 'v@example.org' },
        },
        withKey(key, now),
      )
    await setPolicy('null')
    expect((await book()).status).toBe(500)
    await setPolicy(JSON.stringify(row?.policy))
    const again = await book()
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null])
  })
})

describe('requests at the same time with one key', () => {
  it.each([
    ['as they come', CATEGORIES, 'categories'],
    ['where the database refuses the second', '/api/services/products', 'products'],
  ])('one record: 201 with one body, or 409 while it is made; %s', async (_, path, table) => {
    const name = `Race ${crypto.randomUUID()}`
    const key = withKey()
    const body = { name, price: 1, sku: name }
    const replies = await Promise.all(Array.from({ length: 20 }, () => owner.post(path, body, key)))
    const made = replies.filter(r => r.status === 201)
    expect(new Set(made.map(r => r.text)).size).toBe(1)
    expect(made.filter(r => r.headers.get('idempotent-replayed') === null)).toHaveLength(1)
    for (const { status, body: told } of replies.filter(r => r.status !== 201)) {
      expect([status, told.error]).toEqual([409, 'CONFLICT'])
      expect(told.message).toMatch(/still running/)
    }
    expect(await countOf(table, name)).toBe(1)
    expect((await owner.post(path, body, key)).text).toBe(made[0]!.text)
  })

  it('are another matter under keys of their own: the database has the last word', async () => {
    const name = `Race ${crypto.randomUUID()}`
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        owner.post('/api/services/products', { name, price: 1, sku: name }, withKey()),
      ),
    )
    expect(replies.map(r => r.status).toSorted()).toEqual([201, ...Array(7).fill(409)])
    expect(replies.every(r => !/still running/.test(r.text))).toBe(true)
  })
})

describe('a request that was cut off', () => {
  /** A claim as a request leaves it that died before its write. */
  const cutOff = async (key: string, claimedAt: string) => {
    const send = (at: string) =>
      owner.post(CATEGORIES, { name: key }, withKey(key, { 'x-test-now': at }))
    await send(claimedAt)
    await queryDatabase('delete from categories where account_id = $1 and name = $2', [
      account.accountId,
      key,
    ])
    const scope = `a${account.accountId}`
    await queryDatabase(
      `update idempotency_keys set status = null, body = null, content_type = null
       where scope = $1 and key = $2`,
      [scope, key],
    )
    return send
  }

  it('409 while it may still run, then the next one is carried out', async () => {
    const send = await cutOff(crypto.randomUUID(), '2031-01-01T00:00:00Z')
    const early = await send('2031-01-01T00:00:59Z')
    expect([early.status, early.body.error]).toEqual([409, 'CONFLICT'])
    const next = await send('2031-01-01T00:01:01Z')
    expect([next.status, next.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect((await send('2031-01-01T00:02:00Z')).text).toBe(next.text)
  })
})
