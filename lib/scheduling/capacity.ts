import type { Spans } from './intervals.ts'

/** How many of something are in use in `[start, end)`, UTC minutes. */
export interface Load {
  start: number
  end: number
  quantity: number
}

/**
 * Where `need` more would not fit: the spans in which use plus `need` is above `capacity`, merged.
 * A need that never fits gives one span without beginning or end.
 */
export function overloaded(loads: readonly Load[], capacity: number, need: number): Spans {
  const out: number[] = []
  let since = need > capacity ? Number.NEGATIVE_INFINITY : undefined
  eachLevel(loads, (at, used) => {
    const over = used + need > capacity
    if (over && since === undefined) since = at
    else if (!over && since !== undefined) {
      out.push(since, at)
      since = undefined
    }
  })
  if (since !== undefined) out.push(since, Number.POSITIVE_INFINITY)
  return out
}

/** Calls `visit` at each instant at which use changes, with the use from then on. */
function eachLevel(loads: readonly Load[], visit: (at: number, used: number) => void): void {
  const real = loads.filter(load => load.start < load.end)
  const starts = real.toSorted((a, b) => a.start - b.start)
  const ends = real.toSorted((a, b) => a.end - b.end)
  let used = 0
  let i = 0
  for (let j = 0; j < ends.length; ) {
    const at = Math.min(starts[i]?.start ?? Number.POSITIVE_INFINITY, ends[j]!.end)
    // Ends and starts of one instant count together, so a handover is no peak.
    while (j < ends.length && ends[j]!.end === at) used -= ends[j++]!.quantity
    while (i < starts.length && starts[i]!.start === at) used += starts[i++]!.quantity
    visit(at, used)
  }
}
