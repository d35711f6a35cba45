import type { Settings } from '#lib/core/context.ts'
import type { Role } from '#lib/core/permissions.ts'
import { readToken, signToken } from '#lib/core/tokens.ts'
import type { InvitationMessage } from './claimed.ts'
import type { Skipped } from './compose.ts'
import type { Letter } from './templates.ts'
import { usableStyle, writeInstant } from './times.ts'

const PURPOSE = 'invitation'
const SEPARATOR = '.'

/** What a role is called to somebody who is asked to take it on. */
export const ROLE_WORDS: Record<Role, string> = {
  owner: 'Owner',
  admin: 'Admin',
  manager: 'Manager',
  staff: 'Staff',
}

/** Which invitation of which account a link is for: undefined for one that is forged, or too old. */
export async function readInvitationToken(
  { secret }: Settings,
  token: string,
  now: Date,
): Promise<{ accountId: number; id: number } | undefined> {
  const [accountId, id] = (await readToken(secret, PURPOSE, token, now))?.split(SEPARATOR) ?? []
  return accountId && id ? { accountId: Number(accountId), id: Number(id) } : undefined
}

/**
 * The words of a message that asks somebody into an account. The token is made here, from the row, so
 * that each try sends the same and none is ever kept.
 */
export async function writeInvitation(
  { accountId, invitation, sender }: InvitationMessage,
  { secret, publicUrl }: Settings,
  now: Date,
): Promise<Letter | Skipped> {
  const { id, name, role, inviter, isOpen } = invitation
  const expiresAt = new Date(invitation.expiresAt)
  if (!isOpen || expiresAt <= now) return { skipped: 'skipped: the invitation is over' }
  const subject = [accountId, id].join(SEPARATOR)
  const token = await signToken(secret, { purpose: PURPOSE, subject, expiresAt })
  return {
    subject: `${inviter.name} invites you to ${sender.name}`,
    heading: `Join ${sender.name}`,
    lead: `${inviter.name} would like you to work with ${sender.name} on Almanac: your appointments, your hours and your own booking page in one place.`,
    greeting: `Hello ${name},`,
    facts: [
      ['Business', sender.name],
      ['Invited by', `${inviter.name} (${inviter.email})`],
      ['You will be', ROLE_WORDS[role]],
      ['Until', writeInstant(invitation.expiresAt, usableStyle(['en'], [sender.timeZone]))],
    ],
    dates: [],
    button: { label: 'See the invitation', url: `${publicUrl}/invitation?token=${token}` },
    footer: `You get this because ${inviter.name} gave us your address. Nothing happens unless you accept. If you do not know who asks, decline it by the link, or do nothing: the link ends by itself.`,
  }
}
