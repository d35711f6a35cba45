import * as z from 'zod'
import type { Cents, Day, Decimal } from '#lib/core/kinds.ts'
import { date, id, queryId, queryInt } from '#lib/core/schemas.ts'

/** The most days that figures are added up over: ten years. */
export const MAX_DAYS = 3660

const days = {
  from: date
    .optional()
    .describe('First day (YYYY-MM-DD, by the company’s clocks); 29 days before `to` if left out'),
  to: date
    .optional()
    .describe(
      'Last day, included; today if left out. At most 3660 days, from the first to the last',
    ),
}

const MS_OF_DAY = 86_400_000

/** How many days there are from one to the other, both included; undefined where an end is open. */
const lengthOf = ({ from, to }: { from?: unknown; to?: unknown }): number | undefined =>
  typeof from === 'string' && typeof to === 'string'
    ? (Date.parse(to) - Date.parse(from)) / MS_OF_DAY + 1
    : undefined

/** Adds a range of days to what is asked for, both ends included. */
const overDays = <S extends z.ZodRawShape>(shape: S) =>
  z
    .object({ ...days, ...shape })
    .refine(p => (lengthOf(p) ?? 1) >= 1, { path: ['to'], message: 'must not be before from' })
    .refine(p => (lengthOf(p) ?? 1) <= MAX_DAYS, {
      path: ['to'],
      message: `must be at most ${MAX_DAYS} days from the first to the last`,
    })

/** Over which days figures are asked for. */
export const Period = overDays({})
export type Period = z.output<typeof Period>

const limit = queryInt(1, 50).optional().describe('How many at most; 10 if left out')
const groupBy = z
  .enum(['day', 'week', 'month'])
  .optional()
  .describe('Length of each step; by how long the range is, if left out')

/** Over which days a list of the first of something is asked for. */
export const RankedPeriod = overDays({ limit })
export type RankedPeriod = z.output<typeof RankedPeriod>

/** Over which days figures are asked for step by step. */
export const SteppedPeriod = overDays({ groupBy })
export type SteppedPeriod = z.output<typeof SteppedPeriod>

/** What `staff_performance` takes. */
export const StaffPerformance = overDays({
  employeeId: z
    .union([id, queryId])
    .optional()
    .describe('One employee alone; everybody if left out'),
  limit,
})
export type StaffPerformance = z.output<typeof StaffPerformance>

/** Figures of appointments, by what became of them. `total` are those that are not canceled. */
export interface AppointmentFigures {
  total: number
  pending: number
  approved: number
  completed: number
  canceled: number
  noShows: number
  minutes: number
}

/** Figures of event bookings. `total` are those that are not cancelled or rejected. */
export interface EventBookingFigures {
  total: number
  pending: number
  accepted: number
  cancelled: number
  rejected: number
  noShows: number
  minutes: number
}

/** What every report begins with: its days, both included, by the company's clocks. */
export interface Reported {
  from: Day
  to: Day
  timeZone: string
}

/** Insights of the business; money in cents of `currency`. */
export interface Insights extends Reported {
  totalRevenue: Cents
  totalBookings: number
  averageBookingValue: Cents
  topServices: { id: number; name: string; count: number }[]
  newCustomers: number
  currency: string
}

/** How many, and what was earned. */
interface StatsSpan {
  appointments: number
  revenue: Cents
  eventBookings: number
}

/** The figures of today, this week and this month; money in cents of `currency`. */
export interface Stats {
  today: StatsSpan
  week: StatsSpan
  month: StatsSpan
  pendingAppointments: number
  customers: number
  activeLocations: number
  currency: string
  timeZone: string
}

/** What `dashboard_summary` answers, as the interface has it. */
export interface Dashboard {
  serviceAppointments: {
    today: { total: number; pending: number }
    thisWeek: { total: number; revenue: string }
  }
  calBookings: { today: number; thisWeek: number }
  totalCustomers: number
  activeLocations: number
}

/** What `get_schedule_stats` answers; `upcoming` is everything that begins after now. */
export interface ScheduleReport extends Reported {
  appointments: AppointmentFigures
  eventBookings: EventBookingFigures
  upcoming: { appointments: number; eventBookings: number }
}

/** How long the steps of a report are. */
export type Step = 'day' | 'week' | 'month'

interface Rates {
  /** Of all that were made, how many were canceled, from 0 to 1. */
  cancellationRate: Decimal
  averageMinutes: number
}

/** What `booking_analytics` answers; a step in which there is nothing is left out. */
export interface BookingAnalyticsReport extends Reported {
  appointments: AppointmentFigures & Rates
  eventBookings: EventBookingFigures & Rates
  groupBy: Step
  steps: { from: Day; appointments: number; eventBookings: number }[]
}

/** What `popular_event_types` answers, the most booked first: of both halves. */
export interface PopularReport extends Reported {
  eventTypes: {
    id: number
    title: string
    slug: string
    count: number
    cancelled: number
    minutes: number
  }[]
  services: { id: number; name: string; count: number; canceled: number; minutes: number }[]
}

interface Counts {
  appointments: number
  eventBookings: number
  total: number
}

/** What `busiest_days` answers: dates and weekdays with the busiest first, hours in their order. */
export interface BusiestDaysReport extends Reported {
  days: ({ date: Day } & Counts)[]
  weekdays: ({ weekday: string } & Counts)[]
  hours: ({ hour: number } & Counts)[]
}

/** What `no_show_report` answers, of what has begun; rates from 0 to 1. */
export interface NoShows extends Reported {
  appointments: { total: number; noShows: number; rate: Decimal }
  eventBookings: { total: number; absentAttendees: number; absentHosts: number }
  employees: { id: number; name: string; noShows: number; rate: Decimal }[]
  customers: { id: number; name: string; noShows: number }[]
}

interface Earned {
  id: number
  name: string
  revenue: Cents
  completed: number
}

/** What `revenue_report` answers; money in cents of `currency`, `currencies` has all of them. */
export interface Revenue extends Reported {
  currency: string
  totalRevenue: Cents
  completedAppointments: number
  averageBookingValue: Cents
  eventBookingRevenue: Cents
  groupBy: Step
  steps: { from: Day; revenue: Cents; completed: number; eventBookingRevenue: Cents }[]
  services: Earned[]
  employees: Earned[]
  /** What is missing among the employees: appointments of nobody in particular. */
  unassigned: { revenue: Cents; completed: number }
  currencies: { currency: string; revenue: Cents }[]
}

/** What `staff_performance` answers, who earned most first; money in cents of `currency`. */
export interface StaffReport extends Reported {
  currency: string
  staff: {
    /** Null for a user who hosts event bookings and is no employee. */
    employeeId: number | null
    /** Null for an employee who does not sign in. */
    userId: number | null
    name: string
    appointments: number
    completed: number
    canceled: number
    noShows: number
    minutes: number
    revenue: Cents
    eventBookings: number
    eventBookingsCancelled: number
  }[]
}
