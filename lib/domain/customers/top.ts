import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { customers } from '#drizzle/schema/people.ts'
import { type Member, requirePermission } from '#lib/core/context.ts'
import type { Json } from '#lib/core/json.ts'
import { queryInt } from '#lib/core/schemas.ts'
import { jsonArray } from '#lib/db/json.ts'
import { query } from '#lib/db/query.ts'
import { customerRecord } from './queries.ts'
import type { Customer } from './schema.ts'

/** Which customers are the top: those who paid or who booked most. */
export const TopCustomers = z.object({
  by: z
    .enum(['totalSpent', 'totalBookings'])
    .optional()
    .describe('What is compared: what they paid (if nothing is said), or how often they booked'),
  limit: queryInt(1, 100).optional().describe('How many at most; 20 if left out'),
})

const LIMIT = 20

/** The order of an index, so that nothing is sorted and nothing counted. */
const inOrderOf = (first: SQL, second: SQL) =>
  query<{ limit: number }, Customer[]>(
    p =>
      sql`select ${jsonArray(
        customerRecord,
        sql`from ${customers} where ${customers.accountId} = ${p.account}
          and ${customers.deletedAt} is null
        order by ${first} desc, ${second} desc, ${customers.id} desc limit ${p.limit}::int`,
      )}`,
  )

const ORDERS = {
  totalSpent: inOrderOf(sql`${customers.totalSpent}`, sql`${customers.totalBookings}`),
  totalBookings: inOrderOf(sql`${customers.totalBookings}`, sql`${customers.totalSpent}`),
}

/** The customers who paid or who booked most, from the totals that each write keeps. */
export async function topCustomers(
  m: Member,
  { by = 'totalSpent', limit = LIMIT }: z.output<typeof TopCustomers>,
): Promise<Json<Customer[]>> {
  requirePermission(m, 'customers.read')
  return m.tenant.text(ORDERS[by], { limit })
}
