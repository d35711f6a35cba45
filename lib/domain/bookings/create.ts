import { sql } from 'drizzle-orm'
import { bookingAttendees, bookings } from '#drizzle/schema/bookings.ts'
import type { Base, Member, Visitor } from '#lib/core/context.ts'
import { ApiError, invalid, notFound } from '#lib/core/errors.ts'
import type { Json } from '#lib/core/json.ts'
import { newUid } from '#lib/core/text.ts'
import { lookingAgain, lostTo, QUEUE } from '#lib/db/meanings.ts'
import { query } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import type { Write } from '#lib/db/write.ts'
import { keyOf, personOf } from '#lib/domain/attendees/person.ts'
import { tellBookings } from '../messaging/bookings/queue.ts'
import type { Booking, Tried } from './answer.ts'
import { withAnswers } from './answers.ts'
import { requireVerified } from './codes.ts'
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
import type { EventFacts } from './facts.ts'
import type { Offered } from './offers.ts'
import { bookerOf, readFacts } from './read.ts'
import { bookedById } from './record.ts'
import { rescheduleByUid } from './reschedule.ts'
import { linkToResponse } from './routed.ts'
import type { NewBooking } from './schema.ts'
import { hostsAt, turnOf } from './stand-ins.ts'
import { triedOf, triedSeat } from './tried.ts'
import {
  addBookings,
  attendeesOf,
  type Draft,
  guardLimits,
  releaseHolds,
  type Seat,
} from './write.ts'

/** Lost to somebody who took a host's turn, or the last seat, a moment before: look again. */
const LOOK_AGAIN = new Set(['event_types_turn', 'bookings_joined', 'bookings_changed'])

/** Stands for having looked again for a seat; no user has this id. */
const JOINING = 0

/**
 * Books an event type, takes a seat, or moves the booking that `rescheduleUid` names.
 * @param m whose credentials the request came with, if it had any
 * @throws NOT_FOUND for an event type that does not exist
 * @throws CONFLICT when the start is not offered (any more)
 * @throws BAD_REQUEST for a start that is past or too soon
 */
export async function createBooking(
  v: Visitor,
  input: NewBooking,
  m?: Member,
): Promise<Json<Booking>> {
  const { base, tenant } = await bookerOf(v, input, m)
  if (input.rescheduleUid) return rescheduleByUid(base, tenant, input.rescheduleUid, input)
  return bookIn(base, tenant, input, (write, { id, seatUid: seat }) =>
    write.commit(write.answer(bookedById, { id, seat })),
  )
}

/**
 * Tries a booking: every check that `createBooking` makes, those of the database included, and
 * nothing is kept.
 * @throws as `createBooking`; VALIDATION_ERROR with `rescheduleUid`
 */
export async function tryBooking(v: Visitor, input: NewBooking, m?: Member): Promise<Tried> {
  if (input.rescheduleUid)
    invalid({ field: '_isDryRun', message: 'does not go with rescheduleUid' })
  const { base, tenant } = await bookerOf(v, input, m)
  return bookIn(base, tenant, input, async (write, made) => {
    await write.rehearse()
    return 'hosts' in made ? triedOf(base, made) : triedSeat(tenant, made)
  })
}

/** Carries out the write that books, or takes a seat; what it makes of it is the answer. */
type Finish<R> = (write: Write, made: Draft | Seat) => Promise<R>

/**
 * Books an event type of an account, whoever asks.
 * @throws as `createBooking`
 */
export function bookIn<R>(
  base: Base,
  tenant: Tenant,
  input: NewBooking,
  finish: Finish<R>,
): Promise<R> {
  const tried = new Set<number>()
  return lookingAgain(LOOK_AGAIN, () => bookOnce(base, tenant, input, tried, finish), QUEUE)
}

async function bookOnce<R>(
  v: Base,
  tenant: Tenant,
  input: NewBooking,
  tried: Set<number>,
  finish: Finish<R>,
): Promise<R> {
  const { eventTypeId, start, responses } = input
  const window = { from: start, to: start, count: 1 }
  const person = keyOf(personOf(responses))
  const asked = { eventTypeId, ...window, holders: [input], person, named: input }
  for (;;) {
    const facts = await readFacts(v, tenant, asked)
    const type = requireType(facts)
    await requireVerified(v, tenant, type, input)
    requireFewActive(facts)
    const length = lengthOf(type, input)
    const answered = withAnswers(type, input)
    const offered = requireOffer(facts, { now: minutesOf(v.now), length }, input.start)
    requireJoined(input, offered)
    if (offered.bookingUid) return takeSeat(v, tenant, facts, offered.bookingUid, answered, finish)
    const hosts = hostsAt(facts, chooseHosts(facts, offered, tried), offered.start)
    const draft = draftOf(facts, answered, length, v.now, hosts)
    const write = tenant.write('booking.create', draft.id)
    releaseHolds(write, [input])
    addBookings(write, v, [draft])
    try {
      return await finish(write, draft)
    } catch (error) {
      passOver(draft, tried, error)
    }
  }
}

/** 404 where a seat is asked for in another booking than the one of the start. */
function requireJoined({ bookingUid }: NewBooking, offered: Offered): void {
  const message = 'is no booking of this start that has a free seat'
  if (bookingUid !== undefined && bookingUid !== offered.bookingUid)
    throw new ApiError('NOT_FOUND', 'Booking does not exist', [{ field: 'bookingUid', message }])
}

/** Somebody has the start now: with seats it may be joined, else the next in turn is asked. */
function passOver({ type, hosts }: Draft, tried: Set<number>, error: unknown): void {
  if (lostTo(error) !== 'occupancies_no_overlap') throw error
  const lost = type.seats === null ? hosts.filter(host => !host.isFixed).map(turnOf) : [JOINING]
  if (lost.includes(JOINING) && tried.has(JOINING)) throw error
  for (const id of lost) tried.add(id)
}

/** A booking out of what is known and what was asked. */
function draftOf(
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

const requireSeat = query<{ id: number; seats: number }, unknown>(
  p => sql`select must(count(*) <= ${p.seats}::int, 'bookings_seats') from ${bookingAttendees} where ${bookingAttendees.accountId} = ${p.account}
      and ${bookingAttendees.bookingId} = ${p.id}::int`,
)

/**
 * Takes a seat of a booking that stands; the row's lock makes takers come one after another. Where the
 * booking still waits for its host, so does who joins: that is asked for, and not yet a new booking.
 */
async function takeSeat<R>(
  v: Base,
  tenant: Tenant,
  facts: EventFacts,
  uid: string,
  input: NewBooking,
  finish: Finish<R>,
): Promise<R> {
  const type = requireType(facts)
  const { id, status } = facts.taken.find(b => b.uid === uid) ?? notFound('Booking')
  const seat = newUid()
  const made: Seat = { id, input, type, seatUid: seat }
  const write = tenant.write('booking.join', id)
  guardLimits(write, type)
  // Whoever joins is to be reminded, though the others have been: each is once for a start.
  const change = { version: sql`version + 1`, updatedAt: v.now.toISOString(), remindedFor: null }
  write.change(bookings, id, change, 'bookings_joined', { status })
  write.insert(bookingAttendees, attendeesOf(made))
  linkToResponse(write, input.routingFormResponse, { uid })
  write.run(requireSeat, { id, seats: type.seats ?? 0 })
  const event = status === 'pending' ? 'BOOKING_REQUESTED' : 'BOOKING_CREATED'
  emitBookings(write, v, event, [id], { seat })
  tellBookings(write, v, 'made', [id], { seat })
  return finish(write, made)
}
