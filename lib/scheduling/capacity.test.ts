import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { overloaded } from './capacity.ts'

const SIZE = 60

const someLoads = fc.array(
  fc
    .tuple(fc.nat({ max: SIZE }), fc.nat({ max: 20 }), fc.integer({ min: 1, max: 4 }))
    .map(([start, length, quantity]) => ({ start, end: start + length, quantity })),
  { maxLength: 12 },
)

type Loads = Parameters<typeof overloaded>[0]

function usedAt(loads: Loads, minute: number): number {
  return loads
    .filter(load => load.start <= minute && minute < load.end)
    .reduce((sum, load) => sum + load.quantity, 0)
}

describe('capacity', () => {
  it('overloaded is where use plus need is above capacity, merged', () => {
    const small = fc.nat({ max: 6 })
    fc.assert(
      fc.property(someLoads, small, small, (loads, capacity, need) => {
        const spans = overloaded(loads, capacity, need)
        for (let i = 1; i < spans.length; i++) expect(spans[i]).toBeGreaterThan(spans[i - 1]!)
        for (let minute = -5; minute < SIZE + 30; minute++) {
          const over = spans.some((at, i) => i % 2 === 0 && at <= minute && minute < spans[i + 1]!)
          expect(over).toBe(usedAt(loads, minute) + need > capacity)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('a handover at one instant is not a peak', () => {
    const loads = [
      { start: 0, end: 30, quantity: 1 },
      { start: 30, end: 60, quantity: 1 },
    ]
    expect(overloaded(loads, 1, 1)).toEqual([0, 60])
    expect(overloaded(loads, 2, 1)).toEqual([])
  })

  it('a need above the capacity never fits', () => {
    expect(overloaded([], 2, 3)).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])
    expect(overloaded([{ start: 0, end: 9, quantity: 1 }], 2, 3)).toHaveLength(2)
  })
})
