import { sameText, sha256 } from '#lib/core/text.ts'
import { refuse } from './errors.ts'
import type { Parameters } from './parameters.ts'

/** What a client says of itself: who it is, and the secret that shows it. */
export interface Presented {
  clientId: string
  secret: string | undefined
}

/** What is known of a client that presents itself. */
export interface KnownClient {
  id: number
  type: 'confidential' | 'public'
  status: 'pending' | 'approved' | 'rejected'
  secretHash: string | null
  /** The secret before the last rotation, and when it ends, in milliseconds since the epoch. */
  previousSecretHash: string | null
  previousSecretUntil: number | null
}

/** A name or secret within Basic is form-encoded first (RFC 6749 2.3.1). */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return refuse('invalid_client', 'The Authorization header cannot be read')
  }
}

function readBasic(header: string): Presented {
  const [, encoded = ''] = /^Basic +([\w+/=-]+) *$/i.exec(header) ?? []
  let text = ''
  try {
    text = atob(encoded)
  } catch {
    // Whatever is wrong with it, the answer is the same.
  }
  const colon = text.indexOf(':')
  if (colon < 1 || /%00|\0/.test(text))
    return refuse('invalid_client', 'The Authorization header cannot be read')
  const secret = formDecoded(text.slice(colon + 1))
  return { clientId: formDecoded(text.slice(0, colon)), secret: secret || undefined }
}

/**
 * Who a client says it is: by `Authorization: Basic`, or by `client_id` and `client_secret` in the
 * form; one way only (RFC 6749 2.3).
 */
export function readPresented(authorization: string | null, { one }: Parameters): Presented {
  const { client_id: clientId, client_secret: secret } = one
  if (authorization === null || !/^Basic\b/i.test(authorization))
    return clientId === undefined
      ? refuse('invalid_request', 'client_id is missing')
      : { clientId, secret }
  const basic = readBasic(authorization)
  if (secret !== undefined)
    refuse('invalid_request', 'The client shows its secret in two ways; one is allowed')
  if (clientId !== undefined && clientId !== basic.clientId)
    refuse('invalid_request', 'client_id is not the one of the Authorization header')
  return basic
}

const UNKNOWN = 'The client is unknown or its secret is wrong'

/**
 * Makes sure that a client is who it says: a confidential one by its secret or, while a rotation lasts,
 * the one before it, compared in constant time by what is kept of them.
 * @throws invalid_client, in the same words for one that is unknown; unauthorized_client for one that
 * is not approved
 */
export async function authenticate<C extends KnownClient>(
  client: C | null,
  { secret }: Presented,
  now: Date,
): Promise<C> {
  const hash = await sha256(secret ?? '')
  const isPresent = sameText(hash, client?.secretHash ?? '')
  const isPrevious = sameText(hash, client?.previousSecretHash ?? '')
  const isRight = isPresent || (isPrevious && now.getTime() < (client?.previousSecretUntil ?? 0))
  if (!client || (client.type === 'confidential' ? !isRight : secret !== undefined))
    return refuse('invalid_client', UNKNOWN)
  if (client.status !== 'approved') refuse('unauthorized_client', 'The client is not approved')
  return client
}
