import { customers } from '#drizzle/schema/people.ts'
import { crud } from '#lib/core/crud.ts'
import { invalid } from '#lib/core/errors.ts'
import { customerList } from './queries.ts'
import { type Customer, CustomerFilter, NewCustomer } from './schema.ts'

const EASTERNMOST_MS = 14 * 60 * 60 * 1000

/** Refuses a date of birth that has come nowhere on earth (UTC+14 is the first to have it). */
function requirePast(dateOfBirth: unknown, now: Date): void {
  const latest = new Date(now.getTime() + EASTERNMOST_MS).toISOString().slice(0, 10)
  if (typeof dateOfBirth === 'string' && dateOfBirth > latest)
    invalid({ field: 'dateOfBirth', message: 'must not be in the future' })
}

/** Those who book. A deleted customer is kept for the appointments they had. */
export const customer = crud<Customer>()({
  noun: 'customer',
  label: 'Customer',
  table: customers,
  New: NewCustomer,
  Filter: CustomerFilter,
  list: customerList,
  read: 'customers.read',
  write: 'customers.write',
  check: (input, m) => requirePast(input.dateOfBirth, m.now),
  soft: true,
})
