import { type SQL, sql } from 'drizzle-orm'
import { bookingAttendees, bookingHosts, bookings } from '#drizzle/schema/bookings.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import type { Base, Member } from '#lib/core/context.ts'
import { enterBy } from '#lib/core/enter.ts'
import { conflict, notFound } from '#lib/core/errors.ts'
import { roleMay } from '#lib/core/permissions.ts'
import { bookingByUid } from '#lib/db/entrances.ts'
import { epochMinutes, json, jsonArray } from '#lib/db/json.ts'
import { query, type Slots } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import type { Change, Write } from '#lib/db/write.ts'
import type { Person } from '#lib/domain/attendees/person.ts'
import type { BookingStatus } from './schema.ts'

/** One who was invited, and whether it was noted that they did not come. */
export interface Attendance extends Person {
  id: number
  noShow: boolean
}

/** A booking as changing it needs to know it. Instants are minutes since the epoch. */
export interface Known {
  id: number
  uid: string
  eventTypeId: number | null
  userId: number | null
  status: BookingStatus
  start: number
  end: number
  location: string | null
  meetingUrl: string | null
  /** The name of who booked. */
  attendee: string
  isSeated: boolean
  recurringEventId: string | null
  recurringIndex: number | null
  version: number
  hostIds: number[]
  seats: number
  attendance: Attendance[]
  noShowHost: boolean
  disableCancelling: boolean
  joinExpiresAt: number | null
}

const b = bookings

/** The users who host a booking. */
export const hostIds = jsonArray(
  bookingHosts.userId,
  sql`from ${bookingHosts} where ${bookingHosts.accountId} = ${b.accountId}
    and ${bookingHosts.bookingId} = ${b.id} order by 1`,
)

const fields = json({
  id: b.id,
  uid: b.uid,
  eventTypeId: b.eventTypeId,
  userId: b.userId,
  status: b.status,
  start: epochMinutes(b.startTime),
  end: epochMinutes(b.endTime),
  location: b.location,
  meetingUrl: b.meetingUrl,
  attendee: sql`${b.responses} ->> 'name'`,
  isSeated: b.isSeated,
  recurringEventId: b.recurringEventId,
  recurringIndex: b.recurringIndex,
  version: b.version,
  hostIds,
  seats: sql`(select count(*)::int from ${bookingAttendees}
    where ${bookingAttendees.accountId} = ${b.accountId} and ${bookingAttendees.bookingId} = ${b.id})`,
  attendance: jsonArray(
    json({
      id: bookingAttendees.id,
      email: bookingAttendees.email,
      phoneNumber: bookingAttendees.phoneNumber,
      noShow: bookingAttendees.noShow,
    }),
    sql`from ${bookingAttendees} where ${bookingAttendees.accountId} = ${b.accountId}
      and ${bookingAttendees.bookingId} = ${b.id} order by ${bookingAttendees.id}`,
  ),
  noShowHost: b.noShowHost,
  disableCancelling: sql`coalesce((select ${eventTypes.disableCancelling} from ${eventTypes}
    where ${eventTypes.accountId} = ${b.accountId} and ${eventTypes.id} = ${b.eventTypeId}), false)`,
  joinExpiresAt: epochMinutes(b.joinExpiresAt),
})

const where = (p: Slots<object>, condition: SQL): SQL =>
  sql`from ${b} where ${b.accountId} = ${p.account} and ${condition}`

interface Names {
  id: number | null
  uid: string | null
}

/** Whether a booking is the one that is named by its id, its public identifier or both. */
export const isNamed = (p: Slots<Names>): SQL =>
  sql`(${b.id} = ${p.id}::int or ${b.uid} = ${p.uid}::text)
    and ${b.id} = coalesce(${p.id}::int, ${b.id}) and ${b.uid} = coalesce(${p.uid}::text, ${b.uid})`

/** One booking, by id or by its public identifier. */
const known = query<Names, Known | null>(p => sql`select ${fields} ${where(p, isNamed(p))}`)

/** The live bookings of a series, in order. */
export const knownSeries = query<{ recurringEventId: string }, Known[]>(
  p =>
    sql`select ${jsonArray(
      fields,
      where(
        p,
        sql`${b.recurringEventId} = ${p.recurringEventId} and ${b.status} in ('accepted', 'pending')
        order by ${b.startTime}`,
      ),
    )}`,
)

/** Which booking is meant: one of the two is given, or both of the same one. */
export interface Which {
  id?: number | undefined
  uid?: string | undefined
}

/** A booking of an account; null when there is none. */
export const findKnown = (tenant: Tenant, { id, uid }: Which): Promise<Known | null> =>
  tenant.read(known, { id: id ?? null, uid: uid ?? null })

/** A booking of an account; 404 when there is none. */
export const readKnown = async (tenant: Tenant, which: Which): Promise<Known> =>
  (await findKnown(tenant, which)) ?? notFound('Booking')

/** The account of a booking that a visitor names by its public identifier; 404 when there is none. */
export const enterByUid = async (base: Base, uid: string): Promise<Tenant> =>
  (await enterBy(base, bookingByUid, { uid }, 'Booking')).tenant

/** Whether a member hosts a booking, or may change everybody's. */
export const isOwn = (m: Member, was: Known): boolean =>
  roleMay(m.role, 'calendar.write') || was.userId === m.userId || was.hostIds.includes(m.userId)

/** 404 for a booking that a member neither hosts nor may see as one of everybody's. */
export function requireOwn(m: Member, was: Known): void {
  if (!isOwn(m, was)) notFound('Booking')
}

const MOVES: Record<BookingStatus, readonly BookingStatus[]> = {
  pending: ['accepted', 'rejected', 'cancelled'],
  accepted: ['cancelled'],
  awaiting_host: ['accepted', 'cancelled'],
  cancelled: [],
  rejected: [],
}

/** 409 unless a booking may go from its status to the other. */
export function requireMove(was: Known, to: BookingStatus): void {
  if (!MOVES[was.status].includes(to))
    conflict(`The booking is ${was.status} and cannot become ${to}`, [
      { field: 'status', message: `cannot go from "${was.status}" to "${to}"` },
    ])
}

/** Changes the row, guarded by the version that was read; every change counts it up. */
export function changeBooking(
  write: Write,
  base: Base,
  was: Known,
  change: Change<typeof bookings>,
): void {
  const next = { ...change, version: was.version + 1, updatedAt: base.now.toISOString() }
  write.change(bookings, was.id, next, 'bookings_changed', { version: was.version })
}

/** Somebody changed the row between reading and writing: read it again. */
export const CHANGED = new Set(['bookings_changed'])
