import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { billTotal, type Line, lineTotal, MAX_AMOUNT, taxOf } from './money.ts'

const rate = fc.integer({ min: 0, max: 999_999 }).map(units => units / 10_000)
const type = fc.constantFrom('additive' as const, 'inclusive' as const)
const tax = fc.option(fc.record({ rate, type }))
const line: fc.Arbitrary<Line> = fc
  .record({
    quantity: fc.integer({ min: 1, max: 1000 }),
    unitPrice: fc.integer({ min: 0, max: MAX_AMOUNT / 1000 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    tax,
  })
  .map(({ part, ...l }) => ({ ...l, discount: Math.floor(l.quantity * l.unitPrice * part) }))

/** The same in whole numbers of any length, by the definition of rounding half up. */
function exactTax(amount: number, rate: number, kind: 'additive' | 'inclusive'): bigint {
  const units = BigInt(Math.round(rate * 10_000))
  const under = kind === 'additive' ? 1_000_000n : 1_000_000n + units
  const over = BigInt(amount) * units
  const floor = over / under
  return (over - floor * under) * 2n >= under ? floor + 1n : floor
}

describe('taxOf', () => {
  it.each([
    [10_000, 8.875, 'additive', 888],
    [100, 0.5, 'additive', 1],
    [99, 0.5, 'additive', 0],
    [11_900, 19, 'inclusive', 1900],
    [1, 50, 'inclusive', 0],
    [2, 99.9999, 'inclusive', 1],
    [MAX_AMOUNT, 99.9999, 'additive', 999_999_000],
    [0, 20, 'additive', 0],
  ] as const)('of %i at %f %% (%s) is %i', (amount, percent, kind, expected) => {
    expect(taxOf(amount, { rate: percent, type: kind })).toBe(expected)
  })

  it('is to the nearest cent, halves up, for every amount and rate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_AMOUNT }), rate, type, (amount, percent, kind) => {
        const found = taxOf(amount, { rate: percent, type: kind })
        expect(BigInt(found)).toBe(exactTax(amount, percent, kind))
      }),
      { numRuns: 5000 },
    )
  })
})

describe('a bill', () => {
  const bill = fc.array(line, { minLength: 1, maxLength: 100 })

  it('comes to its lines, whatever their order', () => {
    fc.assert(
      fc.property(bill, lines => {
        const sum = billTotal(lines)
        expect(sum.total).toBe(lines.reduce((all, l) => all + lineTotal(l).total, 0))
        expect(sum.subtotal).toBe(lines.reduce((all, l) => all + l.quantity * l.unitPrice, 0))
        expect(billTotal(lines.toReversed())).toEqual(sum)
      }),
    )
  })

  it('has parts that add up to its total, all whole and none below zero', () => {
    fc.assert(
      fc.property(bill, lines => {
        const { subtotal, discountTotal, taxTotal, taxIncluded, total } = billTotal(lines)
        expect(subtotal - discountTotal + taxTotal - taxIncluded).toBe(total)
        for (const part of [subtotal, discountTotal, taxTotal, taxIncluded, total]) {
          expect(Number.isSafeInteger(part)).toBe(true)
          expect(part).toBeGreaterThanOrEqual(0)
        }
        expect(taxIncluded).toBeLessThanOrEqual(taxTotal)
      }),
    )
  })

  it('is never less for a tax on top, and the same for one that it contains', () => {
    fc.assert(
      fc.property(line, l => {
        const plain = lineTotal({ ...l, tax: null }).total
        expect(
          lineTotal({ ...l, tax: { rate: 19, type: 'additive' } }).total,
        ).toBeGreaterThanOrEqual(plain)
        expect(lineTotal({ ...l, tax: { rate: 19, type: 'inclusive' } }).total).toBe(plain)
      }),
    )
  })
})
