import type { BookingPolicy } from '#drizzle/schema/accounts.ts'
import { overloaded } from '#lib/scheduling/capacity.ts'
import { openings, type Schedule } from '#lib/scheduling/hours.ts'
import { intersect, type Spans, subtract, union } from '#lib/scheduling/intervals.ts'
import { type Host, hostStarts } from '#lib/scheduling/offers.ts'
import type { SlotRules } from '#lib/scheduling/slots.ts'
import { scheduleOf } from '../staff/hours.ts'
import type { EmployeeFacts, OfferFacts, ServiceFacts } from './facts.ts'

/** Minutes between offered starts where a service says nothing. */
const DEFAULT_INTERVAL = 15
const DAY = 1440

/** What is asked of a service: for how long, for how many, as of when. Minutes. */
export interface Ask {
  now: number
  duration: number
  persons: number
  group: boolean
}

/** A start that can be booked, with who could take it. UTC minutes. */
export interface Offered {
  start: number
  end: number
  employeeIds: number[]
  spotsOpen: number
  spotsTotal: number
}

/** A start within working hours that cannot be booked, and why. */
export interface Refused {
  start: number
  employeeId: number
  reason: 'minimum_notice' | 'horizon' | 'resource' | 'busy'
}

/** The bounds on starts: the service's own, else the company's. */
function rulesOf(service: ServiceFacts, policy: BookingPolicy, ask: Ask): SlotRules {
  return {
    duration: ask.duration,
    bufferBefore: service.bufferBefore,
    bufferAfter: service.bufferAfter,
    interval: service.slotIntervalMinutes ?? DEFAULT_INTERVAL,
    earliest: ask.now + (service.minNoticeMinutes ?? policy.minNoticeMinutes),
    latest: ask.now + (service.horizonDays ?? policy.horizonDays) * DAY,
  }
}

/** Where a resource is used up, or the place is closed. */
function unavailableSpans(facts: OfferFacts, from: number, to: number): Spans {
  const missing = facts.needs.map(need =>
    overloaded(need.loads, need.active ? need.total : 0, need.quantity),
  )
  const { location } = facts
  if (location?.openingHours) {
    const { timeZone, openingHours: weekly } = location
    missing.push(subtract([from, to], openings({ timeZone, weekly }, from, to)))
  }
  return missing.reduce<Spans>((all, spans) => union(all, spans), [])
}

/** An employee's hours at the place: its own row in its own zone, else the general one in theirs. */
function employeeSchedule(facts: OfferFacts, employee: EmployeeFacts): Schedule {
  const zone = employee.hours?.atLocation ? facts.location?.timeZone : undefined
  return scheduleOf(employee.hours, zone ?? employee.timeZone, facts.company.closures)
}

/** How far around the window hours are looked at: a booking may run on for that long. */
const MARGIN = 2 * DAY

/** Those who can be booked; asked for by name, somebody may be inactive or not give the service. */
const ableOf = (facts: OfferFacts): EmployeeFacts[] =>
  facts.employees.filter(e => e.active && e.gives)

function hostsOf(facts: OfferFacts, ask: Ask, from: number, to: number): (Host & { id: number })[] {
  const unavailable = unavailableSpans(facts, from - MARGIN, to + ask.duration + MARGIN)
  return ableOf(facts).map(employee => ({
    id: employee.id,
    schedule: employeeSchedule(facts, employee),
    busy: employee.busy,
    unavailable,
  }))
}

/** The service, if it is offered at all: active, and at this place if it is bound to one. */
function serviceOf({ service, location }: OfferFacts): ServiceFacts | undefined {
  if (!service?.active || location?.active === false) return undefined
  const elsewhere = service.locationId !== null && location && location.id !== service.locationId
  return elsewhere ? undefined : service
}

/**
 * Every start in `[from, to)` that can be booked, ascending. The list of slots and the check of a
 * booking are this one function: what is listed can be booked and nothing else can. The facts must
 * cover the window with the service's length and buffers around it.
 */
export function offeredStarts(facts: OfferFacts, ask: Ask, from: number, to: number): Offered[] {
  const { company } = facts
  const service = serviceOf(facts)
  if (!service) return []
  if (ask.persons > service.maxCapacity) return []
  const spotsTotal = ask.group ? service.maxCapacity : 1
  const rules = rulesOf(service, company.policy, ask)
  const found = new Map<number, Offered>()
  const add = (start: number, end: number, employeeId: number, spotsOpen: number) => {
    const known = found.get(start)
    if (!known) found.set(start, { start, end, employeeIds: [employeeId], spotsOpen, spotsTotal })
    else {
      known.employeeIds.push(employeeId)
      known.spotsOpen = Math.max(known.spotsOpen, spotsOpen)
    }
  }
  for (const host of hostsOf(facts, ask, from, to))
    for (const start of hostStarts(rules, host, from, to))
      add(start, start + ask.duration, host.id, spotsTotal)
  if (ask.group)
    for (const s of openSessions(facts, ask, rules, from, to))
      add(s.start, s.end, s.employeeId, service.maxCapacity - s.taken)
  return [...found.values()].sort((a, b) => a.start - b.start)
}

/** Sessions under way to being full: their block is why the start is not free otherwise. */
function openSessions(facts: OfferFacts, ask: Ask, rules: SlotRules, from: number, to: number) {
  const capacity = facts.service?.maxCapacity ?? 0
  const employees = new Set(ableOf(facts).map(e => e.id))
  return facts.sessions
    .filter(
      s => s.start >= from && s.start < to && s.taken > 0 && s.taken + ask.persons <= capacity,
    )
    .filter(s => s.start >= rules.earliest && s.start <= rules.latest)
    .filter(s => s.locationId === (facts.location?.id ?? null))
    .flatMap(s =>
      s.employeeId !== null && employees.has(s.employeeId)
        ? [{ start: s.start, end: s.end, employeeId: s.employeeId, taken: s.taken }]
        : [],
    )
}

/** Who offers exactly this start; undefined when nobody does. */
export const offerAt = (facts: OfferFacts, ask: Ask, start: number): Offered | undefined =>
  offeredStarts(facts, ask, start, start + 1).find(o => o.start === start)

/** For each start of the grid within working hours that is not offered, the rule that refuses it. */
export function refusedStarts(facts: OfferFacts, ask: Ask, from: number, to: number): Refused[] {
  const { company } = facts
  const service = serviceOf(facts)
  if (!service) return []
  const rules = rulesOf(service, company.policy, ask)
  const offered = new Map(offeredStarts(facts, ask, from, to).map(o => [o.start, o.employeeIds]))
  const anytime = { ...rules, earliest: Number.NEGATIVE_INFINITY, latest: Number.MAX_SAFE_INTEGER }
  return hostsOf(facts, ask, from, to).flatMap(({ id, schedule, unavailable = [] }) =>
    hostStarts(anytime, { schedule, busy: [] }, from, to)
      .filter(start => !offered.get(start)?.includes(id))
      .map(start => ({ start, employeeId: id, reason: reasonOf(start, rules, unavailable) })),
  )
}

function reasonOf(start: number, rules: SlotRules, unavailable: Spans): Refused['reason'] {
  if (start < rules.earliest) return 'minimum_notice'
  if (start > rules.latest) return 'horizon'
  return intersect([start, start + rules.duration], unavailable).length > 0 ? 'resource' : 'busy'
}
