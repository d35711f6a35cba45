import type { ServerResponse } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { emptyOwnPlatform, type OwnPlatform } from '../own-platform.ts'
import { type Receiver, startReceiver, until } from './receiver.ts'
import { leaveEvents, openSubscriber, type Subscriber } from './subscriber.ts'

/** Nobody else's jobs wait here. */
let platform: OwnPlatform
let shop: Subscriber
let receiver: Receiver
/** Answers that are never finished. */
const hanging: ServerResponse[] = []

beforeAll(async () => {
  platform = await emptyOwnPlatform()
  shop = await openSubscriber(platform)
  receiver = await startReceiver(({ path }, response) => {
    if (!path.startsWith('/hangs')) return 200
    hanging.push(response)
    return undefined
  })
})
afterEach(() => {
  for (const response of hanging.splice(0)) response.destroy()
})
afterAll(async () => {
  await receiver.stop()
})

const subjects = (count: number, first: number) =>
  Array.from({ length: count }, (_, i) => ({ subjectId: first + i, version: 1 }))

describe('receivers that hang', () => {
  it('are given up after 10 seconds, and delay neither another receiver nor the API', async () => {
    const twenty = Array.from({ length: 20 }, (_, n) => `${receiver.url}/hangs/${n}`)
    const dead = await Promise.all(twenty.map(url => shop.subscribe(url)))
    await shop.subscribe(`${receiver.url}/healthy`)
    await leaveEvents(shop, subjects(60, 1000))
    const began = Date.now()
    const job = platform.fireJob('deliver')
    await until(() => receiver.at('/healthy').length === 60, 5000)
    expect(Date.now() - began).toBeLessThan(5000)
    const asked = performance.now()
    expect((await shop.client.get('/api/services/webhooks')).status).toBe(200)
    expect(performance.now() - asked).toBeLessThan(1000)
    await job
    const took = Date.now() - began
    expect(took).toBeGreaterThan(9000)
    expect(took).toBeLessThan(20_000)
    for (const id of dead) {
      const all = await shop.deliveries(id)
      const tried = all.filter(d => d.error !== null)
      expect(tried.map(d => d.error)).toEqual(['No answer within 10 seconds'])
      const attempts = all.map(d => (d.log as unknown as unknown[]).length)
      expect(all.map(d => d.attempts)).toEqual(attempts)
      expect(await shop.webhook(id)).toMatchObject({ failingSince: expect.any(String) })
    }
  }, 60_000)
})
