import { sql } from 'drizzle-orm'
import { appointments } from '#drizzle/schema/appointments.ts'
import { customers } from '#drizzle/schema/people.ts'
import type { Visitor } from '#lib/core/context.ts'
import { from, named, query } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import type { BookingFacts } from './facts.ts'
import type { PublicBooking } from './schema.ts'

/** A customer who is known by e-mail address or telephone is booked for; others are made. */
export function addCustomer(
  write: Write,
  v: Visitor,
  facts: BookingFacts,
  input: PublicBooking,
): void {
  if (facts.customer) return
  const { name, email, phone, timeZone, language } = input.customer
  const at = v.now.toISOString()
  if (phone && !email) {
    write.run(lockPhone, { phone })
    write.run(requireNewPhone, { phone })
  }
  write.insert(customers, {
    id: facts.customerId,
    name,
    email: email ?? null,
    phone: phone ?? null,
    timeZone: timeZone ?? null,
    language: language ?? null,
    smsConsent: input.smsConsent ?? false,
    createdAt: at,
    updatedAt: at,
  })
}

/** Makes those who book for the first time with one telephone number wait for each other. */
const lockPhone = query<{ phone: string }, unknown>(
  p => sql`select pg_advisory_xact_lock(${p.account}::int, hashtext(${p.phone}))`,
)

/**
 * Businesses may have two customers with one telephone (a family), so nothing in the table refuses
 * the second; those who say nothing else of themselves are one. Fails with `customers_phone_alone`.
 */
const requireNewPhone = query<{ phone: string }, unknown>(
  p => sql`select must(not exists (select from ${customers}
    where ${customers.accountId} = ${p.account} and ${customers.phone} = ${p.phone}
      and ${customers.deletedAt} is null), 'customers_phone_alone')`,
)

const mine = named(appointments, 'mine')
const others = named(appointments, 'others')
/**
 * Nobody is in two places: fails with `appointments_customer_overlap`. The customer's row is locked
 * by then where its totals were changed, so two bookings of one customer see each other.
 */
export const requireFreeCustomer = query<{ customerId: number; ids: readonly number[] }, unknown>(
  p => sql`select must(not exists (
    select from ${from(mine)} join ${from(others)} on ${others.accountId} = ${mine.accountId}
      and ${others.startTime} < ${mine.endTime} and ${others.endTime} > ${mine.startTime}
    where ${mine.accountId} = ${p.account} and ${mine.id} = any(${p.ids}::int[])
      and ${others.customerId} = ${p.customerId}::int and ${others.id} <> all(${p.ids}::int[])
      and ${others.status} in ('pending', 'approved')
  ), 'appointments_customer_overlap')`,
)
