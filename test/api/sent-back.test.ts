import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, createAccount } from '../client.ts'
import { readRoutes } from '../routes.ts'
import { idFields } from '../samples.ts'
import { kindOf, makeWorld } from '../world.ts'

const BASE = '/api/services'
const APPOINTMENTS = `${BASE}/appointments`
let by: Client
beforeAll(async () => {
  by = (await createAccount()).client
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

describe('every record', () => {
  it('200 when it is sent back as it was read, and stays as it is', async () => {
    const world = await makeWorld()
    const { client } = world.account
    const routes = await readRoutes()
    const wrong: string[] = []
    let tried = 0
    for (const { method, path, query, name } of routes) {
      const isChange = method === 'PUT' || method === 'PATCH'
      const isRead = routes.some(r => r.name === `GET ${path}` && idFields(r.query).includes('id'))
      if (!isChange || !isRead || !idFields(query).includes('id')) continue
      const kind = kindOf(path, 'id')
      const of = `${path}?id=${kind && world.ids[kind]}`
      const { data } = (await client.get(of)).body
      const sent = await (method === 'PUT' ? client.put(of, data) : client.patch(of, data))
      const { data: after } = (await client.get(of)).body
      // To say of a webhook whether it is switched on is to begin anew with it.
      const aside = { version: 0, updatedAt: '', failingSince: '' }
      tried++
      if (sent.status !== 200) wrong.push(`${name}: ${sent.text}`)
      else expect({ ...after, ...aside }).toEqual({ ...data, ...aside })
    }
    expect(wrong).toEqual([])
    expect(tried).toBeGreaterThan(12)
  })

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
