import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, type Client, client } from './client.ts'
import { type Receiver, startReceiver, until } from './events/receiver.ts'
import { type SpawnedPlatform, spawnPlatform } from './spawned.ts'

const TIMES = { startTime: '2031-03-03T10:00:00Z', endTime: '2031-03-03T11:00:00Z' }
const RANGE = 'from=2031-03-03&to=2031-03-03'

let platform: SpawnedPlatform
let receiver: Receiver
let owner: Client
let webhookId = 0
/** What the second start printed. */
let output = ''
/** The appointments that were answered with 201, and of those the ones whose end was with 200. */
const made: number[] = []
const canceled: number[] = []

const post = async (path: string, body: object) =>
  owner.post(`/api/services/${path}`, body).catch(() => undefined)

/** Books and cancels until nobody answers. */
async function work(serviceId: unknown): Promise<void> {
  for (let n = 0; ; n++) {
    const booked = await post('appointments', { serviceId, ...TIMES })
    if (!booked) return
    if (booked.status !== 201) continue
    const id = Number(booked.body.id)
    made.push(id)
    if (n % 2 === 0) continue
    const ended = await owner.del(`/api/services/appointments?id=${id}`).catch(() => undefined)
    if (!ended) return
    if (ended.status === 200) canceled.push(id)
  }
}

beforeAll(async () => {
  platform = await spawnPlatform()
  owner = client(platform.keys()[2], platform.url)
  // So slow that much is always on its way, or waits to be.
  receiver = await startReceiver((_, response) => {
    setTimeout(() => response.writeHead(204).end(), 150)
    return undefined
  })
  const service = await post('services', { name: 'Cut', duration: 60, price: 100 })
  const webhook = await post('webhooks', {
    subscriberUrl: `${receiver.url}/in`,
    triggers: ['SERVICE_BOOKING_CREATED', 'SERVICE_BOOKING_CANCELLED'],
  })
  webhookId = Number(webhook?.body.id)
  const workers = Promise.all([1, 2, 3].map(() => work(service?.body.id)))
  await until(() => made.length >= 24 && canceled.length >= 8, 30_000)
  await platform.kill()
  await workers
  // As if it had answered at another port until now.
  const was = { ...platform.demo(), baseUrl: 'http://localhost:1' }
  writeFileSync(`${platform.dataDir}/demo.json`, JSON.stringify(was))
  output = await platform.start()
}, 180_000)
afterAll(async () => {
  await receiver.stop()
  await platform.stop()
})

const listed = async () => {
  const all: Body[] = []
  for (let cursor = ''; ; ) {
    const page = await owner.get(`/api/services/appointments?${RANGE}&limit=100${cursor}`)
    all.push(...page.items)
    const next = page.body.pagination.nextCursor
    if (next === null) return all
    cursor = `&cursor=${String(next)}`
  }
}

describe('kill -9 in the midst of bookings', () => {
  test('loses nothing that was acknowledged', async () => {
    const status = new Map((await listed()).map(a => [Number(a.id), String(a.status)]))
    expect(made.filter(id => !status.has(id))).toEqual([])
    expect(canceled.filter(id => status.get(id) !== 'canceled')).toEqual([])
    expect(output).not.toMatch(/filling it with a demo/)
    expect(platform.demo().baseUrl).toBe(platform.url)
  })

  test('leaves figures that are those of the appointments there are', async () => {
    const { body } = await owner.get(`/api/services/insights?${RANGE}`)
    const standing = (await listed()).filter(a => String(a.status) !== 'canceled')
    expect(body.data.totalBookings).toBe(standing.length)
  })

  test('loses no event of it, and tells of a booking before its end', async () => {
    const acknowledged = [
      ...made.map(id => `${id} CREATED`),
      ...canceled.map(id => `${id} CANCELLED`),
    ]
    const arrived = () =>
      receiver.received.map(
        ({ json }) => `${json.payload.id} ${json.triggerEvent.replace('SERVICE_BOOKING_', '')}`,
      )
    const before = new Set(arrived())
    expect(acknowledged.filter(event => !before.has(event)).length).toBeGreaterThan(0)
    // As if minutes had passed: what the dead sender had taken is free again.
    for (const minutes of [0, 5]) {
      const now = new Date(Date.now() + minutes * 60_000).toISOString()
      await fetch(`${platform.url}/_dev/cron/deliver?now=${now}`, { method: 'POST' })
    }
    const after = arrived()
    expect(acknowledged.filter(event => !after.includes(event))).toEqual([])
    for (const id of made)
      expect(after.find(event => event.startsWith(`${id} `))).toBe(`${id} CREATED`)
    const path = `/api/services/webhooks/deliveries?webhookId=${webhookId}&limit=100`
    const { items } = await owner.get(path)
    expect(items.filter(d => String(d.status) !== 'delivered')).toEqual([])
  }, 60_000)

  test('leaves the OAuth clients of demo.json: of each kind, and unapproved', async () => {
    const { confidential, public: open, unapproved } = platform.demo().oauth
    const redirectUri = 'http://127.0.0.1:3999/callback'
    for (const { redirectUri: its } of [confidential, open, unapproved])
      expect(its).toBe(redirectUri)
    const errorOf = async ({ clientId, clientSecret }: typeof open) => {
      const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id: clientId }
      const body = new URLSearchParams({
        ...form,
        ...(clientSecret ? { client_secret: clientSecret } : {}),
      })
      const answer = await fetch(`${platform.url}/api/auth/oauth/token`, { method: 'POST', body })
      return ((await answer.json()) as { error: string }).error
    }
    expect(await errorOf(confidential)).toBe('invalid_grant')
    expect(await errorOf({ ...confidential, clientSecret: 'x' })).toBe('invalid_client')
    expect(await errorOf(open)).toBe('invalid_grant')
    const query = new URLSearchParams({
      client_id: unapproved.clientId,
      redirect_uri: redirectUri,
      state: 's',
    })
    const path = `${platform.url}/auth/oauth2/authorize?${query}`
    const asked = await fetch(path, { redirect: 'manual' })
    expect([asked.status, await asked.json()]).toMatchObject([400, { error: 'not_approved' }])
  })
})
