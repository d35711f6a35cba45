import { beforeAll, describe, expect, it } from 'vitest'
import { createAccount, type TestAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'

const PRODUCTS = '/api/services/products'
const STOCK = `${PRODUCTS}/stock`

let a: TestAccount
beforeAll(async () => {
  a = await createAccount()
})

const make = async (more: object = {}) => {
  const body = { name: 'Wax', price: 900, stock: 10, ...more }
  return Number((await a.client.post(PRODUCTS, body)).body.id)
}
const change = (productId: number, more: object) => a.client.post(STOCK, { productId, ...more })
const stockOf = async (id: number) => (await a.client.get(`${PRODUCTS}?id=${id}`)).body.data.stock
const movements = async (id: number) =>
  (await a.client.get(`${PRODUCTS}/stock-movements?productId=${id}`)).items

/** What the ledger adds up to; the figure of the product must be the same. */
const sumOf = async (id: number) => {
  const sql = `select coalesce(sum(quantity), 0) as n from stock_movements
    where account_id = $1 and product_id = $2`
  return Number((await queryDatabase(sql, [a.accountId, id]))[0]?.n)
}

describe('POST /products/stock', () => {
  it('200 with the product, set or changed, and each change is noted', async () => {
    const id = await make()
    const less = await change(id, { delta: -4, reason: 'sale', note: 'Two for one' })
    expect([less.status, less.body.data.stock]).toEqual([200, 6])
    expect((await change(id, { stock: 20 })).body.data).toMatchObject({ id, stock: 20 })
    expect((await change(id, { delta: 5, reason: 'purchase' })).body.data.stock).toBe(25)
    expect(await movements(id)).toMatchObject([
      { productId: id, quantity: 5, stock: 25, reason: 'purchase', note: null, userId: a.userId },
      { quantity: 14, stock: 20, reason: 'count' },
      { quantity: -4, stock: 6, reason: 'sale', note: 'Two for one' },
      { quantity: 10, stock: 10, reason: 'initial' },
    ])
    expect(await sumOf(id)).toBe(25)
  })

  it('200 for a stock that is as it was: nothing is noted', async () => {
    const id = await make()
    expect((await change(id, { stock: 10 })).status).toBe(200)
    expect(await movements(id)).toHaveLength(1)
  })

  it('409 for more than is there, and nothing changes', async () => {
    const id = await make()
    const { status, body } = await change(id, { delta: -11 })
    expect([status, body.error]).toEqual([409, 'CONFLICT'])
    expect(body.details).toEqual([{ field: 'stock', message: 'Not that many are in stock' }])
    expect([await stockOf(id), await sumOf(id)]).toEqual([10, 10])
  })

  it('200 below 0 for a product whose stock is not tracked; tracking it then is 409', async () => {
    const id = await make({ trackStock: false, stock: 0 })
    expect((await change(id, { delta: -2 })).body.data.stock).toBe(-2)
    const tracked = await a.client.patch(`${PRODUCTS}?id=${id}`, { trackStock: true })
    expect(tracked.status).toBe(409)
    const counted = await a.client.patch(`${PRODUCTS}?id=${id}`, { trackStock: true, stock: 3 })
    expect(counted.body.data).toMatchObject({ trackStock: true, stock: 3 })
  })

  it('409 when not as many are there as was expected', async () => {
    const id = await make()
    const refused = await change(id, { stock: 3, expectedStock: 9 })
    expect([refused.status, refused.body.details[0]!.field]).toEqual([409, 'expectedStock'])
    expect((await change(id, { stock: 3, expectedStock: 10 })).body.data.stock).toBe(3)
  })

  it('409 for more than a stock can be', async () => {
    const id = await make({ stock: 1_000_000_000 })
    expect((await change(id, { delta: 1 })).status).toBe(409)
  })

  it('404 for a product that is not there', async () => {
    expect((await change(2_000_000_000, { delta: 1 })).status).toBe(404)
  })

  it.each([
    [{}, 'stock'],
    [{ stock: 1, delta: 1 }, 'stock'],
    [{ stock: -1 }, 'stock'],
    [{ delta: 0 }, 'delta'],
    [{ delta: 1.5 }, 'delta'],
    [{ delta: 1, reason: 'theft' }, 'reason'],
    [{ delta: 1, note: 'x'.repeat(501) }, 'note'],
  ])('422 for %j', async (more, field) => {
    const { status, body } = await change(1, more)
    expect([status, body.details[0]!.field]).toEqual([422, field])
  })
})

describe('at the same time', () => {
  const times = <T>(n: number, work: (i: number) => Promise<T>) =>
    Promise.all(Array.from({ length: n }, (_, i) => work(i)))

  it('20 take one of 10 each: 10 do, 10 are told 409, none is left', async () => {
    const id = await make()
    const replies = await times(20, () => change(id, { delta: -1, reason: 'sale' }))
    expect(replies.filter(r => r.status === 200)).toHaveLength(10)
    expect(replies.filter(r => r.status === 409)).toHaveLength(10)
    expect([await stockOf(id), await sumOf(id)]).toEqual([0, 0])
    const left = (await movements(id)).map(m => Number(m.stock))
    expect(left).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('sets and changes never part the figure from its ledger', async () => {
    const id = await make({ stock: 100 })
    await times(20, i => change(id, i % 2 ? { delta: i } : { stock: 50 + i }))
    expect(await sumOf(id)).toBe(await stockOf(id))
  })

  it('of 10 who expect the same stock one changes it', async () => {
    const id = await make()
    const replies = await times(10, i => change(id, { stock: 20 + i, expectedStock: 10 }))
    expect(replies.map(r => r.status).toSorted()).toEqual([200, ...Array(9).fill(409)])
  })

  it('a write that is sent again with its Idempotency-Key takes once', async () => {
    const id = await make()
    const key = { 'idempotency-key': crypto.randomUUID() }
    for (let n = 0; n < 3; n++) await a.client.post(STOCK, { productId: id, delta: -3 }, key)
    expect(await stockOf(id)).toBe(7)
  })
})
