import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, createAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { type Route, readRoutes } from '../routes.ts'
import { idFields } from '../samples.ts'
import { type Kind, kindOf, makeWorld } from '../world.ts'
import { bill, openBiller } from './invoices-world.ts'

const BASE = '/api/services'
const APPOINTMENTS = `${BASE}/appointments`
let by: Client
let routes: Route[] = []
/** The routes that change one record, which the same path answers. */
let changing: Route[] = []
beforeAll(async () => {
  by = (await createAccount()).client
  routes = await readRoutes()
  const ofOne = (r: Route) => idFields(r.query).includes('id')
  const isRead = (path: string) => routes.some(r => r.name === `GET ${path}` && ofOne(r))
  changing = routes.filter(r => /^P(?:UT|ATCH)$/.test(r.method) && ofOne(r) && isRead(r.path))
})

const make = async (path: string, body: object): Promise<number> => {
  const reply = await by.post(`${BASE}/${path}`, body)
  expect(reply.status, reply.text).toBe(201)
  return Number(reply.body.id)
}
const drop = async (path: string) => expect((await by.del(`${BASE}/${path}`)).status).toBe(200)
const email = () => `${crypto.randomUUID()}@example.org`
const hour = (day: string) => ({ startTime: `${day}T15:00:00Z`, endTime: `${day}T16:00:00Z` })
const read = async (path: string): Promise<Record<string, unknown>> => {
  const { version: _, updatedAt: __, ...rest } = (await by.get(path)).body.data
  return rest
}

/** Reads a record, sends it back whole, with its version, and answers what came of that. */
async function sendBack(id: number) {
  const path = `${APPOINTMENTS}?id=${id}`
  const { data } = (await by.get(path)).body
  const before = await read(path)
  const reply = await by.put(path, data)
  return { status: reply.status, text: reply.text, before, after: await read(path) }
}

const unchanged = async (id: number) => {
  const { status, text, before, after } = await sendBack(id)
  expect(status, text).toBe(200)
  expect(after).toEqual(before)
}

/** Sends a record back as it is read; answers what went wrong. */
async function sentBack(client: Client, method: string, of: string, headers = {}) {
  const { data } = (await client.get(of, headers)).body
  const sent = await (method === 'PUT'
    ? client.put(of, data, headers)
    : client.patch(of, data, headers))
  if (sent.status !== 200) return sent.text
  const after = (await client.get(of, headers)).body.data
  const aside = { version: 0, updatedAt: '' }
  const shown = (record: object) => JSON.stringify({ ...record, ...aside })
  return shown(after) === shown(data) ? undefined : `${shown(data)} became ${shown(after)}`
}

describe('every record', () => {
  it('200 when it is sent back as it was read, and stays as it is', async () => {
    const world = await makeWorld()
    const wrong: string[] = []
    for (const { method, path, name } of changing) {
      const of = `${path}?id=${world.ids[kindOf(path, 'id')!]}`
      const fault = await sentBack(world.account.client, method, of)
      if (fault) wrong.push(`${name}: ${fault}`)
    }
    expect(wrong).toEqual([])
    expect(changing.length).toBeGreaterThan(12)
  })

  it('200 when everything that it names was deleted', async () => {
    const removalOf = (kind: Kind | undefined) =>
      routes.find(r => r.method === 'DELETE' && kindOf(r.path, 'id') === kind)?.path
    const wrong: string[] = []
    let gone = 0
    for (const { method, path, body, name } of changing) {
      const own = kindOf(path, 'id')!
      const named = new Set(idFields(body).map(field => kindOf(path, field)))
      named.delete(own)
      if (named.size === 0) continue
      const { account, ids } = await makeWorld()
      for (const kind of named) {
        const at = kind && removalOf(kind)
        if (at && (await account.client.del(`${at}?id=${ids[kind]}`)).status === 200) gone++
      }
      const fault = await sentBack(account.client, method, `${path}?id=${ids[own]}`)
      if (fault) wrong.push(`${name}: ${fault}`)
    }
    expect(wrong).toEqual([])
    expect(gone).toBeGreaterThan(8)
  }, 90_000)

  it('200 for an extra whose service was deleted', async () => {
    const serviceId = await make('services', { name: 'Dye' })
    const id = await make('extras', { name: 'Foil', serviceIds: [serviceId] })
    await drop(`services?id=${serviceId}`)
    const { data } = (await by.get(`${BASE}/extras?id=${id}`)).body
    expect(data.serviceIds).toEqual([])
    expect((await by.patch(`${BASE}/extras?id=${id}`, data)).status).toBe(200)
  })
})

describe('an appointment', () => {
  it('200 when its service, customer and guests, location and employee are no more', async () => {
    const locationId = await make('locations', { name: 'Old town' })
    const serviceId = await make('services', { name: 'Cut', depositType: 'fixed', price: 900 })
    const customerId = await make('customers', { name: 'Cleo' })
    const guest = await make('customers', { name: 'Guest' })
    const employeeId = await make('employees', { name: 'Ada', email: email() })
    const id = await make('appointments', {
      ...{ serviceId, customerId, employeeId, locationId, ...hour('2031-03-03') },
      attendees: [{ name: 'Guest', customerId: guest }],
    })
    await by.patch(`${BASE}/services?id=${serviceId}`, { depositAmount: 100 })
    for (const gone of [`services?id=${serviceId}`, `customers?id=${customerId}`]) await drop(gone)
    for (const gone of [`customers?id=${guest}`, `locations?id=${locationId}`]) await drop(gone)
    await by.put(`${BASE}/employees?id=${employeeId}`, { active: false })
    await unchanged(id)
  })

  it('404 for what is new and does not exist, and 200 for what moves beside what is gone', async () => {
    const serviceId = await make('services', { name: 'Cut' })
    const customerId = await make('customers', { name: 'Cleo' })
    const other = await make('customers', { name: 'Dora' })
    const id = await make('appointments', { serviceId, customerId, ...hour('2031-03-04') })
    for (const gone of [customerId, other]) await drop(`customers?id=${gone}`)
    const path = `${APPOINTMENTS}?id=${id}`
    const { data } = (await by.get(path)).body
    expect((await by.put(path, { ...data, customerId: other })).status).toBe(404)
    const moved = await by.put(path, { ...data, ...hour('2031-03-05') })
    expect(moved.body.data.startTime).toBe('2031-03-05T15:00:00.000Z')
  })

  it('200 with a new start beside the end that stays: it gets shorter', async () => {
    const serviceId = await make('services', { name: 'Cut' })
    const id = await make('appointments', { serviceId, ...hour('2031-03-06') })
    const path = `${APPOINTMENTS}?id=${id}`
    const { data } = (await by.get(path)).body
    const { body } = await by.put(path, { ...data, startTime: '2031-03-06T15:30:00Z' })
    expect(body.data.endTime).toBe('2031-03-06T16:00:00.000Z')
  })

  it('200 for one that uses resources, which it goes on using', async () => {
    const locationId = await make('locations', { name: 'Gym' })
    const [room, ball] = [
      await make('resources', { name: 'Room', locationId }),
      await make('resources', { name: 'Ball', locationId }),
    ]
    const serviceId = await make('services', { name: 'Yoga', resources: [{ resourceId: room }] })
    const body = { serviceId, resourceIds: [ball], ...hour('2031-03-07') }
    const id = await make('appointments', body)
    await by.patch(`${BASE}/services?id=${serviceId}`, { resources: [] })
    await unchanged(id)
    expect((await read(`${APPOINTMENTS}?id=${id}`)).resourceIds).toEqual([room, ball])
  })

  it('200 for a seat, which stays its customer’s alone', async () => {
    const course = { name: 'Class', enableGroupBooking: true, maxCapacity: 3 }
    const serviceId = await make('services', course)
    const customerId = await make('customers', { name: 'Cleo' })
    const first = { serviceId, ...hour('2031-03-10'), attendees: [{ name: 'Walk-in' }] }
    const nameless = await make('appointments', first)
    const seat = await make('appointments', { ...first, customerId })
    await unchanged(seat)
    await unchanged(nameless)
    const path = `${APPOINTMENTS}?id=${nameless}`
    const names = (await by.get(path)).body.data.attendees as unknown as { name: string }[]
    expect(names.map(a => a.name)).toEqual(['Walk-in', 'Cleo'])
    const moved = await by.put(path, hour('2031-03-11'))
    expect(moved.body.message).toMatch(/^A seat belongs to its session/)
  })

  it('201 when it does not repeat: null says so', async () => {
    const serviceId = await make('services', { name: 'Cut' })
    const body = { serviceId, ...hour('2031-03-12'), recurrenceRule: null, recurrenceCount: null }
    expect((await by.post(APPOINTMENTS, body)).status).toBe(201)
  })

  it('200 with its version when it is final; 409 to become what it is without', async () => {
    const serviceId = await make('services', { name: 'Cut' })
    const id = await make('appointments', { serviceId, ...hour('2031-03-13') })
    await drop(`appointments?id=${id}&cancellationReason=rain`)
    await unchanged(id)
    const path = `${APPOINTMENTS}?id=${id}`
    const { version, ...data } = (await by.get(path)).body.data
    expect(data).toMatchObject({ status: 'canceled', cancellationReason: 'rain' })
    expect((await by.put(path, data)).status).toBe(409)
    expect((await by.put(path, { version, status: 'approved' })).status).toBe(409)
    const changed = await by.put(path, { cancellationReason: 'storm' })
    expect(changed.body.data.cancellationReason).toBe('storm')
  })
})

describe('an invoice', () => {
  const pathOf = (id: unknown) => `${BASE}/invoices?id=${id}`
  const IN_TIME = { 'x-test-now': '2031-01-01T12:00:00Z' }
  const LATE = { 'x-test-now': '2031-03-01T12:00:00Z' }

  /** One with lines of all sorts, after some moves; the tax of its first line has changed since. */
  async function billed(...moves: string[]) {
    const biller = await openBiller()
    const { client } = biller.account
    const tax = (await client.post(`${BASE}/taxes`, { name: 'VAT', rate: 20 })).body
    const items = [
      { description: 'Cut', quantity: 2, unitPrice: 5000, discount: 300, taxId: tax.id },
      { description: 'Wash', quantity: 1, unitPrice: 900, taxRate: 5.5 },
      { description: 'Tip', quantity: 1, unitPrice: 100 },
    ]
    const more = { items, notes: 'Thanks', dueDate: '2031-01-31' }
    const path = pathOf((await bill(biller, more, IN_TIME)).body.id)
    for (const status of moves) await client.patch(path, { status }, IN_TIME)
    await client.patch(`${BASE}/taxes?id=${tax.id}`, { rate: 21 })
    return { path, client, customerId: biller.customerId }
  }

  it.each([
    ['draft', [], IN_TIME],
    ['sent', ['sent'], IN_TIME],
    ['overdue', ['sent'], LATE],
    ['paid', ['sent', 'paid'], LATE],
    ['void', ['sent', 'void'], IN_TIME],
  ])('200 when it is %s, and stays as it is', async (status, moves, now) => {
    const { path, client, customerId } = await billed(...moves)
    expect((await client.del(`${BASE}/customers?id=${customerId}`)).status).toBe(200)
    expect((await client.get(path, now)).body.data.status).toBe(status)
    expect(await sentBack(client, 'PATCH', path, now)).toBeUndefined()
  })

  it.each([
    ['partially_paid', 'amount_paid = 1'],
    ['refunded', 'amount_paid = total, amount_refunded = total'],
  ])('200 when it is %s, which follows from payments', async (status, columns) => {
    const { path, client } = await billed('sent')
    const { id } = (await client.get(path)).body.data
    await queryDatabase(`update invoices set status = $2, ${columns} where id = $1`, [id, status])
    expect(await sentBack(client, 'PATCH', path, IN_TIME)).toBeUndefined()
  })

  it.each([
    { notes: 'Thank you' },
    { items: [{ description: 'Cut', quantity: 1, unitPrice: 5000 }] },
    { dueDate: '2031-02-01' },
    { currency: 'eur' },
    { customerId: 2_147_483_647 },
    { status: 'draft' },
    { status: 'overdue' },
    { status: 'refunded' },
  ])('409 when it was sent and comes back with %j, which changes nothing', async change => {
    const { path, client } = await billed('sent')
    const { data } = (await client.get(path, IN_TIME)).body
    const [field] = Object.keys(change)
    const { status, body } = await client.patch(path, { ...data, ...change }, IN_TIME)
    expect([status, body.details]).toMatchObject([409, [{ field }]])
    expect((await client.get(path, IN_TIME)).body.data).toEqual(data)
  })

  it('409 to become what it is, where no version says what was read', async () => {
    const { path, client } = await billed('sent')
    const { version: _, ...data } = (await client.get(path, IN_TIME)).body.data
    expect((await client.patch(path, data, IN_TIME)).status).toBe(409)
    const { status, ...rest } = data
    expect([status, (await client.patch(path, rest, IN_TIME)).status]).toEqual(['sent', 200])
  })

  it('200 with the present rate for a line of a draft that names a tax and no rate', async () => {
    const { path, client } = await billed()
    const { items } = (await client.get(path)).body.data
    const [{ description, quantity, unitPrice, taxId }] = items as unknown as [
      Record<string, unknown>,
    ]
    const line = { description, quantity, unitPrice, taxId }
    const { body } = await client.patch(path, { items: [line] })
    expect(body.data.items).toMatchObject([{ taxRate: 21, taxAmount: 2100 }])
  })
})
