import { DAY, dateKey } from './dates.ts'
import { firstEndingAfter, type Spans } from './intervals.ts'
import { timeline } from './zone.ts'

/** What is being booked, in minutes, and between which instants (UTC minutes). */
export interface SlotRules {
  /** Longer than 0. */
  duration: number
  bufferBefore: number
  bufferAfter: number
  /** Minutes between two starts of the grid, more than 0. */
  interval: number
  /** Minutes by which the grid begins after its shift. */
  offset?: number
  /** No start before this instant: now plus the minimum notice. */
  earliest: number
  /** No start after this instant: the booking horizon. */
  latest: number
}

/** What is known of one person's time; all lists sorted and without overlaps, UTC minutes. */
export interface Calendar {
  /** Shifts, whole: where each span begins, its grid begins. Spans that touch are worked through. */
  open: Spans
  /** Taken ranges, which already contain the buffers of whatever took them. */
  busy: Spans
  /** Ranges in which something else that is needed (a room, a device) is missing. */
  unavailable?: Spans
}

/** A start and everybody who could take it. */
export interface Offer<Id> {
  start: number
  ids: Id[]
}

/**
 * Every start in `[from, to)` that can be booked, ascending. A start `s` is offered when
 * - `s` is the beginning of the open span it lies in plus `offset` and a multiple of `interval`;
 * - `[s, s + duration)` is open throughout (spans that touch count as one);
 * - `[s - bufferBefore, s + duration + bufferAfter)` overlaps nothing busy (touching is fine);
 * - `[s, s + duration)` overlaps nothing `unavailable`;
 * - `earliest <= s <= latest`.
 *
 * The answer for one start does not depend on the window, provided that `open` holds whole shifts
 * and reaches to the end of the last start's booking; `hostStarts` in offers.ts sees to both.
 */
export function slotStarts(
  rules: SlotRules,
  calendar: Calendar,
  from: number,
  to: number,
): number[] {
  const { duration, interval, offset = 0, bufferBefore, bufferAfter, latest } = rules
  if (!(duration > 0)) throw new RangeError(`A slot's duration must be above 0: ${duration}`)
  if (!(interval > 0)) throw new RangeError(`A slot's interval must be above 0: ${interval}`)
  const { open, busy } = calendar
  const missing = calendar.unavailable ?? []
  const first = Math.max(from, rules.earliest)
  const out: number[] = []
  let taken = firstEndingAfter(busy, first - bufferBefore)
  let lacking = firstEndingAfter(missing, first)
  let runEnd = Number.NEGATIVE_INFINITY
  for (let i = firstEndingAfter(open, first); i < open.length; i += 2) {
    const opens = open[i]!
    if (opens >= to || opens > latest) break
    if (opens >= runEnd) runEnd = endOfRun(open, i)
    const anchor = opens + offset
    const stop = Math.min(to, open[i + 1]!)
    const last = Math.min(latest, runEnd - duration)
    let s = anchor + Math.max(0, Math.ceil((first - anchor) / interval)) * interval
    while (s < stop && s <= last) {
      while (taken < busy.length && busy[taken + 1]! <= s - bufferBefore) taken += 2
      while (lacking < missing.length && missing[lacking + 1]! <= s) lacking += 2
      // Until when this start is refused: the next that may do is the grid's first from there on.
      let blocked = s
      if (taken < busy.length && busy[taken]! < s + duration + bufferAfter) {
        blocked = busy[taken + 1]! + bufferBefore
      }
      if (lacking < missing.length && missing[lacking]! < s + duration) {
        blocked = Math.max(blocked, missing[lacking + 1]!)
      }
      if (blocked === s) {
        out.push(s)
        s += interval
      } else {
        // At least one step, whatever the division makes of a fraction of a minute.
        s = Math.max(s + interval, anchor + Math.ceil((blocked - anchor) / interval) * interval)
      }
    }
  }
  return out
}

/** Who is free at each start ("any employee"): the union, ascending; ids in the order given. */
export function combine<Id>(perPerson: readonly { id: Id; starts: Spans }[]): Offer<Id>[] {
  const offers = new Map<number, Offer<Id>>()
  for (const { id, starts } of perPerson) {
    for (const start of starts) {
      const offer = offers.get(start)
      if (offer) offer.ids.push(id)
      else offers.set(start, { start, ids: [id] })
    }
  }
  return [...offers.values()].sort((a, b) => a.start - b.start)
}

/** The starts that stand in every list, ascending: hosts who must all be there. */
export function intersectStarts(lists: readonly Spans[]): number[] {
  const [first = [], ...others] = lists
  return others.reduce<number[]>((common, list) => {
    let j = 0
    return common.filter(start => {
      while (j < list.length && list[j]! < start) j++
      return list[j] === start
    })
  }, first.slice())
}

/**
 * Starts (or things with a `start`), ascending, under the local date they have in the zone of
 * whoever looks: `2026-03-08` to its starts. Days without any are absent. Only the grouping
 * depends on the zone.
 */
export function groupByDay<T extends number | { start: number }>(
  zone: string,
  items: readonly T[],
): Map<string, T[]> {
  const days = new Map<string, T[]>()
  if (items.length === 0) return days
  const stretches = timeline(zone, startOf(items[0]!), startOf(items.at(-1)!))
  let at = 0
  let dayEnd = Number.NEGATIVE_INFINITY
  let group: T[] = []
  for (const item of items) {
    const start = startOf(item)
    while (start >= stretches[at]!.end) {
      at++
      dayEnd = Number.NEGATIVE_INFINITY
    }
    if (start >= dayEnd) {
      const { offset } = stretches[at]!
      const day = Math.floor((start + offset) / DAY)
      dayEnd = (day + 1) * DAY - offset
      const key = dateKey(day)
      group = days.get(key) ?? []
      days.set(key, group)
    }
    group.push(item)
  }
  return days
}

function startOf(item: number | { start: number }): number {
  return typeof item === 'number' ? item : item.start
}

function endOfRun(open: Spans, index: number): number {
  let i = index
  while (open[i + 2] === open[i + 1] && i + 2 < open.length) i += 2
  return open[i + 1]!
}
