import { sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
import { bookings } from '#drizzle/schema/bookings.ts'
import type { Base } from '#lib/core/context.ts'
import { json } from '#lib/db/json.ts'
import { entrance, lookUp } from '#lib/db/query.ts'
import { writeCalendar } from '../ics.ts'
import { sender } from '../queries.ts'
import { bookingEntry } from './compose.ts'
import { other, shownBooking } from './queries.ts'
import type { LinkedBooking } from './schema.ts'
import { isOff, statusFor } from './words.ts'

const b = bookings

const isOfSeries = sql`(${other.id} = ${b.id} or ${other.recurringEventId} = ${b.recurringEventId})`

const linkedByUid = entrance<{ uid: string }, LinkedBooking | null>(
  p =>
    sql`select ${json({
      booking: shownBooking(isOfSeries),
      sender,
      weekStart: sql`a.week_start`,
    })} from ${b} join ${accounts} a on a.id = ${b.accountId} where ${b.uid} = ${p.uid}`,
)

/**
 * The booking that a link names, with all dates of its series; null when nothing has the uid.
 */
export async function findBookingByUid(base: Base, uid: string): Promise<LinkedBooking | null> {
  await base.admission()
  return lookUp(base.db, linkedByUid, { uid })
}

/**
 * The calendar file of an attendee's booking: its entry as it stands, or its end when it is off. The
 * entry has the `uid` and the sequence of those in e-mails, so each replaces the last.
 */
export function writeBookingCalendar(
  { settings, now }: Base,
  { booking }: LinkedBooking,
  seat: string | undefined,
): string {
  const date = { ...booking, status: statusFor(booking, seat) }
  return writeCalendar(isOff(date) ? 'CANCEL' : 'PUBLISH', now, [
    bookingEntry(booking, date, settings),
  ])
}
