import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { type Biller, bill, by, ONE_CUT, openBiller } from './invoices-world.ts'

const NOW = '2031-03-12T16:00:00.000Z'
const clock = { 'x-test-now': NOW }

let a: Biller
let other: Biller
let owner: Client
beforeAll(async () => {
  ;[a, other] = await Promise.all([openBiller(), openBiller()])
  owner = a.account.client
})

const make = async (more: object = {}, biller = a) => {
  const made = await bill(biller, more, clock)
  expect(made.status, made.text).toBe(201)
  return made.body
}
const tax = async (rate: number, type = 'additive') =>
  (await owner.post('/api/services/taxes', { name: `${type} ${rate}`, rate, type })).body

describe('POST /invoices', () => {
  it('201 with a draft, which has no number and no day yet', async () => {
    const body = await make()
    expect(body).toEqual({
      id: expect.any(Number),
      number: null,
      customerId: a.customerId,
      customer: { name: 'Cleo', email: 'cleo@example.org', phone: '+15550101010' },
      appointmentId: null,
      status: 'draft',
      currency: 'usd',
      items: [
        {
          ...{ description: 'Cut', quantity: 1, unitPrice: 5000, discount: 0 },
          ...{ taxId: null, taxName: null, taxRate: 0, taxType: 'additive', taxAmount: 0 },
          total: 5000,
        },
      ],
      ...{ subtotal: 5000, discountTotal: 0, taxTotal: 0, taxIncluded: 0, total: 5000 },
      ...{ amountPaid: 0, amountDue: 5000 },
      ...{
        issueDate: null,
        dueDate: null,
        notes: null,
        sentAt: null,
        paidAt: null,
        voidedAt: null,
      },
      version: 0,
      createdAt: NOW,
      updatedAt: NOW,
    })
  })

  it('201 with totals by the server: discounts, taxes on top and within, line by line', async () => {
    const [onTop, within] = [await tax(8.875), await tax(19, 'inclusive')]
    const items = [
      { description: 'Cut', quantity: 3, unitPrice: 3333, taxId: onTop.id },
      { description: 'Oil', quantity: 1, unitPrice: 11_900, discount: 1900, taxId: within.id },
      { description: 'Tip', quantity: 2, unitPrice: 50, taxRate: 0.5 },
    ]
    const body = await make({ items, notes: 'Thank you', dueDate: '2031-04-01' })
    expect(body).toMatchObject({
      items: [
        { taxName: 'additive 8.875', taxRate: 8.875, taxAmount: 887, total: 10_886 },
        { discount: 1900, taxType: 'inclusive', taxAmount: 1597, total: 10_000 },
        { taxId: null, taxRate: 0.5, taxAmount: 1, total: 101 },
      ],
      subtotal: 21_999,
      discountTotal: 1900,
      taxTotal: 2485,
      taxIncluded: 1597,
      total: 20_987,
      amountDue: 20_987,
      notes: 'Thank you',
      dueDate: '2031-04-01',
    })
  })

  it('201 sent at once: with a number, its day by the company’s clocks, and when', async () => {
    const b = await openBiller()
    await b.account.client.patch('/api/services/company-settings', { invoicePrefix: 'LUMA' })
    const late = { 'x-test-now': '2031-03-12T03:00:00Z' }
    const { body } = await bill(b, { status: 'sent' }, late)
    expect(body).toMatchObject({
      number: 'LUMA-000001',
      status: 'sent',
      issueDate: '2031-03-11',
      sentAt: '2031-03-12T03:00:00.000Z',
    })
  })

  it('keeps the rate of a tax and the name of a customer as they were when it was sent', async () => {
    const vat = await tax(10)
    const b = await owner.post('/api/services/customers', { name: 'Before' })
    const items = [{ ...ONE_CUT[0], taxId: vat.id }]
    const draft = await make({ customerId: b.body.id, items })
    await owner.put(`/api/services/customers?id=${b.body.id}`, { name: 'Married' })
    await owner.patch(by(draft.id), { status: 'sent' }, clock)
    await owner.put(`/api/services/customers?id=${b.body.id}`, { name: 'After' })
    await owner.patch(`/api/services/taxes?id=${vat.id}`, { rate: 20 })
    expect((await owner.del(`/api/services/taxes?id=${vat.id}`)).status).toBe(200)
    const { data } = (await owner.get(by(draft.id))).body
    expect(data.customer!.name).toBe('Married')
    expect(data.items![0]).toMatchObject({ taxId: null, taxRate: 10, taxAmount: 500, total: 5500 })
  })

  it('404 for a customer, appointment or tax that is unknown, deleted or another account’s', async () => {
    const theirs = await other.account.client.post('/api/services/taxes', { name: 'T', rate: 1 })
    const gone = (await owner.post('/api/services/customers', { name: 'Gone' })).body
    await owner.del(`/api/services/customers?id=${gone.id}`)
    for (const wrong of [
      { customerId: other.customerId },
      { customerId: gone.id },
      { customerId: 2_000_000_000 },
      { appointmentId: 2_000_000_000 },
      { items: [{ ...ONE_CUT[0], taxId: theirs.body.id }] },
    ]) {
      const refused = await bill(a, wrong)
      expect([refused.status, refused.body.error], refused.text).toEqual([404, 'NOT_FOUND'])
    }
  })

  it.each([
    [{ items: undefined }, 'items', 'required'],
    [{ items: [] }, 'items', 'must have at least 1 item'],
    [{ customerId: undefined }, 'customerId', 'required'],
    [{ items: [{ description: 'x', unitPrice: 1 }] }, 'items.0.quantity', 'required'],
    [{ items: [{ ...ONE_CUT[0], quantity: 0 }] }, 'items.0.quantity', 'must be at least 1'],
    [{ items: [{ ...ONE_CUT[0], quantity: 1.5 }] }, 'items.0.quantity', 'expected integer'],
    [{ items: [{ ...ONE_CUT[0], unitPrice: -1 }] }, 'items.0.unitPrice', 'must be at least 0'],
    [
      { items: [{ ...ONE_CUT[0], quantity: 2, unitPrice: 600_000_000 }] },
      'items.0.unitPrice',
      'must come to at most 1000000000 cents with its quantity',
    ],
    [
      { items: [{ ...ONE_CUT[0], discount: 5001 }] },
      'items.0.discount',
      'must not be more than quantity times unitPrice',
    ],
    [
      { items: Array(3).fill({ ...ONE_CUT[0], unitPrice: 400_000_000 }) },
      'items',
      'must come to at most 1000000000 cents',
    ],
    [{ dueDate: '2031-02-30' }, 'dueDate', 'expected a date such as 2026-03-08'],
    [{ issueDate: '2031-03-02', dueDate: '2031-03-01' }, 'dueDate', 'must not be before issueDate'],
    [{ status: 'paid' }, 'status', 'expected one of "draft", "sent"'],
  ])('422 for %j', async (more, field, message) => {
    const { status, body } = await bill(a, more)
    expect([status, body.details]).toEqual([422, [{ field, message }]])
  })
})

describe('PATCH /invoices', () => {
  it('200 and what is left out of a draft stays; new lines take the place of the old', async () => {
    const body = await make({ notes: 'Before', dueDate: '2031-05-01' })
    const items = [
      { description: 'Colour', quantity: 2, unitPrice: 6000 },
      { description: 'Care', quantity: 1, unitPrice: 100 },
    ]
    const changed = await owner.patch(by(body.id), { items, version: 0 }, clock)
    expect(changed.status, changed.text).toBe(200)
    expect(changed.body.data).toMatchObject({
      ...{ notes: 'Before', dueDate: '2031-05-01', total: 12_100, version: 1 },
      items: [{ description: 'Colour' }, { description: 'Care' }],
    })
    const noted = await owner.patch(by(body.id), { notes: null }, clock)
    expect(noted.body.data).toMatchObject({ notes: null, total: 12_100, version: 2 })
  })

  it('200 sends a draft, and takes back what was sent; it keeps its number', async () => {
    const { id } = await make()
    const sent = await owner.patch(by(id), { status: 'sent' }, clock)
    expect(sent.body.data).toMatchObject({ status: 'sent', sentAt: NOW, issueDate: '2031-03-12' })
    const { number } = sent.body.data
    expect(number).toMatch(/^INV-\d{6}$/)
    const taken = await owner.patch(by(id), { status: 'void' }, clock)
    expect(taken.body.data).toMatchObject({ status: 'void', number, voidedAt: NOW, amountDue: 0 })
  })

  it('200 notes that the rest of one that was sent was paid, once', async () => {
    for (const had of [0, 1200]) {
      const { id } = await make({ status: 'sent', dueDate: '2031-03-12' })
      if (had > 0)
        await queryDatabase(
          `update invoices set status = 'partially_paid', amount_paid = $2 where id = $1`,
          [id, had],
        )
      const later = { 'x-test-now': '2031-03-20T16:00:00.000Z' }
      const replies = await Promise.all(
        Array.from({ length: 4 }, () => owner.patch(by(id), { status: 'paid' }, later)),
      )
      expect(replies.map(r => r.status).toSorted()).toEqual([200, 409, 409, 409])
      const { data } = (await owner.get(by(id), later)).body
      expect(data).toMatchObject({ status: 'paid', amountPaid: 5000, amountDue: 0 })
      expect([data.paidAt, data.version]).toEqual(['2031-03-20T16:00:00.000Z', 1])
      expect((await owner.patch(by(id), { status: 'void' })).status).toBe(409)
    }
  })

  it('200 for one that was sent and is sent back with nothing to change', async () => {
    const { id } = await make({ status: 'sent' })
    expect((await owner.patch(by(id), {})).status).toBe(200)
  })

  it.each([
    ['items', { items: [...ONE_CUT, ...ONE_CUT] }],
    ['customerId', { customerId: 1 }],
    ['dueDate', { dueDate: '2031-12-01' }],
    ['notes', { notes: 'More' }],
    ['currency', { currency: 'eur', status: 'void' }],
  ])('409 for the %s of one that was sent, paid or taken back', async (field, change) => {
    for (const status of ['sent', 'partially_paid', 'paid', 'void', 'refunded']) {
      const { id } = await make({ status: 'sent' })
      await queryDatabase('update invoices set status = $2 where id = $1', [id, status])
      const before = (await owner.get(by(id))).body.data
      const refused = await owner.patch(by(id), change)
      expect([refused.status, refused.body.error], refused.text).toEqual([409, 'CONFLICT'])
      expect(refused.body.details[0]!.field).toBe(field)
      expect((await owner.get(by(id))).body.data).toEqual(before)
    }
  })

  it('409 for moves that there are not', async () => {
    const draft = await make()
    for (const status of ['void', 'paid'])
      expect((await owner.patch(by(draft.id), { status })).status).toBe(409)
    const sent = await make({ status: 'sent' })
    expect((await owner.patch(by(sent.id), { status: 'sent' })).status).toBe(409)
    await queryDatabase(
      `update invoices set status = 'partially_paid', amount_paid = 1 where id = $1`,
      [sent.id],
    )
    const paid = await owner.patch(by(sent.id), { status: 'void' })
    expect([paid.status, paid.body.message]).toEqual([
      409,
      'Something was paid on this invoice: pay it back first',
    ])
  })

  it('409 for a version that is not the present one, and for a status that follows from payments', async () => {
    const { id } = await make()
    await owner.patch(by(id), { notes: 'One' })
    expect((await owner.patch(by(id), { notes: 'Two', version: 0 })).status).toBe(409)
    expect((await owner.patch(by(id), { status: 'refunded' })).status).toBe(409)
    expect((await owner.get(by(id))).body.data.notes).toBe('One')
  })

  it('422 when it would bear a day after the one it is due on', async () => {
    const { id } = await make({ dueDate: '2031-03-01' })
    const refused = await owner.patch(by(id), { status: 'sent' }, clock)
    expect([refused.status, refused.body.details[0]!.field]).toEqual([422, 'dueDate'])
    expect((await owner.get(by(id))).body.data).toMatchObject({ status: 'draft', number: null })
  })

  it('404 for another account’s invoice, which stays', async () => {
    const theirs = await make({}, other)
    expect((await owner.patch(by(theirs.id), { notes: 'Mine' })).status).toBe(404)
    expect((await owner.del(by(theirs.id))).status).toBe(404)
    expect((await other.account.client.get(by(theirs.id))).body.data).toEqual(theirs)
  })
})

describe('DELETE /invoices', () => {
  it('200 for a draft, 409 for one with a number, 404 for none', async () => {
    const [draft, sent] = [await make(), await make({ status: 'sent' })]
    const gone = await owner.del(by(draft.id))
    expect(gone.body).toEqual({ status: 'success', data: { id: draft.id, deleted: true } })
    expect((await owner.get(by(draft.id))).status).toBe(404)
    expect((await owner.del(by(draft.id))).status).toBe(404)
    const refused = await owner.del(by(sent.id))
    expect([refused.status, refused.body.error]).toEqual([409, 'CONFLICT'])
    expect((await owner.get(by(sent.id))).body.data).toEqual(sent)
  })
})
