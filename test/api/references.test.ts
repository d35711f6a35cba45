import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, createAccount, type TestAccount } from '../client.ts'

const BASE = '/api/services'
let a: TestAccount
let by: Client
beforeAll(async () => {
  a = await createAccount()
  by = a.client
})

const make = async (path: string, body: object): Promise<number> => {
  const reply = await by.post(`${BASE}/${path}`, body)
  expect(reply.status, reply.text).toBe(201)
  return Number(reply.body.id)
}
const email = () => `${crypto.randomUUID()}@example.org`
const hour = (day: string) => ({ startTime: `${day}T10:00:00Z`, endTime: `${day}T11:00:00Z` })

describe('GET of a list by an id that the account does not have', () => {
  it.each([
    ['services?categoryId=', 'Category'],
    ['services?locationId=', 'Location'],
    ['services?employeeId=', 'Employee'],
    ['extras?serviceId=', 'Service'],
    ['locations?districtId=', 'District'],
    ['resources?locationId=', 'Location'],
    ['employees?serviceId=', 'Service'],
    ['employees?locationId=', 'Location'],
    ['appointments?customerId=', 'Customer'],
    ['appointments?employeeId=', 'Employee'],
    ['appointments?serviceId=', 'Service'],
    ['appointments?locationId=', 'Location'],
    ['appointments?seriesId=', 'Series'],
    ['products?categoryId=', 'Product category'],
    ['products/stock-movements?productId=', 'Product'],
    ['invoices?customerId=', 'Customer'],
    ['invoices?appointmentId=', 'Appointment'],
    ['webhooks/deliveries?webhookId=', 'Webhook'],
  ])('404: %s', async (path, noun) => {
    const reply = await by.get(`${BASE}/${path}2147483647`)
    expect([reply.status, reply.body.message]).toEqual([404, `${noun} does not exist`])
  })

  it('200 by one that was deleted: records still name it', async () => {
    const customerId = await make('customers', { name: 'Gone' })
    const serviceId = await make('services', { name: 'Cut' })
    const id = await make('appointments', { serviceId, customerId, ...hour('2031-02-03') })
    await by.del(`${BASE}/customers?id=${customerId}`)
    const { items } = await by.get(`${BASE}/appointments?customerId=${customerId}`)
    expect(items.map(x => x.id)).toEqual([id])
  })
})

describe('DELETE /locations', () => {
  it('200 leaves its services, taxes and employees without it', async () => {
    const locationId = await make('locations', { name: 'Old town' })
    const service = await make('services', { name: 'Wash', locationId })
    const tax = await make('taxes', { name: 'City', rate: 2, locationId })
    const employee = await make('employees', {
      name: 'Ada',
      email: email(),
      locationIds: [locationId],
    })
    expect((await by.del(`${BASE}/locations?id=${locationId}`)).status).toBe(200)
    const one = async (path: string) => (await by.get(`${BASE}/${path}`)).body.data
    expect((await one(`services?id=${service}`)).locationId).toBeNull()
    expect((await one(`taxes?id=${tax}`)).locationId).toBeNull()
    const elsewhere = await make('locations', { name: 'New town' })
    const { items } = await by.get(`${BASE}/employees?locationId=${elsewhere}`)
    expect(items.map(x => x.id)).toContain(employee)
  })

  it('409 while resources are there', async () => {
    const locationId = await make('locations', { name: 'Here' })
    await make('resources', { name: 'Chair', locationId })
    const reply = await by.del(`${BASE}/locations?id=${locationId}`)
    expect([reply.status, reply.body.message]).toEqual([
      409,
      'Resources are at this location; move or delete them first',
    ])
    expect((await by.get(`${BASE}/locations?id=${locationId}`)).status).toBe(200)
  })
})

describe('what names a record that was deleted', () => {
  it('404, made or changed so, for a location and a service', async () => {
    const locationId = await make('locations', { name: 'Gone' })
    const serviceId = await make('services', { name: 'Gone' })
    const kept = await make('services', { name: 'Kept' })
    for (const path of [`locations?id=${locationId}`, `services?id=${serviceId}`])
      expect((await by.del(`${BASE}/${path}`)).status).toBe(200)
    const wrong: string[] = []
    for (const [noun, body, link] of [
      ['services', { name: 'Wash' }, { locationId }],
      ['taxes', { name: 'City', rate: 2 }, { locationId }],
      ['extras', { name: 'Foil' }, { serviceIds: [kept, serviceId] }],
      ['extras', { name: 'Mask' }, { serviceId }],
      ['employees', { name: 'Ada', email: email() }, { locationIds: [locationId] }],
      ['employees', { name: 'Bea', email: email() }, { serviceIds: [kept, serviceId] }],
    ] as const) {
      const made = await by.post(`${BASE}/${noun}`, { ...body, ...link })
      const path = `${BASE}/${noun}?id=${await make(noun, body)}`
      const changed = await (noun === 'employees' ? by.put(path, link) : by.patch(path, link))
      if (made.status !== 404 || changed.status !== 404)
        wrong.push(`${noun} ${Object.keys(link)}: ${made.status} ${changed.status}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('X-Test-Now', () => {
  it('400 for what is no instant: a day, or a time without an offset', async () => {
    const days = ['1803-03-04', '2200-01-01', '2031-02-30'].map(day => `${day}T09:00:00Z`)
    for (const now of ['2031-03-04', '2031-03-04T09:00:00', ...days, 'noon', '']) {
      const { status, body } = await by.get(`${BASE}/services`, { 'X-Test-Now': now })
      expect([status, body.error]).toEqual([400, 'BAD_REQUEST'])
      expect(body.message).toMatch(/^X-Test-Now: /)
    }
  })

  it('200 with any offset', async () => {
    const clock = { 'X-Test-Now': '2031-03-04T23:30:00-05:00' }
    const { status, body } = await by.post(`${BASE}/categories`, { name: 'Late' }, clock)
    expect([status, body.createdAt]).toEqual([201, '2031-03-05T04:30:00.000Z'])
  })
})

describe('small kindnesses', () => {
  it('200 for a weekday by its name in the company settings', async () => {
    const reply = await by.patch(`${BASE}/company-settings`, { weekStart: 'Monday' })
    expect([reply.status, reply.body.data.weekStart]).toEqual([200, 1])
  })

  it('200 for a new slug of the company, which is its subdomain', async () => {
    const path = `${BASE}/company-settings`
    const named = async (change: object) => {
      const { status, body } = await by.patch(path, change)
      return status === 200 ? [body.data.slug, body.data.subdomain] : [status, body.details]
    }
    const [one, two] = [`s-${crypto.randomUUID()}`, `s-${crypto.randomUUID()}`]
    expect(await named({ slug: one })).toEqual([one, one])
    // Read and sent back with either of the two changed.
    expect(await named({ slug: one, subdomain: two })).toEqual([two, two])
    expect(await named({ slug: one, subdomain: two })).toEqual([one, one])
    expect(await named({ slug: one, subdomain: one })).toEqual([one, one])
    const fault = [{ field: 'slug', message: 'is another name than subdomain, which is the same' }]
    expect(await named({ slug: two, subdomain: `${two}3` })).toEqual([422, fault])
    expect((await named({ slug: 'No slug' }))[0]).toBe(422)
    const other = await createAccount()
    expect((await named({ slug: other.subdomain }))[0]).toBe(409)
    expect(await named({})).toEqual([one, one])
  })

  it('200 for a telephone number whose + was not escaped', async () => {
    const id = await make('customers', { name: 'Ring', phone: '+15550109999' })
    const { items } = await by.get(`${BASE}/customers?phone=+15550109999`)
    expect(items.map(x => x.id)).toEqual([id])
  })

  it('409 says whether a session is full, or has too few seats left, or at all', async () => {
    const course = { name: 'Class', enableGroupBooking: true, maxCapacity: 2 }
    const body = { serviceId: await make('services', course), ...hour('2031-02-06') }
    const refused = async (more: object = {}) => {
      const { status, body: answer } = await by.post(`${BASE}/appointments`, { ...body, ...more })
      return [status, answer.message]
    }
    expect(await refused({ persons: 3 })).toEqual([409, 'A session of this service has 2 seats'])
    await make('appointments', body)
    expect(await refused({ persons: 2 })).toEqual([
      409,
      'This session has not that many seats left',
    ])
    await make('appointments', body)
    expect(await refused()).toEqual([409, 'This session is full'])
    const alone = { serviceId: await make('services', { name: 'Cut' }), isGroupBooking: true }
    const attendees = [{ name: 'Ann' }, { name: 'Ben' }]
    expect(await refused({ ...alone, attendees })).toEqual([
      409,
      'A session of this service has 1 seat',
    ])
  })

  it('404 at a path that no user has is like any other', async () => {
    const { status, body } = await by.get(`/${crypto.randomUUID()}`)
    expect([status, body.message]).toEqual([404, 'No such route'])
  })
})
