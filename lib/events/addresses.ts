/** A block of addresses: its first bytes, and how many bits of them count. */
type Block = readonly [prefix: readonly number[], bits: number]

/** IPv4 blocks that are not for everybody (IANA special-purpose registry, RFC 6890), and multicast. */
const CLOSED_V4: readonly Block[] = [
  [[0], 8],
  [[10], 8],
  [[100, 64], 10],
  [[127], 8],
  [[169, 254], 16],
  [[172, 16], 12],
  [[192, 0, 0], 24],
  [[192, 0, 2], 24],
  [[192, 88, 99], 24],
  [[192, 168], 16],
  [[198, 18], 15],
  [[198, 51, 100], 24],
  [[203, 0, 113], 24],
  [[224], 3],
]

/** The block that public IPv6 addresses are from (RFC 4291 section 2.4). */
const OPEN_V6: Block = [[0x20], 3]

/**
 * What of that block is not for everybody: IETF protocols with Teredo, documentation, and 6to4,
 * which leads to the IPv4 address within.
 */
const CLOSED_V6: readonly Block[] = [
  [[0x20, 0x01, 0x00], 23],
  [[0x20, 0x01, 0x0d, 0xb8], 32],
  [[0x20, 0x02], 16],
  [[0x3f, 0xff, 0x00], 20],
]

/**
 * Whether an address, as a resolver writes it, can be reached by everybody: not a loopback, private,
 * link-local (with the metadata services of clouds), shared, multicast, documentation, translated or
 * reserved one. What is no address is not public either.
 */
export function isPublicAddress(text: string): boolean {
  const v4 = readV4(text)
  if (v4) return !CLOSED_V4.some(block => isWithin(v4, block))
  const v6 = readV6(text)
  return v6 !== undefined && isWithin(v6, OPEN_V6) && !CLOSED_V6.some(block => isWithin(v6, block))
}

function isWithin(address: readonly number[], [prefix, bits]: Block): boolean {
  return prefix.every((byte, i) => {
    const counted = Math.min(8, bits - i * 8)
    const mask = counted <= 0 ? 0 : 0xff & (0xff << (8 - counted))
    return ((address[i] ?? 0) & mask) === (byte & mask)
  })
}

function readV4(text: string): number[] | undefined {
  if (!/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return undefined
  const bytes = text.split('.').map(Number)
  return bytes.every(byte => byte <= 255) ? bytes : undefined
}

/** The 16 bytes of an IPv6 address (RFC 4291 section 2.2). */
function readV6(text: string): number[] | undefined {
  const tail = /(?<=:)\d{1,3}(?:\.\d{1,3}){3}$/.exec(text)?.[0]
  const embedded = tail === undefined ? undefined : readV4(tail)
  if (tail !== undefined && !embedded) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = embedded ?? []
  const hex = ((a << 8) | b).toString(16)
  const whole =
    tail === undefined
      ? text
      : `${text.slice(0, -tail.length)}${hex}:${((c << 8) | d).toString(16)}`
  const [head = '', rest, ...more] = whole.split('::')
  if (more.length > 0) return undefined
  const left = head === '' ? [] : head.split(':')
  const right = rest === undefined || rest === '' ? [] : rest.split(':')
  const gap = 8 - left.length - right.length
  if (rest === undefined ? gap !== 0 : gap < 1) return undefined
  const groups = [...left, ...Array<string>(gap).fill('0'), ...right]
  if (!groups.every(group => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return groups.map(group => Number.parseInt(group, 16)).flatMap(n => [n >> 8, n & 0xff])
}
