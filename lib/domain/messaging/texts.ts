import type { Base } from '#lib/core/context.ts'
import { clip } from '#lib/core/text.ts'
import { lookUp } from '#lib/db/query.ts'
import { type Sms, SmsError } from '#lib/providers/sms/port.ts'
import { mapSome } from './batches.ts'
import { composeBookingText } from './bookings/compose-text.ts'
import type { ClaimedMessage } from './claimed.ts'
import type { Skipped } from './compose.ts'
import { noteBack, noteStopped } from './opt-outs.ts'
import { keepWords, knownIds, type Outcome, RETRY_SECONDS } from './queries.ts'
import { composeText } from './workflows/compose.ts'

/** A message with the words that it is to be sent in. */
interface Ready {
  message: ClaimedMessage
  text: string
}

const outcomeOf = ({ accountId, id, attempts }: ClaimedMessage) => ({
  accountId,
  id,
  attempts,
  error: null,
  providerId: null,
  isOpen: false,
})

/**
 * Sends text messages. Their provider knows no repetition by a key of ours, so its words are kept with
 * the message before it is handed over, until it is known what became of it. A try of which that is
 * not known (no answer, an answer of 500, a sender that died) is followed by a look at what the
 * provider has accepted: if it is there, it was sent.
 */
export async function sendTexts(
  base: Base,
  sms: Sms,
  claimed: readonly ClaimedMessage[],
): Promise<Outcome[]> {
  const done: Outcome[] = []
  const open = claimed.filter(m => m.handedOver !== null)
  const found = await findLost(base, sms, open)
  const ready: Ready[] = []
  for (const message of claimed) {
    const known = found.get(message) ?? (await compose(base, message))
    if ('text' in known) ready.push({ message, text: known.text })
    else done.push(known)
  }
  if (ready.length > 0) await keep(base, ready)
  const sent = await mapSome(ready, one => send(sms, one))
  await noteReaders(base, sent)
  return [...done, ...sent.map(({ outcome }) => outcome)]
}

/** Providers refuse longer ones. */
const MAX_TEXT = 1600

/** What a text message says, by what it is about. */
function wordsOf(
  message: ClaimedMessage,
  { settings, now }: Base,
): { text: string } | Skipped | Promise<{ text: string } | Skipped> {
  if (message.kind === 'workflow') return composeText(message, settings, now)
  if (message.subject === 'booking') return composeBookingText(message, settings, now)
  return { skipped: 'skipped: it has no words for a text message' }
}

async function compose(base: Base, message: ClaimedMessage): Promise<{ text: string } | Outcome> {
  const skip = (error: string): Outcome => ({ ...outcomeOf(message), status: 'sent', error })
  if (message.optedOut) return skip('skipped: the reader wants no such messages')
  try {
    const composed = await wordsOf(message, base)
    return 'skipped' in composed ? skip(composed.skipped) : { text: clip(composed.text, MAX_TEXT) }
  } catch (error) {
    return failed(message, error)
  }
}

function failed(message: ClaimedMessage, error: unknown): Outcome {
  const { id, accountId, attempts } = message
  const failure = error instanceof SmsError ? error.failure : 'later'
  const isFinal = failure === 'refused' || failure === 'unsubscribed'
  console.error(`Message ${id} of account ${accountId}, try ${attempts}: ${String(error)}`)
  return {
    ...outcomeOf(message),
    status: isFinal || attempts > RETRY_SECONDS.length ? 'failed' : 'queued',
    error: clip(String(error), 500),
    isOpen: failure === 'unknown',
  }
}

/**
 * What became of tries that were left open: an outcome where it was sent, or where the provider cannot
 * say yet. One after the other, so that one message there is not taken for two of ours.
 */
async function findLost(base: Base, sms: Sms, open: readonly ClaimedMessage[]) {
  const found = new Map<ClaimedMessage, Outcome>()
  const taken = new Set<string>()
  for (const message of open) {
    try {
      const lost = { to: message.recipient, text: message.handedOver ?? '' }
      const ids = await sms.find(lost, new Date(message.createdAt))
      const known = ids.length > 0 ? await lookUp(base.db, knownIds, { ids }) : []
      const providerId = ids.find(id => !known.includes(id) && !taken.has(id))
      if (providerId === undefined) continue
      taken.add(providerId)
      found.set(message, { ...outcomeOf(message), status: 'sent', providerId })
    } catch (error) {
      // As long as nobody knows, nothing is sent.
      found.set(message, { ...failed(message, error), isOpen: true })
    }
  }
  return found
}

async function keep(base: Base, ready: readonly Ready[]): Promise<void> {
  const rows = ready.map(({ message: { accountId, id }, text }) => ({ accountId, id, text }))
  await base.db.trip([keepWords.with({ rows: JSON.stringify(rows) })])
}

interface Sent {
  message: ClaimedMessage
  outcome: Outcome
  isStopped: boolean
}

async function send(sms: Sms, { message, text }: Ready): Promise<Sent> {
  try {
    const providerId = await sms.send({ to: message.recipient, text })
    const outcome: Outcome = { ...outcomeOf(message), status: 'sent', providerId }
    return { message, outcome, isStopped: false }
  } catch (error) {
    const isStopped = error instanceof SmsError && error.failure === 'unsubscribed'
    return { message, outcome: failed(message, error), isStopped }
  }
}

const readersOf = (sent: readonly Sent[]): string =>
  JSON.stringify(sent.map(({ message: { accountId, recipient } }) => ({ accountId, recipient })))

/** Who answered STOP is not written to again; who answered START since is. */
async function noteReaders(base: Base, sent: readonly Sent[]): Promise<void> {
  const stopped = sent.filter(s => s.isStopped)
  const back = sent.filter(s => s.message.toStopped && s.outcome.providerId !== null)
  const notes = [
    ...(stopped.length > 0
      ? [noteStopped.with({ rows: readersOf(stopped), now: base.now.toISOString() })]
      : []),
    ...(back.length > 0 ? [noteBack.with({ rows: readersOf(back) })] : []),
  ]
  if (notes.length > 0) await base.db.trip(notes)
}
