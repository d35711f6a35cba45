import { type SQL, sql } from 'drizzle-orm'
import { appointments } from '#drizzle/schema/appointments.ts'
import { services } from '#drizzle/schema/catalog.ts'
import { locations } from '#drizzle/schema/company.ts'
import { rollups } from '#drizzle/schema/rollups.ts'
import { json, jsonArray } from '#lib/db/json.ts'
import { query, type Slots } from '#lib/db/query.ts'
import {
  type Asked,
  bounds,
  company,
  type DailyKind,
  figuresOf,
  money,
  period,
  sum,
  total,
} from './figures.ts'
import type { Insights, Stats } from './schema.ts'

/** How many services a list of the most booked has. */
const TOP = 10

/** The days of a report and the clocks that they are by. */
export const reported = {
  from: sql`(select first from days)`,
  to: sql`(select last from days)`,
  timeZone: sql`(select zone from company)`,
}

/** What was earned, in the one currency that amounts are told in. */
const earned = (figures: SQL): SQL =>
  sql`(select ${sum('revenue')} from ${figures} where currency = (select currency from money))`

/** The figures of GET /insights. */
export const insights = query<Asked, Insights>(
  p => sql`with ${period(p)},
  served as materialized (${figuresOf(p, 'service', 'period')}),
  ${money('served')}
  select ${json<Insights>({
    totalRevenue: earned(sql`served`),
    totalBookings: sql`(select ${total} from served)`,
    averageBookingValue: sql`(select coalesce(round(sum(revenue) / nullif(sum(completed), 0)), 0)::bigint
      from served where currency = (select currency from money))`,
    topServices: jsonArray(
      json({ id: sql`s.item_id`, name: services.name, count: sql`s.count` }),
      sql`from (select item_id, ${total} as count from served group by item_id
          having ${total} > 0 order by 2 desc, 1 limit ${sql.raw(`${TOP}`)}) s
        join ${services} on ${services.accountId} = ${p.account} and ${services.id} = s.item_id
        order by s.count desc, s.item_id`,
    ),
    newCustomers: sql`(select ${total} from (${figuresOf(p, 'customer', 'period')}) c)`,
    currency: sql`(select currency from money)`,
    ...reported,
  })}`,
)

/** The first day of the present week and month, and bounds of all three. */
const spans = (p: Slots<{ now: string }>): SQL => {
  const week = sql`(today - (extract(dow from today)::int - week_start + 7) % 7)`
  const month = sql`date_trunc('month', today)::date`
  const day = (first: SQL, last: SQL, name: string) =>
    bounds(name, sql`start_of_day(${first}, zone)`, sql`start_of_day(${last}, zone)`)
  return sql`${company(p)},
    ${day(sql`today`, sql`today + 1`, 'today')},
    ${day(week, sql`${week} + 7`, 'week')},
    ${day(month, sql`(${month} + interval '1 month')::date`, 'month')}`
}

/** Appointments that still wait to be approved and have not begun. */
const waiting = (p: Slots<{ now: string }>): SQL => sql`(select count(*) from ${appointments}
  where ${appointments.accountId} = ${p.account} and ${appointments.status} = 'pending'
    and ${appointments.startTime} >= ${p.now}::timestamptz and ${appointments.hiddenAt} is null)`

/** Everybody who is a customer now, from the days on which they became one. */
const everyCustomer = (p: Slots<{ now: string }>): SQL => sql`(select ${total} from ${rollups}
  where ${rollups.accountId} = ${p.account} and ${rollups.kind} = 'customer')`

const openLocations = (p: Slots<{ now: string }>): SQL => sql`(select count(*) from ${locations}
  where ${locations.accountId} = ${p.account} and ${locations.active}
    and ${locations.deletedAt} is null)`

const SPANS = ['today', 'week', 'month'] as const
const cte = (name: string, kind: DailyKind) => `${name}_${kind}`

/** The CTEs of the figures of each span, and the currency of them all. */
const figuresOfSpans = (p: Slots<{ now: string }>, names: readonly string[]): SQL =>
  sql.join(
    names.flatMap(name =>
      (['service', 'event_type'] as const).map(
        kind =>
          sql`${sql.identifier(cte(name, kind))} as materialized (${figuresOf(p, kind, name)})`,
      ),
    ),
    sql`, `,
  )

const ofSpan = (name: string, kind: DailyKind, what: SQL): SQL =>
  sql`(select ${what} from ${sql.identifier(cte(name, kind))})`

/** The figures of GET /stats. */
export const stats = query<{ now: string }, Stats>(p => {
  const span = (name: string) =>
    json({
      appointments: ofSpan(name, 'service', total),
      revenue: earned(sql`${sql.identifier(cte(name, 'service'))}`),
      eventBookings: ofSpan(name, 'event_type', total),
    })
  return sql`with ${spans(p)}, ${figuresOfSpans(p, SPANS)}, ${money(cte('month', 'service'))}
    select ${json<Stats>({
      today: span('today'),
      week: span('week'),
      month: span('month'),
      pendingAppointments: waiting(p),
      customers: everyCustomer(p),
      activeLocations: openLocations(p),
      currency: sql`(select currency from money)`,
      timeZone: sql`(select zone from company)`,
    })}`
})

/** What the dashboard tells, with revenue in cents and how to write it. */
export interface DashboardFacts {
  today: number
  pendingToday: number
  thisWeek: number
  revenue: number
  currency: string
  locale: string
  bookingsToday: number
  bookingsThisWeek: number
  totalCustomers: number
  activeLocations: number
}

/** The figures of the tool dashboard_summary. */
export const dashboard = query<{ now: string }, DashboardFacts>(
  p => sql`with ${spans(p)}, ${figuresOfSpans(p, ['today', 'week'])},
    ${money(cte('week', 'service'))}
    select ${json({
      today: ofSpan('today', 'service', total),
      pendingToday: ofSpan('today', 'service', sum('pending')),
      thisWeek: ofSpan('week', 'service', total),
      revenue: earned(sql`${sql.identifier(cte('week', 'service'))}`),
      currency: sql`(select currency from money)`,
      locale: sql`(select locale from company)`,
      bookingsToday: ofSpan('today', 'event_type', total),
      bookingsThisWeek: ofSpan('week', 'event_type', total),
      totalCustomers: everyCustomer(p),
      activeLocations: openLocations(p),
    })}`,
)
