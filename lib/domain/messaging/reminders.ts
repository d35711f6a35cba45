import { type SQL, sql } from 'drizzle-orm'
import { appointments } from '#drizzle/schema/appointments.ts'
import { bookingAttendees, bookings } from '#drizzle/schema/bookings.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import { customers } from '#drizzle/schema/people.ts'
import type { Base } from '#lib/core/context.ts'
import { iso } from '#lib/db/json.ts'
import { entrance, type Slots } from '#lib/db/query.ts'
import { reachOf, seatHolder } from '#lib/domain/attendees/queries.ts'
import { newMessages } from './queue.ts'

const a = bookingAttendees

interface Params {
  /** One account's alone, or everybody's. */
  accountId: number | null
  now: string
}

/** How many bookings one statement reminds of: short enough that nobody waits for its locks. */
const BATCH = 500
/** So many batches that a run ends within a Worker's limit of requests. */
const MAX_BATCHES = 20

/** How long before its start a booking is reminded of. */
const AHEAD = sql.raw(`interval '24 hours'`)
/** What was booked, moved or approved later than this before its start is not reminded of. */
const TOO_LATE = sql.raw(`interval '1 hour'`)

/**
 * Notes what is due to be reminded of, at most once for each start: what was moved since is due anew,
 * what is not (or no longer) approved is not. What another run holds is passed over.
 */
const noted = (
  p: Slots<Params>,
  table: typeof appointments | typeof bookings,
  isOn: SQL,
): SQL => sql`due as (
    select account_id, id from ${table}
    where ${isOn} and reminded_for is distinct from start_time
      and start_time > ${p.now}::timestamptz and start_time <= ${p.now}::timestamptz + ${AHEAD}
      and (${p.accountId}::int is null or account_id = ${p.accountId}::int)
    order by start_time limit ${sql.raw(String(BATCH))} for update skip locked
  ), noted as (
    update ${table} t set reminded_for = start_time from due
    where t.account_id = due.account_id and t.id = due.id returning t.*
  )`

/** What a reminder says of its time: for which start it is, and whether it comes at short notice. */
const timing = sql`'start', ${iso(sql`n.start_time`)},
  'late', n.updated_at > n.start_time - ${AHEAD}`

const isInTime = sql`n.start_time - n.updated_at > ${TOO_LATE}`

const remindCustomers = entrance<Params, number>(
  p => sql`with ${noted(p, appointments, sql`status = 'approved' and hidden_at is null`)}, made as (
      insert into ${newMessages}
      select n.account_id, 'email', 'booking_reminder', k.email, 'appointment', n.id,
        jsonb_build_object(${timing}),
        'reminder:appointment:' || n.id || ':' || extract(epoch from n.start_time)::bigint,
        ${p.now}::timestamptz, ${p.now}::timestamptz
      from noted n join ${customers} k on k.account_id = n.account_id and k.id = n.customer_id
      where k.email is not null and ${isInTime}
      on conflict do nothing
    ) select count(*) from noted`,
)

const remindAttendees = entrance<Params, number>(
  p => sql`with ${noted(p, bookings, sql`status = 'accepted'`)}, made as (
      insert into ${newMessages}
      select n.account_id, x.channel, 'event_reminder', x.recipient, 'booking', n.id,
        jsonb_strip_nulls(jsonb_build_object(${timing}, 'bookingIds', jsonb_build_array(n.id),
          'reader', x.reader, 'seat', x.seat)),
        'reminder:booking:' || n.id || ':' || extract(epoch from n.start_time)::bigint
          || ':' || x.id,
        ${p.now}::timestamptz, ${p.now}::timestamptz
      from noted n cross join lateral (
        select ${a.id} as id, ${reachOf(a)}, jsonb_build_object('name', ${a.name}, 'timeZone',
            ${a.timeZone}, 'locale', coalesce(e.interface_language, ${a.locale})) as reader,
          ${seatHolder(a)} as seat
        from ${a} left join ${eventTypes} e on e.account_id = n.account_id
          and e.id = n.event_type_id
        where ${a.accountId} = n.account_id and ${a.bookingId} = n.id
      ) x where ${isInTime}
      on conflict do nothing
    ) select count(*) from noted`,
)

/**
 * Queues the reminders that are due at `now`: a day before each approved appointment and each accepted
 * event booking, to its customer or its attendees. What was booked, moved or approved later than that
 * is reminded of at once, unless it starts within the hour. Nothing is lost by runs that did not
 * happen, as long as the start is still ahead; runs at once take different bookings.
 */
export async function queueReminders(base: Base, accountId: number | null = null): Promise<void> {
  const params = { accountId, now: base.now.toISOString() }
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const counts = await base.db.trip([remindCustomers.with(params), remindAttendees.with(params)])
    if (counts.every(rows => Number(rows[0]?.[0]) < BATCH)) return
  }
}
