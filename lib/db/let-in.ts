import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { members } from '#drizzle/schema/accounts.ts'
import { employees } from '#drizzle/schema/people.ts'
import { from, named } from './query.ts'

const entry = named(employees, 'entry')
const who = named(members, 'who')

/**
 * Whether a member is let in: one whose entry as an employee was deleted is not, neither with what they
 * have nor by signing in, and nothing new is booked with them. An owner always is.
 */
export const isLetIn = (m: Pick<typeof members, 'accountId' | 'personId' | 'role'>): SQL => {
  const entries = sql`from ${from(entry)}
    where ${entry.accountId} = ${m.accountId} and ${entry.personId} = ${m.personId}`
  return sql`(${m.role} = 'owner' or exists (select ${entries} and ${entry.deletedAt} is null)
    or not exists (select ${entries}))`
}

/** Whether a user is a member of an account and let in. */
export const isUserLetIn = (account: SQL | AnyPgColumn, userId: SQL | AnyPgColumn): SQL =>
  sql`exists (select from ${from(who)} where ${who.accountId} = ${account}
    and ${who.userId} = ${userId} and ${isLetIn(who)})`
