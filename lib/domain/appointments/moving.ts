import { type SQL, sql } from 'drizzle-orm'
import { appointments } from '#drizzle/schema/appointments.ts'
import { resourceBookings } from '#drizzle/schema/resources.ts'
import { json } from '#lib/db/json.ts'
import { query, type Slots } from '#lib/db/query.ts'
import { type Answered, selectAnswered } from './differing.ts'
import type { BookingParams, MemberFacts } from './facts.ts'
import { fromResourcesBeside, type Known, selectKnown } from './known.ts'
import { memberFields } from './queries.ts'

/**
 * What a change says. Where it is null the appointment stays as it is; an employee or a place that is
 * taken away is null and `given`.
 */
export interface ChangeParams {
  id: number
  serviceId: number | null
  employeeId: number | null
  employeeGiven: boolean
  locationId: number | null
  locationGiven: boolean
  startTime: string | null
  resourceIds: readonly number[] | null
  customerId: number | null
  guestIds: readonly number[]
  knownTo: number | null
  now: string
}

const a = appointments

/** The appointment as it is to become, as far as its facts depend on that. */
const becoming = (p: Slots<ChangeParams>): SQL => sql`select
  coalesce(${p.serviceId}::int, ${a.serviceId}) as service_id,
  case when ${p.employeeGiven}::boolean then ${p.employeeId}::int else ${a.employeeId} end
    as employee_id,
  case when ${p.locationGiven}::boolean then ${p.locationId}::int else ${a.locationId} end
    as location_id,
  coalesce(${p.startTime}::timestamptz, ${a.startTime}) as start_time,
  coalesce(${p.resourceIds}::int[],
    array(select ${resourceBookings.resourceId} ${fromResourcesBeside})) as resource_ids
  from ${a} where ${a.accountId} = ${p.account} and ${a.id} = ${p.id}::int`

/** What the facts of a booking are asked with, out of what the appointment is to become. */
const factSlots = (p: Slots<ChangeParams>): Slots<BookingParams> => ({
  account: p.account,
  serviceId: sql`(select service_id from becoming)`,
  employeeId: sql`(select employee_id from becoming)`,
  locationId: sql`(select location_id from becoming)`,
  // The database alone decides on a member's booking, so the window is just its start.
  from: sql`(select start_time from becoming)`,
  to: sql`(select start_time + interval '1 millisecond' from becoming)`,
  day: sql`null`,
  now: p.now,
  exclude: p.id,
  resourceIds: sql`(select resource_ids from becoming)`,
  customerId: p.customerId,
  email: sql`null`,
  phone: sql`null`,
  extraIds: sql`'{}'`,
  guestIds: p.guestIds,
  knownTo: p.knownTo,
  count: sql`0`,
})

/** An appointment that is not hidden, with the facts of what it is to become, in one statement. */
export const knownAndFacts = query<
  ChangeParams,
  { was: Known | null; answered: Answered; facts: MemberFacts }
>(
  p =>
    sql`with becoming as (${becoming(p)}) select ${json({
      was: sql`(${selectKnown(p)})`,
      answered: sql`(${selectAnswered(p)})`,
      facts: memberFields(factSlots(p)),
    })}`,
)
