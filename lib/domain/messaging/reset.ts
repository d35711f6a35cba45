import type { Settings } from '#lib/core/context.ts'
import { readToken, signToken } from '#lib/core/tokens.ts'
import type { ResetMessage } from './claimed.ts'
import type { Skipped } from './compose.ts'
import type { ResetData } from './schema.ts'
import type { Letter } from './templates.ts'

const PURPOSE = 'password-reset'
/** How long a link to a new password works. */
const LIFETIME_MS = 3_600_000

const SEPARATOR = '.'

/** Who a link to a new password is for, and for which password: undefined for a forged or old one. */
export async function readResetToken(
  { secret }: Settings,
  token: string,
  now: Date,
): Promise<ResetData | undefined> {
  const [userId, stamp] = (await readToken(secret, PURPOSE, token, now))?.split(SEPARATOR) ?? []
  return userId && stamp ? { userId: Number(userId), stamp } : undefined
}

/**
 * The words of a message that leads to a new password. The token is made here, from the row, so that
 * each try sends the same and none is ever kept.
 */
export async function writeReset(
  { data, createdAt, recipient }: ResetMessage,
  { secret, publicUrl }: Settings,
  now: Date,
): Promise<Letter | Skipped> {
  const expiresAt = new Date(Date.parse(createdAt) + LIFETIME_MS)
  if (expiresAt <= now) return { skipped: 'skipped: the link has expired' }
  const subject = [data.userId, data.stamp].join(SEPARATOR)
  const token = await signToken(secret, { purpose: PURPOSE, subject, expiresAt })
  return {
    subject: 'Choose a new password',
    heading: 'Choose a new password',
    lead: 'You asked for a new password. This link works once, within an hour.',
    greeting: 'Hello,',
    facts: [['Account', recipient]],
    dates: [],
    button: { label: 'Choose a new password', url: `${publicUrl}/reset?token=${token}` },
    footer: 'If it was not you who asked, do nothing: your password stays as it is.',
  }
}
