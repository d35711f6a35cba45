import { beforeAll, describe, expect, it } from 'vitest'
import { type Body, createAccount, type TestAccount } from '../client.ts'

const CUSTOMERS = '/api/services/customers'

let a: TestAccount
beforeAll(async () => {
  a = await createAccount()
})

const make = async (name: string, more: object = {}, at?: string) => {
  const made = await a.client.post(
    CUSTOMERS,
    { name, ...more },
    at ? { 'X-Test-Now': at } : undefined,
  )
  expect(made.status).toBe(201)
  return made.body
}
const names = async (query: string) =>
  (await a.client.get(`${CUSTOMERS}?${query}`)).items.map(c => String(c.name))

describe('GET /customers', () => {
  it('200 with a page and its cursor, newest first', async () => {
    await make('Zoe')
    await make('Yan')
    const page = await a.client.get(`${CUSTOMERS}?limit=1`)
    expect(page.status).toBe(200)
    expect(page.body).toEqual({
      status: 'success',
      data: [expect.objectContaining({ name: 'Yan' })],
      pagination: { limit: 1, nextCursor: expect.any(String) },
    })
    const rest = await a.client.get(
      `${CUSTOMERS}?limit=1&cursor=${page.body.pagination.nextCursor}`,
    )
    expect(rest.items.map(c => c.name)).toEqual(['Zoe'])
    expect(rest.body.pagination).toEqual({ limit: 1, nextCursor: null })
  })

  it('200 with every record once while others come and go', async () => {
    const made: Body[] = []
    for (let n = 0; n < 12; n++) made.push(await make(`Walker ${n}`))
    const seen: number[] = []
    let cursor: string | null = ''
    for (let step = 0; cursor !== null; step++) {
      const page = await a.client.get(
        `${CUSTOMERS}?search=walker&sort=name&limit=3${cursor ? `&cursor=${cursor}` : ''}`,
      )
      seen.push(...page.items.map(c => Number(c.id)))
      cursor = page.body.pagination.nextCursor as unknown as string | null
      // One before and one after the place reached, and the last one read goes away.
      await make('Walker ')
      await make(`Walker zz${step}`)
      if (step === 0) await a.client.del(`${CUSTOMERS}?id=${seen.at(-1)}`)
    }
    const ids = made.map(c => Number(c.id))
    expect(seen.filter(id => ids.includes(id)).sort((x, y) => x - y)).toEqual(ids)
    expect(new Set(seen).size).toBe(seen.length)
  })

  it('200 for a search in name, e-mail address and telephone number', async () => {
    await make('Quentin Blake', { email: 'illustrator@example.com', phone: '+442071234567' })
    for (const text of ['uentin', 'ILLUSTR', '2071234', 'blake'])
      expect(await names(`search=${text}`)).toEqual(['Quentin Blake'])
    expect(await names('search=%25')).toEqual([])
    for (const phone of ['%2B44 20 7123 4567', '(20) 7123-4567', '20.7123.4567', '7123 4567'])
      expect(await names(`search=${phone}`)).toEqual(['Quentin Blake'])
    for (const words of ['blake quentin', '%20ntin%20%20442071%20LLUSTR ', 'quentin%09blake'])
      expect(await names(`search=${words}`)).toEqual(['Quentin Blake'])
    expect(await names('search=quentin%20black')).toEqual([])
    expect((await names('search=%20')).length).toBeGreaterThan(1)
  })

  it('200 filtered by e-mail address and telephone number', async () => {
    await make('Mia', { email: 'Mia@example.com', phone: '+33612345678' })
    expect(await names('email=mia@EXAMPLE.com')).toEqual(['Mia'])
    expect(await names(`phone=${encodeURIComponent('+33 6 12 34 56 78')}`)).toEqual(['Mia'])
    expect(await names('email=mia@example.co')).toEqual([])
  })

  it('200 filtered by when they were made, the end left out', async () => {
    await make('Early', {}, '2030-01-01T00:00:00Z')
    await make('Late', {}, '2030-01-02T00:00:00Z')
    const from = 'createdFrom=2030-01-01T00:00:00Z'
    expect(await names(`${from}&sort=createdAt`)).toEqual(['Early', 'Late'])
    expect(await names(`${from}&createdTo=2030-01-02T00:00:00Z`)).toEqual(['Early'])
  })

  it('200 filtered by days of the company, both included', async () => {
    // New York is five hours behind: midnight there is 05:00 in UTC.
    for (const at of ['2032-01-05T04:59:59Z', '2032-01-05T05:00:00Z', '2032-01-06T04:59:59Z'])
      await make(`At ${at}`, {}, at)
    const day = await names('createdFrom=2032-01-05&createdTo=2032-01-05&sort=createdAt')
    expect(day).toEqual(['At 2032-01-05T05:00:00Z', 'At 2032-01-06T04:59:59Z'])
    const { status, body } = await a.client.get(`${CUSTOMERS}?createdTo=tomorrow`)
    expect([status, body.details[0]!.field]).toEqual([400, 'createdTo'])
  })

  it('200 in the order asked for, upper and lower case alike', async () => {
    for (const name of ['sorted bea', 'Sorted Abe', 'Sorted cy']) await make(name)
    const byName = ['Sorted Abe', 'sorted bea', 'Sorted cy']
    expect(await names('search=sorted&sort=name')).toEqual(byName)
    expect(await names('search=sorted&sort=-name')).toEqual(byName.toReversed())
    expect((await names('search=sorted&sort=totalSpent')).length).toBe(3)
  })

  it('200 for one by id, 404 for another account’s', async () => {
    const one = await make('Only')
    const found = await a.client.get(`${CUSTOMERS}?id=${one.id}`)
    expect(found.body).toEqual({ status: 'success', data: one })
    const other = await createAccount()
    expect((await other.client.get(`${CUSTOMERS}?id=${one.id}`)).status).toBe(404)
    expect((await other.client.get(CUSTOMERS)).items).toEqual([])
  })

  it.each([
    ['limit=0', 'limit', 'must be at least 1'],
    ['limit=101', 'limit', 'must be at most 100'],
    ['sort=phone', 'sort', expect.stringContaining('"-totalSpent"')],
    ['cursor=nonsense', 'cursor', expect.any(String)],
    ['id=abc', 'id', 'expected integer'],
    ['createdFrom=yesterday', 'createdFrom', expect.stringContaining('ISO 8601')],
  ])('400 for %s', async (query, field, message) => {
    const { status, body } = await a.client.get(`${CUSTOMERS}?${query}`)
    expect(status).toBe(400)
    expect(body.error).toBe('BAD_REQUEST')
    expect(body.details).toEqual([{ field, message }])
  })
})
