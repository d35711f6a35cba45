import { type SQL, sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
import { appointments } from '#drizzle/schema/appointments.ts'
import { bookings } from '#drizzle/schema/bookings.ts'
import { customers } from '#drizzle/schema/people.ts'
import { rollups } from '#drizzle/schema/rollups.ts'
import type { Slots } from '#lib/db/query.ts'
import { MAX_DAYS } from './schema.ts'

/** What every report is asked for. */
export interface Asked {
  from: string | null
  to: string | null
  now: string
}

type Given = Pick<Slots<Asked>, 'account' | 'now'>

/** How many days there are where only the last is said, or none. */
const DEFAULT_DAYS = 30

/** The clocks, the currency and the present day of the company, as the CTE `company`. */
export const company = (p: Given): SQL => sql`company as (
  select ${accounts.timeZone} as zone, ${accounts.currency} as currency,
    ${accounts.weekStart} as week_start, ${accounts.locale} as locale,
    (${p.now}::timestamptz at time zone ${accounts.timeZone})::date as today
  from ${accounts} where ${accounts.id} = ${p.account})`

/**
 * A CTE of one row that bounds what is counted. Instants from `lo` (included) to `hi`; of those the
 * whole UTC days go from `up` to `mid`, which are the same where there are none.
 */
export const bounds = (name: string, lo: SQL, hi: SQL): SQL => sql`${sql.identifier(name)} as (
  select lo, hi, up, greatest(up, utc_day(hi)) as mid from (
    select lo, hi, utc_day(lo + interval '1 day' - interval '1 microsecond') as up
    from (select ${lo} as lo, ${hi} as hi from company) b
  ) c)`

/** The CTEs `company`, `days` (`first` and `last`, as asked for or by default) and `period`. */
export const period = (p: Slots<Asked>): SQL => sql`${company(p)},
  days as (
    select first, last from company, lateral (
      select coalesce(${p.to}::date, case when ${p.from}::date is null then today else
        least(greatest(${p.from}::date, today), ${p.from}::date + ${sql.raw(`${MAX_DAYS - 1}`)})
        end) as last) l, lateral (
      select coalesce(${p.from}::date, last - ${sql.raw(`${DEFAULT_DAYS - 1}`)}) as first) f),
  ${bounds(
    'period',
    sql`(select start_of_day(first, company.zone) from days)`,
    sql`(select start_of_day(last + 1, company.zone) from days)`,
  )}`

/** What each kind is counted from, where whole days do not reach. */
const ROWS = {
  service: { table: appointments, at: appointments.startTime, figures: 'appointment_figures' },
  employee: { table: appointments, at: appointments.startTime, figures: 'appointment_figures' },
  event_type: { table: bookings, at: bookings.startTime, figures: 'booking_figures' },
  host: { table: bookings, at: bookings.startTime, figures: 'booking_figures' },
  customer: { table: customers, at: customers.createdAt, figures: 'customer_figures' },
} as const
/** The kinds of figures that are kept by UTC day. */
export type DailyKind = keyof typeof ROWS

const MEASURES = [
  'item_id',
  'currency',
  'bucket',
  'pending',
  'approved',
  'completed',
  'canceled',
  'rejected',
  'no_shows',
  'host_no_shows',
  'minutes',
  'revenue',
]
const measuresOf = (table: string): SQL =>
  sql.join(
    MEASURES.map(name => sql`${sql.identifier(table)}.${sql.identifier(name)}`),
    sql`, `,
  )

/**
 * Every figure of a kind within the bounds of a CTE: whole UTC days from the rollups, and the ragged
 * ends, by the company's midnights or by the minute, from the rows themselves.
 */
export function figuresOf(p: Given, kind: DailyKind, within: string): SQL {
  const { table, at, figures } = ROWS[kind]
  const edge = (name: string) =>
    sql`(select ${sql.identifier(name)} from ${sql.identifier(within)})`
  const live = table === appointments ? sql`and ${appointments.hiddenAt} is null` : sql``
  const ragged = (lo: SQL, hi: SQL) => sql`select ${measuresOf('f')} from ${table},
    ${sql.raw(figures)}(${table}) f
    where ${table.accountId} = ${p.account} and ${at} >= ${lo} and ${at} < ${hi} ${live}
      and f.kind = ${sql.raw(`'${kind}'`)}`
  return sql`select ${measuresOf('rollups')} from ${rollups}
      where ${rollups.accountId} = ${p.account} and ${rollups.kind} = ${sql.raw(`'${kind}'`)}
        and ${rollups.bucket} >= ${edge('up')} and ${rollups.bucket} < ${edge('mid')}
    union all ${ragged(edge('lo'), sql`least(${edge('up')}, ${edge('hi')})`)}
    union all ${ragged(edge('mid'), edge('hi'))}`
}

/** Figures by the quarter of an hour that they begin in, for days and hours by the company's clocks. */
export const quartersOf = (p: Given, kind: 'appointment' | 'booking', within: string): SQL => sql`
  select ${measuresOf('rollups')},
    ${rollups.bucket} at time zone (select zone from company) as local from ${rollups}
  where ${rollups.accountId} = ${p.account} and ${rollups.kind} = ${sql.raw(`'${kind}'`)}
    and ${rollups.bucket} >= (select lo from ${sql.identifier(within)})
    and ${rollups.bucket} < (select hi from ${sql.identifier(within)})`

/** How many of some figures are not canceled or rejected. */
export const total = sql`coalesce(sum(pending + approved + completed), 0)::int`

/** The sum of a measure, 0 of nothing. */
export const sum = (measure: string): SQL => sql`coalesce(sum(${sql.raw(measure)}), 0)::bigint`

/**
 * The CTE `money` with the currency that amounts are told in, for nobody can add dollars to euros: the
 * company's, or, where nothing was earned in it, the one in which most was.
 */
export const money = (figures: string): SQL => sql`money as (
  select coalesce((
    select currency from ${sql.identifier(figures)} group by currency having sum(revenue) > 0
    order by currency = (select currency from company) desc, sum(revenue) desc, currency limit 1
  ), (select currency from company)) as currency)`
