import { type SQL, sql } from 'drizzle-orm'
import type { Field } from '#lib/db/json.ts'

/** Columns of a row of `booking_attendees`. */
interface Attending {
  name: Field
  email: Field
  phoneNumber: Field
  seatUid: Field
}

/** How somebody who comes is written to: `channel` and `recipient`. */
export const reachOf = ({ email, phoneNumber }: Pick<Attending, 'email' | 'phoneNumber'>): SQL =>
  sql`case when ${email} is null then 'sms' else 'email' end as channel,
    coalesce(${email}, ${phoneNumber}) as recipient`

/** Whose seat it is, as messages about it keep it: a seat that is given back leaves no row. */
export const seatHolder = ({ name, email, phoneNumber, seatUid }: Attending): SQL =>
  sql`case when ${seatUid} is not null then jsonb_build_object('uid', ${seatUid}, 'name', ${name},
    'email', ${email}, 'phoneNumber', ${phoneNumber}) end`

/** What tells a person from others, of a row: `keyOf` in ./person.ts. */
export const personKey = ({ email, phoneNumber }: Pick<Attending, 'email' | 'phoneNumber'>): SQL =>
  sql`coalesce(lower(${email}), ${phoneNumber})`
