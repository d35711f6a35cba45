import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, createAccount, createMember, type TestAccount } from '../client.ts'

const EMPLOYEES = '/api/services/employees'
const by = (id: unknown) => `${EMPLOYEES}?id=${id}`

let a: TestAccount
let other: TestAccount
let manager: Client
let cut: number
let wash: number
let downtown: number
beforeAll(async () => {
  ;[a, other] = await Promise.all([createAccount(), createAccount()])
  manager = await createMember(a.accountId, 'manager')
  const make = async (path: string, name: string) =>
    Number((await a.client.post(`/api/services/${path}`, { name })).body.id)
  cut = await make('services', 'Cut')
  wash = await make('services', 'Wash')
  downtown = await make('locations', 'Downtown')
})

const fresh = (name = 'Eve') => ({ name, email: `${crypto.randomUUID()}@example.com` })
const hire = async (more: object = {}) => {
  const made = await a.client.post(EMPLOYEES, { ...fresh(), ...more })
  expect(made.status).toBe(201)
  return made.body
}

describe('POST /employees', () => {
  it('201 with what a new employee has', async () => {
    const made = await a.client.post(EMPLOYEES, { name: 'Eve', email: 'Eve@example.com' })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(Number),
      name: 'Eve',
      email: 'Eve@example.com',
      phone: null,
      role: 'staff',
      allServices: true,
      serviceIds: [cut, wash],
      locationIds: [],
      bio: null,
      avatarUrl: null,
      color: null,
      timeZone: 'America/New_York',
      active: true,
      commissionRate: null,
      userId: null,
      inviteStatus: 'none',
      createdAt: expect.any(String),
      updatedAt: made.body.createdAt,
    })
  })

  it('201 with everything that can be said', async () => {
    const said = {
      phone: '+15557654321',
      role: 'manager',
      serviceIds: [wash],
      locationIds: [downtown],
      bio: 'Knows hair',
      avatarUrl: 'https://example.com/eve.png',
      color: '#aa33ff',
      timeZone: 'America/Denver',
      active: false,
      commissionRate: 12.5,
    }
    const body = await hire(said)
    expect(body).toMatchObject({ ...said, allServices: false })
    expect((await a.client.get(by(body.id))).body.data).toEqual(body)
  })

  it('201 and each service is named once', async () => {
    expect((await hire({ serviceIds: [wash, cut, wash] })).serviceIds).toEqual([cut, wash])
    expect(await hire({ serviceIds: [], allServices: false })).toMatchObject({
      serviceIds: [],
      allServices: false,
    })
  })

  it('409 when the e-mail address is taken, whatever its case', async () => {
    const person = fresh()
    await a.client.post(EMPLOYEES, person)
    const again = await a.client.post(EMPLOYEES, { ...person, email: person.email.toUpperCase() })
    expect([again.status, again.body.error]).toEqual([409, 'CONFLICT'])
    expect(again.body.details).toEqual([{ field: 'email', message: expect.any(String) }])
    expect((await other.client.post(EMPLOYEES, person)).status).toBe(201)
  })

  it('404 for a service or location that is unknown, deleted or another account’s', async () => {
    const foreign = await other.client.post('/api/services/services', { name: 'Theirs' })
    const deleted = await a.client.post('/api/services/locations', { name: 'Closed' })
    await a.client.del(`/api/services/locations?id=${deleted.body.id}`)
    const person = fresh()
    const tries = [
      { serviceIds: [cut, 2_000_000_000] },
      { serviceIds: [foreign.body.id] },
      { locationIds: [deleted.body.id] },
    ]
    for (const more of tries) {
      const refused = await a.client.post(EMPLOYEES, { ...person, ...more })
      expect([refused.status, refused.body.error]).toEqual([404, 'NOT_FOUND'])
    }
    expect((await a.client.get(`${EMPLOYEES}?search=${person.email}`)).items).toEqual([])
  })

  it('422 with a detail for every fault', async () => {
    const { status, body } = await a.client.post(EMPLOYEES, {
      role: 'boss',
      serviceIds: ['one'],
      color: 'red',
      commissionRate: 101,
      active: 'yes',
    })
    expect(status).toBe(422)
    expect(body.error).toBe('VALIDATION_ERROR')
    expect(body.details).toEqual([
      { field: 'name', message: 'required' },
      { field: 'email', message: 'required' },
      { field: 'role', message: 'expected one of "owner", "admin", "manager", "staff"' },
      { field: 'serviceIds.0', message: 'expected integer' },
      { field: 'color', message: 'expected a color such as #2266aa' },
      { field: 'active', message: 'expected boolean' },
      { field: 'commissionRate', message: 'must be at most 100' },
    ])
  })

  it('403 for a role that the caller may not give, naming roles.write', async () => {
    const refused = await manager.post(EMPLOYEES, { ...fresh(), role: 'admin' })
    expect([refused.status, refused.body.error]).toEqual([403, 'FORBIDDEN'])
    expect(refused.body.message).toContain('roles.write')
    expect((await manager.post(EMPLOYEES, { ...fresh(), role: 'staff' })).status).toBe(201)
  })
})

describe('PUT /employees', () => {
  it('200 and what is left out stays', async () => {
    const body = await hire({ serviceIds: [cut], locationIds: [downtown], bio: 'Old' })
    const changed = await a.client.put(by(body.id), { bio: 'New', commissionRate: 7.25 })
    expect(changed.status).toBe(200)
    expect(changed.body.data).toEqual({
      ...body,
      bio: 'New',
      commissionRate: 7.25,
      updatedAt: expect.any(String),
    })
  })

  it('200 and the services and locations named are all there are', async () => {
    const body = await hire({ serviceIds: [cut], locationIds: [downtown] })
    const moved = await a.client.put(by(body.id), { serviceIds: [wash], locationIds: [] })
    expect(moved.body.data).toMatchObject({
      serviceIds: [wash],
      locationIds: [],
      allServices: false,
    })
    const all = await a.client.put(by(body.id), { serviceIds: [] })
    expect(all.body.data.allServices).toBe(true)
    expect(all.body.data.serviceIds).toEqual(expect.arrayContaining([cut, wash]))
  })

  it('200 and a record sent back as it was read stays what it was', async () => {
    for (const more of [{}, { serviceIds: [cut] }, { serviceIds: [], allServices: false }]) {
      const body = await hire(more)
      const same = await a.client.put(by(body.id), body)
      expect(same.body.data).toEqual({ ...body, updatedAt: expect.any(String) })
    }
  })

  it('200 for a role; the member that the employee is has it too', async () => {
    const b = await createAccount()
    const change = (role: string) => b.client.put(by(b.staff.employeeId), { role })
    expect((await b.staffClient.get(EMPLOYEES)).status).toBe(403)
    expect((await change('manager')).body.data.role).toBe('manager')
    // The platform keeps what it knows of a key for a few seconds of the request's clock.
    const later = { 'X-Test-Now': new Date(Date.now() + 60_000).toISOString() }
    expect((await b.staffClient.get(EMPLOYEES, later)).status).toBe(200)
  })

  it('403 for another role without roles.write; the same role passes', async () => {
    const body = await hire({ role: 'admin' })
    for (const role of ['staff', 'owner']) {
      const refused = await manager.put(by(body.id), { role })
      expect([refused.status, refused.body.error]).toEqual([403, 'FORBIDDEN'])
      expect(refused.body.message).toContain('roles.write')
    }
    expect((await manager.put(by(body.id), { role: 'admin', bio: 'x' })).status).toBe(200)
    expect((await a.client.put(by(body.id), { role: 'staff' })).body.data.role).toBe('staff')
  })

  it('409 for an e-mail address that another employee has', async () => {
    const [one, two] = [await hire(), await hire()]
    expect((await a.client.put(by(one.id), { email: two.email })).status).toBe(409)
  })

  it('404 for an unknown id, another account’s, and a foreign service in the body', async () => {
    const theirs = await other.client.post('/api/services/services', { name: 'Theirs' })
    const foreign = await other.client.post(EMPLOYEES, fresh())
    const body = await hire()
    for (const refused of [
      await a.client.put(by(2_000_000_000), { name: 'x' }),
      await a.client.put(by(foreign.body.id), { name: 'x', role: 'admin' }),
      await a.client.put(by(body.id), { name: 'x', serviceIds: [theirs.body.id] }),
    ])
      expect([refused.status, refused.body.error]).toEqual([404, 'NOT_FOUND'])
    expect((await a.client.get(by(body.id))).body.data).toEqual(body)
    expect((await other.client.get(by(foreign.body.id))).body.data).toEqual(foreign.body)
  })
})
