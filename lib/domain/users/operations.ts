import { type Member, requirePermission } from '#lib/core/context.ts'
import { invalid, notFound } from '#lib/core/errors.ts'
import type { Deleted, Json, Page } from '#lib/core/json.ts'
import { type Paging, WEEKDAYS } from '#lib/core/schemas.ts'
import { lister } from '#lib/db/list.ts'
import { createApiKey, type ShownKey } from '#lib/domain/accounts/operations.ts'
import { revokeKey } from '#lib/domain/accounts/queries.ts'
import { apiKeyList, changeProfile, emailOf, hashOfKey, meRecord, userNamed } from './queries.ts'
import type { ApiKey, Me, NewApiKey, ProfileChange } from './schema.ts'

const keyPage = lister<ApiKey>(apiKeyList)

/** The member themselves. */
export async function getMe(m: Member): Promise<Json<Me>> {
  requirePermission(m, 'profile.read')
  return m.tenant.text(meRecord, { userId: m.userId })
}

/**
 * Changes the member's own profile; what is left out stays.
 * @throws CONFLICT when the username is taken; VALIDATION_ERROR for another e-mail address
 */
export async function updateProfile(m: Member, input: ProfileChange): Promise<Json<Me>> {
  requirePermission(m, 'profile.write')
  const { userId } = m
  const { email, timeZone, timeFormat, weekStart, avatarUrl, ...same } = input
  if (email !== undefined) {
    const present = await m.tenant.read(emailOf, { userId })
    if (email.toLowerCase() !== present?.toLowerCase())
      invalid({ field: 'email', message: 'cannot be changed here' })
  }
  const change = JSON.stringify({
    ...same,
    time_zone: timeZone,
    time_format: timeFormat,
    week_start: weekStart && WEEKDAYS.indexOf(weekStart),
    avatar_url: avatarUrl,
  })
  const write = m.tenant.write('user.update', userId)
  write.run(changeProfile, { userId, change, now: m.now.toISOString() })
  return write.commit(write.answer(meRecord, { userId }))
}

/** The user of the account who has an e-mail address, a username, or alone a name; in any case. */
export async function findColleague(m: Member, who: string): Promise<number | undefined> {
  requirePermission(m, 'calendar.own')
  return (await m.tenant.read(userNamed, { who })) ?? undefined
}

/** The member's own API keys that were not revoked, without their values. */
export async function listApiKeys(m: Member, filter: Paging): Promise<Page<ApiKey>> {
  requirePermission(m, 'credentials.read')
  return keyPage(m.tenant, { ...filter, userId: m.userId })
}

/** A new key with its value, which is shown this once. */
export type CreatedKey = ShownKey & Pick<ApiKey, 'note' | 'createdAt' | 'expiresAt'>

/**
 * Makes an API key that acts for the member.
 * @throws VALIDATION_ERROR when it would have expired already
 */
export async function createKey(
  m: Member,
  { note = null, expiresAt = null }: NewApiKey,
): Promise<CreatedKey> {
  requirePermission(m, 'credentials.write')
  if (expiresAt && expiresAt <= m.now)
    invalid({ field: 'expiresAt', message: 'must be in the future' })
  const shown = await createApiKey(m, m.tenant, { userId: m.userId, note, expiresAt })
  const createdAt = m.now.toISOString()
  return { ...shown, note, createdAt, expiresAt: expiresAt?.toISOString() ?? null }
}

/**
 * Revokes an API key of the member's own. Answers the hash of its value as well, so that the edge can
 * forget what it remembers of it; it is not for the caller.
 * @throws NOT_FOUND when the key is somebody else's or revoked
 */
export async function revokeApiKey(
  m: Member,
  { id }: { id: number },
): Promise<{ answer: Deleted; hash: string }> {
  requirePermission(m, 'credentials.write')
  const { userId } = m
  const hash = (await m.tenant.read(hashOfKey, { id, userId })) ?? notFound('API key')
  const write = m.tenant.write('api_key.revoke', id)
  write.run(revokeKey, { id, userId, now: m.now.toISOString() })
  return { answer: await write.commit({ id, deleted: true }), hash }
}
