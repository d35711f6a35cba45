import { type SQL, sql } from 'drizzle-orm'
import { appointments } from '#drizzle/schema/appointments.ts'
import { bookingAttendees, bookings } from '#drizzle/schema/bookings.ts'
import { workflows } from '#drizzle/schema/workflows.ts'
import { type Making, type Subject, startOf } from './messages.ts'

const w = workflows
/** What a workflow's offset comes to. */
const offset = sql`${w.offsetMinutes} * interval '1 minute'`
/** Whether a workflow is due before the start. */
export const isBefore = sql`${w.trigger} = 'beforeEvent'`
/** Whether a workflow is due after the end. */
export const isAfter = sql`${w.trigger} = 'afterEvent'`
/** From the start of a booking to its instant, or (after the end) at most so far. */
export const shift = sql`case when ${isBefore} then ${offset} else - ${offset} end`

/** The table of each subject. */
export const TABLES = { booking: bookings, appointment: appointments } as const

/** Whether a row is in a state in which the workflow has something to say. */
const FITS: Record<Subject, SQL> = {
  booking: sql`${bookings.status} = 'accepted' and case ${w.trigger}
    when 'afterHostsCalVideoNoShow' then ${bookings.noShowHost}
    when 'afterGuestsCalVideoNoShow' then exists (select from ${bookingAttendees}
      where ${bookingAttendees.accountId} = ${bookings.accountId}
        and ${bookingAttendees.bookingId} = ${bookings.id} and ${bookingAttendees.noShow})
    else true end`,
  appointment: sql`${appointments.hiddenAt} is null and case ${w.trigger}
    when 'beforeEvent' then ${appointments.status} = 'approved'
    when 'afterGuestsCalVideoNoShow' then ${appointments.noShow}
    when 'afterHostsCalVideoNoShow' then false
    else ${appointments.status} in ('approved', 'completed') end`,
}

/** When a workflow is due for a row: before its start, after its end, or (no-shows) after its start. */
export function instantOf(subject: Subject): SQL {
  const { startTime, endTime } = TABLES[subject]
  return sql`case when ${isBefore} then ${startTime} - ${offset}
    when ${isAfter} then ${endTime} + ${offset} else ${startTime} + ${offset} end`
}

/**
 * What of messages that are due by the clock is the same whoever makes them: the same instant of a row
 * is told of once; what fell due before the workflow or the row itself was made is not made up for.
 */
export function makingAt(subject: Subject, now: SQL, where: SQL): Making {
  const { id, createdAt } = TABLES[subject]
  const instant = instantOf(subject)
  return {
    now,
    data: sql`jsonb_build_object('start', ${startOf(subject)})`,
    stamp: sql`${id} || ':' || extract(epoch from ${instant})::bigint`,
    where: sql`${where} and ${w.offsetMinutes} > 0 and ${instant} >= ${w.since}
      and ${instant} >= ${createdAt} and ${FITS[subject]}`,
  }
}
