import { bounded } from './bounded.ts'
import { base64url, fromBase64url } from './text.ts'

/** What a sealed text begins with; the number is that of the way it was sealed. */
const MARK = 'sealed:1:'
const NONCE_BYTES = 12

/** What a text was sealed for: it opens for the same purpose and the same owner alone. */
export interface SealedFor {
  /** What it is, such as `webhook secret`: each purpose has a key of its own. */
  purpose: string
  /** Whose it is, such as `account 7`. */
  owner: string
}

const encoder = new TextEncoder()
const keys = bounded<Promise<CryptoKey>>(20)

/** The key of a purpose (HKDF-SHA-256, RFC 5869), derived once per isolate. */
function keyFor(secret: string, purpose: string): Promise<CryptoKey> {
  const name = `${purpose}\n${secret}`
  const known = keys.get(name)
  if (known) return known
  const derived = derive(secret, purpose)
  keys.set(name, derived)
  return derived
}

async function derive(secret: string, purpose: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, [
    'deriveKey',
  ])
  const salt = new Uint8Array(32)
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt, info: encoder.encode(purpose) },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
}

/** Whether a text was made by `seal`. */
export const isSealed = (text: string): boolean => text.startsWith(MARK)

/**
 * Encrypts a text (AES-256-GCM) so that it can be kept: who reads the database alone learns nothing of
 * it, and cannot give it to another owner.
 * @param secret the deployment's own, APP_SECRET
 */
export async function seal(secret: string, text: string, sealed: SealedFor): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const additionalData = encoder.encode(sealed.owner)
  const key = await keyFor(secret, sealed.purpose)
  const algorithm = { name: 'AES-GCM', iv, additionalData }
  const bytes = new Uint8Array(await crypto.subtle.encrypt(algorithm, key, encoder.encode(text)))
  return `${MARK}${base64url(iv)}.${base64url(bytes)}`
}

/**
 * The text that was sealed. One that never was comes back as it is: it was kept before there was
 * sealing.
 * @throws Error when it was sealed for something else, by another secret, or was changed since
 */
export async function unseal(secret: string, text: string, sealed: SealedFor): Promise<string> {
  if (!isSealed(text)) return text
  const [iv, bytes] = text.slice(MARK.length).split('.').map(fromBase64url)
  if (!iv || !bytes) throw new Error(`A sealed ${sealed.purpose} is not readable`)
  const additionalData = encoder.encode(sealed.owner)
  const key = await keyFor(secret, sealed.purpose)
  const open = crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, bytes)
  const plain = await open.catch(() => {
    throw new Error(`A ${sealed.purpose} was sealed by another APP_SECRET, or changed since`)
  })
  return new TextDecoder().decode(plain)
}
