import { seal, unseal } from '#lib/core/seal.ts'
import { hmac } from '#lib/core/text.ts'

/** The secrets of a webhook. The previous one is still valid until `previousSecretUntil` (ISO 8601). */
export interface Secrets {
  secret: string | null
  previousSecret: string | null
  previousSecretUntil: string | null
}

/** What the secrets of an account's webhooks are sealed for. */
const sealedFor = (accountId: number) => ({
  purpose: 'webhook secret',
  owner: `account ${accountId}`,
})

/** A webhook's secret as it is kept: by whom the database is read, it is not. */
export const sealSecret = (appSecret: string, accountId: number, secret: string): Promise<string> =>
  seal(appSecret, secret, sealedFor(accountId))

/**
 * The secrets of an account's webhook, out of what is kept.
 * @throws Error when they were sealed by another APP_SECRET
 */
export async function openSecrets(
  appSecret: string,
  accountId: number,
  { secret, previousSecret, previousSecretUntil }: Secrets,
): Promise<Secrets> {
  const open = (kept: string | null) => kept && unseal(appSecret, kept, sealedFor(accountId))
  return {
    secret: await open(secret),
    previousSecret: await open(previousSecret),
    previousSecretUntil,
  }
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
