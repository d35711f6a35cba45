import { beforeAll, describe, expect, it } from 'vitest'
import { type Client, client, createAccount, type TestAccount } from '../client.ts'

const RESOURCES = '/api/services/resources'
const by = (id: unknown) => `${RESOURCES}?id=${id}`

let a: TestAccount
let other: TestAccount
let here: number
let there: number
let foreign: number
const place = async (account: TestAccount, name: string) =>
  Number((await account.client.post('/api/services/locations', { name })).body.id)
beforeAll(async () => {
  ;[a, other] = await Promise.all([createAccount(), createAccount()])
  here = await place(a, 'Here')
  there = await place(a, 'There')
  foreign = await place(other, 'Theirs')
})

const make = async (more: object = {}) => {
  const made = await a.client.post(RESOURCES, { locationId: here, name: 'Chair', ...more })
  expect(made.status).toBe(201)
  return made.body
}

describe('POST /resources', () => {
  it('201 with its defaults', async () => {
    const body = await make()
    expect(body).toEqual({
      id: expect.any(Number),
      locationId: here,
      name: 'Chair',
      type: 'equipment',
      description: null,
      quantity: 1,
      active: true,
      createdAt: expect.any(String),
      updatedAt: body.createdAt,
    })
  })

  it('201 with everything that can be said', async () => {
    const said = { type: 'room', description: 'Quiet', quantity: 4, active: false }
    expect(await make(said)).toMatchObject(said)
  })

  it('404 for a location that is unknown, deleted or another account’s', async () => {
    const deleted = await place(a, 'Closed')
    await a.client.del(`/api/services/locations?id=${deleted}`)
    for (const locationId of [2_000_000_000, deleted, foreign]) {
      const refused = await a.client.post(RESOURCES, { locationId, name: 'Lost' })
      expect([refused.status, refused.body.error]).toEqual([404, 'NOT_FOUND'])
    }
    expect((await a.client.get(`${RESOURCES}?search=lost`)).items).toEqual([])
  })

  it('422 with a detail for every fault', async () => {
    const { status, body } = await a.client.post(RESOURCES, { type: 'car', quantity: 0 })
    expect(status).toBe(422)
    expect(body).toMatchObject({ status: 'error', error: 'VALIDATION_ERROR' })
    expect(body.details).toEqual([
      { field: 'locationId', message: 'required' },
      { field: 'name', message: 'required' },
      { field: 'type', message: 'expected one of "equipment", "room", "station"' },
      { field: 'quantity', message: 'must be at least 1' },
    ])
  })
})

describe('PUT /resources', () => {
  it('200 and what is left out stays', async () => {
    const body = await make({ type: 'station', quantity: 3, description: 'By the window' })
    const changed = await a.client.put(by(body.id), { quantity: 2, locationId: there })
    expect(changed.status).toBe(200)
    expect(changed.body.data).toEqual({
      ...body,
      quantity: 2,
      locationId: there,
      updatedAt: expect.any(String),
    })
  })

  it('404 for another account’s resource, and for its location in the body', async () => {
    const theirs = await other.client.post(RESOURCES, { locationId: foreign, name: 'Theirs' })
    const body = await make()
    for (const refused of [
      await a.client.put(by(theirs.body.id), { name: 'Mine', quantity: 5 }),
      await a.client.put(by(2_000_000_000), { name: 'Nobody’s' }),
      await a.client.put(by(body.id), { name: 'Moved', locationId: foreign }),
    ])
      expect([refused.status, refused.body.error]).toEqual([404, 'NOT_FOUND'])
    expect((await a.client.get(by(body.id))).body.data).toEqual(body)
    expect((await other.client.get(by(theirs.body.id))).body.data).toEqual(theirs.body)
  })

  it('400 without an id, 422 for a bad body', async () => {
    expect((await a.client.put(RESOURCES, { name: 'x' })).status).toBe(400)
    const bad = await a.client.put(by(1), { quantity: 1.5 })
    expect(bad.status).toBe(422)
    expect(bad.body.details).toEqual([{ field: 'quantity', message: 'expected integer' }])
  })
})

describe('DELETE /resources', () => {
  it('200 and it is gone', async () => {
    const { id } = await make()
    const gone = await a.client.del(by(id))
    expect(gone.body).toEqual({ status: 'success', data: { id, deleted: true } })
    expect((await a.client.get(by(id))).status).toBe(404)
    expect((await a.client.del(by(id))).status).toBe(404)
  })

  it('404 for another account’s resource, which stays', async () => {
    const { body } = await other.client.post(RESOURCES, { locationId: foreign, name: 'Theirs' })
    expect((await a.client.del(by(body.id))).status).toBe(404)
    expect((await other.client.get(by(body.id))).status).toBe(200)
  })
})

describe('GET /resources', () => {
  it('200 filtered, searched, ordered and by pages', async () => {
    const b = await createAccount()
    const [east, west] = [await place(b, 'East'), await place(b, 'West')]
    const add = (name: string, more: object) => b.client.post(RESOURCES, { name, ...more })
    await add('Room 1', { locationId: east, type: 'room' })
    await add('Room 2', { locationId: west, type: 'room', active: false })
    await add('Laser', { locationId: east })
    const names = async (query: string) =>
      (await b.client.get(`${RESOURCES}?sort=name&${query}`)).items.map(r => String(r.name))
    expect(await names('')).toEqual(['Laser', 'Room 1', 'Room 2'])
    expect(await names(`locationId=${east}`)).toEqual(['Laser', 'Room 1'])
    expect(await names('type=room&active=true')).toEqual(['Room 1'])
    expect(await names('active=false')).toEqual(['Room 2'])
    expect(await names('search=ROOM')).toEqual(['Room 1', 'Room 2'])
    expect(await names(`locationId=${here}`)).toEqual([])
    const page = await b.client.get(`${RESOURCES}?limit=2`)
    expect(page.items.map(r => r.name)).toEqual(['Laser', 'Room 2'])
    const { nextCursor } = page.body.pagination
    const rest = await b.client.get(`${RESOURCES}?limit=2&cursor=${nextCursor}`)
    expect(rest.items.map(r => r.name)).toEqual(['Room 1'])
    expect(rest.body.pagination).toEqual({ limit: 2, nextCursor: null })
  })

  it('400 with details for a wrong query', async () => {
    const { status, body } = await a.client.get(`${RESOURCES}?type=car&active=1`)
    expect(status).toBe(400)
    expect(body.details).toEqual([
      { field: 'type', message: 'expected one of "equipment", "room", "station"' },
      { field: 'active', message: 'expected one of "true", "false"' },
    ])
  })
})

describe('/resources', () => {
  const writes = (c: Client) => [
    c.post(RESOURCES, { locationId: here, name: 'x' }),
    c.put(by(1), { name: 'x' }),
    c.del(by(1)),
  ]

  it('401 without credentials', async () => {
    const nobody = client()
    for (const { status } of await Promise.all([nobody.get(RESOURCES), ...writes(nobody)]))
      expect(status).toBe(401)
  })

  it('403 for staff who write, naming the permission; they may read', async () => {
    for (const { status, body } of await Promise.all(writes(a.staffClient))) {
      expect([status, body.error]).toEqual([403, 'FORBIDDEN'])
      expect(body.message).toContain('resources.write')
    }
    expect((await a.staffClient.get(RESOURCES)).status).toBe(200)
  })
})
