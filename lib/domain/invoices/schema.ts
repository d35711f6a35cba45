import * as z from 'zod'
import type { Cents, Day, Decimal, Instant } from '#lib/core/kinds.ts'
import { MAX_AMOUNT } from '#lib/core/money.ts'
import { cents, currency, date, id, optionalText, queryId, text } from '#lib/core/schemas.ts'

/** The most lines that an invoice has. */
const MAX_ITEMS = 100

/** A line of an invoice. */
const NewItem = z
  .object({
    description: text(500).describe('What it is for'),
    quantity: z.int().min(1).max(100_000).describe('How many'),
    unitPrice: cents.describe('Price of one in cents'),
    discount: cents.optional().describe('Cents off the whole line'),
    taxId: id.nullable().optional().describe('A tax of the account, at its present rate'),
    taxRate: z
      .number()
      .min(0)
      .max(99.9999)
      .optional()
      .describe('Percent on top, for a line without taxId; with one, the tax’s own rate counts'),
  })
  .refine(i => i.quantity * i.unitPrice <= MAX_AMOUNT, {
    path: ['unitPrice'],
    message: `must come to at most ${MAX_AMOUNT} cents with its quantity`,
  })
  .refine(i => i.discount === undefined || i.discount <= i.quantity * i.unitPrice, {
    path: ['discount'],
    message: 'must not be more than quantity times unitPrice',
  })
/** A line of an invoice as it was given. */
export type NewItem = z.output<typeof NewItem>

const fields = {
  customerId: id.describe('Whom it is for'),
  items: z.array(NewItem).min(1).max(MAX_ITEMS).describe('Its lines, in their order'),
  appointmentId: id.nullable().optional().describe('The appointment that it bills'),
  currency: currency.optional().describe('ISO 4217 code; the company’s where nothing is said'),
  issueDate: date
    .nullable()
    .optional()
    .describe('The day that it bears; the day on which it is sent where nothing is said'),
  dueDate: date.nullable().optional().describe('Until when it is to be paid, that day included'),
  notes: optionalText(5000).optional().describe('Stands below its lines'),
}

/** The body of an invoice. It is a draft unless it is to be `sent`, which gives it its number. */
export const NewInvoice = z.object({
  ...fields,
  status: z
    .enum(['draft', 'sent'])
    .optional()
    .describe('"sent" gives it its number; from then on it does not change'),
})
export type NewInvoice = z.output<typeof NewInvoice>

/** Every status that an invoice is answered with. */
const STATUSES = ['draft', 'sent', 'partially_paid', 'paid', 'overdue', 'void', 'refunded'] as const
/** Where an invoice stands. `overdue` is one that was sent, is not paid, and whose due date is past. */
export type InvoiceStatus = (typeof STATUSES)[number]

/** What can be changed: everything of a draft, and the status of one that was sent. */
export const InvoiceChange = z
  .object({
    ...fields,
    status: z
      .enum(STATUSES)
      .describe(
        '"sent" for a draft; of one that was sent, "paid" notes that the rest was paid (in cash, say) and "void" takes back what nobody has paid on. Others follow by themselves',
      ),
    version: z.int().min(0).max(2_147_483_647).describe('Changes nothing (409) unless it is this'),
  })
  .partial()
export type InvoiceChange = z.output<typeof InvoiceChange>

/** Which invoices are asked for. */
export const InvoiceFilter = z.object({
  status: z.enum(STATUSES).optional(),
  customerId: queryId.optional(),
  appointmentId: queryId.optional(),
  from: date.optional().describe('Issued on or after this day'),
  to: date.optional().describe('Issued on or before this day'),
})

/** A line as it is answered. */
export interface InvoiceItem {
  description: string
  quantity: number
  /** Of one. */
  unitPrice: Cents
  /** Off the whole line. */
  discount: Cents
  taxId: number | null
  taxName: string | null
  /** Percent. */
  taxRate: Decimal
  taxType: 'additive' | 'inclusive'
  taxAmount: Cents
  total: Cents
}

/** An invoice as it is answered. */
export interface Invoice {
  id: number
  /** Null while it is a draft. */
  number: string | null
  customerId: number
  /** As they were when it was sent. */
  customer: { name: string; email: string | null; phone: string | null }
  appointmentId: number | null
  status: InvoiceStatus
  currency: string
  items: InvoiceItem[]
  /** `total = subtotal - discountTotal + taxTotal - taxIncluded`. */
  subtotal: Cents
  discountTotal: Cents
  taxTotal: Cents
  taxIncluded: Cents
  total: Cents
  amountPaid: Cents
  amountDue: Cents
  issueDate: Day | null
  dueDate: Day | null
  notes: string | null
  sentAt: Instant | null
  paidAt: Instant | null
  voidedAt: Instant | null
  /** Counts its changes: a change that names it changes nothing else. */
  version: number
  createdAt: Instant
  updatedAt: Instant
}
