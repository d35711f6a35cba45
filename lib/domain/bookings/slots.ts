import { sql } from 'drizzle-orm'
import { users } from '#drizzle/schema/accounts.ts'
import { eventTypes, teams } from '#drizzle/schema/calendar.ts'
import { type Base, type Member, requireScope } from '#lib/core/context.ts'
import { badQuery, notFound } from '#lib/core/errors.ts'
import type { LocalInstant } from '#lib/core/kinds.ts'
import { query } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import { parseDate } from '#lib/scheduling/dates.ts'
import { groupByDay } from '#lib/scheduling/slots.ts'
import { formatLocal, formatUtc, toUtc } from '#lib/scheduling/zone.ts'
import { lengthsOf, minutesOf, requireType } from './decide.ts'
import type { EventFacts } from './facts.ts'
import { enterByUid, type Known, readKnown } from './known.ts'
import type { HostsNamed } from './named.ts'
import { type Offered, offeredStarts } from './offers.ts'
import { readFacts } from './read.ts'
import type { SlotsQuery } from './schema.ts'

/** A slot as it is listed, with the offset of the asked zone: `Z` in UTC. */
export interface EventSlot {
  start: LocalInstant
  /** Left out where starts alone were asked for (`format=time`). */
  end?: LocalInstant
  attendeesCount?: number
  bookingUid?: string
}

/** Slots by day of the asked zone; days without any are absent. */
export type SlotsByDay = Record<string, EventSlot[]>

const MAX_DAYS = 93

/** Which slots of one event type are asked for. */
export type SlotsAsked = HostsNamed &
  Pick<SlotsQuery, 'start' | 'end' | 'timeZone' | 'duration' | 'format'>

const typeBySlug = query<
  { slug: string; username: string | null; teamSlug: string | null; userId: number },
  { id: number } | null
>(
  p => sql`select json_build_object('id', ${eventTypes.id}) from ${eventTypes}
    left join ${users} on ${users.id} = ${eventTypes.userId}
    left join ${teams} on ${teams.accountId} = ${eventTypes.accountId}
      and ${teams.id} = ${eventTypes.teamId}
    where ${eventTypes.accountId} = ${p.account} and ${eventTypes.slug} = ${p.slug}
      and case when ${p.teamSlug}::text is not null then ${teams.slug} = ${p.teamSlug}::text
        when ${p.username}::text is not null then lower(${users.username}) = lower(${p.username}::text)
        else ${eventTypes.userId} = ${p.userId}::int end`,
)

/** How an event type is named: by its id, or by its slug and whose it is. */
type TypeNamed = Pick<
  SlotsQuery,
  'eventTypeId' | 'eventTypeSlug' | 'slug' | 'username' | 'teamSlug'
>

/** The id of an event type of the member's account; the slug is one of their own if nobody is named. */
export async function eventTypeNamed(m: Member, asked: TypeNamed): Promise<number> {
  const { eventTypeId, username = null, teamSlug = null } = asked
  if (eventTypeId) return eventTypeId
  const slug = asked.slug ?? asked.eventTypeSlug ?? ''
  const found = await m.tenant.read(typeBySlug, { slug, username, teamSlug, userId: m.userId })
  return (found ?? notFound('Event type')).id
}

/** The slots of an event type of the member's account, over at most 93 days. */
export async function listSlots(m: Member, asked: SlotsQuery): Promise<SlotsByDay> {
  requireScope(m, 'calendar.read')
  const id = await eventTypeNamed(m, asked)
  const moving = asked.bookingUidToReschedule
    ? await readKnown(m.tenant, { uid: asked.bookingUidToReschedule })
    : undefined
  return slotsOf(m, m.tenant, id, asked, moving)
}

/**
 * Where a booking could be moved to by who holds its public identifier: when its hosts are free, but
 * for where it is.
 */
export async function listMoves(
  base: Base,
  { uid, ...asked }: Pick<SlotsQuery, 'start' | 'end' | 'timeZone'> & { uid: string },
): Promise<SlotsByDay> {
  const tenant = await enterByUid(base, uid)
  const was = await readKnown(tenant, { uid })
  const duration = was.end - was.start
  const days = await slotsOf(base, tenant, was.eventTypeId ?? 0, { ...asked, duration }, was)
  const isElsewhere = ({ start }: EventSlot) => Date.parse(start) !== was.start * 60_000
  return Object.fromEntries(
    Object.entries(days)
      .map(([day, slots]) => [day, slots.filter(isElsewhere)] as const)
      .filter(([, slots]) => slots.length > 0),
  )
}

/** Who must be free for a booking to be moved: its hosts, as far as they are hosts still. */
const staying = (facts: EventFacts, { hostIds }: Pick<Known, 'hostIds'>): readonly number[] =>
  hostIds.every(id => facts.hosts.some(h => h.userId === id)) ? hostIds : []

/**
 * The slots of one event type, for any caller.
 * @param moving the booking that is to be moved: it is not in its own way, and keeps its hosts
 */
export async function slotsOf(
  base: Base,
  tenant: Tenant,
  eventTypeId: number,
  asked: SlotsAsked,
  moving?: Pick<Known, 'id' | 'hostIds'>,
): Promise<SlotsByDay> {
  const zone = asked.timeZone ?? 'UTC'
  const from = instantOf(asked.start, zone, 0)
  const to = instantOf(asked.end, zone, 1)
  if (!(from < to)) badQuery({ field: 'end', message: 'must be after start' })
  if (to - from > MAX_DAYS * 1440)
    badQuery({ field: 'end', message: `must be within ${MAX_DAYS} days of start` })
  const window = { from: new Date(from * 60_000), to: new Date(to * 60_000), count: 0 }
  const facts = await readFacts(base, tenant, {
    ...{ eventTypeId, ...window, exclude: moving?.id, named: asked },
  })
  const type = requireType(facts)
  const length = asked.duration ?? type.length
  const lengths = lengthsOf(type)
  // A booking keeps its length, whatever has become of the event type.
  if (!moving && !lengths.includes(length))
    badQuery({ field: 'duration', message: `must be ${lengths.join(' or ')}` })
  const offered = offeredStarts(facts, { now: minutesOf(base.now), length }, from, to)
  const kept = moving ? staying(facts, moving) : []
  const possible = offered.filter(o => kept.every(id => o.hostIds.includes(id)))
  return byDay(zone, possible, asked.format === 'time' ? undefined : length, type.showCount)
}

const instantOf = (value: Date | string, zone: string, daysLater: number): number =>
  typeof value === 'string' ? toUtc(zone, parseDate(value) + daysLater, 0) : minutesOf(value)

function byDay(
  zone: string,
  offered: readonly Offered[],
  length: number | undefined,
  showCount: boolean,
): SlotsByDay {
  const days: SlotsByDay = {}
  const format = (at: number) => (zone === 'UTC' ? formatUtc(at) : formatLocal(zone, at))
  for (const [day, starts] of groupByDay(zone, offered))
    days[day] = starts.map(({ start, seatsTaken, bookingUid }) => ({
      start: format(start),
      ...(length === undefined ? {} : { end: format(start + length) }),
      ...(bookingUid === undefined ? {} : { bookingUid }),
      ...(bookingUid !== undefined && showCount ? { attendeesCount: seatsTaken } : {}),
    }))
  return days
}
