import type { Base } from '#lib/core/context.ts'
import type { Queue } from '#lib/db/query.ts'
import { deliverEvents } from '#lib/events/deliver.ts'
import { sendMessages } from './send.ts'

/** What a request sends of the account's events: its own, and some that wait beside them. */
const DELIVERIES = 400

/**
 * Sends what a committed write has queued, after the answer: its messages, and the account's events.
 * What is left, or fails, the jobs send. Every write of a request comes by here (lib/http), so that
 * no operation has to think of it.
 */
export function sendQueued(base: Base, accountId: number, queues: ReadonlySet<Queue>): void {
  if (queues.has('messages')) base.after(() => sendMessages(base, { accountId, ownOnly: true }))
  if (queues.has('deliveries'))
    base.after(() => deliverEvents(base, { accountId, limit: DELIVERIES }))
}
