/**
 * Sorted, disjoint, half-open ranges as one flat list: `[start, end, start, end, …]`.
 * The unit is whatever the caller counts in; the scheduling folder counts minutes since the epoch.
 * Ranges may touch (`[0, 5, 5, 9]`): functions that build a list from scratch merge what touches,
 * functions that cut one keep the cuts that were there.
 */
export type Spans = readonly number[]

/** Any pairs, in any order, overlapping or empty, as spans in which nothing overlaps or touches. */
export function normalize(pairs: Spans): number[] {
  const sorted = isSorted(pairs) ? pairs : sortPairs(pairs)
  const out: number[] = []
  for (let i = 0; i < sorted.length; i += 2) {
    const start = sorted[i]!
    const end = sorted[i + 1]!
    if (!(start < end)) continue
    const last = out.length - 1
    if (last > 0 && start <= out[last]!) {
      if (end > out[last]!) out[last] = end
    } else out.push(start, end)
  }
  return out
}

/** What lies in either list, merged. */
export function union(a: Spans, b: Spans): number[] {
  const pairs: number[] = []
  let j = 0
  for (let i = 0; i < a.length; i += 2) {
    while (j < b.length && b[j]! < a[i]!) pairs.push(b[j++]!, b[j++]!)
    pairs.push(a[i]!, a[i + 1]!)
  }
  while (j < b.length) pairs.push(b[j++]!, b[j++]!)
  return normalize(pairs)
}

/** What lies in both lists. */
export function intersect(a: Spans, b: Spans): number[] {
  const out: number[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const start = Math.max(a[i]!, b[j]!)
    const end = Math.min(a[i + 1]!, b[j + 1]!)
    if (start < end) out.push(start, end)
    if (a[i + 1]! < b[j + 1]!) i += 2
    else j += 2
  }
  return out
}

/** What lies in `a` and not in `b`. */
export function subtract(a: Spans, b: Spans): number[] {
  const out: number[] = []
  let j = 0
  for (let i = 0; i < a.length; i += 2) {
    let start = a[i]!
    const end = a[i + 1]!
    while (j < b.length && b[j + 1]! <= start) j += 2
    // One range of `b` may reach into the next of `a`, so it is only passed when it ends before it.
    for (let k = j; k < b.length && b[k]! < end && start < end; k += 2) {
      if (start < b[k]!) out.push(start, b[k]!)
      start = Math.max(start, b[k + 1]!)
    }
    if (start < end) out.push(start, end)
  }
  return out
}

/** The part of the spans inside `[from, to)`. */
export function clip(spans: Spans, from: number, to: number): number[] {
  const out: number[] = []
  for (let i = firstEndingAfter(spans, from); i < spans.length && spans[i]! < to; i += 2) {
    const start = Math.max(spans[i]!, from)
    const end = Math.min(spans[i + 1]!, to)
    if (start < end) out.push(start, end)
  }
  return out
}

/** Whether any instant of `[start, end)` is covered; touching is not overlapping. */
export function overlaps(spans: Spans, start: number, end: number): boolean {
  const i = firstEndingAfter(spans, start)
  return start < end && i < spans.length && spans[i]! < end
}

/** The index of the first span that ends after `at`; the list's length when none does. */
export function firstEndingAfter(spans: Spans, at: number): number {
  let low = 0
  let high = spans.length >> 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle * 2 + 1]! > at) high = middle
    else low = middle + 1
  }
  return low * 2
}

function isSorted(pairs: Spans): boolean {
  for (let i = 2; i < pairs.length; i += 2) if (pairs[i]! < pairs[i - 2]!) return false
  return true
}

function sortPairs(pairs: Spans): number[] {
  const order: number[] = []
  for (let i = 0; i < pairs.length; i += 2) order.push(i)
  order.sort((a, b) => pairs[a]! - pairs[b]!)
  return order.flatMap(i => [pairs[i]!, pairs[i + 1]!])
}
