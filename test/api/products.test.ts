import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, client, createAccount, createMember, type TestAccount } from '../client.ts'
import { callTool } from '../mcp/rpc.ts'

const PRODUCTS = '/api/services/products'
const CATEGORIES = '/api/services/product-categories'
const by = (id: unknown) => `${PRODUCTS}?id=${id}`

let a: TestAccount
let other: TestAccount
beforeAll(async () => {
  ;[a, other] = await Promise.all([createAccount(), createAccount()])
})

const make = async (more: object = {}, account = a) => {
  const made = await account.client.post(PRODUCTS, { name: 'Argan oil', price: 1900, ...more })
  expect(made.status, made.text).toBe(201)
  return made.body
}

describe('POST /products', () => {
  it('201 with its defaults, in the currency of the company', async () => {
    const b = await createAccount()
    await b.client.patch('/api/services/company-settings', { currency: 'EUR' })
    const body = await make({}, b)
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'Argan oil',
      description: null,
      price: 1900,
      cost: null,
      currency: 'eur',
      sku: null,
      barcode: null,
      stock: 0,
      trackStock: true,
      lowStockThreshold: null,
      lowStock: false,
      categoryId: null,
      category: null,
      taxId: null,
      imageUrl: null,
      active: true,
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
    })
  })

  it('201 with everything that can be said', async () => {
    const category = (await a.client.post(CATEGORIES, { name: 'Hair care' })).body
    const tax = (await a.client.post('/api/services/taxes', { name: 'VAT', rate: 19 })).body
    const said = {
      description: 'Cold pressed',
      cost: 800,
      currency: 'usd',
      sku: 'OIL-50',
      barcode: '4006381333931',
      stock: 3,
      lowStockThreshold: 3,
      categoryId: category.id,
      taxId: tax.id,
      imageUrl: 'https://example.org/oil.png',
      active: false,
    }
    expect(await make(said)).toMatchObject({
      ...said,
      lowStock: true,
      category: { id: category.id, name: 'Hair care', slug: 'hair-care' },
    })
  })

  it('409 for the sku of another product of the account, which is free once that is deleted', async () => {
    const first = await make({ sku: 'ONE' })
    const second = await a.client.post(PRODUCTS, { name: 'Two', price: 1, sku: 'ONE' })
    expect([second.status, second.body.error]).toEqual([409, 'CONFLICT'])
    expect(second.body.details).toEqual([
      { field: 'sku', message: 'A product with this sku exists' },
    ])
    await make({ sku: 'ONE' }, other)
    await a.client.del(by(first.id))
    await make({ sku: 'ONE' })
  })

  it('404 for a category or tax that is unknown or another account’s', async () => {
    const theirs = (await other.client.post(CATEGORIES, { name: 'Theirs' })).body
    const tax = (await other.client.post('/api/services/taxes', { name: 'Theirs', rate: 1 })).body
    for (const foreign of [
      { categoryId: theirs.id },
      { categoryId: 2_000_000_000 },
      { taxId: tax.id },
      { taxId: 2_000_000_000 },
    ]) {
      const refused = await a.client.post(PRODUCTS, { name: 'Lost', price: 1, ...foreign })
      expect([refused.status, refused.body.error]).toEqual([404, 'NOT_FOUND'])
    }
    expect((await a.client.get(`${PRODUCTS}?search=Lost`)).items).toEqual([])
  })

  it('422 with a detail for every fault', async () => {
    const { status, body } = await a.client.post(PRODUCTS, {
      price: -1,
      stock: 1.5,
      sku: 'x'.repeat(101),
      trackStock: 'yes',
      imageUrl: 'ftp://example.org',
    })
    expect([status, body.error]).toEqual([422, 'VALIDATION_ERROR'])
    expect(body.details).toEqual([
      { field: 'name', message: 'required' },
      { field: 'price', message: 'must be at least 0' },
      { field: 'sku', message: 'must be at most 100 characters long' },
      { field: 'stock', message: 'expected integer' },
      { field: 'trackStock', message: 'expected boolean' },
      { field: 'imageUrl', message: 'expected an http(s) URL' },
    ])
  })
})

describe('PATCH /products', () => {
  it('200 and what is left out stays', async () => {
    const { updatedAt: _, ...body } = await make({ sku: 'KEEP', stock: 4 })
    const changed = await a.client.patch(by(body.id), { price: 2100, lowStockThreshold: 5 })
    expect(changed.status).toBe(200)
    expect(changed.body.data).toMatchObject({
      ...body,
      price: 2100,
      lowStockThreshold: 5,
      lowStock: true,
    })
  })

  it('200 for a stock, which is noted as counted', async () => {
    const { id } = await make({ stock: 4 })
    const changed = await a.client.patch(by(id), { stock: 9, name: 'Counted' })
    expect(changed.body.data).toMatchObject({ stock: 9, name: 'Counted' })
    const { items } = await a.client.get(`${PRODUCTS}/stock-movements?productId=${id}`)
    expect(items).toMatchObject([
      { quantity: 5, stock: 9, reason: 'count', userId: a.userId, via: 'api' },
      { quantity: 4, stock: 4, reason: 'initial' },
    ])
  })

  it('404 for another account’s product and 409 for a taken sku; nothing changes', async () => {
    const theirs = await make({ sku: 'T' }, other)
    const mine = await make({ sku: 'MINE' })
    await make({ sku: 'TAKEN' })
    expect((await a.client.patch(by(theirs.id), { name: 'Mine', stock: 3 })).status).toBe(404)
    expect((await a.client.patch(by(mine.id), { stock: 7, sku: 'TAKEN' })).status).toBe(409)
    expect((await a.client.get(by(mine.id))).body.data).toEqual(mine)
    expect((await other.client.get(by(theirs.id))).body.data).toEqual(theirs)
  })
})

describe('DELETE /products', () => {
  it('200 and it is gone, also for its stock', async () => {
    const { id } = await make({ stock: 1 })
    const gone = await a.client.del(by(id))
    expect(gone.body).toEqual({ status: 'success', data: { id, deleted: true } })
    expect((await a.client.get(by(id))).status).toBe(404)
    expect((await a.client.del(by(id))).status).toBe(404)
    expect((await a.client.post(`${PRODUCTS}/stock`, { productId: id, delta: 1 })).status).toBe(404)
  })
})

describe('GET /products', () => {
  it('200 filtered, searched, ordered and by pages', async () => {
    const b = await createAccount()
    const shelf = (await b.client.post(CATEGORIES, { name: 'Oils' })).body
    await make({ name: 'Oil', price: 3, stock: 2, lowStockThreshold: 2, categoryId: shelf.id }, b)
    await make({ name: 'Wax', price: 1, stock: 9, lowStockThreshold: 2, barcode: '42' }, b)
    await make({ name: 'Comb', price: 2, trackStock: false, sku: 'C1', active: false }, b)
    const names = async (query: string) =>
      (await b.client.get(`${PRODUCTS}?sort=name&${query}`)).items.map(p => String(p.name))
    expect(await names('')).toEqual(['Comb', 'Oil', 'Wax'])
    expect(await names('lowStock=true')).toEqual(['Oil'])
    expect(await names('lowStock=false')).toEqual(['Comb', 'Wax'])
    expect(await names(`categoryId=${shelf.id}`)).toEqual(['Oil'])
    expect(await names('active=true')).toEqual(['Oil', 'Wax'])
    expect(await names('sku=C1')).toEqual(['Comb'])
    expect(await names('barcode=42')).toEqual(['Wax'])
    expect(await names('search=c1')).toEqual(['Comb'])
    const cheap = await b.client.get(`${PRODUCTS}?sort=price&limit=2`)
    expect(cheap.items.map(p => p.price)).toEqual([1, 2])
    const { nextCursor } = cheap.body.pagination
    const rest = await b.client.get(`${PRODUCTS}?sort=price&limit=2&cursor=${nextCursor}`)
    expect(rest.items.map(p => p.price)).toEqual([3])
  })
})

describe('/product-categories', () => {
  it('201, 200 and 200; deleting one leaves its products without', async () => {
    const made = await a.client.post(CATEGORIES, { name: 'Brushes', position: 2 })
    expect([made.status, made.body.slug]).toEqual([201, 'brushes'])
    const again = await a.client.post(CATEGORIES, { name: 'Brushes' })
    expect(again.body.slug).toBe('brushes-2')
    const { id } = made.body
    const changed = await a.client.patch(`${CATEGORIES}?id=${id}`, { active: false })
    expect(changed.body.data).toMatchObject({ name: 'Brushes', position: 2, active: false })
    const filed = await make({ categoryId: id })
    expect((await a.client.del(`${CATEGORIES}?id=${id}`)).status).toBe(200)
    const product = (await a.client.get(by(filed.id))).body.data
    expect(product).toMatchObject({ categoryId: null, category: null })
  })
})

describe('/products and /product-categories', () => {
  const writes = (c: Client) => [
    c.post(PRODUCTS, { name: 'x', price: 1 }),
    c.patch(by(1), { name: 'x' }),
    c.del(by(1)),
    c.post(`${PRODUCTS}/stock`, { productId: 1, delta: 1 }),
    c.post(CATEGORIES, { name: 'x' }),
  ]

  it('401 without credentials', async () => {
    const nobody = client()
    const reads = [PRODUCTS, CATEGORIES, `${PRODUCTS}/stock-movements`].map(p => nobody.get(p))
    for (const { status } of await Promise.all([...reads, ...writes(nobody)]))
      expect(status).toBe(401)
  })

  it('403 for staff who write, naming the permission; they may read', async () => {
    for (const { status, body } of await Promise.all(writes(a.staffClient))) {
      expect([status, body.error]).toEqual([403, 'FORBIDDEN'])
      expect(body.message).toContain('products.write')
    }
    expect((await a.staffClient.get(PRODUCTS)).status).toBe(200)
  })
})

describe('what a product costs the business', () => {
  it('is left out for staff, of one as in lists and by tools, and nothing else is', async () => {
    const { id } = await make({ cost: 800, sku: 'COSTS' })
    const paths = [by(id), `${PRODUCTS}?sku=COSTS`, `${PRODUCTS}?search=costs&sort=name&limit=1`]
    for (const path of paths) {
      const [whole, open] = [await a.client.get(path), await a.staffClient.get(path)]
      expect([whole.status, open.status]).toEqual([200, 200])
      expect(whole.text).toContain('"cost":800,')
      expect(open.text).toBe(whole.text.replace('"cost":800,', ''))
    }
    const listed = (key: string) => callTool('list_products', { sku: 'COSTS' }, { key })
    const [whole, open] = [await listed(a.apiKey), await listed(a.staff.apiKey)]
    expect(whole.value.items).toMatchObject([{ id, cost: 800 }])
    expect(open.value.items).toMatchObject([{ id, price: 1900 }])
    expect(open.text).not.toContain('cost')
  })

  it('is told to managers, also in the answer to what they change', async () => {
    const manager = await createMember(a.accountId, 'manager')
    const { id } = await make({ cost: 800 })
    expect((await manager.get(by(id))).body.data.cost).toBe(800)
    expect((await manager.patch(by(id), { cost: 900 })).body.data.cost).toBe(900)
    const counted = await manager.post(`${PRODUCTS}/stock`, { productId: id, stock: 2 })
    expect(counted.body.data.cost).toBe(900)
  })
})
