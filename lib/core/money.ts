/**
 * Amounts of money are whole cents, and stay exact: the sums below never leave the integers that a
 * number holds, as long as an amount has at most `MAX_AMOUNT`.
 */
export const MAX_AMOUNT = 1_000_000_000

/** Percent have up to four decimals: 8.875 % is 88,750 of these. */
const UNITS_OF_PERCENT = 10_000
const WHOLE = 100 * UNITS_OF_PERCENT

/** The nearest whole number to a fraction that is not negative; halves go up. */
const halfUp = (over: number, under: number): number => Math.floor((2 * over + under) / (2 * under))

/** A tax in percent: on top of an amount (`additive`) or contained in it (`inclusive`). */
export interface TaxRate {
  rate: number
  type: 'additive' | 'inclusive'
}

/** The tax on an amount in cents, or in it, to the nearest cent; halves of a cent go up. */
export function taxOf(amount: number, { rate, type }: TaxRate): number {
  const units = Math.round(rate * UNITS_OF_PERCENT)
  return halfUp(amount * units, type === 'additive' ? WHOLE : WHOLE + units)
}

/** What is billed in one line: some of a thing, less a discount in cents, taxed. */
export interface Line {
  quantity: number
  unitPrice: number
  discount: number
  tax: TaxRate | null
}

/** What a line comes to, in cents. */
export interface LineTotal {
  /** Quantity times unit price. */
  gross: number
  tax: number
  /** What is to be paid for it: with the tax, without the discount. */
  total: number
}

/** Adds a line up. The tax is on what is left after the discount, rounded line by line. */
export function lineTotal({ quantity, unitPrice, discount, tax }: Line): LineTotal {
  const gross = quantity * unitPrice
  const net = gross - discount
  const taxed = tax ? taxOf(net, tax) : 0
  return { gross, tax: taxed, total: tax?.type === 'additive' ? net + taxed : net }
}

/** What a bill comes to, in cents: `total = subtotal - discountTotal + taxTotal - taxIncluded`. */
export interface BillTotal {
  subtotal: number
  discountTotal: number
  taxTotal: number
  /** The part of `taxTotal` that the prices contain already. */
  taxIncluded: number
  total: number
}

/** Adds the lines of a bill up. */
export function billTotal(lines: readonly Line[]): BillTotal {
  const sum: BillTotal = {
    subtotal: 0,
    discountTotal: 0,
    taxTotal: 0,
    taxIncluded: 0,
    total: 0,
  }
  for (const line of lines) {
    const { gross, tax, total } = lineTotal(line)
    sum.subtotal += gross
    sum.discountTotal += line.discount
    sum.taxTotal += tax
    if (line.tax?.type === 'inclusive') sum.taxIncluded += tax
    sum.total += total
  }
  return sum
}
