import { userSchedule } from '#lib/domain/schedules/hours.ts'
import { DAY, dateOf, dayOf, parseDate, weekdayOf } from '#lib/scheduling/dates.ts'
import type { Schedule } from '#lib/scheduling/hours.ts'
import { normalize, union } from '#lib/scheduling/intervals.ts'
import { hostStarts } from '#lib/scheduling/offers.ts'
import { intersectStarts, type SlotRules } from '#lib/scheduling/slots.ts'
import { localDay, toUtc } from '#lib/scheduling/zone.ts'
import type { EventFacts, EventTypeFacts, HostFacts, Limits, TakenFacts } from './facts.ts'

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
function windowOf(facts: EventFacts, { window }: EventTypeFacts, now: number) {
  const zone = zoneOf(facts)
  const today = localDay(zone, now)
  const until = (day: number) => toUtc(zone, day + 1, 0) - 1
  if (!window) return { earliest: now, latest: until(today + HORIZON_DAYS) }
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

/** When one host is free. */
function startsOf(rules: SlotRules, host: HostFacts, from: number, to: number): number[] {
  const schedule: Schedule = userSchedule(host.schedule, host.timeZone)
  const busy = host.away.length > 0 ? union(normalize(host.away), host.busy) : host.busy
  return hostStarts(rules, { schedule, busy }, from, to)
}

/**
 * Every start in `[from, to)` that can be booked, ascending. The list of slots and the check of a
 * booking are this one function.
 */
export function offeredStarts(facts: EventFacts, ask: Ask, from: number, to: number): Offered[] {
  const type = facts.eventType
  if (!type || facts.hosts.length === 0) return []
  const rules = rulesOf(facts, type, ask)
  const free = new Map(facts.hosts.map(h => [h.userId, startsOf(rules, h, from, to)]))
  const found = new Map<number, Offered>()
  for (const { start, hostIds } of combineHosts(type, facts.hosts, free))
    found.set(start, { start, hostIds, seatsTaken: 0 })
  for (const seated of openSeats(facts, type, rules, ask, from, to)) found.set(seated.start, seated)
  const within = limitChecker(facts, type, ask)
  return [...found.values()]
    .filter(o => o.bookingUid !== undefined || within(o.start))
    .sort((a, b) => a.start - b.start)
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
  const startsFor = (list: readonly HostFacts[]) => list.map(h => free.get(h.userId) ?? [])
  const fixed = type.schedulingType === 'roundRobin' ? hosts.filter(h => h.isFixed) : hosts
  const rotating = type.schedulingType === 'roundRobin' ? hosts.filter(h => !h.isFixed) : []
  const together = intersectStarts(startsFor(fixed))
  if (rotating.length === 0)
    return together.map(start => ({ start, hostIds: fixed.map(h => h.userId) }))
  const allowed = fixed.length > 0 ? new Set(together) : undefined
  const byStart = new Map<number, number[]>()
  for (const host of rotating)
    for (const start of free.get(host.userId) ?? [])
      if (!allowed || allowed.has(start)) {
        const ids = byStart.get(start)
        if (ids) ids.push(host.userId)
        else byStart.set(start, [...fixed.map(h => h.userId), host.userId])
      }
  return [...byStart].map(([start, hostIds]) => ({ start, hostIds }))
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
    .filter(b => b.seats > 0 && b.seats < seats)
    .map(b => ({
      start: b.start,
      hostIds: b.userId === null ? [] : [b.userId],
      seatsTaken: b.seats,
      bookingUid: b.uid,
    }))
}

type Period = keyof Limits
const PERIODS: readonly Period[] = ['day', 'week', 'month', 'year']

/** The period that a local day lies in, as a number that no other period has. Weeks begin on Monday. */
function periodOf(day: number, period: Period): number {
  if (period === 'day') return day
  if (period === 'week') return day - ((weekdayOf(day) + 6) % 7)
  const { year, month } = dateOf(day)
  return dayOf(year, period === 'month' ? month : 1, 1)
}

/** Whether one more booking of this length stays within the event type's limits. */
function limitChecker(facts: EventFacts, type: EventTypeFacts, ask: Ask) {
  const { limitsCount, limitsDuration } = type
  const periods = PERIODS.filter(
    p => limitsCount[p] !== undefined || limitsDuration[p] !== undefined,
  )
  if (periods.length === 0) return () => true
  const zone = zoneOf(facts)
  const used = new Map<string, { count: number; minutes: number }>()
  const keyOf = (start: number, p: Period) => `${p}${periodOf(localDay(zone, start), p)}`
  const note = (b: TakenFacts) => {
    for (const p of periods) {
      const key = keyOf(b.start, p)
      const sum = used.get(key) ?? { count: 0, minutes: 0 }
      used.set(key, { count: sum.count + 1, minutes: sum.minutes + b.end - b.start })
    }
  }
  facts.taken.forEach(note)
  return (start: number): boolean =>
    periods.every(p => {
      const { count, minutes } = used.get(keyOf(start, p)) ?? { count: 0, minutes: 0 }
      return (
        count + 1 <= (limitsCount[p] ?? Number.POSITIVE_INFINITY) &&
        minutes + ask.length <= (limitsDuration[p] ?? Number.POSITIVE_INFINITY)
      )
    })
}

/** A day's worth of minutes on both sides of a window: no booking reaches further. */
export const REACH = 3 * DAY
