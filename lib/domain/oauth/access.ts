import { type JWTPayload, jwtVerify, SignJWT } from 'jose'
import type { Settings } from '#lib/core/context.ts'
import { knownScopes, namesIn, type Scope } from '#lib/core/scopes.ts'
import { newUid, withoutNul } from '#lib/core/text.ts'
import type { Db } from '#lib/db/client.ts'
import { ALGORITHM, checkerOf, type Signer } from './keys.ts'

/** How long an access token lasts, in seconds. */
export const ACCESS_SECONDS = 1800
const TYPE = 'at+jwt'

/** What an access token says (RFC 9068); `grant` is what it lives and dies with. */
export interface Access {
  accountId: number
  grantId: number
  userId: number
  clientId: string
  scopes: readonly Scope[]
  audience: readonly string[]
}

/** Signs an access token that begins at `now`. */
export function signAccess(
  { kid, key }: Signer,
  issuer: string,
  { accountId, grantId, userId, clientId, scopes, audience }: Access,
  now: Date,
): Promise<string> {
  const at = Math.floor(now.getTime() / 1000)
  return new SignJWT({
    client_id: clientId,
    scope: scopes.join(' '),
    account: accountId,
    grant: grantId,
  })
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
    .setIssuer(issuer)
    .setSubject(String(userId))
    .setAudience([...audience])
    .setIssuedAt(at)
    .setExpirationTime(at + ACCESS_SECONDS)
    .setJti(newUid())
    .sign(key)
}

const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0

/** What the claims say that `signAccess` writes; undefined where one is not as that writes it. */
function accessOf({ sub, aud, client_id, scope, account, grant }: JWTPayload): Access | undefined {
  const userId = Number(sub)
  if (!isId(account) || !isId(grant) || !isId(userId)) return undefined
  if (typeof client_id !== 'string' || typeof scope !== 'string' || !aud) return undefined
  return {
    accountId: account,
    grantId: grant,
    userId,
    clientId: client_id,
    scopes: knownScopes(namesIn(scope)),
    audience: [aud].flat(),
  }
}

/**
 * What an access token of ours says; undefined when it is not ours, forged or expired at `now`. Whether
 * its grant lives is asked elsewhere.
 */
export async function readAccess(
  db: Db,
  { publicUrl }: Settings,
  token: string,
  now: Date,
): Promise<Access | undefined> {
  try {
    const { payload } = await jwtVerify(
      token,
      async ({ kid = '' }) => {
        // Nothing is checked before the key is found: whoever forges one writes what they like there.
        const key = await checkerOf(db, withoutNul(String(kid)))
        if (!key) throw new UnknownKey()
        return key
      },
      { issuer: publicUrl, typ: TYPE, algorithms: [ALGORITHM], currentDate: now },
    )
    return accessOf(payload)
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

class UnknownKey extends Error {}

/** What is wrong with the token; what is wrong with the database is thrown on. */
const isRefusal = (error: unknown): boolean =>
  error instanceof UnknownKey ||
  (error instanceof Error && 'code' in error && /^ERR_J/.test(String(error.code)))
