import { hmacBy, hmacKey } from '#lib/core/text.ts'

/** What a Worker or a process is asked to send, where it is not what waits in the database. */
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

/** The very requests that deliveries are; the secret is made a key once, as a run does. */
export async function sendPlainly({ urls, count, atOnce, secret, body }: Order): Promise<void> {
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
