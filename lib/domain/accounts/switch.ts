import { sql } from 'drizzle-orm'
import { members, webSessions } from '#drizzle/schema/accounts.ts'
import type { Member } from '#lib/core/context.ts'
import { sha256 } from '#lib/core/text.ts'
import { type Business, businessesOf } from '#lib/db/entrances.ts'
import { isLetIn } from '#lib/db/let-in.ts'
import { from, lookUp, named, query } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'

const m = named(members, 'm')

/**
 * Takes a session of a user over from whichever of their accounts it is in; fails with
 * `web_sessions_account` unless they are let into this one.
 */
const moveSession = query<{ userId: number; hash: string }, unknown>(
  p => sql`with moved as (
      update ${webSessions} set account_id = ${p.account}::int from ${from(m)}
      where ${webSessions.hash} = ${p.hash} and ${webSessions.userId} = ${p.userId}::int
        and ${m.accountId} = ${p.account} and ${m.userId} = ${p.userId}::int and ${isLetIn(m)}
      returning ${webSessions.accountId}
    ) select must(exists(select from moved), 'web_sessions_account')`,
)

/** Adds to a write of an account that a user's session goes over to it. */
export async function takeSession(
  write: Write,
  { userId, session }: { userId: number; session: string },
): Promise<void> {
  write.run(moveSession, { userId, hash: await sha256(session) })
}

/** The businesses that a member works for, this one among them, by name. */
export const listBusinesses = ({ db, userId }: Member): Promise<Business[]> =>
  lookUp(db, businessesOf, { userId })

/**
 * Goes on in another business of the member's: their session, and it alone, goes over to it.
 * @param session the value of the session's cookie
 * @throws NOT_FOUND for a business that they are not let into
 */
export async function switchBusiness(
  member: Member,
  { accountId }: { accountId: number },
  session: string,
): Promise<void> {
  const write = member.enter(accountId).write('session.switch')
  await takeSession(write, { userId: member.userId, session })
  await write.commit(null)
}
