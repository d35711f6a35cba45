import type { Base } from '#lib/core/context.ts'
import { type Dns, DnsError } from '#lib/providers/dns/port.ts'
import { isPublicAddress } from './addresses.ts'

/** What deliveries may be sent to. */
export interface TargetRules {
  dns: Dns
  /** Lets loopback be a target, by http or https and at any port: for the local platform. */
  allowLoopback: boolean
}

const PORTS = new Set(['', '8443'])

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Names that no public resolver should know (RFC 6761, RFC 6762, RFC 8375, and clouds' own). */
const INNER_NAMES =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|arpa|onion|test|invalid)$/

/** An address in brackets, or what the URL standard has made four numbers of. */
const LITERAL = /^\[|^\d{1,3}(?:\.\d{1,3}){3}$/

/**
 * Why deliveries may not be sent to a URL, as the end of a sentence that begins with its field;
 * undefined when they may. Asked when a webhook is saved, and again before each sending: a name may
 * lead elsewhere by then.
 */
export async function targetFault(
  text: string,
  { dns, allowLoopback }: TargetRules,
): Promise<string | undefined> {
  const url = readUrl(text)
  if (!url) return 'expected an https URL'
  const host = url.hostname.replace(/\.$/, '')
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (allowLoopback && LOOPBACK.has(host) && /^https?:$/.test(url.protocol)) return undefined
  if (url.protocol !== 'https:') return 'must begin with https://'
  if (!PORTS.has(url.port)) return 'must use port 443 or 8443'
  if (LITERAL.test(host)) return 'must name its host, not give an IP address'
  if (!host.includes('.') || INNER_NAMES.test(host)) return `must be a public host: ${host} is not`
  return lookUp(host, dns)
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

/** Every address must be public: whichever the connection takes. */
async function lookUp(host: string, dns: Dns): Promise<string | undefined> {
  try {
    const addresses = await dns.addresses(host)
    if (addresses.length === 0) return `must be a public host: ${host} has no address`
    const inner = addresses.find(address => !isPublicAddress(address))
    return inner && `must be a public host: ${host} leads to ${inner}`
  } catch (error) {
    if (!(error instanceof DnsError)) throw error
    return `could not be looked up just now: ${host}`
  }
}

function readUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
