import { hmac, newUid, sameText } from '#lib/core/text.ts'

const sign = (secret: string, accountId: number, uid: string): Promise<string> =>
  hmac(secret, JSON.stringify(['mcp-session', accountId, uid]))

/**
 * The id of a new session: random, signed for its account, and kept nowhere. It never expires, as
 * no client recovers from a session that does.
 */
export async function newSession(secret: string, accountId: number): Promise<string> {
  const uid = newUid()
  return `${uid}.${await sign(secret, accountId, uid)}`
}

/** Whether a session's id was given to this account. */
export async function isSessionOf(
  secret: string,
  accountId: number,
  session: string,
): Promise<boolean> {
  const [uid = '', signature = ''] = session.split('.')
  return sameText(signature, await sign(secret, accountId, uid))
}
