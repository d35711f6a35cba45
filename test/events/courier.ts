// What the tests of deliveries share: a platform of their own, a business and a receiver.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from 'vitest'
import { emptyOwnPlatform, type OwnPlatform } from '../own-platform.ts'
import { type Received, type Receiver, startReceiver } from './receiver.ts'
import { openSubscriber, type Subscriber } from './subscriber.ts'

export let platform: OwnPlatform
export let shop: Subscriber
export let receiver: Receiver
/** When the tests began: deliveries are then due. */
export let from = 0
/** How paths answer, where it is not 200. */
export const answers = new Map<string, (got: Received) => number>()

/** Opens them for a file of tests. */
export function useCourier(): void {
  beforeAll(async () => {
    from = Date.now()
    platform = await emptyOwnPlatform()
    shop = await openSubscriber(platform)
    receiver = await startReceiver((got, response) => {
      const answer = answers.get(got.path)
      if (answer?.(got) === 302) response.setHeader('location', `${receiver.url}/elsewhere`)
      return answer?.(got) ?? 200
    })
  })
  afterAll(() => receiver.stop())
}

export let subject = 0
export const nextSubject = () => ++subject
export const one = (subjectId = nextSubject(), version = 1) => [{ subjectId, version }]

/** A subscription to a path of its own; it is deleted again, so that tests do not meet. */
export async function subscribed(
  work: (path: string, webhookId: number) => Promise<void>,
  more: object = {},
): Promise<void> {
  const path = `/${randomUUID()}`
  const id = await shop.subscribe(receiver.url + path, more)
  try {
    await work(path, id)
  } finally {
    await shop.client.del(`/api/services/webhooks?id=${id}`)
  }
}

export const SECOND = 1000
export const fireJob = () => platform.fireJob('deliver')
/** The job as it runs so many seconds after the test began. */
export const jobAfter = (seconds: number) =>
  platform.fireJob('deliver', new Date(from + seconds * SECOND))
export const attemptsOf = (path: string) =>
  receiver.at(path).map(({ headers }) => headers['x-service-delivery-attempt'])
export const idsOf = (path: string) =>
  receiver.at(path).map(({ headers }) => headers['x-service-event-id'])
