import type { Base } from '#lib/core/context.ts'
import { ApiError, conflict, notFound } from '#lib/core/errors.ts'
import { slugify } from '#lib/core/text.ts'
import { lookingAgain, lostTo } from '#lib/db/meanings.ts'
import { lookUp } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import type { Write } from '#lib/db/write.ts'
import { freeUsername, usernameFrom } from '#lib/domain/accounts/names.ts'
import { addUser, USERNAME_TAKEN } from '#lib/domain/accounts/newcomers.ts'
import { checkPassword, hashPassword } from '#lib/domain/accounts/passwords.ts'
import { memberFacts } from '#lib/domain/accounts/queries.ts'
import { takeSession } from '#lib/domain/accounts/switch.ts'
import { readInvitationToken } from '#lib/domain/messaging/invitation.ts'
import { lockEmployee } from '#lib/domain/staff/queries.ts'
import { endFormer, giveSchedule, joinAccount, moveTime } from './joining.ts'
import { endInvitation, linkUser, shownInvitation } from './queries.ts'
import type { Acceptance, Newcomer, Refusal, ShownInvitation } from './schema.ts'

/** A browser in which a user has signed in: who, and the value of the session's cookie. */
export interface Browser {
  userId: number
  session: string
}

/** Who has joined which account. */
export interface Joined {
  accountId: number
  userId: number
}

interface Known extends ShownInvitation {
  tenant: Tenant
}

/** What a link leads to; undefined for one that is forged, or too old. Looking changes nothing. */
export async function findInvitation(base: Base, token: string): Promise<Known | undefined> {
  await base.admission()
  const read = await readInvitationToken(base.settings, token, base.now)
  if (!read) return undefined
  const tenant = base.enter(read.accountId)
  const found = await tenant.read(shownInvitation, { id: read.id })
  return found ? { ...found, tenant } : undefined
}

/** An invitation that can be answered: a link to another says nothing of passwords. */
async function openInvitation(base: Base, token: string): Promise<Known> {
  const known = (await findInvitation(base, token)) ?? notFound('Invitation')
  return known.outcome === null ? known : conflict('The invitation is over')
}

/**
 * Makes a user of somebody who was invited, with the address that the invitation went to, and a member of
 * the account that invites.
 * @throws NOT_FOUND for a link that is no good; CONFLICT when the invitation is over, or when somebody
 * has the address: whoever that is shows it by their password (`acceptInvitation`)
 */
export async function joinAsNewcomer(base: Base, input: Newcomer): Promise<Joined> {
  const { id, email, employeeId, tenant } = await openInvitation(base, input.token)
  const passwordHash = await hashPassword(input.password)
  const wanted = usernameFrom(slugify(email.split('@')[0] ?? input.name))
  return lookingAgain(USERNAME_TAKEN, async () => {
    const facts = await lookUp(base.db, memberFacts, { username: wanted })
    const { userId } = facts
    const username = freeUsername(wanted, facts.usernames)
    const now = base.now.toISOString()
    const write = tenant.write('invitation.accept', id)
    const { name, timeZone = 'UTC' } = input
    write.run(lockEmployee, { id: employeeId })
    write.run(endInvitation, { id, outcome: 'accepted', now })
    addUser(write, facts, { email, name, username, passwordHash, timeZone }, now, () =>
      write.run(linkUser, { id, userId, now }).run(joinAccount, { employeeId, userId, now }),
    )
    return write.commit({ accountId: tenant.accountId, userId })
  })
}

/**
 * Makes a user who exists a member of the account that invites them. They show who they are by their
 * password, or have signed in already: then their session goes over to the account.
 * @throws NOT_FOUND for a link that is no good; UNAUTHORIZED for whoever else has it; CONFLICT when the
 * invitation is over, or for a member
 */
export async function acceptInvitation(
  base: Base,
  { token, password }: Acceptance,
  browser: Browser | undefined,
): Promise<Joined> {
  const { id, employeeId, tenant, user, email } = await openInvitation(base, token)
  const { id: userId, passwordHash } = user ?? notFound('User')
  const own = browser?.userId === userId ? browser : undefined
  if (!own && !(await checkPassword(password ?? '', passwordHash)))
    throw new ApiError('UNAUTHORIZED', `This is not the password of ${email}`)
  const now = base.now.toISOString()
  const joining = { employeeId, userId, now }
  const write = tenant.write('invitation.accept', id)
  write.run(lockEmployee, { id: employeeId })
  write.run(endInvitation, { id, outcome: 'accepted', now }).run(linkUser, { id, userId, now })
  write.run(moveTime, joining).run(joinAccount, joining)
  for (const end of endFormer) write.run(end, joining)
  write.run(giveSchedule, { userId, now })
  if (own) await takeSession(write, own)
  return commitFree(write, { accountId: tenant.accountId, userId })
}

/** What one hosts from before may be at a time at which the employee is booked: the business sees to it. */
async function commitFree(write: Write, joined: Joined): Promise<Joined> {
  try {
    return await write.commit(joined)
  } catch (error) {
    if (lostTo(error) !== 'occupancies_no_overlap') throw error
    return conflict(
      'You still host a meeting at a time at which you are booked: ask who invited you to move one',
    )
  }
}

/**
 * Declines an invitation.
 * @throws NOT_FOUND for a link that is no good; CONFLICT when the invitation is over
 */
export async function declineInvitation(base: Base, { token }: Refusal): Promise<void> {
  const { id, tenant } = await openInvitation(base, token)
  const write = tenant.write('invitation.decline', id)
  write.run(endInvitation, { id, outcome: 'declined', now: base.now.toISOString() })
  await write.commit(null)
}
