import { hmacBy, hmacKey } from '#lib/core/text.ts'
import { deliverEvents } from '#lib/events/deliver.ts'
import type { Bindings } from '#lib/http/deps.ts'
import { systemOf } from '#lib/http/system.ts'

/** What the Worker is asked to do without a queue: so many signed requests, so many at once. */
export interface BareOrder {
  urls: string[]
  count: number
  atOnce: number
  secret: string
  body: string
}

/** Sends what is due, or as many signed requests in a bare loop. */
export default {
  async fetch(request, env, ctx) {
    if (request.method === 'POST') {
      await bare(await request.json<BareOrder>())
      return Response.json({ trips: 0 })
    }
    const system = systemOf(env, new Date(), ctx)
    let trips = 0
    const db = {
      trip: (statements: Parameters<typeof system.db.trip>[0]) => {
        trips++
        return system.db.trip(statements)
      },
    }
    await deliverEvents({ ...system, db })
    return Response.json({ trips })
  },
} satisfies ExportedHandler<Bindings>

/** The very requests that deliveries are; the secret is made a key once, as a run does. */
async function bare({ urls, count, atOnce, secret, body }: BareOrder): Promise<void> {
  const key = await hmacKey(secret)
  const now = new Date().toISOString()
  let left = count
  const loop = async () => {
    while (left-- > 0) {
      const url = urls[left % urls.length]!
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Almanac-Webhooks',
        'x-service-event-id': crypto.randomUUID(),
        'x-service-timestamp': now,
        'x-service-delivery-attempt': '1',
        'x-service-signature': await hmacBy(key, body),
      }
      const signal = AbortSignal.timeout(10_000)
      const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
}
