import { type Member, requirePermission } from '#lib/core/context.ts'
import { existing, type Json } from '#lib/core/json.ts'
import type { Query } from '#lib/db/query.ts'
import { writeMoney } from '../messaging/times.ts'
import type { Asked } from './figures.ts'
import { dashboard, insights, stats } from './queries.ts'
import {
  bookingAnalytics,
  busiestDays,
  noShows,
  popularEventTypes,
  revenue,
  scheduleStats,
} from './reports.ts'
import type {
  BookingAnalyticsReport,
  BusiestDaysReport,
  Dashboard,
  Insights,
  NoShows,
  Period,
  PopularReport,
  RankedPeriod,
  Revenue,
  ScheduleReport,
  StaffPerformance,
  StaffReport,
  Stats,
  SteppedPeriod,
} from './schema.ts'
import { staffPerformance } from './staff.ts'

/** How many a list of a report has where nothing is said. */
const LIMIT = 10

/** One trip: a report on some days. */
function report<P extends object, R>(
  m: Member,
  figures: Query<P & Asked, R>,
  asked: Period,
  more: P,
): Promise<Json<R>> {
  requirePermission(m, 'insights.read')
  const { from = null, to = null } = asked
  return m.tenant.text(figures, { ...more, from, to, now: m.now.toISOString() })
}

/** Revenue, bookings, services and new customers of some days. */
export const getInsights = (m: Member, asked: Period): Promise<Json<Insights>> =>
  report(m, insights, asked, {})

/** The figures of today, this week and this month. */
export async function getStats(m: Member): Promise<Json<Stats>> {
  requirePermission(m, 'insights.read')
  return m.tenant.text(stats, { now: m.now.toISOString() })
}

/** What goes on today and this week, on one page. */
export async function dashboardSummary(m: Member): Promise<Dashboard> {
  requirePermission(m, 'insights.read')
  const found = await m.tenant.read(dashboard, { now: m.now.toISOString() })
  const earned = writeMoney(found.revenue, found.currency, found.locale)
  return {
    serviceAppointments: {
      today: { total: found.today, pending: found.pendingToday },
      thisWeek: { total: found.thisWeek, revenue: earned },
    },
    calBookings: { today: found.bookingsToday, thisWeek: found.bookingsThisWeek },
    totalCustomers: found.totalCustomers,
    activeLocations: found.activeLocations,
  }
}

/** How full the calendar is: appointments and event bookings by status, and what is ahead. */
export const getScheduleStats = (m: Member, asked: Period): Promise<Json<ScheduleReport>> =>
  report(m, scheduleStats, asked, {})

/** Bookings of both halves by status and over time, with rates of cancellation. */
export const getBookingAnalytics = (
  m: Member,
  { groupBy, ...asked }: SteppedPeriod,
): Promise<Json<BookingAnalyticsReport>> =>
  report(m, bookingAnalytics, asked, { groupBy: groupBy ?? null })

/** The event types, and the services, that were booked most. */
export const getPopularEventTypes = (
  m: Member,
  { limit = LIMIT, ...asked }: RankedPeriod,
): Promise<Json<PopularReport>> => report(m, popularEventTypes, asked, { limit })

/** The days, weekdays and hours on which most begins, by the company's clocks. */
export const getBusiestDays = (
  m: Member,
  { limit = LIMIT, ...asked }: RankedPeriod,
): Promise<Json<BusiestDaysReport>> => report(m, busiestDays, asked, { limit })

/** Who did not come, of what has begun. */
export const getNoShows = (
  m: Member,
  { limit = LIMIT, ...asked }: RankedPeriod,
): Promise<Json<NoShows>> => report(m, noShows, asked, { limit })

/** What was earned: over time, by service, by employee. */
export const getRevenue = (
  m: Member,
  { groupBy, ...asked }: SteppedPeriod,
): Promise<Json<Revenue>> => report(m, revenue, asked, { groupBy: groupBy ?? null })

/**
 * What each of the staff did, who earned most first.
 * @throws NOT_FOUND when `employeeId` is not the account's
 */
export async function getStaffPerformance(
  m: Member,
  { limit = LIMIT, employeeId, ...asked }: StaffPerformance,
): Promise<Json<StaffReport>> {
  const record = await report(m, staffPerformance, asked, { limit, employeeId: employeeId ?? null })
  return existing(record, 'Employee')
}
