import { type SQL, sql } from 'drizzle-orm'
import { appointments } from '#drizzle/schema/appointments.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import { services } from '#drizzle/schema/catalog.ts'
import { customers, employees } from '#drizzle/schema/people.ts'
import { nameOfWeekday } from '#lib/db/days.ts'
import { type Field, json, jsonArray } from '#lib/db/json.ts'
import { query, type Slots } from '#lib/db/query.ts'
import { type Asked, bounds, figuresOf, money, period, quartersOf, sum, total } from './figures.ts'
import { reported } from './queries.ts'
import type {
  BookingAnalyticsReport,
  BusiestDaysReport,
  NoShows,
  PopularReport,
  Revenue,
  ScheduleReport,
} from './schema.ts'

/** The part that a measure is of the whole of some figures, from 0 to 1. */
const rate = (part: string, whole: SQL): SQL =>
  sql`coalesce(round(sum(${sql.raw(part)})::numeric / nullif(${whole}, 0), 4), 0)::double precision`

const appointmentFields = {
  total,
  pending: sum('pending'),
  approved: sum('approved'),
  completed: sum('completed'),
  canceled: sum('canceled'),
  noShows: sum('no_shows'),
  minutes: sum('minutes'),
}
const bookingFields = {
  total,
  pending: sum('pending'),
  accepted: sum('approved'),
  cancelled: sum('canceled'),
  rejected: sum('rejected'),
  noShows: sum('no_shows'),
  minutes: sum('minutes'),
}

/** An object of aggregates over figures. */
const of = (figures: SQL, fields: Record<string, SQL>): SQL => {
  const parts = Object.entries(fields).map(
    ([name, value]) => sql`${value} as ${sql.identifier(name)}`,
  )
  return sql`(select row_to_json(o) from (select ${sql.join(parts, sql`, `)} from ${figures} f) o)`
}

const ALWAYS = sql`'2300-01-01T00:00:00Z'::timestamptz`

/** The figures of the tool get_schedule_stats. */
export const scheduleStats = query<Asked, ScheduleReport>(
  p => sql`with ${period(p)}, ${bounds('ahead', sql`${p.now}::timestamptz`, ALWAYS)}
    select ${json({
      ...reported,
      appointments: of(sql`(${figuresOf(p, 'service', 'period')})`, appointmentFields),
      eventBookings: of(sql`(${figuresOf(p, 'event_type', 'period')})`, bookingFields),
      upcoming: json({
        appointments: sql`(select ${total} from (${figuresOf(p, 'service', 'ahead')}) f)`,
        eventBookings: sql`(select ${total} from (${figuresOf(p, 'event_type', 'ahead')}) f)`,
      }),
    })}`,
)

/** Steps as long as was asked for; without a word, such that there are at most about a hundred. */
const step = (p: Slots<{ groupBy: string | null }>): SQL => sql`coalesce(${p.groupBy}::text,
  (select case when last - first < 62 then 'day' when last - first < 366 then 'week' else 'month' end
    from days))`

interface Stepped extends Asked {
  groupBy: string | null
}

/** The first day of the step that a time by the company's clocks is in. */
const stepOf = (p: Slots<Stepped>): SQL => sql`date_trunc(${step(p)}, local)::date`

/** The figures of the tool booking_analytics. */
export const bookingAnalytics = query<Stepped, BookingAnalyticsReport>(
  p => sql`with ${period(p)},
    served as materialized (${figuresOf(p, 'service', 'period')}),
    met as materialized (${figuresOf(p, 'event_type', 'period')})
    select ${json({
      ...reported,
      appointments: of(sql`served`, {
        ...appointmentFields,
        cancellationRate: rate('canceled', sql`sum(pending + approved + completed + canceled)`),
        averageMinutes: sql`coalesce(round(sum(minutes)::numeric / nullif(${total}, 0)), 0)::int`,
      }),
      eventBookings: of(sql`met`, {
        ...bookingFields,
        cancellationRate: rate('canceled', sql`sum(pending + approved + canceled + rejected)`),
        averageMinutes: sql`coalesce(round(sum(minutes)::numeric / nullif(${total}, 0)), 0)::int`,
      }),
      groupBy: step(p),
      steps: jsonArray(
        json({ from: sql`x.day`, appointments: sql`x.a`, eventBookings: sql`x.b` }),
        sql`from (select day, sum(a)::int as a, sum(b)::int as b from (
            select ${stepOf(p)} as day, ${total} as a, 0 as b
              from (${quartersOf(p, 'appointment', 'period')}) f group by 1
            union all select ${stepOf(p)}, 0, ${total}
              from (${quartersOf(p, 'booking', 'period')}) f group by 1
          ) y group by day having sum(a) > 0 or sum(b) > 0) x order by x.day`,
      ),
    })}`,
)

/** What was booked most, with how often and its minutes; what is no more is left out. */
const mostBooked = (
  p: Slots<Asked & { limit: number }>,
  figures: string,
  table: typeof services | typeof eventTypes,
  fields: Record<string, Field>,
) =>
  jsonArray(
    json({ id: table.id, ...fields, count: sql`t.count`, minutes: sql`t.minutes` }),
    sql`from (select item_id, ${total} as count, ${sum('canceled')} as canceled,
        ${sum('minutes')} as minutes
        from ${sql.identifier(figures)} group by item_id having ${total} > 0) t
      join ${table} on ${table.accountId} = ${p.account} and ${table.id} = t.item_id
      order by t.count desc, t.item_id limit ${p.limit}::int`,
  )

/** The figures of the tool popular_event_types. */
export const popularEventTypes = query<Asked & { limit: number }, PopularReport>(
  p => sql`with ${period(p)},
    served as materialized (${figuresOf(p, 'service', 'period')}),
    met as materialized (${figuresOf(p, 'event_type', 'period')})
    select ${json({
      ...reported,
      eventTypes: mostBooked(p, 'met', eventTypes, {
        title: eventTypes.title,
        slug: eventTypes.slug,
        cancelled: sql`t.canceled`,
      }),
      services: mostBooked(p, 'served', services, {
        name: services.name,
        canceled: sql`t.canceled`,
      }),
    })}`,
)

/** How many of both halves there are by what a time is of, such as its weekday. */
const countedBy = (key: SQL): SQL => sql`select ${key} as key, sum(a)::int as a, sum(b)::int as b
  from quarters group by 1`
const counts = {
  appointments: sql`coalesce(c.a, 0)`,
  eventBookings: sql`coalesce(c.b, 0)`,
  total: sql`coalesce(c.a + c.b, 0)`,
}

/** The figures of the tool busiest_days. */
export const busiestDays = query<Asked & { limit: number }, BusiestDaysReport>(
  p => sql`with ${period(p)},
    quarters as materialized (
      select local, pending + approved + completed as a, 0 as b
        from (${quartersOf(p, 'appointment', 'period')}) f
      union all select local, 0, pending + approved from (${quartersOf(p, 'booking', 'period')}) f
    )
    select ${json({
      ...reported,
      days: jsonArray(
        json({ date: sql`c.key`, ...counts }),
        sql`from (${countedBy(sql`local::date`)}) c where c.a + c.b > 0
          order by c.a + c.b desc, c.key limit ${p.limit}::int`,
      ),
      weekdays: jsonArray(
        json({
          weekday: nameOfWeekday(sql`n`),
          ...counts,
        }),
        sql`from generate_series(0, 6) n
          left join (${countedBy(sql`extract(dow from local)::int`)}) c on c.key = n
          order by coalesce(c.a + c.b, 0) desc, n`,
      ),
      hours: jsonArray(
        json({ hour: sql`c.key`, ...counts }),
        sql`from (${countedBy(sql`extract(hour from local)::int`)}) c where c.a + c.b > 0
          order by c.key`,
      ),
    })}`,
)

/** The figures of the tool no_show_report: of what has begun by now. */
export const noShows = query<Asked & { limit: number }, NoShows>(
  p => sql`with ${period(p)},
    ${bounds('past', sql`(select lo from period)`, sql`(select greatest(lo, least(hi, ${p.now}::timestamptz)) from period)`)},
    served as materialized (${figuresOf(p, 'service', 'past')}),
    worked as materialized (${figuresOf(p, 'employee', 'past')}),
    met as materialized (${figuresOf(p, 'event_type', 'past')})
    select ${json({
      ...reported,
      appointments: of(sql`served`, {
        total,
        noShows: sum('no_shows'),
        rate: rate('no_shows', total),
      }),
      eventBookings: of(sql`met`, {
        total,
        absentAttendees: sum('no_shows'),
        absentHosts: sum('host_no_shows'),
      }),
      employees: jsonArray(
        json({ id: employees.id, name: employees.name, noShows: sql`w.n`, rate: sql`w.rate` }),
        sql`from (select item_id, ${sum('no_shows')} as n, ${rate('no_shows', total)} as rate
            from worked where item_id > 0 group by item_id having sum(no_shows) > 0
            order by 2 desc, 1 limit ${p.limit}::int) w
          join ${employees} on ${employees.accountId} = ${p.account} and ${employees.id} = w.item_id
          order by w.n desc, w.item_id`,
      ),
      customers: jsonArray(
        json({ id: customers.id, name: customers.name, noShows: sql`c.n` }),
        sql`from (select ${appointments.customerId} as id, count(*) as n from ${appointments}
            where ${appointments.accountId} = ${p.account} and ${appointments.noShow}
              and ${appointments.status} <> 'canceled' and ${appointments.hiddenAt} is null
              and ${appointments.startTime} >= (select lo from past)
              and ${appointments.startTime} < (select hi from past)
              and ${appointments.customerId} is not null
            group by 1 order by 2 desc, 1 limit ${p.limit}::int) c
          join ${customers} on ${customers.accountId} = ${p.account} and ${customers.id} = c.id
          order by c.n desc, c.id`,
      ),
    })}`,
)

const inMoney = sql`currency = (select currency from money)`
const average = sql`coalesce(round(sum(revenue) / nullif(sum(completed), 0)), 0)::bigint`

/** What was earned with each service or by each employee. */
const earnedBy = (p: Slots<Asked>, figures: string, table: typeof services | typeof employees) =>
  jsonArray(
    json({ id: table.id, name: table.name, revenue: sql`r.revenue`, completed: sql`r.completed` }),
    sql`from (select item_id, ${sum('revenue')} as revenue, ${sum('completed')} as completed
        from ${sql.identifier(figures)} where ${inMoney} and item_id > 0 group by item_id
        having sum(completed) > 0) r
      join ${table} on ${table.accountId} = ${p.account} and ${table.id} = r.item_id
      order by r.revenue desc, r.item_id`,
  )

/** The figures of the tool revenue_report. */
export const revenue = query<Stepped, Revenue>(
  p => sql`with ${period(p)},
    served as materialized (${figuresOf(p, 'service', 'period')}),
    worked as materialized (${figuresOf(p, 'employee', 'period')}),
    met as materialized (${figuresOf(p, 'event_type', 'period')}),
    ${money('served')}
    select ${json({
      ...reported,
      currency: sql`(select currency from money)`,
      totalRevenue: sql`(select ${sum('revenue')} from served where ${inMoney})`,
      completedAppointments: sql`(select ${sum('completed')} from served where ${inMoney})`,
      averageBookingValue: sql`(select ${average} from served where ${inMoney})`,
      eventBookingRevenue: sql`(select ${sum('revenue')} from met where ${inMoney})`,
      groupBy: step(p),
      steps: jsonArray(
        json({
          from: sql`s.day`,
          revenue: sql`s.revenue`,
          completed: sql`s.completed`,
          eventBookingRevenue: sql`s.met`,
        }),
        sql`from (select day, sum(revenue)::bigint as revenue, sum(completed)::int as completed,
            sum(met)::bigint as met from (
              select ${stepOf(p)} as day, revenue, completed, 0 as met
                from (${quartersOf(p, 'appointment', 'period')}) f where ${inMoney}
              union all select ${stepOf(p)}, 0, 0, revenue
                from (${quartersOf(p, 'booking', 'period')}) f where ${inMoney}
            ) y group by day having sum(completed) <> 0 or sum(revenue) <> 0 or sum(met) <> 0) s
          order by s.day`,
      ),
      services: earnedBy(p, 'served', services),
      employees: earnedBy(p, 'worked', employees),
      unassigned: of(sql`(select * from worked where ${inMoney} and item_id = 0)`, {
        revenue: sum('revenue'),
        completed: sum('completed'),
      }),
      currencies: jsonArray(
        json({ currency: sql`c.currency`, revenue: sql`c.revenue` }),
        sql`from (select currency, ${sum('revenue')} as revenue
            from (select currency, revenue from served union all select currency, revenue from met) f
            group by currency having sum(revenue) <> 0) c order by c.revenue desc, c.currency`,
      ),
    })}`,
)
