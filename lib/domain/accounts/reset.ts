import { type Base, type Member, requirePermission } from '#lib/core/context.ts'
import { invalid, notFound } from '#lib/core/errors.ts'
import { hmac, sameText, sha256 } from '#lib/core/text.ts'
import { type SignInFacts, userByEmail, userById } from '#lib/db/entrances.ts'
import { lookUp } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import { queueMessage } from '#lib/domain/messaging/queue.ts'
import { readResetToken } from '#lib/domain/messaging/reset.ts'
import type { PasswordNoticeData } from '#lib/domain/messaging/schema.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { changePasswordFrom, endSessions, passwordOf } from './queries.ts'
import type { Forgotten, PasswordChange, Reset } from './schema.ts'

const MINUTE_MS = 60_000
/** 128 bits in hex. */
const STAMP_DIGITS = 32

/**
 * Stands for a password in the token of a link: once the password is another, whatever changed it,
 * the link is used up. Says nothing of the password without the deployment's secret.
 */
const stampOf = async ({ settings }: Base, passwordHash: string | null): Promise<string> =>
  (await hmac(settings.secret, JSON.stringify(['password', passwordHash]))).slice(0, STAMP_DIGITS)

/**
 * Sends whoever has this address a link to a new password, at most one a minute. All of it happens
 * after the answer, which so cannot tell whether anybody has the address.
 */
export async function requestReset(base: Base, { email }: Forgotten): Promise<void> {
  await base.admission()
  base.after(() => sendLink(base, email))
}

async function sendLink(base: Base, typed: string): Promise<void> {
  const user = await lookUp(base.db, userByEmail, { email: typed })
  if (!user) return
  const { accountId, userId, email, passwordHash } = user
  const write = base.enter(accountId).write('password.forget', userId)
  const minute = Math.floor(base.now.getTime() / MINUTE_MS)
  queueMessage(write, base.now, {
    kind: 'password_reset',
    // To the address that is kept: one that was typed may be another that only compares the same.
    recipient: email,
    dedupe: `password_reset:${userId}:${minute}`,
    data: { userId, stamp: await stampOf(base, passwordHash) },
  })
  await write.commit(null)
}

/** The user whom a link leads to a new password; undefined when it is forged, expired or used. */
export async function userOfReset(base: Base, token: string): Promise<SignInFacts | undefined> {
  await base.admission()
  const read = await readResetToken(base.settings, token, base.now)
  if (!read) return undefined
  const user = await lookUp(base.db, userById, { userId: read.userId })
  const isLive = user && sameText(read.stamp, await stampOf(base, user.passwordHash))
  return isLive ? user : undefined
}

/**
 * Gives a user another password by the link that was e-mailed to them, and ends all of their web
 * sessions. Keys and tokens of programs stay.
 * @throws NOT_FOUND for a link that is forged, expired or used; CONFLICT when it is used right now
 */
export async function resetPassword(base: Base, { token, password }: Reset): Promise<void> {
  const user = (await userOfReset(base, token)) ?? notFound('Link')
  const write = base.enter(user.accountId).write('password.reset', user.userId)
  await replace(base, write, user, password, 'link')
  write.run(endSessions, { userId: user.userId, keep: null })
  await write.commit(null)
}

/** Puts another password in the place of the one that was read, and tells the user that it happened. */
async function replace(
  base: Base,
  write: Write,
  { userId, email, passwordHash: was }: Pick<SignInFacts, 'userId' | 'email' | 'passwordHash'>,
  password: string,
  by: PasswordNoticeData['by'],
): Promise<void> {
  const passwordHash = await hashPassword(password)
  write.run(changePasswordFrom, { userId, was, passwordHash, now: base.now.toISOString() })
  queueMessage(write, base.now, {
    kind: 'password_changed',
    recipient: email,
    dedupe: `password_changed:${userId}:${await stampOf(base, passwordHash)}`,
    data: { by },
  })
}

/**
 * Gives the member another password and ends their other web sessions.
 * @param session the value of the cookie whose session stays
 * @throws VALIDATION_ERROR when the present password is another
 */
export async function changePassword(
  m: Member,
  { currentPassword, password }: PasswordChange,
  session: string,
): Promise<void> {
  requirePermission(m, 'credentials.write')
  await m.admission()
  const { userId } = m
  const known = (await m.tenant.read(passwordOf, { userId })) ?? notFound('User')
  if (!(await checkPassword(currentPassword, known.passwordHash)))
    invalid({ field: 'currentPassword', message: 'is not your password' })
  const write = m.tenant.write('password.change', userId)
  await replace(m, write, { userId, ...known }, password, 'settings')
  write.run(endSessions, { userId, keep: await sha256(session) })
  await write.commit(null)
}
