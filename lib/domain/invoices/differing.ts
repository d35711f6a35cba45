import { unless } from '#lib/core/differing.ts'
import type { KnownInvoice } from './queries.ts'
import type { InvoiceChange, InvoiceItem, NewItem } from './schema.ts'

type KnownItem = Pick<
  InvoiceItem,
  'description' | 'quantity' | 'unitPrice' | 'discount' | 'taxId' | 'taxRate'
>

/**
 * What of a change changes something. An invoice may be sent back as it was read: what it names may
 * have been deleted since, taxes may have changed, and of one that was sent nothing changes. A status
 * is sent back where `version` says what was read; without one it is a wish, also for what is so already.
 */
export function differing(change: InvoiceChange, was: KnownInvoice): InvoiceChange {
  const { version, status, items } = change
  return {
    version,
    status: version !== undefined && status === was.shown ? undefined : status,
    items: items && !isSame(items, was.items) ? items : undefined,
    customerId: unless(was.customerId, change.customerId),
    appointmentId: unless(was.appointmentId, change.appointmentId),
    currency: unless(was.currency, change.currency),
    issueDate: unless(was.issueDate, change.issueDate),
    dueDate: unless(was.dueDate, change.dueDate),
    notes: unless(was.notes, change.notes),
  }
}

const isSame = (items: readonly NewItem[], were: readonly KnownItem[]): boolean =>
  items.length === were.length &&
  items.every(({ discount = 0, taxId = null, ...item }, at) => {
    const was = were[at]!
    // A line that names a tax and no rate asks for its present one.
    const rate = item.taxRate ?? (taxId === null ? 0 : undefined)
    return (
      item.description === was.description &&
      item.quantity === was.quantity &&
      item.unitPrice === was.unitPrice &&
      discount === was.discount &&
      taxId === was.taxId &&
      rate === was.taxRate
    )
  })
