import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clip,
  firstEndingAfter,
  intersect,
  normalize,
  overlaps,
  type Spans,
  subtract,
  union,
} from './intervals.ts'

const SIZE = 120

/** Unordered pairs that may overlap, touch or be empty or backwards. */
const pairs = fc
  .array(fc.tuple(fc.integer({ min: 0, max: SIZE }), fc.integer({ min: 0, max: SIZE })), {
    maxLength: 12,
  })
  .map(list => list.flat())

/** Sorted spans that may touch. */
const touching = fc
  .array(fc.tuple(fc.nat({ max: 6 }), fc.integer({ min: 1, max: 12 })), { maxLength: 8 })
  .map(list => {
    let at = 0
    return list.flatMap(([gap, length]) => {
      const start = at + gap
      at = start + length
      return [start, at]
    })
  })

const point = fc.integer({ min: -5, max: SIZE + 5 })

/** The minutes that a list covers, one by one. */
function bitmap(spans: Spans): boolean[] {
  const bits: boolean[] = new Array(SIZE + 10).fill(false)
  for (let i = 0; i < spans.length; i += 2) {
    for (let minute = spans[i]!; minute < spans[i + 1]!; minute++) bits[minute] = true
  }
  return bits
}

function expectCanonical(spans: Spans) {
  for (let i = 1; i < spans.length; i++) expect(spans[i]).toBeGreaterThan(spans[i - 1]!)
}

describe('interval algebra against a bitmap of minutes', () => {
  it('normalize keeps the minutes, and nothing overlaps, touches or is empty', () => {
    fc.assert(
      fc.property(pairs, list => {
        const spans = normalize(list)
        expectCanonical(spans)
        expect(bitmap(spans)).toEqual(bitmap(list))
      }),
    )
  })

  it('union, intersect and subtract work minute by minute', () => {
    fc.assert(
      fc.property(touching, touching, (a, b) => {
        const [left, right] = [bitmap(a), bitmap(b)]
        expectCanonical(union(a, b))
        expect(bitmap(union(a, b))).toEqual(left.map((bit, i) => bit || right[i]!))
        expect(bitmap(intersect(a, b))).toEqual(left.map((bit, i) => bit && right[i]!))
        expect(bitmap(subtract(a, b))).toEqual(left.map((bit, i) => bit && !right[i]!))
      }),
      { numRuns: 500 },
    )
  })

  it('intersect and subtract of normal spans are normal', () => {
    fc.assert(
      fc.property(pairs, pairs, (a, b) => {
        expectCanonical(intersect(normalize(a), normalize(b)))
        expectCanonical(subtract(normalize(a), normalize(b)))
      }),
    )
  })

  it('clip keeps what lies in the window', () => {
    fc.assert(
      fc.property(touching, point, point, (spans, from, to) => {
        const inside = bitmap(spans).map((bit, minute) => bit && minute >= from && minute < to)
        expect(bitmap(clip(spans, from, to))).toEqual(inside)
      }),
    )
  })

  it('overlaps answers for every minute of a range', () => {
    fc.assert(
      fc.property(touching, point, fc.integer({ min: 1, max: 20 }), (spans, start, length) => {
        const bits = bitmap(spans)
        const range = Array.from({ length }, (_, i) => bits[start + i] ?? false)
        expect(overlaps(spans, start, start + length)).toBe(range.some(Boolean))
      }),
      { numRuns: 500 },
    )
  })

  it('firstEndingAfter finds what a search from the left finds', () => {
    fc.assert(
      fc.property(touching, point, (spans, at) => {
        let i = 0
        while (i < spans.length && spans[i + 1]! <= at) i += 2
        expect(firstEndingAfter(spans, at)).toBe(i)
      }),
    )
  })
})

describe('intervals, by example', () => {
  it('normalize sorts, merges what touches and drops what is empty', () => {
    expect(normalize([8, 9, 1, 3, 3, 5, 7, 7, 6, 2])).toEqual([1, 5, 8, 9])
  })

  it('normalize leaves its argument alone', () => {
    const list = Object.freeze([5, 6, 1, 2])
    expect(normalize(list)).toEqual([1, 2, 5, 6])
  })

  it('subtract cuts one span by a range that reaches over the next', () => {
    expect(subtract([0, 10, 12, 20], [2, 3, 8, 14])).toEqual([0, 2, 3, 8, 14, 20])
  })

  it('subtract keeps the cut between spans that touch', () => {
    expect(subtract([0, 5, 5, 9], [])).toEqual([0, 5, 5, 9])
  })

  it('ranges that touch do not overlap', () => {
    expect(overlaps([10, 20], 0, 10)).toBe(false)
    expect(overlaps([10, 20], 20, 30)).toBe(false)
    expect(overlaps([10, 20], 19.5, 30)).toBe(true)
  })
})
