import { sql } from 'drizzle-orm'
import { occupancies } from '#drizzle/schema/appointments.ts'
import { bookingAttendees, bookingHosts, bookings, holds } from '#drizzle/schema/bookings.ts'
import { eventTypeHosts, eventTypes } from '#drizzle/schema/calendar.ts'
import type { Base } from '#lib/core/context.ts'
import { query } from '#lib/db/query.ts'
import type { NewRow, Write } from '#lib/db/write.ts'
import { keyOf, personOf } from '#lib/domain/attendees/person.ts'
import { tellBookings } from '../messaging/bookings/queue.ts'
import { blockedRange, blockTime } from '../occupancies/writes.ts'
import { emitBookings } from './events.ts'
import type { EventTypeFacts } from './facts.ts'
import type { HostFacts } from './host-facts.ts'
import { isLimited } from './limits.ts'
import { type Place, placeOf } from './places.ts'
import { linkToResponse } from './routed.ts'
import { type BookingStatus, type Holder, holdsOf, type NewBooking } from './schema.ts'
import { turnOf } from './stand-ins.ts'
import { nameOf, titleOf } from './title.ts'

/** A booking that is decided and only has to be written. */
export interface Draft {
  id: number
  uid: string
  type: EventTypeFacts
  hosts: readonly HostFacts[]
  start: Date
  end: Date
  status: BookingStatus
  input: NewBooking
  seatUid: string | null
  /** Where it is, if that is known already; else as `input` says. */
  place?: Place | undefined
  series?: { id: string; index: number } | undefined
  /** Of an instant meeting: how it is joined until when, and who is asked to. */
  join?: { hash: string; expiresAt: Date; asked: readonly { name: string }[] } | undefined
}

/** A seat that somebody takes in a booking that stands. */
export type Seat = Pick<Draft, 'id' | 'type' | 'input' | 'seatUid'>

const useHolds = query<{ uids: readonly string[] }, unknown>(
  p => sql`with used as (
    delete from ${holds} where ${holds.accountId} = ${p.account}
      and ${holds.uid} = any(${p.uids}::text[])
    returning id
  ) delete from ${occupancies} where ${occupancies.accountId} = ${p.account}
    and ${occupancies.source} = 'hold' and ${occupancies.sourceId} in (select id from used)`,
)

const countTurn = query<{ eventTypeId: number; userIds: readonly number[]; by: number }, unknown>(
  p => sql`update ${eventTypeHosts} set assigned = assigned + ${p.by}::int
    where ${eventTypeHosts.accountId} = ${p.account}
      and ${eventTypeHosts.eventTypeId} = ${p.eventTypeId}::int
      and ${eventTypeHosts.userId} = any(${p.userIds}::int[]) and not ${eventTypeHosts.isFixed}`,
)

/** Of two bookings at once that each look at the others one looks again. */
function guardOthers(write: Write, { id, turn }: EventTypeFacts): void {
  write.change(eventTypes, id, { turn: turn + 1 }, 'event_types_turn', { turn })
}

/** Sees to it that what was counted for the limits of an event type is still all there is. */
export function guardLimits(write: Write, type: EventTypeFacts): void {
  if (type.maximumActiveBookings !== null || isLimited(type)) guardOthers(write, type)
}

/**
 * Notes whose turn it was, where hosts take turns. Guarded, so that of two choices made at once one is made
 * again, as is what counts for a limit.
 */
export function takeTurn(
  write: Write,
  type: EventTypeFacts,
  hosts: readonly HostFacts[],
  by = 1,
): void {
  if (type.schedulingType === 'roundRobin') {
    guardOthers(write, type)
    write.run(countTurn, { eventTypeId: type.id, userIds: hosts.map(turnOf), by })
  } else guardLimits(write, type)
}

/** Releases the holds that were taken on slots; bookings take their place. */
export function releaseHolds(write: Write, holders: readonly Holder[]): void {
  const uids = holdsOf(holders)
  if (uids.length > 0) write.run(useHolds, { uids })
}

/** The blocks that a booking takes of its hosts' time. */
export const blocksOf = (draft: Pick<Draft, 'id' | 'type' | 'hosts' | 'start' | 'end'>) =>
  draft.hosts.map(host => ({
    personId: host.personId,
    source: 'booking' as const,
    id: draft.id,
    ...blockedRange(draft.start, draft.end, draft.type),
  }))

/** Everything that makes drafts of one event type bookings, added to a write. */
export function addBookings(write: Write, base: Base, drafts: readonly Draft[]): void {
  const [first] = drafts
  if (!first) return
  // An instant meeting takes no turn, and counts for no limit, before somebody has joined it.
  if (first.hosts.length > 0) takeTurn(write, first.type, first.hosts, drafts.length)
  blockTime(write, base.now, drafts.flatMap(blocksOf))
  write.insert(
    bookings,
    drafts.map(d => rowOf(d, base)),
  )
  write.insert(
    bookingHosts,
    drafts.flatMap(d => d.hosts.map(h => ({ bookingId: d.id, userId: h.userId }))),
  )
  write.insert(bookingAttendees, drafts.flatMap(attendeesOf))
  linkToResponse(write, first.input.routingFormResponse, first)
  if (first.status === 'awaiting_host') return
  const ids = drafts.map(d => d.id)
  const event = first.status === 'pending' ? 'BOOKING_REQUESTED' : 'BOOKING_CREATED'
  // Seats do not recur: where there is one, there is one booking.
  const about = first.seatUid === null ? {} : { seat: first.seatUid }
  emitBookings(write, base, event, ids, about)
  tellBookings(write, base, 'made', ids, about)
}

/** The row that a draft becomes. */
export function rowOf(draft: Draft, base: Base) {
  const { type, input, hosts, series, join } = draft
  const at = base.now.toISOString()
  const { responses, metadata, tracking } = input
  return {
    id: draft.id,
    uid: draft.uid,
    eventTypeId: type.id,
    userId: hosts[0]?.userId ?? null,
    title: titleOf(type, {
      host: hosts[0]?.name ?? nameOf(join?.asked ?? []),
      attendee: responses.name,
      isSeated: draft.seatUid !== null,
    }),
    description: type.description,
    status: draft.status,
    startTime: draft.start.toISOString(),
    endTime: draft.end.toISOString(),
    bufferBefore: type.bufferBefore,
    bufferAfter: type.bufferAfter,
    ...(draft.place ?? placeOf(type, input, draft.uid, base)),
    responses,
    metadata: metadata ?? {},
    tracking: tracking ?? null,
    price: type.price,
    currency: type.currency,
    recurringEventId: series?.id ?? null,
    recurringIndex: series?.index ?? null,
    isSeated: draft.seatUid !== null,
    joinHash: join?.hash ?? null,
    joinExpiresAt: join?.expiresAt.toISOString() ?? null,
    source: base.via,
    createdAt: at,
    updatedAt: at,
  } satisfies NewRow<typeof bookings>
}

/** The one who books, and the guests they bring, each address once. */
export function attendeesOf({ id, input, type, seatUid }: Seat) {
  const { responses, timeZone, language = 'en' } = input
  const person = personOf(responses)
  const shared = { bookingId: id, timeZone, locale: language, phoneNumber: null, seatUid: null }
  const booker = {
    ...shared,
    ...person,
    name: responses.name,
    isGuest: false,
    seatUid,
    responses: seatUid === null ? null : responses,
  }
  const guests = type.disableGuests || seatUid !== null ? [] : (responses.guests ?? [])
  const others = new Map(guests.map(email => [email.toLowerCase(), email]))
  others.delete(keyOf(person))
  return [
    booker,
    ...[...others.values()].map(email => ({
      ...shared,
      name: email,
      email,
      isGuest: true,
      responses: null,
    })),
  ]
}
