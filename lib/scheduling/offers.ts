import { type Schedule, shifts } from './hours.ts'
import type { Spans } from './intervals.ts'
import { combine, type Offer, type SlotRules, slotStarts } from './slots.ts'

/** One person's working hours and what already takes their time (see `Calendar`). */
export interface Host {
  schedule: Schedule
  busy: Spans
  unavailable?: Spans
}

/** A host by name, for questions to several at once. */
export interface NamedHost<Id> extends Host {
  id: Id
}

/**
 * The starts one person offers in `[from, to)`, UTC minutes, ascending. `busy` and `unavailable`
 * must be known from `from - bufferBefore` to `to + duration + bufferAfter`. The list and the
 * check of a booking both come through here, so they cannot differ.
 */
export function hostStarts(rules: SlotRules, host: Host, from: number, to: number): number[] {
  const first = Math.max(from, rules.earliest)
  const end = Math.min(to, rules.latest + 1) + rules.duration
  const open = shifts(host.schedule, first, end)
  return slotStarts(rules, { open, busy: host.busy, unavailable: host.unavailable }, first, to)
}

/** Every start in `[from, to)` that at least one of several people offers, with who they are. */
export function offers<Id>(
  rules: SlotRules,
  hosts: readonly NamedHost<Id>[],
  from: number,
  to: number,
): Offer<Id>[] {
  return combine(hosts.map(host => ({ id: host.id, starts: hostStarts(rules, host, from, to) })))
}
