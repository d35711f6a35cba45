import { type Base, type Member, may, type Visitor } from '#lib/core/context.ts'
import { enteringById } from '#lib/core/enter.ts'
import { accountOfEventType } from '#lib/db/entrances.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import { formatUtc } from '#lib/scheduling/zone.ts'
import { minutesOf } from './decide.ts'
import { type EventFacts, eventFacts } from './facts.ts'
import { type HostsNamed, namedHosts } from './named.ts'
import { isRolling, REACH } from './offers.ts'
import { type Holder, holdsOf } from './schema.ts'

/** The account of an event type, for a visitor who names it; 404 when there is none. */
export const enterByEventType = enteringById(accountOfEventType, 'Event type')

/**
 * Who books an event type, and in which account: a member of that account who may book for others, else
 * anybody.
 * @throws NOT_FOUND when there is no such event type
 */
export async function bookerOf(
  v: Visitor,
  { eventTypeId }: { eventTypeId: number },
  m?: Member,
): Promise<{ base: Visitor | Member; tenant: Tenant }> {
  const tenant = await enterByEventType(v, eventTypeId)
  return m?.accountId === tenant.accountId && may(m, 'calendar.own')
    ? { base: m, tenant: m.tenant }
    : { base: v, tenant }
}

/** What is asked of an event type: between which starts, and for whom. */
export interface FactsAsked {
  eventTypeId: number
  from: Date
  to: Date
  /** How many bookings it is for. */
  count: number
  /** The booking that is being moved, which does not stand in its own way. */
  exclude?: number | undefined
  /** Whose holds are being used up. */
  holders?: readonly Holder[]
  /** Who books, by their key (lib/domain/attendees/person.ts): their other bookings may count. */
  person?: string | undefined
  /** Who of the hosts is wanted. */
  named?: HostsNamed | undefined
}

/**
 * The facts about the starts of an event type in a window, in one trip; in two where only days count
 * that something is free on, for then all days from now on must be known.
 * @throws NOT_FOUND where somebody is named who is no host
 */
export async function readFacts(
  base: Base,
  tenant: Tenant,
  { eventTypeId, from, to, count, exclude, holders = [], person, named = {} }: FactsAsked,
): Promise<EventFacts> {
  const params = {
    eventTypeId,
    from: formatUtc(minutesOf(from) - REACH),
    to: formatUtc(minutesOf(to) + REACH),
    now: base.now.toISOString(),
    exclude: exclude ?? null,
    holds: holdsOf(holders),
    person: person ?? null,
    count,
  }
  const facts = await tenant.read(eventFacts, params)
  if (!facts.eventType) return facts
  const wanted = namedHosts(facts.hosts, named)
  if (!isRolling(facts.eventType) || from <= base.now) return { ...facts, named: wanted }
  return { ...(await tenant.read(eventFacts, { ...params, from: params.now })), named: wanted }
}
