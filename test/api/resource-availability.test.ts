import { beforeAll, describe, expect, it } from 'vitest'
import { lostTo } from '#lib/db/meanings.ts'
import { bookResources, freeResources, type ResourceUse } from '#lib/domain/resources/writes.ts'
import { client, createAccount, directly, type TestAccount } from '../client.ts'

const RESOURCES = '/api/services/resources'

let a: TestAccount
let locationId: number
beforeAll(async () => {
  a = await createAccount()
  const place = await a.client.post('/api/services/locations', { name: 'Here' })
  locationId = Number(place.body.id)
})

const make = async (quantity: number, more: object = {}) => {
  const body = { locationId, name: 'Chair', quantity, ...more }
  return Number((await a.client.post(RESOURCES, body)).body.id)
}

/** An hour of 2032-01-05, as a number. */
const at = (hour: number) => new Date(Date.UTC(2032, 0, 5, hour))
let nextSource = 1
const use = (resourceId: number, from: number, to: number, quantity = 1): ResourceUse => ({
  source: 'appointment',
  sourceId: nextSource++,
  start: at(from),
  end: at(to),
  needs: [{ resourceId, quantity }],
})

/** Books as an appointment's batch does; answers which guard refused it, if one did. */
const book = (...uses: ResourceUse[]): Promise<string | undefined> =>
  directly(async base => {
    const write = base.enter(a.accountId).write('appointment.create')
    bookResources(write, uses)
    try {
      await write.commit(null)
      return undefined
    } catch (error) {
      return lostTo(error) ?? String(error)
    }
  })

const free = (source: ResourceUse) =>
  directly(async base => {
    const write = base.enter(a.accountId).write('appointment.cancel')
    freeResources(write, source.source, [source.sourceId])
    await write.commit(null)
  })

const ask = (resourceId: unknown, from: number, to: number, more = '') =>
  a.client.get(
    `/api/services/resource-availability?resourceId=${resourceId}` +
      `&startTime=${at(from).toISOString()}&endTime=${at(to).toISOString()}${more}`,
  )
const booked = async (resourceId: number, from: number, to: number) =>
  (await ask(resourceId, from, to)).body.data.bookedQuantity

describe('GET /resource-availability', () => {
  it('200 with what is free of a resource', async () => {
    const id = await make(3)
    await book(use(id, 10, 11, 2))
    const { status, body } = await ask(id, 10, 11, '&quantity=2')
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'success',
      data: {
        available: false,
        totalQuantity: 3,
        bookedQuantity: 2,
        availableQuantity: 1,
        requestedQuantity: 2,
      },
    })
    expect((await ask(id, 10, 11)).body.data).toMatchObject({
      available: true,
      requestedQuantity: 1,
    })
  })

  it('200 with the peak of use: not the sum, and ends make room for beginnings', async () => {
    const id = await make(5)
    await book(use(id, 8, 10, 2), use(id, 10, 12, 3), use(id, 11, 14, 2))
    expect(await booked(id, 6, 8)).toBe(0)
    expect(await booked(id, 7, 10)).toBe(2)
    expect(await booked(id, 8, 11)).toBe(3)
    expect(await booked(id, 8, 15)).toBe(5)
    expect(await booked(id, 12, 13)).toBe(2)
    expect(await booked(id, 14, 15)).toBe(0)
  })

  it('200 and an inactive resource is not available', async () => {
    const id = await make(2, { active: false })
    expect((await ask(id, 10, 11)).body.data).toEqual({
      available: false,
      totalQuantity: 2,
      bookedQuantity: 0,
      availableQuantity: 0,
      requestedQuantity: 1,
    })
  })

  it('400 when the end is not after the start', async () => {
    for (const end of [10, 9]) {
      const { status, body } = await ask(1, 10, end)
      expect([status, body.error]).toEqual([400, 'BAD_REQUEST'])
      expect(body.details).toEqual([{ field: 'endTime', message: 'must be after startTime' }])
    }
  })

  it('400 for what is missing or wrong', async () => {
    const none = await a.client.get('/api/services/resource-availability')
    expect(none.status).toBe(400)
    const fields = ['resourceId', 'startTime', 'endTime']
    expect(none.body.details).toEqual(fields.map(field => ({ field, message: 'required' })))
    expect((await ask(1, 10, 11, '&quantity=0')).status).toBe(400)
    const local = 'resourceId=1&startTime=2032-01-05T10:00:00&endTime=2032-01-05T11:00:00Z'
    const naive = await a.client.get(`/api/services/resource-availability?${local}`)
    expect(naive.body.details).toMatchObject([{ field: 'startTime' }])
  })

  it('404 for a resource that is unknown or another account’s', async () => {
    expect((await ask(2_000_000_000, 10, 11)).status).toBe(404)
    const other = await createAccount()
    const id = await make(1)
    const path = `/api/services/resource-availability?resourceId=${id}&startTime=2032-01-05T10:00Z`
    const foreign = await other.client.get(`${path}&endTime=2032-01-05T11:00Z`)
    expect([foreign.status, foreign.body.error]).toEqual([404, 'NOT_FOUND'])
  })

  it('401 without credentials; staff may ask', async () => {
    const path = `/api/services/resource-availability?resourceId=${await make(1)}`
    const times = '&startTime=2032-01-05T10:00Z&endTime=2032-01-05T11:00Z'
    expect((await client().get(path + times)).status).toBe(401)
    expect((await a.staffClient.get(path + times)).status).toBe(200)
  })
})

describe('bookings of resources', () => {
  it('refuse what exceeds the quantity at any instant, and only that', async () => {
    const id = await make(2)
    expect(await book(use(id, 8, 10), use(id, 9, 11))).toBeUndefined()
    expect(await book(use(id, 9, 10))).toBe('resources_free')
    expect(await book(use(id, 10, 12), use(id, 7, 9))).toBeUndefined()
    expect(await book(use(id, 20, 21, 3))).toBe('resources_free')
  })

  it('refuse all of a series when one of it does not fit', async () => {
    const id = await make(1)
    await book(use(id, 12, 13))
    expect(await book(use(id, 8, 9), use(id, 12, 13), use(id, 16, 17))).toBe('resources_free')
    expect(await booked(id, 8, 17)).toBe(1)
    expect(await book(use(id, 8, 9), use(id, 8, 9))).toBe('resources_free')
  })

  it('refuse a resource that is inactive or was deleted', async () => {
    expect(await book(use(await make(1, { active: false }), 8, 9))).toBe('resources_free')
    const gone = await make(1)
    await a.client.del(`${RESOURCES}?id=${gone}`)
    expect(await book(use(gone, 8, 9))).toBe('resource_bookings_resource_fk')
  })

  it('add up what one booking needs of a resource', async () => {
    const id = await make(3)
    const twice = use(id, 8, 9, 2)
    const needs = [...twice.needs, ...twice.needs]
    expect(await book({ ...twice, needs })).toBe('resources_free')
  })

  it('give back what they freed', async () => {
    const id = await make(1)
    const first = use(id, 8, 9)
    await book(first)
    expect(await book(use(id, 8, 9))).toBe('resources_free')
    await free(first)
    expect(await book(use(id, 8, 9))).toBeUndefined()
  })

  it('let exactly as many through as there are, of many at once', async () => {
    const [one, two] = [await make(3), await make(3)]
    const both = (n: number): ResourceUse => {
      const needs = [one, two].map(resourceId => ({ resourceId, quantity: 1 }))
      return { ...use(one, 8, 9 + (n % 3)), needs: n % 2 ? needs : needs.toReversed() }
    }
    const lost = await Promise.all(Array.from({ length: 16 }, (_, n) => book(both(n))))
    expect(lost.filter(reason => reason === undefined).length).toBe(3)
    expect(new Set(lost)).toEqual(new Set([undefined, 'resources_free']))
    expect([await booked(one, 8, 9), await booked(two, 8, 9)]).toEqual([3, 3])
  })
})

describe('changes of booked resources', () => {
  const before = { 'X-Test-Now': at(0).toISOString() }
  const after = { 'X-Test-Now': at(12).toISOString() }

  it('PUT 409 when more is booked in the future than would be left', async () => {
    const id = await make(5)
    await book(use(id, 8, 10, 2), use(id, 9, 11, 2))
    const lower = (quantity: number, when = before) =>
      a.client.put(`${RESOURCES}?id=${id}`, { quantity }, when)
    const refused = await lower(3)
    expect([refused.status, refused.body.error]).toEqual([409, 'CONFLICT'])
    expect(refused.body.details).toEqual([{ field: 'quantity', message: expect.any(String) }])
    expect((await lower(4)).body.data.quantity).toBe(4)
    expect((await lower(1, after)).body.data.quantity).toBe(1)
  })

  it('PUT or booking wins, never both', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await make(2)
      const [put, ...lost] = await Promise.all([
        a.client.put(`${RESOURCES}?id=${id}`, { quantity: 1 }, before),
        book(use(id, 8, 9)),
        book(use(id, 8, 9)),
      ])
      const won = lost.filter(reason => reason === undefined).length
      expect([put.status, won]).toEqual(put.status === 200 ? [200, 1] : [409, 2])
    }
  })

  it('DELETE 409 when it is booked in the future, 200 when that is over', async () => {
    const id = await make(1)
    await book(use(id, 8, 10))
    const refused = await a.client.del(`${RESOURCES}?id=${id}`, before)
    expect([refused.status, refused.body.error]).toEqual([409, 'CONFLICT'])
    expect((await a.client.get(`${RESOURCES}?id=${id}`)).status).toBe(200)
    expect((await a.client.del(`${RESOURCES}?id=${id}`, after)).status).toBe(200)
  })
})
