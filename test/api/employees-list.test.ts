import { beforeAll, describe, expect, it } from 'vitest'
import { appointments } from '#drizzle/schema/appointments.ts'
import { sendForm } from '../browser.ts'
import {
  type Client,
  client,
  createAccount,
  createMember,
  directly,
  type TestAccount,
} from '../client.ts'

const EMPLOYEES = '/api/services/employees'
const by = (id: unknown) => `${EMPLOYEES}?id=${id}`

let a: TestAccount
let other: TestAccount
beforeAll(async () => {
  ;[a, other] = await Promise.all([createAccount(), createAccount()])
})

const fresh = (name = 'Eve') => ({ name, email: `${crypto.randomUUID()}@example.com` })

/** An appointment as a booking would leave it. */
const book = (
  account: TestAccount,
  employeeId: number,
  start: string,
  status: 'approved' | 'canceled',
) =>
  directly(async base => {
    const at = base.now.toISOString()
    const service = await account.client.post('/api/services/services', { name: 'Booked' })
    const write = base.enter(account.accountId).write('appointment.create')
    write.insert(appointments, {
      uid: crypto.randomUUID(),
      serviceId: Number(service.body.id),
      employeeId,
      status,
      startTime: start,
      endTime: new Date(Date.parse(start) + 3_600_000).toISOString(),
      currency: 'usd',
      source: 'api',
      createdAt: at,
      updatedAt: at,
    })
    await write.commit(null)
  })

/** The status of signing in by the page: 303 where it leads on. */
const signIn = async ({ email, password }: { email: string; password: string }) =>
  (await sendForm('/signin', { email, password })).status

describe('DELETE /employees', () => {
  it('200; the record is gone and its e-mail address is free again', async () => {
    const person = fresh()
    const { body } = await a.client.post(EMPLOYEES, person)
    const gone = await a.client.del(by(body.id))
    expect(gone.body).toEqual({ status: 'success', data: { id: body.id, deleted: true } })
    expect((await a.client.get(by(body.id))).status).toBe(404)
    expect((await a.client.del(by(body.id))).status).toBe(404)
    expect((await a.client.post(EMPLOYEES, person)).status).toBe(201)
  })

  it('409 while a live appointment is not over', async () => {
    const id = Number((await a.client.post(EMPLOYEES, fresh())).body.id)
    await book(a, id, '2031-03-03T10:00:00Z', 'canceled')
    await book(a, id, '2031-03-04T10:00:00Z', 'approved')
    const at = (now: string) => a.client.del(by(id), { 'X-Test-Now': now })
    const refused = await at('2031-03-04T10:59:59Z')
    expect([refused.status, refused.body.error]).toEqual([409, 'CONFLICT'])
    expect((await a.client.get(by(id))).status).toBe(200)
    expect((await at('2031-03-04T11:00:00Z')).status).toBe(200)
  })

  it('200; who was a member is let in no more, with a key or by signing in', async () => {
    const { client: owner, staffClient, staff } = await createAccount()
    const reads = async (path: string) => (await staffClient.get(`/api/services/${path}`)).status
    expect([await reads('services'), await signIn(staff)]).toEqual([200, 303])
    expect((await owner.del(by(staff.employeeId))).status).toBe(200)
    // Of another function: the one that knew the key may know it for ten seconds more.
    expect(await reads('appointments')).toBe(401)
    expect(await signIn(staff)).toBe(401)
  })

  it('403 for a manager, who may delete staff but nobody of a higher role', async () => {
    const { client: owner, accountId, staff } = await createAccount()
    const manager = await createMember(accountId, 'manager')
    const raised = await owner.put(by(staff.employeeId), { role: 'admin' })
    expect([raised.status, raised.body.data.role]).toEqual([200, 'admin'])
    const refused = await manager.del(by(staff.employeeId))
    expect([refused.status, refused.body.error]).toEqual([403, 'FORBIDDEN'])
    await owner.put(by(staff.employeeId), { role: 'staff' })
    expect((await manager.del(by(staff.employeeId))).status).toBe(200)
  })

  it('404 for another account’s employee, who stays', async () => {
    const { body } = await other.client.post(EMPLOYEES, fresh())
    expect((await a.client.del(by(body.id))).status).toBe(404)
    expect((await other.client.get(by(body.id))).status).toBe(200)
  })
})

describe('GET /employees', () => {
  it('200 filtered by what they do and where', async () => {
    const b = await createAccount()
    const make = async (path: string, body: object) =>
      Number((await b.client.post(`/api/services/${path}`, body)).body.id)
    const [dye, trim] = [
      await make('services', { name: 'Dye' }),
      await make('services', { name: 'Trim' }),
    ]
    const [east, west] = [
      await make('locations', { name: 'E' }),
      await make('locations', { name: 'W' }),
    ]
    await make('employees', { ...fresh('All'), active: false })
    await make('employees', { ...fresh('Dyer'), serviceIds: [dye], locationIds: [east] })
    await make('employees', { ...fresh('Trimmer'), serviceIds: [trim], locationIds: [west] })
    const names = async (query: string) =>
      (await b.client.get(`${EMPLOYEES}?sort=name&${query}`)).items.map(e => String(e.name))
    expect(await names('')).toEqual(['All', 'Dyer', 'Sam Staff', 'Trimmer'])
    expect(await names(`serviceId=${dye}`)).toEqual(['All', 'Dyer', 'Sam Staff'])
    expect(await names(`locationId=${west}&active=true`)).toEqual(['Sam Staff', 'Trimmer'])
    expect(await names('active=false')).toEqual(['All'])
    expect(await names('search=RIM')).toEqual(['Trimmer'])
    const foreign = await other.client.post('/api/services/services', { name: 'Theirs' })
    expect(await names(`serviceId=${foreign.body.id}`)).toEqual([])
    expect(await names('locationId=2000000000')).toEqual([])
    const page = await b.client.get(`${EMPLOYEES}?sort=-name&limit=3`)
    const rest = await b.client.get(
      `${EMPLOYEES}?sort=-name&limit=3&cursor=${page.body.pagination.nextCursor}`,
    )
    expect(rest.items.map(e => e.name)).toEqual(['All'])
    expect(rest.body.pagination).toEqual({ limit: 3, nextCursor: null })
  })

  it('400 with details for a wrong query', async () => {
    const { status, body } = await a.client.get(`${EMPLOYEES}?active=maybe&serviceId=x`)
    expect(status).toBe(400)
    expect(body.details).toEqual([
      { field: 'active', message: 'expected one of "true", "false"' },
      { field: 'serviceId', message: 'expected integer' },
    ])
  })

  it('401 without credentials and 403 for staff, naming the permission', async () => {
    const calls = (c: Client) =>
      Promise.all([
        c.get(EMPLOYEES),
        c.get(by(1)),
        c.post(EMPLOYEES, fresh()),
        c.put(by(1), { name: 'x' }),
        c.del(by(1)),
      ])
    for (const { status } of await calls(client())) expect(status).toBe(401)
    const refused = await calls(a.staffClient)
    for (const { status } of refused) expect(status).toBe(403)
    const lacks = refused.map(r => /employees\.\w+/.exec(String(r.body.message))?.[0])
    expect(lacks.map(l => l?.split('.')[1])).toEqual(['read', 'read', 'write', 'write', 'write'])
  })
})
