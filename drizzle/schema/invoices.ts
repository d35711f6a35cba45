import { sql } from 'drizzle-orm'
import {
  check,
  date,
  index,
  integer,
  jsonb,
  numeric,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { ofAccount } from './accounts.ts'
import { appointments } from './appointments.ts'
import { instant, owned, ownedKey, stamps, within } from './columns.ts'
import { taxes } from './company.ts'
import { table } from './lazy.ts'
import { customers } from './people.ts'

/**
 * The last number given of each kind in an account. It is counted up in the transaction of what gets
 * the number, so that one that fails leaves no gap.
 */
export const counters = table(
  'counters',
  {
    accountId: integer('account_id').notNull(),
    name: text({ enum: ['invoice'] }).notNull(),
    value: integer().notNull(),
  },
  t => [
    primaryKey({ name: 'counters_pkey', columns: [t.accountId, t.name] }),
    ofAccount(t, 'counters'),
  ],
)

/** Whom an invoice is for, as they were when it was sent. */
export interface BilledCustomer {
  name: string
  email: string | null
  phone: string | null
}

/**
 * A bill. Money in cents. It has no number while it is a draft; sending it gives the next one of the
 * account, and from then on nothing of it changes but what was paid. `overdue` is no status that is
 * kept: it follows from the due date.
 */
export const invoices = table(
  'invoices',
  {
    ...owned(),
    sequence: integer(),
    number: text(),
    customerId: integer('customer_id').notNull(),
    appointmentId: integer('appointment_id'),
    customer: jsonb().$type<BilledCustomer>().notNull(),
    status: text({ enum: ['draft', 'sent', 'partially_paid', 'paid', 'void', 'refunded'] })
      .notNull()
      .default('draft'),
    currency: text().notNull(),
    subtotal: integer().notNull(),
    discountTotal: integer('discount_total').notNull(),
    taxTotal: integer('tax_total').notNull(),
    taxIncluded: integer('tax_included').notNull(),
    total: integer().notNull(),
    amountPaid: integer('amount_paid').notNull().default(0),
    amountRefunded: integer('amount_refunded').notNull().default(0),
    issueDate: date('issue_date', { mode: 'string' }),
    dueDate: date('due_date', { mode: 'string' }),
    notes: text(),
    sentAt: instant('sent_at'),
    paidAt: instant('paid_at'),
    voidedAt: instant('voided_at'),
    version: integer().notNull().default(0),
    ...stamps(),
  },
  t => [
    ownedKey(t, 'invoices'),
    within(t, t.customerId, customers, 'invoices_customer_fk'),
    within(t, t.appointmentId, appointments, 'invoices_appointment_fk'),
    uniqueIndex('invoices_sequence').on(t.accountId, t.sequence),
    index('invoices_status').on(t.accountId, t.status, t.id),
    index('invoices_customer').on(t.accountId, t.customerId, t.id),
    index('invoices_appointment')
      .on(t.accountId, t.appointmentId)
      .where(sql`appointment_id is not null`),
    index('invoices_issued').on(t.accountId, t.issueDate, t.id),
    check(
      'invoices_numbered',
      sql`(status = 'draft') = (sequence is null)
      and (sequence is null) = (number is null) and (sequence is null or issue_date is not null)`,
    ),
    check('invoices_due', sql`due_date >= issue_date`),
    check(
      'invoices_amounts',
      sql`total = subtotal - discount_total + tax_total - tax_included
        and total >= 0 and tax_included between 0 and tax_total`,
    ),
    check(
      'invoices_paid',
      sql`amount_paid between 0 and total and amount_refunded between 0 and amount_paid`,
    ),
  ],
)

/** A line of an invoice, with the tax as it was when the line was written. */
export const invoiceItems = table(
  'invoice_items',
  {
    accountId: integer('account_id').notNull(),
    invoiceId: integer('invoice_id').notNull(),
    position: smallint().notNull(),
    description: text().notNull(),
    quantity: integer().notNull(),
    unitPrice: integer('unit_price').notNull(),
    discount: integer().notNull().default(0),
    taxId: integer('tax_id'),
    taxName: text('tax_name'),
    taxRate: numeric('tax_rate', { precision: 6, scale: 4, mode: 'number' }).notNull().default(0),
    taxType: text('tax_type', { enum: ['additive', 'inclusive'] })
      .notNull()
      .default('additive'),
    taxAmount: integer('tax_amount').notNull(),
    total: integer().notNull(),
  },
  t => [
    primaryKey({ name: 'invoice_items_pkey', columns: [t.accountId, t.invoiceId, t.position] }),
    within(t, t.invoiceId, invoices, 'invoice_items_invoice_fk').onDelete('cascade'),
    within(t, t.taxId, taxes, 'invoice_items_tax_fk'),
    index('invoice_items_tax').on(t.accountId, t.taxId).where(sql`tax_id is not null`),
    check(
      'invoice_items_amounts',
      sql`quantity >= 1 and unit_price >= 0 and tax_amount >= 0
      and discount between 0 and quantity * unit_price`,
    ),
  ],
)
