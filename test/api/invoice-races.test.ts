import { describe, expect, it } from 'vitest'
import { queryDatabase } from '../database.ts'
import { type Biller, bill, by, INVOICES, ONE_CUT, openBiller } from './invoices-world.ts'

const times = <T>(n: number, work: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: n }, (_, i) => work(i)))

/** The numbers that an account has given, in order. */
const sequences = async ({ account }: Biller) => {
  const sql = 'select sequence from invoices where account_id = $1 and sequence > 0 order by 1'
  return (await queryDatabase(sql, [account.accountId])).map(row => Number(row.sequence))
}
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1)

describe('numbers of invoices', () => {
  it('20 sent at the same time have 1 to 20', async () => {
    const biller = await openBiller()
    const made = await times(20, () => bill(biller, { status: 'sent' }))
    expect(made.map(r => r.status)).toEqual(Array(20).fill(201))
    const numbers = made.map(r => String(r.body.number)).toSorted()
    expect(numbers).toEqual(upTo(20).map(n => `INV-${String(n).padStart(6, '0')}`))
    expect(await sequences(biller)).toEqual(upTo(20))
  })

  it('have no gap where sending fails, where drafts are deleted, and across accounts', async () => {
    const [one, two] = await Promise.all([openBiller(), openBiller()])
    const replies = await times(30, async i => {
      const biller = i % 2 ? one : two
      if (i % 3 === 0) return bill(biller, { status: 'sent' })
      if (i % 3 === 1)
        return bill(biller, { status: 'sent', issueDate: '2031-03-02', dueDate: '2031-03-01' })
      const draft = await bill(biller)
      return biller.account.client.del(by(draft.body.id))
    })
    expect(replies.filter(r => r.status === 422)).toHaveLength(10)
    expect(await sequences(one)).toEqual(upTo(5))
    expect(await sequences(two)).toEqual(upTo(5))
  })

  it('a draft that is sent 10 times at once has one number', async () => {
    const biller = await openBiller()
    const { id } = (await bill(biller)).body
    const replies = await times(10, () => biller.account.client.patch(by(id), { status: 'sent' }))
    expect(replies.map(r => r.status).toSorted()).toEqual([200, ...Array(9).fill(409)])
    expect(await sequences(biller)).toEqual([1])
  })

  it('go on past six digits', async () => {
    const biller = await openBiller()
    const { accountId } = biller.account
    await queryDatabase(`insert into counters values ($1, 'invoice', 999998)`, [accountId])
    const made = [await bill(biller, { status: 'sent' }), await bill(biller, { status: 'sent' })]
    expect(made.map(r => r.body.number)).toEqual(['INV-999999', 'INV-1000000'])
  })
})

describe('an invoice at the same time', () => {
  it('sent and changed: whatever was sent has lines that add up to its total', async () => {
    const biller = await openBiller()
    const { client } = biller.account
    for (let round = 0; round < 5; round++) {
      const { id } = (await bill(biller)).body
      await times(8, i =>
        client.patch(
          by(id),
          i === 3
            ? { status: 'sent' }
            : { items: Array(i + 1).fill({ ...ONE_CUT[0], unitPrice: 100 + i }) },
        ),
      )
      const { data } = (await client.get(by(id))).body
      const items = data.items as unknown as { total: number }[]
      expect(items.reduce((sum, item) => sum + item.total, 0)).toBe(data.total)
      expect(data.status).toBe('sent')
    }
  })

  it('sent and deleted: one of the two', async () => {
    const biller = await openBiller()
    const { client } = biller.account
    for (let round = 0; round < 5; round++) {
      const { id } = (await bill(biller)).body
      const [sent, gone] = await Promise.all([
        client.patch(by(id), { status: 'sent' }),
        client.del(by(id)),
      ])
      expect([
        [200, 409],
        [404, 200],
      ]).toContainEqual([sent.status, gone.status])
    }
    const numbers = (await client.get(`${INVOICES}?sort=id`)).items
    expect(await sequences(biller)).toEqual(upTo(numbers.length))
  })

  it('an Idempotency-Key that is sent again makes one', async () => {
    const biller = await openBiller()
    const key = { 'idempotency-key': crypto.randomUUID() }
    const replies = [
      await bill(biller, { status: 'sent' }, key),
      await bill(biller, { status: 'sent' }, key),
    ]
    expect(replies[1]!.text).toBe(replies[0]!.text)
    expect(await sequences(biller)).toEqual([1])
  })
})
