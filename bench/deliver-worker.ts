import type { Cells, Db, Statement } from '#lib/db/client.ts'
import { claimDeliveries } from '#lib/events/claim.ts'
import { deliverEvents } from '#lib/events/deliver.ts'
import type { Bindings } from '#lib/http/deps.ts'
import { systemOf } from '#lib/http/system.ts'
import { type Order, sendPlainly } from './loop.ts'

/** Sends what is due, or what is ordered. */
export default {
  async fetch(request, env, ctx) {
    const order = request.method === 'POST' ? await request.json<Order>() : undefined
    if (order?.kind === 'bare') {
      await sendPlainly(order)
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
