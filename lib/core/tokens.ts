import { base64url, fromBase64url, hmac, sameText } from './text.ts'

/** What a token says: for what it may be used, about whom or what, and until when. */
export interface TokenClaims {
  purpose: string
  subject: string
  expiresAt: Date
}

const sign = (secret: string, purpose: string, subject: string, expires: string) =>
  hmac(secret, JSON.stringify(['token', purpose, subject, expires]))

/**
 * A token for a link: the subject and the expiry in the open, signed (HMAC-SHA256) together with the
 * purpose, so that a token for one thing does not open another. Needs no place in the database.
 */
export async function signToken(
  secret: string,
  { purpose, subject, expiresAt }: TokenClaims,
): Promise<string> {
  const expires = expiresAt.getTime().toString(36)
  const signature = await sign(secret, purpose, subject, expires)
  return [base64url(new TextEncoder().encode(subject)), expires, signature].join('.')
}

/** The subject of a token made for `purpose`; undefined when it is forged, or expired at `now`. */
export async function readToken(
  secret: string,
  purpose: string,
  token: string,
  now: Date,
): Promise<string | undefined> {
  const [encoded, expires, signature, ...rest] = token.split('.')
  if (!encoded || !expires || !signature || rest.length > 0) return undefined
  const bytes = fromBase64url(encoded)
  if (!bytes) return undefined
  const subject = new TextDecoder().decode(bytes)
  const expected = await sign(secret, purpose, subject, expires)
  const isGenuine = sameText(signature, expected)
  return isGenuine && now.getTime() < Number.parseInt(expires, 36) ? subject : undefined
}
