/** Schemes that are no program's own: what is led there would run, be read, or be sent in the open. */
const FOREIGN = new Set([
  'about',
  'blob',
  'chrome',
  'content',
  'data',
  'file',
  'filesystem',
  'ftp',
  'intent',
  'javascript',
  'mailto',
  'sms',
  'tel',
  'vbscript',
  'view-source',
  'ws',
  'wss',
])

/** What RFC 3986 lets an address be made of, but for `#`. */
const CHARACTERS = /^[\w.~:/?[\]@!$&'()*+,;=%-]+$/
const PARTS = /^([a-z][a-z0-9+.-]*):\/(?:\/([^/?]*))?/i
const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/
const MAX = 2000

function isReadable(uri: string): boolean {
  try {
    return new URL(uri).href !== ''
  } catch {
    return false
  }
}

/**
 * What is wrong with an address that a client wants to be led back to; undefined for a fine one: https,
 * http on the machine itself (RFC 9700 2.6), or a scheme of the program's own (RFC 8252 7.1). Without
 * a fragment (RFC 6749 3.1.2).
 */
export function redirectFault(uri: string): string | undefined {
  if (uri.length > MAX) return `must be at most ${MAX} characters long`
  const [, scheme = '', authority = ''] = PARTS.exec(uri) ?? []
  if (!CHARACTERS.test(uri) || scheme === '' || !isReadable(uri))
    return 'expected an absolute URI without a fragment'
  if (/[@*]/.test(authority)) return 'must not have a user name or a wildcard'
  const name = scheme.toLowerCase()
  if (name === 'http' && !LOOPBACK.test(uri)) return 'http is for localhost and 127.0.0.1 alone'
  if (
    name === 'https' &&
    !/^[\w-]+(?:\.[\w-]+)*(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/i.test(authority)
  )
    return 'expected the name of a host'
  return FOREIGN.has(name) ? `the scheme ${name} cannot be led back to` : undefined
}

const withoutPort = (uri: string): string => uri.replace(LOOPBACK, '$1')

/**
 * Whether a client has registered an address: byte for byte (RFC 9700 2.1). With `anyPort` an http
 * address of the machine itself may have another port (RFC 8252 7.3): who listens there cannot choose.
 */
export function isRegistered(
  uri: string,
  registered: readonly string[],
  anyPort: boolean,
): boolean {
  if (registered.includes(uri)) return true
  // A port beyond 65535 is none: such an address leads nowhere.
  if (!anyPort || !LOOPBACK.test(uri) || !isReadable(uri)) return false
  return registered.some(r => withoutPort(r) === withoutPort(uri))
}

/** What a user is shown of an address: the host, or for a program's own scheme the scheme. */
export function placeOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//`
}

/** An address with parameters of an answer added to its query. */
export function withAnswer(uri: string, answer: Record<string, string | undefined>): string {
  const given = Object.entries(answer).filter((e): e is [string, string] => e[1] !== undefined)
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}
