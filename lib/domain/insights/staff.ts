import { sql } from 'drizzle-orm'
import { members, users } from '#drizzle/schema/accounts.ts'
import { employees } from '#drizzle/schema/people.ts'
import { json, jsonArray } from '#lib/db/json.ts'
import { query } from '#lib/db/query.ts'
import { type Asked, figuresOf, money, period, sum, total } from './figures.ts'
import { reported } from './queries.ts'
import type { StaffReport } from './schema.ts'

/**
 * The figures of the tool staff_performance: of each employee their appointments, and the event
 * bookings of the user that they are; then users who host and are no employees.
 */
export const staffPerformance = query<
  Asked & { employeeId: number | null; limit: number },
  StaffReport
>(
  p => sql`with ${period(p)},
    worked as materialized (${figuresOf(p, 'employee', 'period')}),
    hosted as materialized (${figuresOf(p, 'host', 'period')}),
    ${money('worked')},
    staff as (
      select w.*, ${employees.id} as employee, ${employees.userId} as person, ${employees.name} as who
      from ${employees} left join (
        select item_id, ${total} as appointments, ${sum('completed')} as completed,
          ${sum('canceled')} as canceled, ${sum('no_shows')} as no_shows,
          ${sum('minutes')} as minutes, coalesce(sum(revenue) filter (
            where currency = (select currency from money)), 0)::bigint as revenue
        from worked group by item_id) w on w.item_id = ${employees.id}
      where ${employees.accountId} = ${p.account}
        and (${p.employeeId}::int is null or ${employees.id} = ${p.employeeId}::int)
        and (${employees.deletedAt} is null or w.appointments > 0 or w.canceled > 0)
    ),
    hosts as (
      select item_id as host, ${total} as bookings, ${sum('canceled')} as cancelled,
        ${sum('minutes')} as minutes
      from hosted where item_id > 0 group by item_id having ${total} > 0 or sum(canceled) > 0
    ),
    everybody as (
      select s.employee, coalesce(s.person, h.host) as person, coalesce(s.who, ${users.name}) as who,
        s.appointments, s.completed, s.canceled, s.no_shows, s.minutes, s.revenue, h.bookings,
        h.cancelled, h.minutes as met
      from staff s full join hosts h on h.host = s.person
      left join ${members} on ${members.accountId} = ${p.account} and ${members.userId} = h.host
      left join ${users} on ${users.id} = ${members.userId}
      where s.employee is not null or ${p.employeeId}::int is null
    )
    select case when ${p.employeeId}::int is not null and not exists (select from staff) then null
      else ${json({
        ...reported,
        currency: sql`(select currency from money)`,
        staff: jsonArray(
          json({
            employeeId: sql`e.employee`,
            userId: sql`e.person`,
            name: sql`e.who`,
            appointments: sql`coalesce(e.appointments, 0)`,
            completed: sql`coalesce(e.completed, 0)`,
            canceled: sql`coalesce(e.canceled, 0)`,
            noShows: sql`coalesce(e.no_shows, 0)`,
            minutes: sql`coalesce(e.minutes, 0) + coalesce(e.met, 0)`,
            revenue: sql`coalesce(e.revenue, 0)`,
            eventBookings: sql`coalesce(e.bookings, 0)`,
            eventBookingsCancelled: sql`coalesce(e.cancelled, 0)`,
          }),
          sql`from everybody e order by coalesce(e.revenue, 0) desc,
            coalesce(e.appointments, 0) + coalesce(e.bookings, 0) desc, e.employee nulls last, e.person
            limit ${p.limit}::int`,
        ),
      })} end`,
)
