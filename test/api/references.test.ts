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

describe('what is sent back as it was read', () => {
  it('200 for an extra whose service was deleted', async () => {
    const serviceId = await make('services', { name: 'Dye' })
    const id = await make('extras', { name: 'Foil', serviceIds: [serviceId] })
    await by.del(`${BASE}/services?id=${serviceId}`)
    const { data } = (await by.get(`${BASE}/extras?id=${id}`)).body
    expect(data.serviceIds).toEqual([])
    expect((await by.patch(`${BASE}/extras?id=${id}`, data)).status).toBe(200)
  })

  it('201 for an appointment that does not repeat: null says so', async () => {
    const serviceId = await make('services', { name: 'Cut' })
    const body = { serviceId, ...hour('2031-02-04'), recurrenceRule: null, recurrenceCount: null }
    expect((await by.post(`${BASE}/appointments`, body)).status).toBe(201)
  })

  it('200 for the reason of an appointment that is canceled already', async () => {
    const serviceId = await make('services', { name: 'Cut' })
    const id = await make('appointments', { serviceId, ...hour('2031-02-05') })
    await by.del(`${BASE}/appointments?id=${id}&cancellationReason=rain`)
    const path = `${BASE}/appointments?id=${id}`
    expect((await by.get(path)).body.data.cancellationReason).toBe('rain')
    const changed = await by.put(path, { cancellationReason: 'storm' })
    expect(changed.body.data.cancellationReason).toBe('storm')
  })
})

describe('small kindnesses', () => {
  it('200 for a weekday by its name in the company settings', async () => {
    const reply = await by.patch(`${BASE}/company-settings`, { weekStart: 'Monday' })
    expect([reply.status, reply.body.data.weekStart]).toEqual([200, 1])
  })

  it('200 for a telephone number whose + was not escaped', async () => {
    const id = await make('customers', { name: 'Ring', phone: '+15550109999' })
    const { items } = await by.get(`${BASE}/customers?phone=+15550109999`)
    expect(items.map(x => x.id)).toEqual([id])
  })

  it('409 says whether a session is full or has too few seats left', async () => {
    const serviceId = await make('services', {
      name: 'Class',
      enableGroupBooking: true,
      maxCapacity: 1,
    })
    const body = { serviceId, ...hour('2031-02-06') }
    const many = await by.post(`${BASE}/appointments`, { ...body, persons: 2 })
    expect(many.body.message).toBe('This session has not that many seats left')
    await make('appointments', body)
    expect((await by.post(`${BASE}/appointments`, body)).body.message).toBe('This session is full')
  })

  it('404 at a path that no user has is like any other', async () => {
    const { status, body } = await by.get(`/${crypto.randomUUID()}`)
    expect([status, body.message]).toEqual([404, 'No such route'])
  })
})
