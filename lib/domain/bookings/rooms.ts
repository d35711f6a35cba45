import { sql } from 'drizzle-orm'
import { bookings } from '#drizzle/schema/bookings.ts'
import type { Base } from '#lib/core/context.ts'
import { epochMinutes } from '#lib/db/json.ts'
import { entrance, lookUp, query } from '#lib/db/query.ts'
import { roomName } from './places.ts'

/** Rooms that one run makes at most. */
const BATCH = 50

/** A room opens so many minutes before its meeting, and closes so many after. */
const OPENS_BEFORE = 15
const CLOSES_AFTER = 120

interface Due {
  accountId: number
  id: number
  uid: string
  version: number
  start: number
  end: number
}

/** Bookings whose room is not made, or has other times than theirs; the next to begin first. */
const dueRooms = entrance<{ now: string; limit: number; id: number | null }, Due[]>(
  p => sql`select coalesce(json_agg(x), '[]') from (
    select account_id as "accountId", id, uid, version,
      ${epochMinutes(sql`start_time`)} as start, ${epochMinutes(sql`end_time`)} as end
    from ${bookings} where location = 'integrations:daily' and room_at is null
      and status in ('accepted', 'pending') and end_time > ${p.now}::timestamptz
      and (${p.id}::int is null or id = ${p.id}::int)
    order by start_time limit ${p.limit}::int) x`,
)

/** One that was moved meanwhile is left, to be given its new times. */
const noteRoom = query<{ id: number; version: number; roomId: string; now: string }, unknown>(
  p => sql`update ${bookings} set room_at = ${p.now}::timestamptz, room_id = ${p.roomId}
    where ${bookings.accountId} = ${p.account} and ${bookings.id} = ${p.id}::int
      and ${bookings.version} = ${p.version}::int`,
)

/**
 * Makes the rooms that bookings are met in, or gives them the times of those that were moved; of one
 * booking, or of all. Two runs at once set a room to the same. What fails is tried again by the job.
 */
export async function setRooms(base: Base, id: number | null = null): Promise<void> {
  const now = base.now.toISOString()
  const due = await lookUp(base.db, dueRooms, { now, limit: BATCH, id })
  for (const { accountId, uid, start, end, ...which } of due) {
    const opensAt = new Date((start - OPENS_BEFORE) * 60_000)
    const closesAt = new Date((end + CLOSES_AFTER) * 60_000)
    try {
      const roomId = await base.ports.video().setRoom({ name: roomName(uid), opensAt, closesAt })
      const write = base.enter(accountId).write('booking.room', which.id)
      write.run(noteRoom, { id: which.id, version: which.version, roomId, now })
      await write.commit(undefined)
    } catch (error) {
      console.error(`The room of booking ${which.id} of account ${accountId} is not made`, error)
    }
  }
}
