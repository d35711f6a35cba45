import type { Base } from '#lib/core/context.ts'
import type { PostOutcome } from '#lib/providers/webhooks/port.ts'
import type { Receiver } from './queries.ts'
import { openSecrets, signatureHeaders } from './sign.ts'
import { targetFault } from './target.ts'
import { type Delivered, renderTemplate } from './template.ts'

/** One try of a delivery. */
export interface Try {
  accountId: number
  /** The event's own identifier, the same on every try. */
  uid: string
  /** Counts the tries from 1. */
  attempt: number
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

/** Answers why a URL may not be sent to; what it has found out it does not ask twice. */
export type TargetCheck = (url: string) => Promise<string | undefined>

/** The check of targets for one run. */
export function checkingTargets({ ports, settings }: Base): TargetCheck {
  const rules = { dns: ports.dns(), allowLoopback: settings.allowLoopback }
  const known = new Map<string, Promise<string | undefined>>()
  return url => {
    const found = known.get(url) ?? targetFault(url, rules)
    known.set(url, found)
    return found
  }
}

/**
 * Sends one delivery, once: signed, to a public address, following no redirect, for 10 s at most.
 * Nothing of the answer but its status is looked at.
 */
export async function sendOnce(
  base: Base,
  check: TargetCheck,
  { accountId, uid, attempt, delivered, webhook }: Try,
): Promise<TryOutcome> {
  const refused = (error: string) => ({ status: null, durationMs: 0, error, isSilent: false })
  const fault = await check(webhook.subscriberUrl)
  if (fault) return refused(`subscriberUrl ${fault}`)
  const body = bodyOf(delivered, webhook.payloadTemplate)
  if (body === undefined) return refused('The payload template makes a body that is too large')
  const secrets = await openSecrets(base.settings.secret, accountId, webhook).catch(() => undefined)
  if (!secrets) return refused('The secret was kept under another APP_SECRET; set it anew')
  const outcome = await base.ports.poster().post({
    url: webhook.subscriberUrl,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Almanac-Webhooks',
      'x-service-event-id': uid,
      'x-service-timestamp': base.now.toISOString(),
      'x-service-delivery-attempt': String(attempt),
      ...(await signatureHeaders(body, secrets, base.now)),
    },
    body,
  })
  const { status, durationMs } = outcome
  return { status, durationMs, error: errorOf(outcome), isSilent: status === null }
}

function bodyOf(delivered: Delivered, template: string | null): string | undefined {
  if (template === null) return JSON.stringify(delivered)
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
