import { sql } from 'drizzle-orm'
import { oauthKeys } from '#drizzle/schema/oauth.ts'
import { bounded } from '#lib/core/bounded.ts'
import { seal, unseal } from '#lib/core/seal.ts'
import { newUid } from '#lib/core/text.ts'
import type { Db } from '#lib/db/client.ts'
import { json, jsonArray } from '#lib/db/json.ts'
import { entrance, lookUp } from '#lib/db/query.ts'

/** Access tokens are signed with ECDSA over P-256 and SHA-256. */
export const ALGORITHM = 'ES256'
const CURVE = { name: 'ECDSA', namedCurve: 'P-256' } as const
/** A key that is no longer in use is published for a day; what it signed last ends after 30 minutes. */
const RETIRED_DAYS = 1
const ROTATED_DAYS = 90
const DAY_MS = 86_400_000

/** A key pair as it is kept. */
export interface KeptKey {
  kid: string
  privateKey: string
  createdAt: string
}

/** A public key as it is published (RFC 7517). */
export type PublicKey = Record<string, string>

/** What signs: the private key and its name. */
export interface Signer {
  kid: string
  key: CryptoKey
}

const k = oauthKeys

/** The JSON of the key in use, null before there is one; part of a query. */
export const currentKey = () =>
  sql`(select ${json({
    kid: k.kid,
    privateKey: k.privateKey,
    createdAt: k.createdAt,
  })} from ${k} where ${k.retiredAt} is null)`

const current = entrance<object, KeptKey | null>(() => sql`select ${currentKey()}`)

const published = entrance<object, PublicKey[]>(
  () => sql`select ${jsonArray(k.publicKey, sql`from ${k} order by ${k.createdAt} desc`)}`,
)

const publishedOne = entrance<{ kid: string }, PublicKey | null>(
  p => sql`select ${k.publicKey} from ${k} where ${k.kid} = ${p.kid}`,
)

const retire = entrance<{ kid: string; now: string }, unknown>(
  p => sql`update ${k} set retired_at = ${p.now}::timestamptz
    where ${k.kid} = ${p.kid} and ${k.retiredAt} is null`,
)

const insert = entrance<
  { kid: string; publicKey: string; privateKey: string; now: string },
  unknown
>(
  p => sql`insert into ${k} (kid, public_key, private_key, created_at)
    values (${p.kid}, ${p.publicKey}::jsonb, ${p.privateKey}, ${p.now}::timestamptz)
    on conflict do nothing`,
)

const dropRetired = entrance<{ before: string }, unknown>(
  p => sql`delete from ${k} where ${k.retiredAt} < ${p.before}::timestamptz`,
)

/** The public keys of what is or was signed with, the present one first. */
export const publicKeys = (db: Db): Promise<PublicKey[]> => lookUp(db, published, {})

/** `kid` goes into the seal: a private key cannot be put under another's name. */
const sealedFor = (kid: string) => ({ purpose: 'private keys of access tokens', owner: kid })

/** Puts a new key in the place of one, or of none. Of several at once one does; it is answered. */
async function makeKey(
  db: Db,
  secret: string,
  replaced: string | undefined,
  now: Date,
): Promise<KeptKey> {
  const pair = await crypto.subtle.generateKey(CURVE, true, ['sign', 'verify'])
  if (!('privateKey' in pair)) throw new Error('A pair of keys was expected')
  const kid = newUid()
  const [mine, theirs] = await Promise.all([
    crypto.subtle.exportKey('jwk', pair.privateKey),
    crypto.subtle.exportKey('jwk', pair.publicKey),
  ])
  if (!('kty' in mine && 'kty' in theirs)) throw new Error('A JSON Web Key was expected')
  const { kty, crv, x, y } = theirs
  const at = now.toISOString()
  const publicKey = JSON.stringify({ kty, crv, x, y, kid, alg: ALGORITHM, use: 'sig' })
  const privateKey = await seal(secret, JSON.stringify(mine), sealedFor(kid))
  await db.trip([
    ...(replaced === undefined ? [] : [retire.with({ kid: replaced, now: at })]),
    insert.with({ kid, publicKey, privateKey, now: at }),
  ])
  const made = await lookUp(db, current, {})
  if (!made) throw new Error('There is no key to sign with')
  return made
}

const signers = new Map<string, Signer>()

async function openKey(secret: string, kept: KeptKey): Promise<Signer | undefined> {
  const known = signers.get(kept.kid)
  if (known) return known
  const text = await unseal(secret, kept.privateKey, sealedFor(kept.kid)).catch(() => undefined)
  if (text === undefined) return undefined
  const key = await crypto.subtle.importKey('jwk', JSON.parse(text), CURVE, false, ['sign'])
  const signer = { kid: kept.kid, key }
  signers.clear()
  signers.set(kept.kid, signer)
  return signer
}

/** What signs now. Makes a key where there is none, or none that the present APP_SECRET opens. */
export async function signerOf(
  db: Db,
  secret: string,
  kept: KeptKey | null,
  now: Date,
): Promise<Signer> {
  const opened = kept ? await openKey(secret, kept) : undefined
  if (opened) return opened
  const made = await openKey(secret, await makeKey(db, secret, kept?.kid, now))
  if (!made) throw new Error('The key to sign with cannot be opened')
  return made
}

/** Replaces a key that has served its time, and drops those whose last signatures have expired. */
export async function rotateKeys(db: Db, secret: string, now: Date): Promise<void> {
  const kept = await lookUp(db, current, {})
  if (kept && now.getTime() - Date.parse(kept.createdAt) > ROTATED_DAYS * DAY_MS)
    await makeKey(db, secret, kept.kid, now)
  const before = new Date(now.getTime() - RETIRED_DAYS * DAY_MS).toISOString()
  await db.trip([dropRetired.with({ before })])
}

const checkers = bounded<CryptoKey>(20)

/**
 * The public key of a name, remembered in the isolate; undefined for a name that nobody has. Such a one
 * costs a look each time, as a made-up API key does.
 */
export async function checkerOf(db: Db, kid: string): Promise<CryptoKey | undefined> {
  const known = checkers.get(kid)
  if (known) return known
  const found = await lookUp(db, publishedOne, { kid })
  if (!found) return undefined
  const { kty = '', crv = '', x = '', y = '' } = found
  const key = await crypto.subtle.importKey('jwk', { kty, crv, x, y }, CURVE, false, ['verify'])
  checkers.set(kid, key)
  return key
}
