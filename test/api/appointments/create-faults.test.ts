import { beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../client.ts'
import { APPOINTMENTS, at, hourFrom, openShop, type Shop } from './shop.ts'

let shop: Shop
/** What another account has: nothing of it may be named in ours. */
let theirs: Record<
  'serviceId' | 'customerId' | 'employeeId' | 'locationId' | 'resource' | 'extra',
  number
>
beforeAll(async () => {
  const [ours, other] = await Promise.all([openShop(), openShop()])
  shop = ours
  const { serviceId, employeeId } = other
  const locationId = await other.id('locations', { name: 'There' })
  theirs = {
    serviceId,
    employeeId,
    locationId,
    customerId: await other.customer(),
    resource: await other.id('resources', { locationId, name: 'Bed' }),
    extra: await other.id('extras', { name: 'Oil', serviceIds: [serviceId] }),
  }
})

const create = (more: object = {}) =>
  shop.client.post(APPOINTMENTS, { serviceId: shop.serviceId, ...hourFrom(at('10:00')), ...more })

describe('POST /appointments', () => {
  it.each([
    ['serviceId', 'Service', () => ({ serviceId: theirs.serviceId })],
    ['customerId', 'Customer', () => ({ customerId: theirs.customerId })],
    ['employeeId', 'Employee', () => ({ employeeId: theirs.employeeId })],
    ['locationId', 'Location', () => ({ locationId: theirs.locationId })],
    ['resourceIds', 'Resource', () => ({ resourceIds: [theirs.resource] })],
    ['extras', 'Extra', () => ({ extras: [{ id: theirs.extra }] })],
    [
      'attendees',
      'Customer',
      () => ({ attendees: [{ name: 'X', customerId: theirs.customerId }] }),
    ],
    ['an unknown service', 'Service', () => ({ serviceId: 2_147_483_647 })],
    ['an unknown resource', 'Resource', () => ({ resourceIds: [2_147_483_647] })],
  ])('404 for %s of another account', async (_name, noun, more) => {
    const { status, body } = await create(more())
    expect(status).toBe(404)
    expect(body.message).toBe(`${noun} does not exist`)
  })

  it('404 for what was deleted', async () => {
    const customerId = await shop.customer()
    await shop.client.del(`/api/services/customers?id=${customerId}`)
    expect((await create({ customerId })).status).toBe(404)
    const serviceId = await shop.service()
    await shop.client.del(`/api/services/services?id=${serviceId}`)
    expect((await create({ serviceId })).status).toBe(404)
    const employeeId = await shop.employee()
    await shop.client.del(`/api/services/employees?id=${employeeId}`)
    expect((await create({ employeeId })).status).toBe(404)
  })

  it.each([
    [{ serviceId: undefined }, 'serviceId', 'required'],
    [{ serviceId: 'one' }, 'serviceId', 'expected integer'],
    [{ startTime: undefined }, 'startTime', 'required'],
    [{ endTime: undefined }, 'endTime', 'required'],
    [
      { startTime: '2030-01-01T10:00:00' },
      'startTime',
      'expected an ISO 8601 timestamp with an offset, such as 2026-03-08T09:00:00Z',
    ],
    [{ endTime: '2030-03-20T10:00:00Z' }, 'endTime', 'must be after startTime'],
    [{ endTime: '2030-03-28T10:00:00Z' }, 'endTime', 'must be within 7 days of startTime'],
    [
      { status: 'done' },
      'status',
      'expected one of "pending", "approved", "canceled", "completed"',
    ],
    [{ price: -1 }, 'price', 'must be at least 0'],
    [
      { recurrenceRule: 'daily' },
      'recurrenceRule',
      'expected one of "weekly", "biweekly", "monthly"',
    ],
    [
      { recurrenceRule: 'weekly' },
      'recurrenceCount',
      'recurrenceRule and recurrenceCount go together',
    ],
    [{ recurrenceRule: 'weekly', recurrenceCount: 53 }, 'recurrenceCount', 'must be at most 52'],
    [{ recurrenceRule: 'weekly', recurrenceCount: 1 }, 'recurrenceCount', 'must be at least 2'],
    [{ attendees: [{ name: 'A' }, {}] }, 'attendees.1.name', 'required'],
    [{ attendees: [{ name: 'A', email: 'x' }] }, 'attendees.0.email', 'expected an e-mail address'],
    [
      { attendees: Array.from({ length: 3 }, () => ({ name: 'A', persons: 400 })) },
      'attendees',
      'must be at most 1000 persons',
    ],
    [{ extras: [{ quantity: 1 }] }, 'extras.0.id', 'required'],
    [{ resourceIds: [0] }, 'resourceIds.0', 'must be at least 1'],
    [{ isGroupBooking: 'yes' }, 'isGroupBooking', 'expected boolean'],
    [{ timeZone: 'Mars/Base' }, 'timeZone', 'expected an IANA time zone such as America/New_York'],
  ])('422 for %j: %s', async (more, field, message) => {
    const { status, body } = await create(more)
    expect(status).toBe(422)
    expect(body.error).toBe('VALIDATION_ERROR')
    expect(body.details).toEqual([{ field, message }])
  })

  it('401 without credentials', async () => {
    const { status, body } = await client().post(APPOINTMENTS, {})
    expect([status, body.error]).toEqual([401, 'UNAUTHORIZED'])
  })

  it('400 for a body that is no JSON, 405 for a method that is none', async () => {
    expect((await shop.client.post(APPOINTMENTS, '{')).status).toBe(400)
    const patched = await shop.client.patch(APPOINTMENTS, {})
    expect(patched.status).toBe(405)
    expect(patched.headers.get('allow')).toContain('DELETE, GET')
  })
})
