import { hmac } from '#lib/core/text.ts'

/** The secrets of a webhook. The previous one is still valid until `previousSecretUntil` (ISO 8601). */
export interface Secrets {
  secret: string | null
  previousSecret: string | null
  previousSecretUntil: string | null
}

/**
 * The headers that prove where a delivery comes from: the hex HMAC-SHA256 of the raw body, by the
 * secret and, while a rotation lasts, by the previous one. None without a secret.
 */
export async function signatureHeaders(
  body: string,
  { secret, previousSecret, previousSecretUntil }: Secrets,
  now: Date,
): Promise<Record<string, string>> {
  if (secret === null) return {}
  const headers = { 'x-service-signature': await hmac(secret, body) }
  const overlaps = previousSecretUntil !== null && Date.parse(previousSecretUntil) > now.getTime()
  if (previousSecret === null || !overlaps) return headers
  return { ...headers, 'x-service-signature-previous': await hmac(previousSecret, body) }
}
