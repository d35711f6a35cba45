import { type Base, instantIn } from '#lib/core/context.ts'
import type { Poster, PostOutcome } from '#lib/providers/webhooks/port.ts'
import type { Receiver } from './claim.ts'
import { openSigner, type Signer } from './sign.ts'
import { checkingTargets, type TargetCheck } from './target.ts'
import { bodyText, type Delivered, renderTemplate } from './template.ts'

/** What is needed to send an event to one webhook, this once. */
export interface Try {
  accountId: number
  /** The event's own identifier, the same on every try. */
  uid: string
  /** How often sending was tried, this time included. */
  attempts: number
  delivered: Delivered
  webhook: Receiver
}

/** What came of a try. It arrived when `error` is null. */
export interface TryOutcome {
  status: number | null
  durationMs: number
  error: string | null
  /** The receiver did not answer at all, or too late. */
  isSilent: boolean
}

/** Sends deliveries. What it has found out about a receiver it does not find out twice: one per run. */
export class Courier {
  readonly #poster: Poster
  readonly #targets: TargetCheck
  readonly #signers = new WeakMap<Receiver, Promise<Signer | undefined>>()

  constructor(private readonly base: Base) {
    this.#poster = base.ports.poster()
    this.#targets = checkingTargets(base)
  }

  /**
   * Sends one delivery, once: signed, to a public address, following no redirect, for 10 s at most.
   * Nothing of the answer but its status is looked at.
   */
  async send({ accountId, uid, attempts, delivered, webhook }: Try): Promise<TryOutcome> {
    const { subscriberUrl: url, payloadTemplate } = webhook
    const fault = await this.#targets(url)
    if (fault) return refused(`subscriberUrl ${fault}`)
    const text = bodyOf(delivered, payloadTemplate)
    if (text === undefined) return refused('The payload template makes a body that is too large')
    const sign = await this.#signerOf(accountId, webhook)
    if (!sign) return refused('The secret was kept under another APP_SECRET; set it anew')
    // What is signed are the very bytes that are sent.
    const body = utf8.encode(text)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Almanac-Webhooks',
      'x-service-event-id': uid,
      'x-service-timestamp': instantIn(this.base),
      'x-service-delivery-attempt': String(attempts),
      ...(await sign(body)),
    }
    const outcome = await this.#poster.post({ url, headers, body })
    const { status, durationMs } = outcome
    return { status, durationMs, error: errorOf(outcome), isSilent: status === null }
  }

  #signerOf(accountId: number, webhook: Receiver): Promise<Signer | undefined> {
    const { settings, now } = this.base
    const found =
      this.#signers.get(webhook) ??
      openSigner(settings.secret, accountId, webhook, now).catch(() => undefined)
    this.#signers.set(webhook, found)
    return found
  }
}

const utf8 = new TextEncoder()

const refused = (error: string): TryOutcome => ({
  ...{ status: null, durationMs: 0, error, isSilent: false },
})

function bodyOf(delivered: Delivered, template: string | null): string | undefined {
  if (template === null) return bodyText(delivered)
  try {
    return renderTemplate(template, delivered)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function errorOf({ status, fault }: PostOutcome): string | null {
  if (fault === 'timeout') return 'No answer within 10 seconds'
  if (status === null) return 'No connection'
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return `Answered ${status}: redirects are not followed`
  return `Answered ${status}`
}
