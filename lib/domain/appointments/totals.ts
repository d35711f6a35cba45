import { sql } from 'drizzle-orm'
import { customers, employees } from '#drizzle/schema/people.ts'
import { query } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'

/** By how many bookings a customer's count changes. */
export interface CountChange {
  id: number
  by: number
}

// Arrays, whose length the planner knows: of JSON it expects a hundred rows and reads all customers.
const addTotals = query<{ ids: readonly number[]; sums: readonly number[]; now: string }, unknown>(
  p => sql`with wanted as (
    select * from unnest(${p.ids}::int[], ${p.sums}::int[]) as w(id, "by")
  ), locked as (
    select ${customers.id} as id from ${customers} where ${customers.accountId} = ${p.account}
      and ${customers.id} = any(${p.ids}::int[])
    order by ${customers.id} for no key update
  ), counted as (
    update ${customers} set total_bookings = total_bookings + w.by,
      last_booked_at = case when w.by > 0 then ${p.now}::timestamptz else last_booked_at end
    from wanted w join locked on locked.id = w.id
    where ${customers.accountId} = ${p.account} and ${customers.id} = w.id
      and (w.by < 0 or ${customers.deletedAt} is null)
    returning 1
  ) select must((select count(*) from counted) = (select count(*) from wanted), 'customers_gone')`,
)

/**
 * Adds to (or, below zero, takes from) customers' counts of bookings, locking them in the order of
 * their ids. Fails with `customers_gone` for one who was deleted meanwhile and would get more.
 */
export function countBookings(write: Write, now: Date, changes: readonly CountChange[]): void {
  const sums = new Map<number, number>()
  for (const { id, by } of changes) sums.set(id, (sums.get(id) ?? 0) + by)
  const changed = [...sums].filter(([, by]) => by !== 0)
  if (changed.length === 0) return
  const ids = changed.map(([id]) => id)
  write.run(addTotals, { ids, sums: changed.map(([, by]) => by), now: now.toISOString() })
}

const noteBookedOf = query<{ id: number; now: string }, unknown>(
  p => sql`with noted as (
    update ${employees} set last_booked_at = ${p.now}::timestamptz
    where ${employees.accountId} = ${p.account} and ${employees.id} = ${p.id}::int
      and ${employees.deletedAt} is null
    returning 1
  ) select must(exists(select from noted), 'employees_gone')`,
)

/**
 * Notes when an employee was booked last. Deleting one locks the row first and then looks for
 * appointments, so one of the two sees the other: fails with `employees_gone` when deleted.
 */
export const noteBooked = (write: Write, now: Date, id: number): void => {
  write.run(noteBookedOf, { id, now: now.toISOString() })
}

const employeeIsThere = query<{ id: number }, unknown>(
  p => sql`with there as (
    select 1 from ${employees} where ${employees.accountId} = ${p.account}
      and ${employees.id} = ${p.id}::int and ${employees.deletedAt} is null for key share
  ) select must(exists(select from there), 'employees_gone')`,
)

/** Fails with `employees_gone` when the employee that an appointment moves to was deleted. */
export const requireEmployee = (write: Write, id: number): void => {
  write.run(employeeIsThere, { id })
}
