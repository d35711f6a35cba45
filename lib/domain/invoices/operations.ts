import { sql } from 'drizzle-orm'
import { invoiceItems, invoices } from '#drizzle/schema/invoices.ts'
import { customers } from '#drizzle/schema/people.ts'
import { type Member, requirePermission } from '#lib/core/context.ts'
import { conflict, invalid, notFound } from '#lib/core/errors.ts'
import { type Deleted, existing, type Json, type Page } from '#lib/core/json.ts'
import { billTotal, type Line, lineTotal, MAX_AMOUNT } from '#lib/core/money.ts'
import { Paging } from '#lib/core/schemas.ts'
import { requireLive } from '#lib/db/links.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import type { Change, Write } from '#lib/db/write.ts'
import { differing } from './differing.ts'
import {
  dropDraft,
  dropItems,
  type InvoiceFacts,
  invoiceById,
  invoiceFacts,
  invoicePages,
  issueInvoice,
  type KnownInvoice,
  type TaxFacts,
} from './queries.ts'
import {
  type Invoice,
  InvoiceChange,
  InvoiceFilter,
  type InvoiceStatus,
  NewInvoice,
  type NewItem,
} from './schema.ts'

const CHANGED: ReadonlySet<string> = new Set(['invoices_changed'])

/** Invoices, the newest first. */
export async function listInvoices(
  m: Member,
  filter: Paging & Record<string, unknown>,
): Promise<Page<Invoice>> {
  requirePermission(m, 'invoices.read')
  return invoicePages(m.tenant, { ...filter, now: m.now.toISOString() })
}

/** One invoice with its lines; whether it is overdue goes by the request's clock. */
async function findInvoice(m: Member, { id }: { id: number }): Promise<Json<Invoice>> {
  requirePermission(m, 'invoices.read')
  return existing(await m.tenant.text(invoiceById, { id, now: m.now.toISOString() }), 'Invoice')
}

type Given = Pick<InvoiceChange, 'customerId' | 'items'>

const factsOf = (m: Member, id: number | null, given: Given): Promise<InvoiceFacts> =>
  m.tenant.read(invoiceFacts, {
    id,
    customerId: given.customerId ?? null,
    taxIds: given.items?.flatMap(item => item.taxId ?? []) ?? [],
    now: m.now.toISOString(),
  })

/** A line with the tax that it names, else the rate that it says, else none. */
interface Taxed {
  item: NewItem
  line: Line
  named: TaxFacts | undefined
}

function taxed(item: NewItem, known: readonly TaxFacts[]): Taxed {
  const { quantity, unitPrice, discount = 0, taxId, taxRate } = item
  const named = taxId == null ? undefined : (known.find(t => t.id === taxId) ?? notFound('Tax'))
  const own = taxRate === undefined ? null : { rate: taxRate, type: 'additive' as const }
  return { item, named, line: { quantity, unitPrice, discount, tax: named ?? own } }
}

/** The totals of an invoice, and its lines as rows. */
function bill(id: number, items: readonly NewItem[], known: readonly TaxFacts[]) {
  const all = items.map(item => taxed(item, known))
  const totals = billTotal(all.map(({ line }) => line))
  if (totals.total > MAX_AMOUNT)
    invalid({ field: 'items', message: `must come to at most ${MAX_AMOUNT} cents` })
  const rows = all.map(({ item, line, named }, position) => {
    const { tax, total } = lineTotal(line)
    return {
      invoiceId: id,
      position,
      description: item.description,
      quantity: line.quantity,
      unitPrice: line.unitPrice,
      discount: line.discount,
      taxId: named?.id ?? null,
      taxName: named?.name ?? null,
      taxRate: line.tax?.rate ?? 0,
      taxType: line.tax?.type ?? 'additive',
      taxAmount: tax,
      total,
    }
  })
  return { totals, rows }
}

const answer = (write: Write, m: Member, id: number) =>
  write.commit(write.answer(invoiceById, { id, now: m.now.toISOString() }))

/**
 * Makes an invoice: a draft, or one that is sent at once and has its number.
 * @throws NOT_FOUND when its customer, appointment or a tax is not the account's
 */
export async function createInvoice(m: Member, input: NewInvoice): Promise<Json<Invoice>> {
  requirePermission(m, 'invoices.write')
  const facts = await factsOf(m, null, input)
  const { id } = facts
  const customer = facts.customer ?? notFound('Customer')
  const { totals, rows } = bill(id, input.items, facts.taxes)
  const at = m.now.toISOString()
  const write = m.tenant.write('invoice.create', id)
  requireLive(write, customers, [input.customerId])
  write.insert(invoices, {
    id,
    customerId: input.customerId,
    customer,
    appointmentId: input.appointmentId ?? null,
    currency: input.currency ?? facts.currency,
    ...totals,
    issueDate: input.issueDate ?? null,
    dueDate: input.dueDate ?? null,
    notes: input.notes ?? null,
    createdAt: at,
    updatedAt: at,
  })
  write.insert(invoiceItems, rows)
  if (input.status === 'sent') write.run(issueInvoice, { id, now: at })
  return answer(write, m, id)
}

/**
 * Changes a draft, sends it, notes that one that was sent is paid, or takes it back.
 * @throws CONFLICT for a move that there is not, for any other change of one that was sent, and for a
 * stale `version`
 */
async function updateInvoice(
  m: Member,
  { id, ...given }: { id: number } & InvoiceChange,
): Promise<Json<Invoice>> {
  requirePermission(m, 'invoices.write')
  const { version } = given
  return lookingAgain(version === undefined ? CHANGED : new Set(), async () => {
    const facts = await factsOf(m, id, given)
    const was = facts.was ?? notFound('Invoice')
    const { status, ...change } = differing(given, was)
    if (version !== undefined && version !== was.version)
      conflict(`The invoice is at version ${was.version} by now; read it again`)
    requireMove(was, status, change)
    const write = m.tenant.write('invoice.update', id)
    const columns = draftColumns(facts, change)
    const bills = change.items && bill(id, change.items, facts.taxes)
    const at = m.now.toISOString()
    const next = {
      ...columns,
      ...bills?.totals,
      ...moved(status, at),
      version: sql`${invoices.version} + 1`,
      updatedAt: at,
    }
    // Who says no version changes what is there now, as long as it stands where it stood.
    const expected = version === undefined ? { status: was.status } : { version }
    write.change(invoices, id, next, 'invoices_changed', expected)
    if (change.customerId !== undefined) requireLive(write, customers, [change.customerId])
    if (bills) write.run(dropItems, { id }).insert(invoiceItems, bills.rows)
    if (status === 'sent') write.run(issueInvoice, { id, now: at })
    return answer(write, m, id)
  })
}

/** What a move of one that was sent writes; sending a draft is a statement of its own. */
function moved(status: InvoiceChange['status'], at: string): Change<typeof invoices> {
  if (status === 'paid') return { status, paidAt: at, amountPaid: sql`${invoices.total}` }
  return status === 'void' ? { status, voidedAt: at } : {}
}

/** Where each status that is asked for may come from. */
const MOVES: Record<InvoiceStatus, readonly KnownInvoice['status'][]> = {
  draft: ['draft'],
  sent: ['draft'],
  paid: ['sent', 'partially_paid'],
  void: ['sent'],
  // They follow from payments and from the clock.
  partially_paid: [],
  overdue: [],
  refunded: [],
}

/** 409 unless a draft is changed, or a move is one of MOVES. */
function requireMove(
  was: KnownInvoice,
  status: InvoiceChange['status'],
  { version: _, ...change }: Omit<InvoiceChange, 'status'>,
): void {
  const touched = Object.entries(change).find(([, value]) => value !== undefined)?.[0]
  if (touched !== undefined && was.status !== 'draft')
    conflict(`The invoice is ${was.status}: nothing of it changes any more`, [
      { field: touched, message: 'can be changed in a draft alone' },
    ])
  if (status === undefined || MOVES[status].includes(was.status)) return
  if (status === 'void' && was.status === 'draft') conflict('A draft is not taken back: delete it')
  if (status === 'void' && was.amountPaid > 0)
    conflict('Something was paid on this invoice: pay it back first')
  conflict(`The invoice is ${was.status} and cannot become ${status}`, [
    { field: 'status', message: `cannot go from "${was.status}" to "${status}"` },
  ])
}

/** The columns of a draft that a change names, with its new customer as they are. */
function draftColumns(
  facts: InvoiceFacts,
  { customerId, appointmentId, currency, issueDate, dueDate, notes }: InvoiceChange,
): Change<typeof invoices> {
  const columns = { customerId, appointmentId, currency, issueDate, dueDate, notes }
  return customerId === undefined
    ? columns
    : { ...columns, customer: facts.customer ?? notFound('Customer') }
}

/**
 * Deletes a draft; whatever has a number is taken back (`void`) instead.
 * @throws CONFLICT when it is no draft
 */
async function removeInvoice(m: Member, { id }: { id: number }): Promise<Deleted> {
  requirePermission(m, 'invoices.write')
  const write = m.tenant.write('invoice.delete', id)
  write.run(dropDraft, { id })
  return write.commit({ id, deleted: true })
}

/** Invoices, as the routes need them. */
export const invoice = {
  New: NewInvoice,
  Change: InvoiceChange,
  Filter: Paging.extend(InvoiceFilter.shape),
  find: findInvoice,
  list: listInvoices,
  create: createInvoice,
  update: updateInvoice,
  remove: removeInvoice,
}
