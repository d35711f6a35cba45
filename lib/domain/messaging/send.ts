import type { Base } from '#lib/core/context.ts'
import { ApiError } from '#lib/core/errors.ts'
import { Json } from '#lib/core/json.ts'
import { type Email, EmailError } from '#lib/providers/email/port.ts'
import { claimMessages, type Outcome, RETRY_SECONDS, recordOutcomes } from './queries.ts'
import { renderMessage } from './render.ts'
import type { ClaimedMessage } from './schema.ts'

/**
 * So many at once that the slowest answers (10 s each) stay well within the first retry's minute:
 * a message that is still being sent must not come up again.
 */
const BATCH = 20
const AT_ONCE = 5

let warned = false

/** The provider, or undefined where none is configured: messages then wait until one is. */
function emailOf(base: Base): Email | undefined {
  try {
    return base.ports.email()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 503) throw error
    if (!warned) console.warn(`E-mail waits in the queue. ${error.message}`)
    warned = true
    return undefined
  }
}

/**
 * Sends messages that are due and notes what became of them: two trips, whatever their number. With an
 * account only those that this very request has queued: it does not work off what others left. A failed one is tried again after 1 min, 5 min, 30 min, 2 h and 6 h; a
 * permanent refusal is final. The provider's idempotency key is the same for every try, so that one
 * whose answer was lost is not delivered twice.
 * @returns how many were taken; fewer than `limit` means that no more are due
 */
export async function sendMessages(
  base: Base,
  { accountId, limit = BATCH }: { accountId?: number; limit?: number } = {},
): Promise<number> {
  const email = emailOf(base)
  if (!email) return 0
  const now = base.now.toISOString()
  const [rows] = await base.db.trip([
    claimMessages.with({ accountId: accountId ?? null, limit: Math.min(limit, BATCH), now }),
  ])
  const claimed = new Json<ClaimedMessage[]>(rows?.[0]?.[0] ?? '[]').read()
  if (claimed.length === 0) return 0
  const outcomes = await mapSome(claimed, message => sendOne(base, email, message))
  await base.db.trip([recordOutcomes.with({ outcomes: JSON.stringify(outcomes), now })])
  return claimed.length
}

/** So many batches that a run ends within a Worker's limit of requests. */
const MAX_BATCHES = 25

/** Sends what is due, batch after batch, until nothing is or the run has done its share. */
export async function sendAllMessages(base: Base): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++) if ((await sendMessages(base)) < BATCH) return
}

async function sendOne(base: Base, email: Email, message: ClaimedMessage): Promise<Outcome> {
  const { accountId, id, attempts, createdAt } = message
  const outcome = { accountId, id, attempts, error: null, providerId: null }
  try {
    const rendered = await renderMessage(message, base.settings, base.now)
    if ('skipped' in rendered) return { ...outcome, status: 'sent', error: rendered.skipped }
    const key = `message-${accountId}-${id}-${Date.parse(createdAt)}`
    return { ...outcome, status: 'sent', providerId: await email.send(rendered, key) }
  } catch (error) {
    const final = error instanceof EmailError && error.permanent
    const status = final || attempts > RETRY_SECONDS.length ? 'failed' : 'queued'
    console.error(`Message ${id} of account ${accountId}, try ${attempts}: ${String(error)}`)
    return { ...outcome, status, error: String(error).slice(0, 500) }
  }
}

/** Maps a few at a time, in order. */
async function mapSome<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let i = 0; i < items.length; i += AT_ONCE)
    results.push(...(await Promise.all(items.slice(i, i + AT_ONCE).map(work))))
  return results
}
