import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, client } from '../client.ts'
import { type SpawnedPlatform, spawnPlatform } from '../spawned.ts'
import { type Receiver, startReceiver, until } from './receiver.ts'

let platform: SpawnedPlatform
let receiver: Receiver
let owner: Client

beforeAll(async () => {
  platform = await spawnPlatform()
  owner = client(platform.keys()[2], platform.url)
  // So slow that much is always on its way, or waits to be.
  receiver = await startReceiver((_, response) => {
    setTimeout(() => response.writeHead(204).end(), 150)
    return undefined
  })
}, 120_000)
afterAll(async () => {
  await receiver.stop()
  await platform.stop()
})

const post = async (path: string, body: object) =>
  owner.post(`/api/services/${path}`, body).catch(() => undefined)

/** Fires the job as if minutes had passed: what the dead sender had taken is free again. */
const deliverAfter = (minutes: number) => {
  const now = new Date(Date.now() + minutes * 60_000).toISOString()
  return fetch(`${platform.url}/_dev/cron/deliver?now=${now}`, { method: 'POST' })
}

describe('kill -9 between a write and what is to be sent of it', () => {
  it('loses no event of anything that was acknowledged', async () => {
    const service = await post('services', { name: 'Cut', duration: 60 })
    const made = await post('webhooks', {
      subscriberUrl: `${receiver.url}/in`,
      triggers: ['SERVICE_BOOKING_CREATED', 'SERVICE_BOOKING_CANCELLED'],
    })
    const acknowledged: string[] = []
    const work = async () => {
      for (;;) {
        const body = {
          serviceId: service?.body.id,
          ...{ startTime: '2031-03-03T10:00:00Z', endTime: '2031-03-03T11:00:00Z' },
        }
        const booked = await post('appointments', body)
        if (!booked) return
        if (booked.status === 201) acknowledged.push(`${booked.body.id} CREATED`)
        const path = `/api/services/appointments?id=${booked.body.id}`
        const canceled = await owner.del(path).catch(() => undefined)
        if (!canceled) return
        if (canceled.status === 200) acknowledged.push(`${booked.body.id} CANCELLED`)
      }
    }
    const workers = Promise.all([work(), work(), work()])
    await until(() => acknowledged.length >= 24, 30_000)
    await platform.kill()
    await workers
    const arrived = () =>
      receiver.received.map(
        ({ json }) => `${json.payload.id} ${json.triggerEvent.replace('SERVICE_BOOKING_', '')}`,
      )
    const before = new Set(arrived())
    const missing = acknowledged.filter(event => !before.has(event))
    expect(missing.length).toBeGreaterThan(0)

    await platform.start()
    await deliverAfter(0)
    await deliverAfter(5)
    expect(acknowledged.filter(event => !arrived().includes(event))).toEqual([])
    for (const id of new Set(acknowledged.map(event => event.split(' ')[0])))
      expect(firstOf(arrived(), id), id).toBe(`${id} CREATED`)
    const path = `/api/services/webhooks/deliveries?webhookId=${made?.body.id}&limit=100`
    const { items } = await owner.get(path)
    expect(items.filter(d => String(d.status) !== 'delivered')).toEqual([])
  }, 120_000)
})

const firstOf = (arrived: readonly string[], id: string | undefined): string | undefined =>
  arrived.find(event => event.startsWith(`${id} `))
