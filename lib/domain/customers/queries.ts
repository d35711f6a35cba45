import { type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { lower } from '#drizzle/schema/columns.ts'
import { customers } from '#drizzle/schema/people.ts'
import { momentInCompany } from '#lib/db/days.ts'
import { json } from '#lib/db/json.ts'
import type { ListSpec } from '#lib/db/list.ts'
import type { Customer } from './schema.ts'

/** Whether a customer's address or number is one that wants no more; false where they have none. */
const optedOut = (channel: 'email' | 'sms', address: AnyPgColumn): SQL =>
  sql`opted_out(${customers.accountId}, ${channel}, ${address})`

/** A customer as members of the account see them. */
export const customerRecord = json<Customer>({
  id: customers.id,
  name: customers.name,
  email: customers.email,
  phone: customers.phone,
  notes: customers.notes,
  gender: customers.gender,
  dateOfBirth: customers.dateOfBirth,
  timeZone: customers.timeZone,
  language: customers.language,
  totalBookings: customers.totalBookings,
  totalSpent: customers.totalSpent,
  lastBookedAt: customers.lastBookedAt,
  emailUnsubscribed: optedOut('email', customers.email),
  smsConsent: sql`(${customers.smsConsent} and not ${optedOut('sms', customers.phone)})`,
  createdAt: customers.createdAt,
  updatedAt: customers.updatedAt,
})

/** How customers are listed. */
export const customerList: Omit<ListSpec, 'table'> = {
  record: customerRecord,
  where: sql`${customers.deletedAt} is null`,
  orders: {
    name: { by: lower(customers.name), type: 'text' },
    createdAt: { by: customers.createdAt, type: 'timestamptz' },
    totalSpent: { by: customers.totalSpent, type: 'int' },
  },
  filters: {
    email: given => sql`lower(${customers.email}) = lower(${given.email})`,
    phone: given => sql`${customers.phone} = ${given.phone}`,
    createdFrom: given =>
      sql`${customers.createdAt} >= ${momentInCompany(given, 'createdFrom', 0)}`,
    createdTo: given => sql`${customers.createdAt} < ${momentInCompany(given, 'createdTo', 1)}`,
  },
  // The very expression of the index customers_search.
  search: sql`(${customers.name} || ' ' || coalesce(${customers.email}, '') || ' ' || coalesce(${customers.phone}, ''))`,
  hasPhones: true,
}
