import { type SQL, sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
import { WEEKDAYS } from '#lib/core/schemas.ts'
import type { Field } from './json.ts'

/**
 * What `queryMoment` reads, for a filter: an instant, or the midnight of a day by the company's clocks,
 * some days later. It does not depend on the row, so that an index finds it.
 */
export const momentInCompany = (
  given: Record<string, SQL>,
  name: string,
  days: number,
): SQL => sql`case
  when length(${given[name]}::text) = 10
    then (${given[name]}::text::date + ${sql.raw(String(days))})::timestamp at time zone
      (select ${accounts.timeZone} from ${accounts} where ${accounts.id} = ${given.account})
  else ${given[name]}::text::timestamptz end`

/** The name of a weekday by its number, Sunday being 0. */
export const nameOfWeekday = (day: Field): SQL =>
  sql`(array[${sql.raw(WEEKDAYS.map(name => `'${name}'`).join(', '))}])[${day} + 1]`
