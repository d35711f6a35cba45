import { base64url, fromBase64url, sameText } from '#lib/core/text.ts'

/**
 * Passwords are kept as PBKDF2-HMAC-SHA256 with 100,000 rounds, the most that the edge runtime's
 * WebCrypto allows, over a random salt of 16 bytes: `pbkdf2-sha256$100000$salt$hash`.
 */
const ROUNDS = 100_000
const SALT_BYTES = 16
const HASH_BITS = 256
const SCHEME = 'pbkdf2-sha256'

async function derive(password: string, salt: Uint8Array, rounds: number): Promise<string> {
  const material = new TextEncoder().encode(password.normalize('NFKC'))
  const key = await crypto.subtle.importKey('raw', material, 'PBKDF2', false, ['deriveBits'])
  const bits = await crypto.subtle.deriveBits(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds },
    key,
    HASH_BITS,
  )
  return base64url(new Uint8Array(bits))
}

/** The text that is kept in place of a password. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES))
  return [SCHEME, ROUNDS, base64url(salt), await derive(password, salt, ROUNDS)].join('$')
}

/**
 * Whether a password is the one that was kept. Without a kept one (nobody has this address) it takes
 * as long, so that the time tells nothing.
 */
export async function checkPassword(password: string, kept: string | null): Promise<boolean> {
  const [scheme, rounds, salt, hash] = (kept ?? '').split('$')
  const saltBytes = fromBase64url(salt ?? '')
  if (scheme !== SCHEME || !saltBytes || !hash) {
    await derive(password, new Uint8Array(SALT_BYTES), ROUNDS)
    return false
  }
  return sameText(await derive(password, saltBytes, Number(rounds)), hash)
}
