import type { Base } from '#lib/core/context.ts'
import { ApiError } from '#lib/core/errors.ts'
import { clip } from '#lib/core/text.ts'
import { lookUp } from '#lib/db/query.ts'
import { type Email, EmailError } from '#lib/providers/email/port.ts'
import { mapSome } from './batches.ts'
import type { ClaimedMessage } from './claimed.ts'
import { OPTIONAL } from './opt-outs.ts'
import { claimMessages, type Outcome, RETRY_SECONDS, recordOutcomes } from './queries.ts'
import { renderMessage } from './render.ts'
import { sendTexts } from './texts.ts'

/**
 * So many at once that the slowest answers (10 s each) stay well within the first retry's minute:
 * a message that is still being sent must not come up again.
 */
const BATCH = 20

/** What was warned of: each missing setting once. */
const warned = new Set<string>()

/** A provider, or undefined where none is configured: its messages then wait until one is. */
function configured<P>(what: string, port: () => P): P | undefined {
  try {
    return port()
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 503) throw error
    if (!warned.has(what)) console.warn(`${what} wait in the queue. ${error.message}`)
    warned.add(what)
    return undefined
  }
}

/** What became of messages. What was skipped did not fit any more, or was not wanted. */
export interface Sending {
  processed: number
  sent: number
  failed: number
  skipped: number
}

/** Which messages are sent; of everybody where no account is named. */
export interface Which {
  accountId?: number
  /** Of the account those alone that this very request has queued: it does not work off others'. */
  ownOnly?: boolean
  /** Those alone that remind, or that workflows send. */
  remindersOnly?: boolean
  limit?: number
}

/**
 * Sends messages that are due and notes what became of them: two trips, whatever their number, and a
 * third where text messages are among them. A failed one is tried again after 1 min, 5 min, 30 min,
 * 2 h and 6 h; a permanent refusal is final. The provider's idempotency key is the same for every
 * try, so that one whose answer was lost is not delivered twice; lib/domain/messaging/texts.ts says
 * how the same is had of a provider of text messages, which knows no keys.
 * @returns how many were taken; fewer than `limit` means that no more are due
 */
export async function sendMessages(
  base: Base,
  { accountId, ownOnly = false, remindersOnly = false, limit = BATCH }: Which = {},
): Promise<Sending> {
  const email = configured('E-mails', () => base.ports.email())
  const sms = configured('Text messages', () => base.ports.sms())
  const channels = [...(email ? ['email' as const] : []), ...(sms ? ['sms' as const] : [])]
  if (channels.length === 0) return count([])
  const now = base.now.toISOString()
  const kinds = remindersOnly ? OPTIONAL : null
  const claiming = { channels, kinds, accountId: accountId ?? null, ownOnly, now }
  const most = Math.min(limit, BATCH)
  const claimed = await lookUp(base.db, claimMessages, { ...claiming, limit: most })
  if (claimed.length === 0) return count([])
  const mails = claimed.filter(m => m.channel === 'email')
  const texts = claimed.filter(m => m.channel === 'sms')
  const [mailed, texted] = await Promise.all([
    email ? mapSome(mails, message => sendOne(base, email, message)) : [],
    sms ? sendTexts(base, sms, texts) : [],
  ])
  const outcomes = [...mailed, ...texted]
  await base.db.trip([recordOutcomes.with({ outcomes: JSON.stringify(outcomes), now })])
  return count(outcomes)
}

const count = (outcomes: readonly Outcome[]): Sending => ({
  processed: outcomes.length,
  sent: outcomes.filter(o => o.status === 'sent' && o.providerId !== null).length,
  failed: outcomes.filter(o => o.status !== 'sent').length,
  skipped: outcomes.filter(o => o.status === 'sent' && o.providerId === null).length,
})

/** So many batches that a run ends within a Worker's limit of requests. */
const MAX_BATCHES = 25

/** Sends what is due, batch after batch, until nothing is or the run has done its share. */
export async function sendAllMessages(base: Base, which: Which = {}): Promise<Sending> {
  const all = count([])
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const some = await sendMessages(base, which)
    for (const key of ['processed', 'sent', 'failed', 'skipped'] as const) all[key] += some[key]
    if (some.processed < BATCH) break
  }
  return all
}

async function sendOne(base: Base, email: Email, message: ClaimedMessage): Promise<Outcome> {
  const { accountId, id, attempts, createdAt } = message
  const outcome = { accountId, id, attempts, error: null, providerId: null, isOpen: false }
  try {
    const rendered = await renderMessage(message, base.settings, base.now)
    if ('skipped' in rendered) return { ...outcome, status: 'sent', error: rendered.skipped }
    const key = `message-${accountId}-${id}-${Date.parse(createdAt)}`
    return { ...outcome, status: 'sent', providerId: await email.send(rendered, key) }
  } catch (error) {
    const final = error instanceof EmailError && error.permanent
    const status = final || attempts > RETRY_SECONDS.length ? 'failed' : 'queued'
    console.error(`Message ${id} of account ${accountId}, try ${attempts}: ${String(error)}`)
    return { ...outcome, status, error: clip(String(error), 500) }
  }
}
