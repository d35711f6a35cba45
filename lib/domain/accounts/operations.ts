import { apiKeys, members, people, webSessions } from '#drizzle/schema/accounts.ts'
import type { Base, Member, Plan } from '#lib/core/context.ts'
import { ApiError } from '#lib/core/errors.ts'
import type { Role } from '#lib/core/permissions.ts'
import { freeSlug, randomText, sha256, slugify } from '#lib/core/text.ts'
import { userByEmail } from '#lib/db/entrances.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import { lookUp } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import type { Write } from '#lib/db/write.ts'
import { freeUsername, usernameFrom } from './names.ts'
import { addUser, type NewUser, USERNAME_TAKEN } from './newcomers.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import {
  deleteSession,
  insertAccount,
  memberFacts,
  nextKeyId,
  type SignUpFacts,
  signUpFacts,
} from './queries.ts'
import { DEFAULT_BOOKING_POLICY, type NewAccount, type SignIn, type SignUp } from './schema.ts'

const SESSION_DAYS = 30
const KEY_BYTES = 32

/** A name was free a moment ago. */
const NAMES_TAKEN = new Set([...USERNAME_TAKEN, 'accounts_subdomain'])

/**
 * Makes a user and their account, with the user as owner, a default schedule and an event type of 30
 * minutes.
 * @throws CONFLICT when the e-mail address has an account
 */
export async function signUp(base: Base, input: SignUp, plan: Plan = 'free'): Promise<NewAccount> {
  const passwordHash = await hashPassword(input.password)
  const wanted = {
    username: usernameFrom(slugify(input.email.split('@')[0] ?? input.name)),
    subdomain: slugify(input.businessName ?? input.name).slice(0, 50),
  }
  const timeZone = input.timeZone ?? 'UTC'
  return lookingAgain(NAMES_TAKEN, async () => {
    const known = await lookUp(base.db, signUpFacts, wanted)
    const { accountId, userId } = known
    const username = freeUsername(wanted.username, known.usernames)
    const subdomain = freeSlug(wanted.subdomain, known.subdomains)
    const now = base.now.toISOString()
    const tenant = base.enter(accountId)
    const write = tenant.write('account.create', accountId)
    const name = input.businessName ?? input.name
    const policy = JSON.stringify(DEFAULT_BOOKING_POLICY)
    write.run(insertAccount, { name, subdomain, plan, timeZone, policy, now })
    const owner = { ...input, username, passwordHash, timeZone, role: 'owner' as const }
    addMemberUser(write, known, owner, now)
    return write.commit({ userId, accountId, username, subdomain })
  })
}

/** A user with what everyone starts with, as a member who is nobody of the account yet. */
function addMemberUser(
  write: Write,
  { userId, personId, scheduleId }: Omit<SignUpFacts, 'accountId' | 'usernames' | 'subdomains'>,
  { role, ...user }: NewUser & { role: Role },
  now: string,
): void {
  write.insert(people, { id: personId })
  addUser(write, { userId, scheduleId }, user, now, () =>
    write.insert(members, { userId, personId, role, createdAt: now }),
  )
}

/** Makes a user who joins an account that exists. Answers their ids. */
export async function addMember(
  base: Base,
  tenant: Tenant,
  input: { name: string; email: string; password: string; timeZone: string; role: Role },
): Promise<{ userId: number; personId: number }> {
  const passwordHash = await hashPassword(input.password)
  const wanted = usernameFrom(slugify(input.email.split('@')[0] ?? input.name))
  return lookingAgain(USERNAME_TAKEN, async () => {
    const known = await lookUp(base.db, memberFacts, { username: wanted })
    const username = freeUsername(wanted, known.usernames)
    const write = tenant.write('member.create', known.userId)
    addMemberUser(write, known, { ...input, username, passwordHash }, base.now.toISOString())
    return write.commit({ userId: known.userId, personId: known.personId })
  })
}

/** A key as it is shown, once. */
export interface ShownKey {
  id: number
  key: string
  hint: string
}

/** Makes an API key for a user of an account. The key is shown here and never again. */
export async function createApiKey(
  base: Base,
  tenant: Tenant,
  input: { userId: number; note?: string | null; expiresAt?: Date | null },
): Promise<ShownKey> {
  const id = await tenant.read(nextKeyId, {})
  const secret = randomText(KEY_BYTES)
  const hint = secret.slice(-4)
  const write = tenant.write('api_key.create', id)
  write.insert(apiKeys, {
    id,
    userId: input.userId,
    note: input.note ?? null,
    hash: await sha256(secret),
    hint,
    createdAt: base.now.toISOString(),
    expiresAt: input.expiresAt?.toISOString() ?? null,
  })
  return write.commitSecret({ id, key: `cal_${secret}`, hint })
}

/** A web session: the cookie's value and when it ends. */
export interface WebSession {
  secret: string
  expiresAt: Date
}

/**
 * Signs a user in by e-mail address and password, to the first of their businesses; says of how many.
 * @throws UNAUTHORIZED in the same words and the same time for a wrong password and an unknown address
 */
export async function signIn(
  base: Base,
  { email, password }: SignIn,
): Promise<WebSession & { businesses: number }> {
  await base.admission()
  const user = await lookUp(base.db, userByEmail, { email })
  if (!(await checkPassword(password, user?.passwordHash ?? null)) || !user?.isLetIn)
    throw new ApiError('UNAUTHORIZED', 'The e-mail address or the password is wrong')
  return { ...(await startSession(base, user)), businesses: user.businesses }
}

/** Starts a web session of 30 days. */
export async function startSession(
  base: Base,
  { accountId, userId }: { accountId: number; userId: number },
): Promise<WebSession> {
  const secret = randomText(KEY_BYTES)
  const expiresAt = new Date(base.now.getTime() + SESSION_DAYS * 86_400_000)
  const write = base.enter(accountId).write('session.create')
  write.insert(webSessions, {
    userId,
    hash: await sha256(secret),
    createdAt: base.now.toISOString(),
    expiresAt: expiresAt.toISOString(),
  })
  return write.commit({ secret, expiresAt })
}

/** Ends the session of a cookie's value. Answers the hash, to be forgotten where it was cached. */
export async function signOut(m: Member, secret: string): Promise<string> {
  const hash = await sha256(secret)
  const write = m.tenant.write('session.delete')
  write.run(deleteSession, { hash })
  return write.commit(hash)
}
