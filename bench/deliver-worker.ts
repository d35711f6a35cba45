import { hmacBy, hmacKey } from '#lib/core/text.ts'
import type { Cells, Db, Statement } from '#lib/db/client.ts'
import { claimDeliveries } from '#lib/events/claim.ts'
import { deliverEvents } from '#lib/events/deliver.ts'
import type { Bindings } from '#lib/http/deps.ts'
import { systemOf } from '#lib/http/system.ts'

/** What the Worker is asked to send, where it is not what waits in the database. */
export interface Order {
  /** `bare` is a loop of signed requests; `given` a run over deliveries that cost no trip. */
  kind: 'bare' | 'given'
  urls: string[]
  count: number
  atOnce: number
  secret: string
  /** The secret as a webhook has it. */
  sealed: string
  body: string
}

/** Sends what is due, or what is ordered. */
export default {
  async fetch(request, env, ctx) {
    const order = request.method === 'POST' ? await request.json<Order>() : undefined
    if (order?.kind === 'bare') {
      await bare(order)
      return Response.json({ trips: 0 })
    }
    const system = systemOf(env, new Date(), ctx)
    const { trip } = order ? given(order) : system.db
    let trips = 0
    const counted: Db['trip'] = statements => {
      trips++
      return trip(statements)
    }
    await deliverEvents({ ...system, db: { trip: counted } })
    return Response.json({ trips })
  },
} satisfies ExportedHandler<Bindings>

const CLAIM = claimDeliveries(undefined, { limit: -1, now: '', busy: [] })
const LIMIT = CLAIM.params.indexOf(-1)

/** A database that answers at once: it gives what would be claimed, and forgets what is noted. */
function given({ urls, count, sealed, body }: Order): Db {
  const { triggerEvent, createdAt, payload } = JSON.parse(body) as Record<string, unknown>
  const event = [String(triggerEvent), String(createdAt), JSON.stringify(payload)]
  const webhooks = urls.map((subscriberUrl, id) =>
    JSON.stringify({
      ...{ id, subscriberUrl, payloadTemplate: null, secret: sealed, isFailing: false },
      ...{ previousSecret: null, previousSecretUntil: null },
    }),
  )
  let left = count
  const claim = (limit: number): Cells => {
    const size = Math.min(left, limit)
    left -= size
    return webhooks.flatMap((webhook, first) => {
      const own = Math.ceil((size - first) / webhooks.length)
      return Array.from({ length: Math.max(0, own) }, (_, n) => {
        const id = String(left + first + n * webhooks.length)
        return ['1', id, '1', crypto.randomUUID(), ...event, n === 0 ? webhook : null]
      })
    })
  }
  const answer = ({ text, params }: Statement) =>
    text === CLAIM.text ? claim(Number(params[LIMIT])) : []
  return { trip: async statements => statements.map(answer) }
}

/** The very requests that deliveries are; the secret is made a key once, as a run does. */
async function bare({ urls, count, atOnce, secret, body }: Order): Promise<void> {
  const key = await hmacKey(secret)
  const now = new Date().toISOString()
  const redirect = 'manual'
  let left = count
  const encoder = new TextEncoder()
  const loop = async () => {
    while (left-- > 0) {
      const url = urls[left % urls.length]!
      const bytes = encoder.encode(body)
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Almanac-Webhooks',
        'x-service-event-id': crypto.randomUUID(),
        'x-service-timestamp': now,
        'x-service-delivery-attempt': '1',
        'x-service-signature': await hmacBy(key, bytes),
      }
      const signal = AbortSignal.timeout(10_000)
      const answer = await fetch(url, { method: 'POST', headers, body: bytes, redirect, signal })
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
}
