import { type SQL, sql } from 'drizzle-orm'
import { accounts, users } from '#drizzle/schema/accounts.ts'
import { eventTypes, teams } from '#drizzle/schema/calendar.ts'

const e = eventTypes

/**
 * The path of the page at which the event type of a row of `event_types` is booked: that of its user,
 * else that of its team.
 */
export const bookingPath = (): SQL => sql`case when ${e.teamId} is null
  then '/' || (select lower(${users.username}) from ${users} where ${users.id} = ${e.userId})
  else '/team/' || (select lower(${accounts.subdomain}) from ${accounts}
      where ${accounts.id} = ${e.accountId}) || '/' || (select ${teams.slug} from ${teams}
      where ${teams.accountId} = ${e.accountId} and ${teams.id} = ${e.teamId})
  end || '/' || ${e.slug}`
