import { sql } from 'drizzle-orm'
import { holds } from '#drizzle/schema/bookings.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import type { Member } from '#lib/core/context.ts'
import { conflict, invalid, notFound } from '#lib/core/errors.ts'
import type { Deleted } from '#lib/core/json.ts'
import type { Instant, Minutes } from '#lib/core/kinds.ts'
import { newUid } from '#lib/core/text.ts'
import { json } from '#lib/db/json.ts'
import { lookingAgain, QUEUE } from '#lib/db/meanings.ts'
import { query } from '#lib/db/query.ts'
import { isHostedBy } from '../event-types/hosted.ts'
import { blockedRange, blockTime, freeTime } from '../occupancies/writes.ts'
import { ownUser } from '../teams/reach.ts'
import { chooseHosts, lengthsOf, minutesOf, requireOffer, requireType } from './decide.ts'
import { readFacts } from './read.ts'
import type { NewHold } from './schema.ts'
import { hostsAt } from './stand-ins.ts'

/** A slot that is kept for somebody while they fill in a form. Durations are in minutes. */
export interface Hold {
  id: number
  /** What a booking names as `holdUid`. */
  reservationUid: string
  eventTypeId: number
  slotStart: Instant
  slotEnd: Instant
  slotDuration: Minutes
  reservationDuration: Minutes
  reservationUntil: Instant
}

const HOLD_MINUTES = 5

/** Lost to somebody who took a host a moment before: another in turn may be free. */
const LOOK_AGAIN = new Set(['occupancies_no_overlap'])

/**
 * Keeps a slot, for 5 minutes unless another time is asked for; the database refuses everybody else
 * meanwhile. Whoever books with `holdUid` takes the time over.
 * @throws NOT_FOUND for an event type that a member who is limited to their own does not host; CONFLICT where
 *   the slot is not free, or is one seat of many
 */
export const holdSlot = (m: Member, input: NewHold): Promise<Hold> =>
  lookingAgain(LOOK_AGAIN, () => holdOnce(m, input), QUEUE)

async function holdOnce(m: Member, input: NewHold): Promise<Hold> {
  const own = ownUser(m, 'calendar.write')
  const { eventTypeId, slotStart, slotDuration } = input
  const window = { from: slotStart, to: slotStart, count: 0 }
  const facts = await readFacts(m, m.tenant, { eventTypeId, ...window })
  if (own !== null && !facts.hosts.some(host => host.userId === own)) notFound('Event type')
  const type = requireType(facts)
  if (type.seats !== null) conflict('This event type has seats: book one, it cannot be held')
  const length = slotDuration ?? type.length
  const lengths = lengthsOf(type)
  if (!lengths.includes(length))
    invalid({ field: 'slotDuration', message: `must be ${lengths.join(' or ')}` })
  const offered = requireOffer(facts, { now: minutesOf(m.now), length }, slotStart, 'slotStart')
  const hosts = hostsAt(facts, chooseHosts(facts, offered, new Set()), offered.start)
  const minutes = input.reservationDuration ?? HOLD_MINUTES
  const end = new Date(slotStart.getTime() + length * 60_000)
  const until = new Date(m.now.getTime() + minutes * 60_000).toISOString()
  const { holdId: id } = facts
  const block = { source: 'hold' as const, id, ...blockedRange(slotStart, end, type) }
  const write = m.tenant.write('hold.create', id)
  blockTime(
    write,
    m.now,
    hosts.map(({ personId }) => ({ personId, ...block, expiresAt: until })),
  )
  const kept = { startTime: slotStart.toISOString(), endTime: end.toISOString() }
  const uid = newUid()
  write.insert(holds, {
    ...{ id, uid, eventTypeId, ...kept },
    userIds: hosts.map(h => h.userId),
    expiresAt: until,
    createdAt: m.now.toISOString(),
  })
  return write.commit({
    id,
    reservationUid: uid,
    eventTypeId,
    slotStart: kept.startTime,
    slotEnd: kept.endTime,
    slotDuration: length,
    reservationDuration: minutes,
    reservationUntil: until,
  })
}

const h = holds

const minutesBetween = (from: typeof h.startTime, to: typeof h.startTime) =>
  sql`(extract(epoch from ${to} - ${from}) / 60)::int`

const holdById = query<{ id: number; now: string; own: number | null }, Hold | null>(
  p => sql`select ${json({
    id: h.id,
    reservationUid: h.uid,
    eventTypeId: h.eventTypeId,
    slotStart: h.startTime,
    slotEnd: h.endTime,
    slotDuration: minutesBetween(h.startTime, h.endTime),
    reservationDuration: minutesBetween(h.createdAt, h.expiresAt),
    reservationUntil: h.expiresAt,
  })} from ${h}
    where ${h.accountId} = ${p.account} and ${h.id} = ${p.id}::int
      and ${h.expiresAt} > ${p.now}::timestamptz
      and (${p.own}::int is null or exists (select from ${eventTypes}
        where ${eventTypes.accountId} = ${h.accountId} and ${eventTypes.id} = ${h.eventTypeId}
          and ${isHostedBy(p.own)}))`,
)

const find = async (m: Member, id: number, own: number | null): Promise<Hold> =>
  (await m.tenant.read(holdById, { id, now: m.now.toISOString(), own })) ?? notFound('Hold')

/** A hold that is not over: anybody's, or of what the member hosts. */
export const readHold = (m: Member, { id }: { id: number }): Promise<Hold> =>
  find(m, id, ownUser(m, 'calendar.read'))

const deleteHold = query<{ id: number }, unknown>(
  p => sql`delete from ${h} where ${h.accountId} = ${p.account} and ${h.id} = ${p.id}::int`,
)

/** Gives a held slot back before its time. */
export async function releaseSlot(m: Member, { id }: { id: number }): Promise<Deleted> {
  await find(m, id, ownUser(m, 'calendar.write'))
  const write = m.tenant.write('hold.delete', id)
  freeTime(write, 'hold', [id])
  write.run(deleteHold, { id })
  return write.commit({ id, deleted: true })
}
