import { beforeAll, describe, expect, it } from 'vitest'
import { createAccount, type TestAccount } from '../client.ts'
import { atOnce } from './appointments/shop.ts'

let a: TestAccount
beforeAll(async () => {
  a = await createAccount('enterprise')
})

describe('POST /services', () => {
  it('201 for twelve of one name at once, each with a slug of its own', async () => {
    const made = await atOnce(12, () => a.client.post('/api/services/services', { name: 'Rush' }))
    expect(made.map(r => r.status)).toEqual(Array(12).fill(201))
    expect(new Set(made.map(r => r.body.slug)).size).toBe(12)
  })
})

describe('POST /districts', () => {
  it('201 for two of one name: nothing says that they differ by it', async () => {
    const made = await atOnce(2, () => a.client.post('/api/services/districts', { name: 'North' }))
    expect(made.map(r => r.status)).toEqual([201, 201])
  })
})

describe('DELETE /locations while others name the location', () => {
  const BASE = '/api/services'
  const race = async (noun: string, body: object) => {
    const location = await a.client.post(`${BASE}/locations`, { name: 'Short-lived' })
    const locationId = Number(location.body.id)
    const [made, gone] = await Promise.all([
      a.client.post(`${BASE}/${noun}`, { ...body, locationId }),
      a.client.del(`${BASE}/locations?id=${locationId}`),
    ])
    const { data } =
      made.status === 201 ? (await a.client.get(`${BASE}/${noun}?id=${made.body.id}`)).body : {}
    return { made: made.status, gone: gone.status, at: data?.locationId, locationId }
  }

  it('201 and 409, or 404 and 200: no resource is at a place that is gone', async () => {
    const all = await atOnce(25, () => race('resources', { name: 'Chair' }))
    for (const { made, gone } of all)
      expect([
        [201, 409],
        [404, 200],
      ]).toContainEqual([made, gone])
  })

  it('201 before it is left, or 404: no service is at a place that is gone', async () => {
    const all = await atOnce(25, () => race('services', { name: 'Cut' }))
    for (const { made, gone, at } of all) {
      expect(gone).toBe(200)
      expect([
        [201, null],
        [404, undefined],
      ]).toContainEqual([made, at])
    }
  })
})

describe('POST /locations', () => {
  it('422 for opening hours that end before they start', async () => {
    const hours = (start: string, end: string) => ({
      name: 'Shop',
      openingHours: [{ day: 1, intervals: [{ start, end }] }],
    })
    for (const body of [hours('17:00', '09:00'), hours('09:00', '09:00')]) {
      const { status, body: answer } = await a.client.post('/api/services/locations', body)
      expect([status, answer.details]).toEqual([
        422,
        [{ field: 'openingHours.0.intervals.0.end', message: 'must be after start' }],
      ])
    }
    const whole = await a.client.post('/api/services/locations', hours('00:00', '24:00'))
    expect(whole.status).toBe(201)
  })
})
