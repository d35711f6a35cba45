import { sql } from 'drizzle-orm'
import { bookingHosts, bookings } from '#drizzle/schema/bookings.ts'
import { type Base, type Member, requirePermission, type Visitor } from '#lib/core/context.ts'
import { badRequest, conflict, forbidden, invalid, notFound } from '#lib/core/errors.ts'
import type { Json } from '#lib/core/json.ts'
import type { Instant } from '#lib/core/kinds.ts'
import { newUid, randomText, sha256 } from '#lib/core/text.ts'
import { json } from '#lib/db/json.ts'
import { lookingAgain, QUEUE } from '#lib/db/meanings.ts'
import { entrance, lookUp, query } from '#lib/db/query.ts'
import { joinUrl } from '../messaging/bookings/compose.ts'
import { ringHosts, tellBookings } from '../messaging/bookings/queue.ts'
import { blockTime } from '../occupancies/writes.ts'
import type { MemberBooking } from './answer.ts'
import { withAnswers } from './answers.ts'
import { addCancel } from './cancel.ts'
import { requireVerified } from './codes.ts'
import { lengthOf, minutesOf, requireType } from './decide.ts'
import { emitBookings } from './events.ts'
import type { EventFacts } from './facts.ts'
import { CHANGED, changeBooking, readKnown, requireMove } from './known.ts'
import { bookingById } from './member-view.ts'
import { hostsAsked } from './named.ts'
import { DAILY } from './places.ts'
import { bookerOf, readFacts } from './read.ts'
import { setRooms } from './rooms.ts'
import type { NewBooking } from './schema.ts'
import { hostsAt, standInAt } from './stand-ins.ts'
import { titleOf } from './title.ts'
import { addBookings, blocksOf, type Draft, releaseHolds, takeTurn } from './write.ts'

const TOKEN_BYTES = 32

/** Somebody changed the meeting, or was booked in turn, between reading and writing. */
const LOOK_AGAIN = new Set([...CHANGED, 'event_types_turn'])

/** What asking for an instant meeting answers. The host joins by a link that only hosts are sent. */
export interface InstantMeeting {
  message: 'Success'
  meetingTokenId: number
  bookingId: number
  bookingUid: string
  expires: Instant
  userId: null
}

/** Asks for a meeting right now: it waits for the first host to join, until it expires. */
export async function createInstantBooking(
  anybody: Visitor,
  input: NewBooking,
  m?: Member,
): Promise<InstantMeeting> {
  for (const field of ['_isDryRun', 'rescheduleUid', 'bookingUid'] as const)
    if (input[field]) invalid({ field, message: 'is not for instant meetings' })
  const { base: v, tenant } = await bookerOf(anybody, input, m)
  const { eventTypeId, start } = input
  const asked = { eventTypeId, from: start, to: start, count: 1, holders: [input], named: input }
  const facts = await readFacts(v, tenant, asked)
  const type = requireType(facts)
  await requireVerified(v, tenant, type, input)
  if (facts.hosts.length === 0) conflict('no_available_users_found_error: nobody hosts this')
  const length = lengthOf(type, input)
  const end = new Date(input.start.getTime() + length * 60_000)
  if (end <= v.now) badRequest('booking_time_out_of_bounds_error: it would be over already')
  const token = randomText(TOKEN_BYTES)
  const expiresAt = new Date(v.now.getTime() + type.instantExpirySeconds * 1000)
  const draft: Draft = {
    id: facts.ids[0]!,
    uid: newUid(),
    type,
    hosts: [],
    start: input.start,
    end,
    status: 'awaiting_host',
    input: withAnswers(type, input),
    seatUid: null,
    join: { hash: await sha256(token), expiresAt, asked: hostsAsked(type, facts) },
  }
  const write = tenant.write('booking.instant', draft.id)
  releaseHolds(write, [input])
  addBookings(write, v, [draft])
  const connectAndJoinUrl = joinUrl(v.settings, token)
  emitBookings(write, v, 'INSTANT_MEETING', [draft.id], { connectAndJoinUrl })
  ringHosts(write, v, {
    id: draft.id,
    userIds: rungAt(facts, input.start),
    token,
    until: expiresAt,
  })
  return write.commit({
    message: 'Success',
    meetingTokenId: draft.id,
    bookingId: draft.id,
    bookingUid: draft.uid,
    expires: expiresAt.toISOString(),
    userId: null,
  })
}

/** Who is called to an instant meeting: the hosts, and in place of those who are away who stands in. */
const rungAt = (facts: EventFacts, start: Date): number[] =>
  hostsAsked(requireType(facts), facts).flatMap(
    host => standInAt(facts, host, minutesOf(start))?.userId ?? [],
  )

/** A meeting that waits for a host to join, until an instant (ISO 8601). */
export interface WaitingMeeting {
  id: number
  uid: string
  expiresAt: string
}

const byToken = query<{ hash: string }, WaitingMeeting | null>(
  p => sql`select ${json({ id: bookings.id, uid: bookings.uid, expiresAt: bookings.joinExpiresAt })}
    from ${bookings} where ${bookings.accountId} = ${p.account} and ${bookings.joinHash} = ${p.hash}`,
)

/** The meeting that a host's link leads to; null once somebody has joined, or nobody in time. */
export async function findWaiting(m: Member, token: string): Promise<WaitingMeeting | null> {
  requirePermission(m, 'calendar.own')
  const found = await m.tenant.read(byToken, { hash: await sha256(token) })
  return found && Date.parse(found.expiresAt) > m.now.getTime() ? found : null
}

/**
 * Joins an instant meeting as its host. The first who comes is the host; later ones get 409.
 * @throws NOT_FOUND for a token that is unknown or used up
 */
export async function joinInstantBooking(m: Member, token: string): Promise<Json<MemberBooking>> {
  requirePermission(m, 'calendar.own')
  const hash = await sha256(token)
  const { id } =
    (await m.tenant.read(byToken, { hash })) ?? notFound('token_not_found: the meeting')
  return lookingAgain(LOOK_AGAIN, () => joinOnce(m, id), QUEUE)
}

async function joinOnce(m: Member, id: number): Promise<Json<MemberBooking>> {
  const was = await readKnown(m.tenant, { id })
  requireMove(was, 'accepted')
  if (was.status !== 'awaiting_host') conflict('Another host has joined already')
  if ((was.joinExpiresAt ?? 0) <= minutesOf(m.now))
    conflict('token_invalid_expired: nobody joined in time')
  const start = new Date(was.start * 60_000)
  const eventTypeId = was.eventTypeId ?? 0
  const facts = await readFacts(m, m.tenant, { eventTypeId, from: start, to: start, count: 0 })
  const present = [...facts.hosts, ...hostsAt(facts, facts.hosts, was.start)]
  const host = present.find(h => h.userId === m.userId)
  if (!host) return forbidden('You are not a host of this event type')
  const type = requireType(facts)
  const write = m.tenant.write('booking.join_instant', id)
  const title = titleOf(type, { ...was, host: host.name })
  changeBooking(write, m, was, { status: 'accepted', userId: m.userId, title, joinHash: null })
  write.insert(bookingHosts, { bookingId: id, userId: m.userId })
  takeTurn(write, type, [host])
  const end = new Date(was.end * 60_000)
  blockTime(write, m.now, blocksOf({ id, type, hosts: [host], start, end }))
  emitBookings(write, m, 'BOOKING_CREATED', [id])
  tellBookings(write, m, 'made', [id])
  const answer = await write.commit(write.answer(bookingById, { id, uid: null, userId: null }))
  if (was.location === DAILY) m.after(() => setRooms(m, id))
  return answer
}

const expired = entrance<{ now: string; limit: number }, { accountId: number; id: number }[]>(
  p => sql`select coalesce(json_agg(x), '[]') from (
    select account_id as "accountId", id from ${bookings}
    where status = 'awaiting_host' and join_expires_at <= ${p.now}::timestamptz
    order by join_expires_at limit ${p.limit}::int) x`,
)

const BATCH = 100

/** Cancels the instant meetings that no host joined in time. Two runs at once cancel each once. */
export async function expireInstantBookings(base: Base): Promise<number> {
  const due = await lookUp(base.db, expired, { now: base.now.toISOString(), limit: BATCH })
  for (const { accountId, id } of due) {
    const tenant = base.enter(accountId)
    await lookingAgain(CHANGED, async () => {
      const was = await readKnown(tenant, { id })
      if (was.status !== 'awaiting_host') return
      const write = tenant.write('booking.expire', id)
      addCancel(write, base, was, { reason: 'expired', by: 'system' })
      tellBookings(write, base, 'expired', [id])
      await write.commit(undefined)
    })
  }
  return due.length
}
