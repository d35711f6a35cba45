/** Bytes as unpadded base64url (RFC 4648 section 5). */
export const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The bytes of unpadded base64url text; undefined when it is not that. */
export function fromBase64url(text: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), c =>
      c.charCodeAt(0),
    )
  } catch {
    return undefined
  }
}

/** `bytes` random bytes as base64url: 16 bytes make the 128-bit public identifiers. */
export const randomText = (bytes: number): string =>
  base64url(crypto.getRandomValues(new Uint8Array(bytes)))

/** A public identifier of 128 random bits. */
export const newUid = (): string => randomText(16)

/** A text as the database can compare it, which cannot keep a NUL character. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '')

const encoder = new TextEncoder()

// Every request hashes its credential: a table is several times faster than writing each byte anew.
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += HEX[byte]
  return text
}

/** SHA-256 of bytes, in lower-case hex. */
export async function sha256OfBytes(bytes: BufferSource): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/** SHA-256 of UTF-8 text, in lower-case hex. */
export const sha256 = (text: string): Promise<string> => sha256OfBytes(encoder.encode(text))

/** Whether two texts are equal, in a time that does not tell where they differ. */
export function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++)
    difference |= a.charCodeAt(i) ^ b.charCodeAt(i % (b.length || 1))
  return difference === 0
}

/** The key of a secret for `hmacBy`: to be kept by who signs much with it. */
export const hmacKey = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])

/** HMAC-SHA256 of bytes by a key of `hmacKey`, in lower-case hex. */
export const hmacBy = async (key: CryptoKey, bytes: BufferSource): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes)))

/** HMAC-SHA256 of UTF-8 text, in lower-case hex. */
export const hmac = async (secret: string, text: string): Promise<string> =>
  hmacBy(await hmacKey(secret), encoder.encode(text))

/** The beginning of a text, at most `max` UTF-16 units, which ends with a whole character. */
export const clip = (text: string, max: number): string =>
  text.slice(0, max).replace(/[\ud800-\udbff]$/, '')

/** A name as a path segment: `Deep Tissue (60')` becomes `deep-tissue-60`. Never empty. */
export const slugify = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
    .replace(/-+$/, '') || 'item'

/** The first of `base`, `base-2`, `base-3`, … that is not taken, or the one `skip` places further. */
export function freeSlug(base: string, taken: readonly string[], skip = 0): string {
  const used = new Set(taken)
  if (!used.has(base)) return base
  let left = skip
  for (let n = 2; ; n++) if (!used.has(`${base}-${n}`) && left-- === 0) return `${base}-${n}`
}

/** A random whole number from 0 to below `end`, which is at most 256: to spread things out. */
export const randomBelow = (end: number): number =>
  (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) % end
