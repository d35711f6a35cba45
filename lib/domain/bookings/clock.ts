import { sql } from 'drizzle-orm'
import { occupancies } from '#drizzle/schema/appointments.ts'
import { bookings, holds } from '#drizzle/schema/bookings.ts'
import type { Base } from '#lib/core/context.ts'
import { lostTo } from '#lib/db/meanings.ts'
import { bare, entrance, lookUp, query } from '#lib/db/query.ts'
import { emitBookings } from './events.ts'

/** The two instants of a meeting that are told of: which column notes it, and the event. */
const INSTANTS = {
  started: { at: bookings.startTime, noted: bookings.startedAt, event: 'MEETING_STARTED' },
  ended: { at: bookings.endTime, noted: bookings.endedAt, event: 'MEETING_ENDED' },
} as const
type Instant = keyof typeof INSTANTS

const BATCH = 500

/** Bookings whose instant has come and was not told of, by account. */
const dueOf = (instant: Instant) => {
  const { at, noted } = INSTANTS[instant]
  return entrance<{ now: string; limit: number }, { accountId: number; ids: number[] }[]>(
    p => sql`select coalesce(json_agg(json_build_object('accountId', account_id, 'ids', ids)), '[]')
      from (select account_id, json_agg(id order by id) as ids from (
        select ${bookings.accountId}, ${bookings.id} from ${bookings}
        where ${bookings.status} = 'accepted' and ${noted} is null
          and ${at} <= ${p.now}::timestamptz order by ${at} limit ${p.limit}::int
      ) due group by account_id) x`,
  )
}

const noteOf = (instant: Instant) => {
  const { noted } = INSTANTS[instant]
  return query<{ ids: readonly number[]; now: string }, unknown>(
    p => sql`with changed as (
      update ${bookings} set ${bare(noted)} = ${p.now}::timestamptz
      where ${bookings.accountId} = ${p.account} and ${bookings.id} = any(${p.ids}::int[])
        and ${bookings.status} = 'accepted' and ${noted} is null returning 1
    ) select must((select count(*) from changed) = cardinality(${p.ids}::int[]), 'bookings_changed')`,
  )
}

const DUE = { started: dueOf('started'), ended: dueOf('ended') }
const NOTE = { started: noteOf('started'), ended: noteOf('ended') }

/**
 * Tells of meetings that have begun or ended by now. What another run (or a cancellation) took in
 * between is left to it: that account's batch fails whole and is taken up again the next minute.
 * @returns the accounts in which something was told
 */
export async function tellMeetings(base: Base, instant: Instant): Promise<number[]> {
  const now = base.now.toISOString()
  const due = await lookUp(base.db, DUE[instant], { now, limit: BATCH })
  const told: number[] = []
  for (const { accountId, ids } of due) {
    const write = base.enter(accountId).write(`booking.${instant}`)
    write.run(NOTE[instant], { ids, now })
    emitBookings(write, base, INSTANTS[instant].event, ids)
    try {
      await write.commit(undefined)
      told.push(accountId)
    } catch (error) {
      if (lostTo(error) !== 'bookings_changed') throw error
    }
  }
  return told
}

/** Deletes holds that are over, with the time that they kept. */
const dropHolds = entrance<{ now: string }, unknown>(
  p => sql`with over as (
    delete from ${holds} where expires_at <= ${p.now}::timestamptz returning account_id, id
  ) delete from ${occupancies} o using over
    where o.account_id = over.account_id and o.source = 'hold' and o.source_id = over.id`,
)

/** Lets go of slots that were held and not booked. Nobody is kept from them in the meantime either. */
export async function expireHolds(base: Base): Promise<void> {
  await base.db.trip([dropHolds.with({ now: base.now.toISOString() })])
}
