import { beforeAll, describe, expect, it } from 'vitest'
import { client, createAccount, type TestAccount } from '../client.ts'

const CUSTOMERS = '/api/services/customers'
const by = (id: unknown) => `${CUSTOMERS}?id=${id}`

let a: TestAccount
let other: TestAccount
beforeAll(async () => {
  ;[a, other] = await Promise.all([createAccount(), createAccount()])
})

const fresh = (name = 'Ann') => ({ name, email: `${crypto.randomUUID()}@example.com` })

describe('POST /customers', () => {
  it('201 with the record itself and totals of 0', async () => {
    const made = await a.client.post(CUSTOMERS, {
      ...fresh('  Ann Lee '),
      email: 'Ann.Lee@Example.com',
      phone: '+1 (555) 123-4567',
      notes: 'likes tea',
      gender: 'female',
      dateOfBirth: '1990-02-28',
      timeZone: 'Europe/Paris',
      language: 'fr',
    })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(Number),
      name: 'Ann Lee',
      email: 'Ann.Lee@Example.com',
      phone: '+15551234567',
      notes: 'likes tea',
      gender: 'female',
      dateOfBirth: '1990-02-28',
      timeZone: 'Europe/Paris',
      language: 'fr',
      totalBookings: 0,
      totalSpent: 0,
      lastBookedAt: null,
      emailUnsubscribed: false,
      smsConsent: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      updatedAt: made.body.createdAt,
    })
  })

  it('201 without an e-mail address, any number of times', async () => {
    const first = await a.client.post(CUSTOMERS, { name: 'Walk-in' })
    const second = await a.client.post(CUSTOMERS, { name: 'Walk-in', email: null })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body.email).toBeNull()
  })

  it('409 when the e-mail address is taken, whatever its case', async () => {
    const { email } = fresh()
    await a.client.post(CUSTOMERS, { name: 'First', email })
    const again = await a.client.post(CUSTOMERS, { name: 'Second', email: email.toUpperCase() })
    expect(again.status).toBe(409)
    expect(again.body.error).toBe('CONFLICT')
    expect(again.body.details).toEqual([{ field: 'email', message: expect.any(String) }])
    expect((await other.client.post(CUSTOMERS, { name: 'Third', email })).status).toBe(201)
  })

  it('409 for all but one of many at once with one e-mail address', async () => {
    const body = fresh()
    const all = await Promise.all(Array.from({ length: 8 }, () => a.client.post(CUSTOMERS, body)))
    expect(all.map(r => r.status).sort()).toEqual([201, ...Array(7).fill(409)])
  })

  it('422 with a detail for every fault', async () => {
    const { status, body } = await a.client.post(CUSTOMERS, {
      email: 'nobody',
      phone: 'call me',
      dateOfBirth: '1990-02-30',
      timeZone: 'Mars/Base',
      notes: 7,
    })
    expect(status).toBe(422)
    expect(body).toEqual({
      status: 'error',
      error: 'VALIDATION_ERROR',
      message: expect.any(String),
      details: [
        { field: 'name', message: 'required' },
        { field: 'email', message: 'expected an e-mail address' },
        { field: 'phone', message: 'expected a telephone number such as +15551234567' },
        { field: 'notes', message: 'expected string' },
        { field: 'dateOfBirth', message: 'expected a date such as 2026-03-08' },
        { field: 'timeZone', message: 'expected an IANA time zone such as America/New_York' },
      ],
    })
  })

  it('422 when the date of birth has not come', async () => {
    const now = { 'X-Test-Now': '2026-05-01T09:00:00Z' }
    const born = (dateOfBirth: string) =>
      a.client.post(CUSTOMERS, { name: 'Baby', dateOfBirth }, now)
    expect((await born('2026-05-01')).status).toBe(201)
    const future = await born('2026-05-03')
    expect(future.status).toBe(422)
    expect(future.body.details).toEqual([
      { field: 'dateOfBirth', message: 'must not be in the future' },
    ])
  })

  it('400 when the body is not JSON', async () => {
    expect((await a.client.post(CUSTOMERS, '{')).status).toBe(400)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await a.client.post(CUSTOMERS, 'name=Ann', form)).status).toBe(400)
  })
})

describe('PUT /customers', () => {
  it('200 and what is left out stays', async () => {
    const { body } = await a.client.post(CUSTOMERS, { ...fresh(), phone: '+15550001111' })
    const changed = await a.client.put(by(body.id), { notes: 'new', phone: null })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({
      status: 'success',
      data: { ...body, notes: 'new', phone: null, updatedAt: expect.any(String) },
    })
    expect((await a.client.get(by(body.id))).body.data).toEqual(changed.body.data)
  })

  it('200 and counters of a body are ignored', async () => {
    const { body } = await a.client.post(CUSTOMERS, fresh())
    const changed = await a.client.put(by(body.id), { totalSpent: 5, totalBookings: 5, id: 1 })
    expect(changed.body.data).toMatchObject({ id: body.id, totalSpent: 0, totalBookings: 0 })
  })

  it('409 when the new e-mail address is somebody else’s; one’s own is not', async () => {
    const [one, two] = [fresh(), fresh()]
    const { body } = await a.client.post(CUSTOMERS, one)
    await a.client.post(CUSTOMERS, two)
    expect((await a.client.put(by(body.id), { email: two.email })).status).toBe(409)
    expect((await a.client.put(by(body.id), { email: one.email })).status).toBe(200)
  })

  it('404 for an id that is not there, or is another account’s, and changes nothing', async () => {
    const { body } = await other.client.post(CUSTOMERS, fresh())
    const foreign = await a.client.put(by(body.id), { name: 'Mine' })
    expect(foreign.status).toBe(404)
    expect(foreign.body).toEqual({
      status: 'error',
      error: 'NOT_FOUND',
      message: 'Customer does not exist',
    })
    expect((await a.client.put(by(2_000_000_000), { name: 'No' })).text).toBe(foreign.text)
    expect((await other.client.get(by(body.id))).body.data.name).toBe('Ann')
  })

  it('400 without an id, 422 for a bad body', async () => {
    const none = await a.client.put(CUSTOMERS, { name: 'x' })
    expect(none.status).toBe(400)
    expect(none.body.details).toEqual([{ field: 'id', message: 'required' }])
    const bad = await a.client.put(by(1), { name: '   ' })
    expect(bad.status).toBe(422)
    expect(bad.body.details[0]?.field).toBe('name')
  })
})

describe('DELETE /customers', () => {
  it('200; the record is gone and its e-mail address is free again', async () => {
    const person = fresh()
    const { body } = await a.client.post(CUSTOMERS, person)
    const gone = await a.client.del(by(body.id))
    expect(gone.status).toBe(200)
    expect(gone.body).toEqual({ status: 'success', data: { id: body.id, deleted: true } })
    expect((await a.client.get(by(body.id))).status).toBe(404)
    expect((await a.client.put(by(body.id), { name: 'x' })).status).toBe(404)
    expect((await a.client.del(by(body.id))).status).toBe(404)
    expect((await a.client.get(`${CUSTOMERS}?email=${person.email}`)).items).toEqual([])
    expect((await a.client.post(CUSTOMERS, person)).status).toBe(201)
  })

  it('404 for another account’s customer, who stays', async () => {
    const { body } = await other.client.post(CUSTOMERS, fresh())
    expect((await a.client.del(by(body.id))).status).toBe(404)
    expect((await other.client.get(by(body.id))).status).toBe(200)
  })
})

describe('/customers', () => {
  it('401 without credentials', async () => {
    const nobody = client()
    const all = await Promise.all([
      nobody.get(CUSTOMERS),
      nobody.post(CUSTOMERS, fresh()),
      nobody.put(by(1), {}),
      nobody.del(by(1)),
    ])
    for (const { status, body } of all) {
      expect(status).toBe(401)
      expect(body.error).toBe('UNAUTHORIZED')
    }
  })

  it('403 for staff, naming the permission', async () => {
    const read = await a.staffClient.get(CUSTOMERS)
    expect([read.status, read.body.error]).toEqual([403, 'FORBIDDEN'])
    expect(read.body.message).toContain('customers.read')
    const writes = await Promise.all([
      a.staffClient.post(CUSTOMERS, fresh()),
      a.staffClient.put(by(1), { name: 'x' }),
      a.staffClient.del(by(1)),
    ])
    for (const { status, body } of writes) {
      expect(status).toBe(403)
      expect(body.message).toContain('customers.write')
    }
  })
})
