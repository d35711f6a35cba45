const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const GROUPS = 8
const NETWORK_GROUPS = 4

/**
 * What an address is counted as: an IPv4 address itself, of an IPv6 address its /64, all of which one
 * subscriber has to choose from (RFC 6177). Whichever way it is written (RFC 4291 section 2.2).
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  const mapped = MAPPED.exec(address)?.[1]
  if (mapped) return mapped
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const [left, right] = [groups(head), groups(tail ?? '')]
  const zeros = Array.from({ length: Math.max(0, GROUPS - left.length - right.length) }, () => '0')
  return [...left, ...zeros, ...right]
    .slice(0, NETWORK_GROUPS)
    .map(group => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
