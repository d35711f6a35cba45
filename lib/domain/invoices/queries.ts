import { type SQL, sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
import { appointments } from '#drizzle/schema/appointments.ts'
import { taxes } from '#drizzle/schema/company.ts'
import { type BilledCustomer, counters, invoiceItems, invoices } from '#drizzle/schema/invoices.ts'
import { customers } from '#drizzle/schema/people.ts'
import type { TaxRate } from '#lib/core/money.ts'
import { json, jsonArray } from '#lib/db/json.ts'
import { idsOf, type ListSpec, lister } from '#lib/db/list.ts'
import { into, query } from '#lib/db/query.ts'
import type { Invoice, InvoiceItem } from './schema.ts'

/** A customer as an invoice keeps them. */
const billed = json({ name: customers.name, email: customers.email, phone: customers.phone })

const slot = (name: string): SQL => sql`${sql.placeholder(name)}`

/** The day that it is for the company. */
const today = (account: SQL, now: SQL): SQL => sql`(select (${now}::timestamptz
  at time zone ${accounts.timeZone})::date from ${accounts} where ${accounts.id} = ${account})`

const shown = sql`case when ${invoices.status} in ('sent', 'partially_paid')
    and ${invoices.dueDate} < ${today(slot('account'), slot('now'))}
  then 'overdue' else ${invoices.status} end`

const items = jsonArray(
  json({
    description: invoiceItems.description,
    quantity: invoiceItems.quantity,
    unitPrice: invoiceItems.unitPrice,
    discount: invoiceItems.discount,
    taxId: invoiceItems.taxId,
    taxName: invoiceItems.taxName,
    taxRate: sql`${invoiceItems.taxRate}::double precision`,
    taxType: invoiceItems.taxType,
    taxAmount: invoiceItems.taxAmount,
    total: invoiceItems.total,
  }),
  sql`from ${invoiceItems} where ${invoiceItems.accountId} = ${invoices.accountId}
    and ${invoiceItems.invoiceId} = ${invoices.id} order by ${invoiceItems.position}`,
)

/** What is left to be paid: nothing of one that was taken back or paid back. */
const due = sql`case when ${invoices.status} in ('void', 'refunded') then 0
  else ${invoices.total} - ${invoices.amountPaid} end`

const record = json<Invoice>({
  id: invoices.id,
  number: invoices.number,
  customerId: invoices.customerId,
  customer: invoices.customer,
  appointmentId: invoices.appointmentId,
  status: shown,
  currency: invoices.currency,
  items,
  subtotal: invoices.subtotal,
  discountTotal: invoices.discountTotal,
  taxTotal: invoices.taxTotal,
  taxIncluded: invoices.taxIncluded,
  total: invoices.total,
  amountPaid: invoices.amountPaid,
  amountDue: due,
  issueDate: invoices.issueDate,
  dueDate: invoices.dueDate,
  notes: invoices.notes,
  sentAt: invoices.sentAt,
  paidAt: invoices.paidAt,
  voidedAt: invoices.voidedAt,
  version: invoices.version,
  createdAt: invoices.createdAt,
  updatedAt: invoices.updatedAt,
})

const spec: ListSpec = {
  table: invoices,
  record,
  orders: {
    total: { by: invoices.total, type: 'int' },
    createdAt: { by: invoices.createdAt, type: 'timestamptz' },
  },
  filters: {
    // The first condition is for the index, the second tells overdue ones from the rest.
    status: given => sql`${invoices.status} = any(case when ${given.status} = 'overdue'
      then array['sent', 'partially_paid'] else array[${given.status}::text] end)
      and ${shown} = ${given.status}`,
    customerId: given => sql`${invoices.customerId} = ${given.customerId}::int`,
    appointmentId: given => sql`${invoices.appointmentId} = ${given.appointmentId}::int`,
    from: given => sql`${invoices.issueDate} >= ${given.from}::date`,
    to: given => sql`${invoices.issueDate} <= ${given.to}::date`,
  },
  names: { customerId: idsOf(customers), appointmentId: idsOf(appointments) },
  // The very expression of the index invoices_search.
  search: sql`(coalesce(${invoices.number}, '') || ' ' || (${invoices.customer} ->> 'name'))`,
}

/** Pages of invoices; `now` says which are overdue. */
export const invoicePages = lister<Invoice>(spec)

/** One invoice; `now` says whether it is overdue. */
export const invoiceById = query<{ id: number; now: string }, Invoice>(
  p => sql`select ${record} from ${invoices} where ${invoices.accountId} = ${p.account}
    and ${invoices.id} = ${p.id}::int`,
)

/** A tax as a line bears it. */
export interface TaxFacts extends TaxRate {
  id: number
  name: string
}

/** An invoice as changing it needs to know it. */
export interface KnownInvoice
  extends Pick<
    Invoice,
    | 'version'
    | 'amountPaid'
    | 'customerId'
    | 'appointmentId'
    | 'currency'
    | 'issueDate'
    | 'dueDate'
    | 'notes'
  > {
  status: (typeof invoices.$inferSelect)['status']
  /** The status that it is answered with. */
  shown: Invoice['status']
  items: InvoiceItem[]
}

/** What writing an invoice needs to know. */
export interface InvoiceFacts {
  /** The id of an invoice that is made. */
  id: number
  /** The invoice that is changed. */
  was: KnownInvoice | null
  customer: BilledCustomer | null
  currency: string
  taxes: TaxFacts[]
}

/** The facts of one invoice: those of `id`, or of a new one. */
export const invoiceFacts = query<
  { id: number | null; customerId: number | null; taxIds: readonly number[]; now: string },
  InvoiceFacts
>(
  p =>
    sql`select ${json({
      id: sql`case when ${p.id}::int is null then nextval('invoices_id_seq')::int else ${p.id}::int end`,
      was: sql`(select ${json({
        status: invoices.status,
        shown,
        version: invoices.version,
        amountPaid: invoices.amountPaid,
        customerId: invoices.customerId,
        appointmentId: invoices.appointmentId,
        currency: invoices.currency,
        issueDate: invoices.issueDate,
        dueDate: invoices.dueDate,
        notes: invoices.notes,
        items,
      })} from ${invoices} where ${invoices.accountId} = ${p.account} and ${invoices.id} = ${p.id}::int)`,
      customer: sql`(select ${billed} from ${customers} where ${customers.accountId} = ${p.account}
        and ${customers.id} = ${p.customerId}::int and ${customers.deletedAt} is null)`,
      currency: sql`(select ${accounts.currency} from ${accounts} where ${accounts.id} = ${p.account})`,
      taxes: jsonArray(
        json({
          id: taxes.id,
          name: taxes.name,
          rate: sql`${taxes.rate}::double precision`,
          type: taxes.type,
        }),
        sql`from ${taxes} where ${taxes.accountId} = ${p.account}
          and ${taxes.id} = any(${p.taxIds}::int[])`,
      ),
    })}`,
)

/**
 * Sends a draft: it gets the next number of the account, the day that it is and its customer as they
 * are. The counter's row is locked until the end, so that numbers have neither gaps nor twins.
 */
export const issueInvoice = query<{ id: number; now: string }, unknown>(
  p => sql`with next as (
    insert into ${into(counters, counters.name, counters.value)}
    values (${p.account}::int, 'invoice', 1)
    on conflict (account_id, name) do update set value = ${counters.value} + 1
    returning value
  ) update ${invoices} set status = 'sent', sequence = next.value,
      number = ${accounts.invoicePrefix} || '-'
        || lpad(next.value::text, greatest(6, length(next.value::text)), '0'),
      issue_date = coalesce(${invoices.issueDate}, ${today(sql`${p.account}`, sql`${p.now}`)}),
      sent_at = ${p.now}::timestamptz,
      customer = coalesce((select ${billed}::jsonb from ${customers}
        where ${customers.accountId} = ${p.account} and ${customers.id} = ${invoices.customerId}
          and ${customers.deletedAt} is null), ${invoices.customer})
    from next, ${accounts}
    where ${invoices.accountId} = ${p.account} and ${invoices.id} = ${p.id}::int
      and ${accounts.id} = ${p.account}`,
)

/** Takes the lines of an invoice away, for others to take their place. */
export const dropItems = query<{ id: number }, unknown>(
  p => sql`delete from ${invoiceItems} where ${invoiceItems.accountId} = ${p.account}
    and ${invoiceItems.invoiceId} = ${p.id}::int`,
)

/** Deletes a draft; its lines go with it. */
export const dropDraft = query<{ id: number }, unknown>(
  p => sql`with there as (
    select 1 from ${invoices} where ${invoices.accountId} = ${p.account}
      and ${invoices.id} = ${p.id}::int for update
  ), gone as (
    delete from ${invoices} where ${invoices.accountId} = ${p.account}
      and ${invoices.id} = ${p.id}::int and ${invoices.status} = 'draft' returning 1
  ) select must(exists(select from there), 'invoices_gone'),
    must(exists(select from gone), 'invoices_draft')`,
)
