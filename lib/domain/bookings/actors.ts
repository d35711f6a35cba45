import { type SQL, sql } from 'drizzle-orm'
import { users } from '#drizzle/schema/accounts.ts'
import { bookingAttendees, bookings } from '#drizzle/schema/bookings.ts'
import type { Field } from '#lib/db/json.ts'
import { from, named } from '#lib/db/query.ts'

const a = bookingAttendees
const acting = named(users, 'acting')

/**
 * The e-mail address of somebody who acted on a booking: a user by their id, a guest by the address
 * that they gave, "attendee" by that of who booked or, where `seat` is given, of who had the seat.
 * Null for the clock, for who has no address, and where nobody knows.
 */
export const addressOf = (actor: Field, seat: SQL = sql`null`): SQL => sql`case
  when ${actor} like 'user:%' then (select ${acting.email} from ${from(acting)}
    where ${acting.id} = substr(${actor}, 6)::int)
  when ${actor} like '%@%' then ${actor}
  when ${actor} = 'attendee' and (not ${bookings.isSeated} or ${seat}::text is not null) then (
    select ${a.email} from ${a} where ${a.accountId} = ${bookings.accountId}
      and ${a.bookingId} = ${bookings.id}
      and (${seat}::text is null or ${a.seatUid} = ${seat}::text) order by ${a.id} limit 1) end`
