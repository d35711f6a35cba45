import { type SQL, sql } from 'drizzle-orm'
import { members, users } from '#drizzle/schema/accounts.ts'
import { type Field, json } from './json.ts'

/** The owner of an account, the first of several: who is named where nobody else is. */
export const ownerOf = (account: Field): SQL => sql`(
  select ${json({ name: users.name, email: users.email })} from ${members}
    join ${users} on ${users.id} = ${members.userId}
  where ${members.accountId} = ${account} and ${members.role} = 'owner'
  order by ${members.createdAt} limit 1)`
