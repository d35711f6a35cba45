import { sql } from 'drizzle-orm'
import { bookingAttendees, bookings } from '#drizzle/schema/bookings.ts'
import type { Base, Visitor } from '#lib/core/context.ts'
import { conflict, invalid, notFound } from '#lib/core/errors.ts'
import type { Json } from '#lib/core/json.ts'
import { newUid } from '#lib/core/text.ts'
import { accountOfEventType } from '#lib/db/entrances.ts'
import { lookingAgain, lostTo } from '#lib/db/meanings.ts'
import { query } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import { formatUtc } from '#lib/scheduling/zone.ts'
import { tellBookings } from '../messaging/bookings/queue.ts'
import {
  chooseHosts,
  lengthOf,
  minutesOf,
  needsConfirmation,
  requireFewActive,
  requireOffer,
  requireType,
} from './decide.ts'
import { emitBookings } from './events.ts'
import { type EventFacts, eventFacts } from './facts.ts'
import { REACH } from './offers.ts'
import { bookedById } from './record.ts'
import { rescheduleByUid } from './reschedule.ts'
import type { Booking, NewBooking } from './schema.ts'
import { addBookings, attendeesOf, type Draft } from './write.ts'

/** Lost to somebody who took a host's turn, or the last seat, a moment before: look again. */
const LOOK_AGAIN = new Set(['event_types_turn', 'bookings_joined', 'bookings_changed'])

/** Bookings of one event type at once that still all get their turn. */
export const QUEUE = 50

/** Stands for having looked again for a seat; no user has this id. */
const JOINING = 0

/** The account of an event type never changes, so an isolate asks once. */
const accountsOfTypes = new Map<number, number>()

/** The tenant that an event type belongs to, for a visitor who names it; 404 when there is none. */
export async function enterByEventType(base: Base, eventTypeId: number): Promise<Tenant> {
  let accountId = accountsOfTypes.get(eventTypeId)
  if (accountId === undefined) {
    const [rows] = await base.db.trip([accountOfEventType.with({ eventTypeId })])
    const text = rows?.[0]?.[0] ?? notFound('Event type')
    accountId = (JSON.parse(text) as { accountId: number }).accountId
    if (accountsOfTypes.size >= 10_000) accountsOfTypes.clear()
    accountsOfTypes.set(eventTypeId, accountId)
  }
  return base.enter(accountId)
}

/** The facts about one or more starts of an event type. */
export function readFacts(
  base: Base,
  tenant: Tenant,
  input: Pick<NewBooking, 'eventTypeId' | 'holdUid'> & { responses?: { email: string } },
  window: { from: Date; to: Date; count: number; exclude?: number },
): Promise<EventFacts> {
  return tenant.read(eventFacts, {
    eventTypeId: input.eventTypeId,
    from: formatUtc(minutesOf(window.from) - REACH),
    to: formatUtc(minutesOf(window.to) + REACH),
    now: base.now.toISOString(),
    exclude: window.exclude ?? null,
    hold: input.holdUid ?? null,
    email: input.responses?.email ?? null,
    count: window.count,
  })
}

/**
 * Books an event type, takes a seat, or moves the booking that `rescheduleUid` names.
 * @throws NOT_FOUND for an event type that does not exist
 * @throws CONFLICT when the start is not offered (any more)
 * @throws BAD_REQUEST for a start that is past or too soon
 */
export async function createBooking(v: Visitor, input: NewBooking): Promise<Json<Booking>> {
  if (input.rescheduleUid) return rescheduleByUid(v, input.rescheduleUid, input)
  const tenant = await enterByEventType(v, input.eventTypeId)
  const tried = new Set<number>()
  return lookingAgain(LOOK_AGAIN, () => bookOnce(v, tenant, input, tried), QUEUE)
}

async function bookOnce(
  v: Visitor,
  tenant: Tenant,
  input: NewBooking,
  tried: Set<number>,
): Promise<Json<Booking>> {
  for (;;) {
    const window = { from: input.start, to: input.start, count: 1 }
    const facts = await readFacts(v, tenant, input, window)
    const type = requireType(facts)
    requireFewActive(facts)
    const length = lengthOf(type, input)
    const offered = requireOffer(facts, { now: minutesOf(v.now), length }, input.start)
    if (offered.bookingUid) return takeSeat(v, tenant, facts, offered.bookingUid, input)
    if (input.bookingUid) conflict('booking_seats_full_error: that booking has no free seat')
    const draft = draftOf(facts, input, length, v.now, chooseHosts(facts, offered, tried))
    const write = tenant.write('booking.create', draft.id)
    addBookings(write, v, [draft])
    try {
      const { id, seatUid: seat } = draft
      return await write.commit(write.answer(bookedById, { id, seat }))
    } catch (error) {
      if (lostTo(error) !== 'occupancies_no_overlap') throw error
      // Somebody has the start now: with seats it may be joined, else the next in turn is asked.
      if (type.seats !== null && tried.has(JOINING)) throw error
      if (type.seats !== null) tried.add(JOINING)
      else for (const host of draft.hosts) if (!host.isFixed) tried.add(host.userId)
    }
  }
}

/** A booking out of what is known and what was asked. */
export function draftOf(
  facts: EventFacts,
  input: NewBooking,
  length: number,
  now: Date,
  hosts: Draft['hosts'],
): Draft {
  const type = requireType(facts)
  return {
    id: facts.ids[0]!,
    uid: newUid(),
    type,
    hosts,
    start: input.start,
    end: new Date(input.start.getTime() + length * 60_000),
    status: needsConfirmation(type, input.start, now) ? 'pending' : 'accepted',
    input,
    seatUid: type.seats === null ? null : newUid(),
  }
}

const requireSeat = query<{ id: number; seats: number; email: string }, unknown>(
  p => sql`select must(count(*) <= ${p.seats}::int, 'bookings_seats'),
      must(count(*) filter (where lower(${bookingAttendees.email}) = lower(${p.email}::text)) = 1,
        'bookings_joined_twice')
    from ${bookingAttendees} where ${bookingAttendees.accountId} = ${p.account}
      and ${bookingAttendees.bookingId} = ${p.id}::int`,
)

const joinLive = sql`${bookings.status} in ('accepted', 'pending')`

/** Takes a seat of a booking that stands; the row's lock makes takers come one after another. */
async function takeSeat(
  v: Visitor,
  tenant: Tenant,
  facts: EventFacts,
  uid: string,
  input: NewBooking,
): Promise<Json<Booking>> {
  const type = requireType(facts)
  const { id } = facts.taken.find(b => b.uid === uid) ?? notFound('Booking')
  if (input.bookingUid && input.bookingUid !== uid)
    invalid({ field: 'bookingUid', message: 'is not the booking of this start' })
  const seat = newUid()
  const write = tenant.write('booking.join', id)
  const change = { version: sql`version + 1`, updatedAt: v.now.toISOString() }
  write.change(bookings, id, change, 'bookings_joined', joinLive)
  write.insert(bookingAttendees, attendeesOf({ id, input, type, seatUid: seat }))
  write.run(requireSeat, { id, seats: type.seats ?? 0, email: input.responses.email })
  emitBookings(write, v, 'BOOKING_CREATED', [id], { seat })
  tellBookings(write, v, 'made', [id], { seat })
  return write.commit(write.answer(bookedById, { id, seat }))
}
