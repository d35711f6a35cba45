import { userSchedule } from '#lib/domain/schedules/hours.ts'
import { DAY, parseDate, weekdayOf } from '#lib/scheduling/dates.ts'
import type { Schedule } from '#lib/scheduling/hours.ts'
import { normalize, union } from '#lib/scheduling/intervals.ts'
import { hostStarts } from '#lib/scheduling/offers.ts'
import { combine, groupByDay, intersectStarts, type SlotRules } from '#lib/scheduling/slots.ts'
import { localDay, toUtc } from '#lib/scheduling/zone.ts'
import type { EventFacts, EventTypeFacts } from './facts.ts'
import type { HostFacts } from './host-facts.ts'
import { roomOf } from './limits.ts'
import { hostsAsked, isWithNamed, takesTurns } from './named.ts'
import { coveredStarts } from './stand-ins.ts'

/** How far ahead an event type without a window of its own can be booked. */
const HORIZON_DAYS = 365

/** What is asked: how long it takes, and as of when. Minutes. */
export interface Ask {
  now: number
  length: number
}

/** A start that can be booked, with who could host it; a seated one may be joined. UTC minutes. */
export interface Offered {
  start: number
  hostIds: number[]
  seatsTaken: number
  bookingUid?: string
}

/** The zone by whose days windows and limits are counted: the first host's. */
export const zoneOf = (facts: EventFacts): string =>
  facts.hosts[0]?.schedule?.timeZone ?? facts.hosts[0]?.timeZone ?? facts.account.timeZone

function rulesOf(facts: EventFacts, type: EventTypeFacts, ask: Ask): SlotRules {
  const { earliest, latest } = windowOf(facts, type, ask.now)
  return {
    duration: ask.length,
    bufferBefore: type.bufferBefore,
    bufferAfter: type.bufferAfter,
    interval: type.slotInterval ?? ask.length,
    offset: type.offsetStart,
    earliest: Math.max(earliest, ask.now + type.notice),
    latest,
  }
}

/** Between which instants it may start. Days are whole ones of the host's zone. */
export function windowOf(facts: EventFacts, type: EventTypeFacts, now: number) {
  const { window } = type
  const zone = zoneOf(facts)
  const today = localDay(zone, now)
  const until = (day: number) => toUtc(zone, day + 1, 0) - 1
  if (!window || isRolling(type)) return { earliest: now, latest: until(today + HORIZON_DAYS) }
  if (window.type === 'range') {
    const [from, to] = window.value
    return { earliest: toUtc(zone, parseDate(from), 0), latest: until(parseDate(to)) }
  }
  if (window.type === 'calendarDays') return { earliest: now, latest: until(today + window.value) }
  let day = today
  for (let left = window.value; left > 0; ) {
    day++
    if (weekdayOf(day) !== 0 && weekdayOf(day) !== 6) left--
  }
  return { earliest: now, latest: until(day) }
}

/** When one person is free, while they are not away. */
function startsOf(rules: SlotRules, who: HostFacts, from: number, to: number): number[] {
  const schedule: Schedule = userSchedule(who.schedule, who.timeZone)
  const away = who.away.flatMap(a => [a.start, a.end])
  const busy = away.length > 0 ? union(normalize(away), who.busy) : who.busy
  return hostStarts(rules, { schedule, busy }, from, to)
}

/**
 * Every start in `[from, to)` that can be booked, ascending. The list of slots and the check of a
 * booking are this one function.
 */
export function offeredStarts(facts: EventFacts, ask: Ask, from: number, to: number): Offered[] {
  const type = facts.eventType
  if (!type || facts.hosts.length === 0) return []
  const zone = zoneOf(facts)
  const rolling = isRolling(type)
  // Whole days, where it matters what else is free on a day or on those before it.
  const first = rolling ? ask.now : type.onlyFirst ? toUtc(zone, localDay(zone, from), 0) : from
  let offered = startsWithin(facts, type, ask, Math.min(first, from), to)
  if (rolling) offered = inRollingWindow(zone, type, offered)
  if (type.onlyFirst) offered = [...groupByDay(zone, offered).values()].map(day => day[0]!)
  return offered.filter(o => o.start >= from)
}

function startsWithin(
  facts: EventFacts,
  type: EventTypeFacts,
  ask: Ask,
  from: number,
  to: number,
): Offered[] {
  const rules = rulesOf(facts, type, ask)
  const asked = hostsAsked(type, facts)
  const free = new Map(
    asked.map(host => [
      host.userId,
      coveredStarts(facts, host, (who, a, b) => startsOf(rules, who, a, b), from, to),
    ]),
  )
  const found = new Map<number, Offered>()
  for (const { start, hostIds } of combineHosts(type, asked, free))
    found.set(start, { start, hostIds, seatsTaken: 0 })
  for (const seated of openSeats(facts, type, rules, ask, from, to)) found.set(seated.start, seated)
  const room = roomOf(type, zoneOf(facts), facts.taken)
  return [...found.values()]
    .filter(o => o.bookingUid !== undefined || room.within(o.start, ask.length))
    .sort((a, b) => a.start - b.start)
}

/** Whether only days count that something is free on: then all from now on must be known. */
export const isRolling = ({ window }: EventTypeFacts): boolean =>
  window !== null && window.type !== 'range' && window.rolling === true

/** What is offered on the first so many days that anything is offered on at all. */
function inRollingWindow(zone: string, type: EventTypeFacts, offered: Offered[]): Offered[] {
  const { window } = type
  if (!window || window.type === 'range') return offered
  const days = new Set<number>()
  const counts = (day: number) =>
    window.type === 'calendarDays' || (weekdayOf(day) !== 0 && weekdayOf(day) !== 6)
  return offered.filter(({ start }) => {
    const day = localDay(zone, start)
    if (days.size === window.value && !days.has(day)) return false
    if (counts(day)) days.add(day)
    return true
  })
}

/** Who exactly offers this start; undefined when it is not offered. */
export const offerAt = (facts: EventFacts, ask: Ask, start: number): Offered | undefined =>
  offeredStarts(facts, ask, start, start + 1).find(o => o.start === start)

/** All of collective hosts, any one of those who take turns together with all who are fixed. */
function combineHosts(
  type: EventTypeFacts,
  hosts: readonly HostFacts[],
  free: ReadonlyMap<number, number[]>,
): { start: number; hostIds: number[] }[] {
  const startsOf = (host: HostFacts) => free.get(host.userId) ?? []
  const fixed = hosts.filter(host => !takesTurns(type, host))
  const fixedIds = fixed.map(host => host.userId)
  const together = intersectStarts(fixed.map(startsOf))
  const rotating = hosts.filter(host => takesTurns(type, host))
  if (rotating.length === 0) return together.map(start => ({ start, hostIds: fixedIds }))
  const offered = rotating.map(host => ({
    id: host.userId,
    starts: fixed.length === 0 ? startsOf(host) : intersectStarts([startsOf(host), together]),
  }))
  return combine(offered).map(({ start, ids }) => ({ start, hostIds: [...fixedIds, ...ids] }))
}

/** Seated bookings with room left: their own block is why their start is not free otherwise. */
function openSeats(
  facts: EventFacts,
  type: EventTypeFacts,
  rules: SlotRules,
  ask: Ask,
  from: number,
  to: number,
): Offered[] {
  const { seats } = type
  if (seats === null) return []
  return facts.taken
    .filter(b => b.start >= from && b.start < to && b.end - b.start === ask.length)
    .filter(b => b.start >= rules.earliest && b.start <= rules.latest)
    .filter(b => b.seats > 0 && b.seats < seats && b.hostIds.length > 0)
    .filter(b => isWithNamed(type, facts, b))
    .map(b => ({
      start: b.start,
      hostIds: b.userId === null ? [] : [b.userId],
      seatsTaken: b.seats,
      bookingUid: b.uid,
    }))
}

/** So far beyond a window facts are looked at, in minutes: no booking with its buffers reaches further. */
export const REACH = 3 * DAY
