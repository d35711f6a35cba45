import { type Dns, DnsError } from './port.ts'

const TIMEOUT_MS = 5_000

/** Record types (RFC 1035, RFC 3596). */
const TYPES = { A: 1, AAAA: 28 } as const

const NO_ERROR = 0
/** NXDOMAIN: there is no such name. */
const NO_NAME = 3

interface Answer {
  Status: number
  Answer?: { type: number; data: string }[]
}

/**
 * Cloudflare's resolver over HTTPS
 * (https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/).
 */
export const cloudflareDns = (baseUrl = 'https://cloudflare-dns.com'): Dns => ({
  async addresses(host) {
    const found = await Promise.all([ask(baseUrl, host, 'A'), ask(baseUrl, host, 'AAAA')])
    return found.flat()
  },
})

async function ask(baseUrl: string, host: string, type: keyof typeof TYPES): Promise<string[]> {
  const query = new URLSearchParams({ name: host, type })
  const response = await fetch(`${baseUrl}/dns-query?${query}`, {
    headers: { accept: 'application/dns-json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined)
  const answer = response?.ok ? await response.json<Answer>().catch(() => undefined) : undefined
  if (answer?.Status === NO_NAME) return []
  if (answer?.Status !== NO_ERROR)
    throw new DnsError(
      `The resolver did not answer for ${host} (${response?.status ?? 'no answer'})`,
    )
  // Aliases (CNAME) on the way are listed as well.
  return (answer.Answer ?? []).filter(a => a.type === TYPES[type]).map(a => a.data)
}
