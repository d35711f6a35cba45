import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, client, createMember } from '../client.ts'
import { type Biller, bill, by, INVOICES, ONE_CUT, openBiller } from './invoices-world.ts'

const clock = { 'x-test-now': '2031-03-12T16:00:00.000Z' }

let a: Biller
let owner: Client
beforeAll(async () => {
  a = await openBiller()
  owner = a.account.client
})

const make = async (more: object = {}, biller = a) => {
  const made = await bill(biller, more, clock)
  expect(made.status, made.text).toBe(201)
  return made.body
}

describe('GET /invoices', () => {
  it('200 filtered, searched, ordered and by pages', async () => {
    const b = await openBiller()
    const { client: asks } = b.account
    const dee = (await asks.post('/api/services/customers', { name: 'Dee' })).body.id
    const days = { issueDate: '2031-03-01', dueDate: '2031-03-11' }
    await make({ status: 'sent', ...days }, b)
    await make({ status: 'sent', issueDate: '2031-03-05', dueDate: '2031-03-12' }, b)
    await make({ customerId: dee, items: [{ ...ONE_CUT[0], unitPrice: 100 }] }, b)
    const found = async (query: string) =>
      (await asks.get(`${INVOICES}?sort=id&${query}`, clock)).items.map(
        i => `${i.number ?? '-'} ${i.status}`,
      )
    expect(await found('')).toEqual(['INV-000001 overdue', 'INV-000002 sent', '- draft'])
    expect(await found('status=overdue')).toEqual(['INV-000001 overdue'])
    expect(await found('status=sent')).toEqual(['INV-000002 sent'])
    expect(await found('status=draft')).toEqual(['- draft'])
    expect(await found(`customerId=${dee}`)).toEqual(['- draft'])
    expect(await found('from=2031-03-05&to=2031-03-05')).toEqual(['INV-000002 sent'])
    expect(await found('from=2031-03-01')).toHaveLength(2)
    expect(await found('search=000002')).toEqual(['INV-000002 sent'])
    expect(await found('search=dee')).toEqual(['- draft'])
    const cheap = await asks.get(`${INVOICES}?sort=total&limit=1`, clock)
    expect(cheap.items.map(i => i.total)).toEqual([100])
    const { nextCursor } = cheap.body.pagination
    const rest = await asks.get(`${INVOICES}?sort=total&cursor=${nextCursor}`, clock)
    expect(rest.items.map(i => i.total)).toEqual([5000, 5000])
  })

  it('200 overdue from the day after the due date, by the company’s clocks', async () => {
    const { id } = await make({ status: 'sent', dueDate: '2031-03-12' })
    const at = async (now: string) =>
      (await owner.get(by(id), { 'x-test-now': now })).body.data.status
    expect(await at('2031-03-13T03:59:00Z')).toBe('sent')
    expect(await at('2031-03-13T04:00:00Z')).toBe('overdue')
  })

  it('400 for a wrong query', async () => {
    const { status, body } = await owner.get(`${INVOICES}?status=open&from=today`)
    expect([status, body.details.length]).toEqual([400, 2])
  })
})

describe('/invoices', () => {
  it('401 without credentials, 403 for staff, 200 for a manager', async () => {
    const asks = (c: Client) => [
      c.get(INVOICES),
      c.post(INVOICES, { customerId: a.customerId, items: ONE_CUT }),
      c.patch(by(1), { notes: 'x' }),
      c.del(by(1)),
    ]
    for (const { status } of await Promise.all(asks(client()))) expect(status).toBe(401)
    for (const { status, text } of await Promise.all(asks(a.account.staffClient))) {
      expect(status).toBe(403)
      expect(text).toMatch(/invoices\.(read|write)/)
    }
    const manager = await createMember(a.account.accountId, 'manager')
    expect((await manager.get(INVOICES)).status).toBe(200)
  })
})
