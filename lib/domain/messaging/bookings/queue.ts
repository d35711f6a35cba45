import { type SQL, sql } from 'drizzle-orm'
import { users } from '#drizzle/schema/accounts.ts'
import { bookingAttendees, bookingHosts, bookings } from '#drizzle/schema/bookings.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import type { Base } from '#lib/core/context.ts'
import { queueing, type Slots } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import { reachOf, seatHolder } from '#lib/domain/attendees/queries.ts'
import { newMessages } from '../queue.ts'
import type { AttendeeKind, HostKind } from './schema.ts'

/** What happened to a booking, as far as people are told of it. */
export type Cause = 'made' | 'confirmed' | 'rejected' | 'changed' | 'cancelled' | 'expired'

/** Who is told what. A booking that waits for its host's word is told of as a request. */
interface Notices {
  attendee: AttendeeKind
  host: HostKind | null
  whilePending?: { attendee: AttendeeKind; host: HostKind }
}

const request = { attendee: 'event_requested', host: 'host_requested' } as const

const NOTICES: Record<Cause, Notices> = {
  made: { attendee: 'event_confirmed', host: 'host_booked', whilePending: request },
  confirmed: { attendee: 'event_confirmed', host: 'host_confirmed' },
  rejected: { attendee: 'event_rejected', host: null },
  changed: { attendee: 'event_changed', host: 'host_changed', whilePending: request },
  cancelled: { attendee: 'event_cancelled', host: 'host_cancelled' },
  expired: { attendee: 'event_cancelled', host: null },
}

interface Params {
  id: number
  ids: string
  seat: string | null
  attendee: string
  host: string | null
  attendeePending: string
  hostPending: string | null
  previousStart: string | null
  previousEnd: string | null
  now: string
}

const b = bookings
const a = bookingAttendees
const e = eventTypes

const kindOf = (settled: SQL, pending: SQL): SQL =>
  sql`case when ${b.status} = 'pending' then ${pending}::text else ${settled}::text end`

/** The attendees, by e-mail or, where they have no address, by text message; of a seat its own. */
const attendees = (p: Slots<Params>): SQL => sql`(
  select ${kindOf(p.attendee, p.attendeePending)} as kind, ${reachOf(a)},
    'a' || ${a.id} as key, jsonb_build_object('name', ${a.name},
      'timeZone', ${a.timeZone}, 'locale', coalesce(${e.interfaceLanguage}, ${a.locale})) as reader,
    ${a.seatUid} as seat
  from ${a} where ${a.accountId} = ${p.account} and ${a.bookingId} = ${b.id}
    and (${p.seat}::text is null or ${a.seatUid} = ${p.seat}::text))`

const hosts = (p: Slots<Params>): SQL => sql`(
  select ${kindOf(p.host, p.hostPending)} as kind, 'email' as channel, ${users.email} as recipient,
    'h' || ${users.id} as key, jsonb_build_object('name', ${users.name},
      'timeZone', ${users.timeZone}, 'locale', ${users.locale}, 'userId', ${users.id}) as reader,
    ${p.seat}::text as seat
  from ${bookingHosts} join ${users} on ${users.id} = ${bookingHosts.userId}
  where ${bookingHosts.accountId} = ${p.account} and ${bookingHosts.bookingId} = ${b.id})`

const seatOf = (p: Slots<Params>): SQL => sql`(
  select ${seatHolder(a)} from ${a} where ${a.accountId} = ${p.account} and ${a.seatUid} = w.seat)`

/** One message for each attendee and host of the booking, read as they are after the change. */
const insertNotices = queueing<Params>(
  'messages',
  p => sql`insert into ${newMessages}
    select ${p.account}::int, w.channel, w.kind, w.recipient, 'booking', ${b.id},
      jsonb_strip_nulls(jsonb_build_object('reader', w.reader, 'bookingIds', ${p.ids}::jsonb,
        'seat', ${seatOf(p)}, 'previousStartTime', ${p.previousStart}::text,
        'previousEndTime', ${p.previousEnd}::text)),
      w.kind || ':' || ${b.id} || ':' || ${b.version} || ':' || w.key,
      ${p.now}::timestamptz, ${p.now}::timestamptz
    from ${b} left join ${e} on ${e.accountId} = ${b.accountId} and ${e.id} = ${b.eventTypeId},
      lateral (select * from ${attendees(p)} x union all select * from ${hosts(p)} y) w
    where ${b.accountId} = ${p.account} and ${b.id} = ${p.id}::int and w.kind is not null
    on conflict do nothing returning 1`,
)

/** What is told beside the booking as it is after the change. */
export interface NoticeDetails {
  /** The seat that it is about: its holder and the hosts are told. */
  seat?: string
  /** Where a booking was before it was moved (ISO 8601). */
  previous?: { start: string; end: string }
}

/**
 * Queues the messages to attendees and hosts in the write that gives cause to them: one to each person,
 * however many bookings of a series it is about. Goes after the change, and before a row that it must
 * still find is deleted.
 * @param ids the bookings that it is about; one, or several of a series
 */
export function tellBookings(
  write: Write,
  { now }: Base,
  cause: Cause,
  ids: readonly number[],
  { seat, previous }: NoticeDetails = {},
): void {
  const [id] = ids
  if (id === undefined) return
  const { attendee, host, whilePending } = NOTICES[cause]
  write.run(insertNotices, {
    id,
    ids: JSON.stringify(ids),
    seat: seat ?? null,
    attendee,
    host,
    attendeePending: whilePending?.attendee ?? attendee,
    hostPending: whilePending ? whilePending.host : host,
    previousStart: previous?.start ?? null,
    previousEnd: previous?.end ?? null,
    now: now.toISOString(),
  })
}

const insertRings = queueing<{
  id: number
  userIds: readonly number[]
  token: string
  until: string
  now: string
}>(
  'messages',
  p => sql`insert into ${newMessages}
    select ${p.account}::int, 'email', 'host_instant', ${users.email}, 'booking', ${p.id}::int,
      jsonb_build_object('reader', jsonb_build_object('name', ${users.name},
          'timeZone', ${users.timeZone}, 'locale', ${users.locale}, 'userId', ${users.id}),
        'bookingIds', jsonb_build_array(${p.id}::int),
        'join', jsonb_build_object('token', ${p.token}::text, 'until', ${p.until}::text)),
      'host_instant:' || ${p.id}::int || ':' || ${users.id},
      ${p.now}::timestamptz, ${p.now}::timestamptz
    from ${users} where ${users.id} = any(${p.userIds}::int[])
    on conflict do nothing returning 1`,
)

/**
 * Queues the e-mails that call hosts to an instant meeting, one to each, in the write that asks for it.
 * They are not sent any more once somebody has joined, or the time to join is over.
 */
export function ringHosts(
  write: Write,
  { now }: Base,
  ring: { id: number; userIds: readonly number[]; token: string; until: Date },
): void {
  write.run(insertRings, { ...ring, until: ring.until.toISOString(), now: now.toISOString() })
}
