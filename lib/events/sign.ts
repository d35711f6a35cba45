import { seal, unseal } from '#lib/core/seal.ts'
import { hmacBy, hmacKey } from '#lib/core/text.ts'

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

/** Makes the headers that prove where a body comes from. */
export type Signer = (body: BufferSource) => Promise<Record<string, string>>

/**
 * The signer of an account's webhook, out of what is kept: hex HMAC-SHA256 of the raw body, by the
 * secret and, while a rotation lasts at `now`, by the previous one. No header without a secret.
 * @throws Error when they were sealed by another APP_SECRET
 */
export async function openSigner(
  appSecret: string,
  accountId: number,
  { secret, previousSecret, previousSecretUntil }: Secrets,
  now: Date,
): Promise<Signer> {
  const open = async (kept: string) => hmacKey(await unseal(appSecret, kept, sealedFor(accountId)))
  const overlaps = previousSecretUntil !== null && Date.parse(previousSecretUntil) > now.getTime()
  const key = secret === null ? null : await open(secret)
  const previous = previousSecret === null || !overlaps ? null : await open(previousSecret)
  return async body => ({
    ...(key && { 'x-service-signature': await hmacBy(key, body) }),
    ...(key && previous && { 'x-service-signature-previous': await hmacBy(previous, body) }),
  })
}
