import {
  dashboardSummary,
  getBookingAnalytics,
  getBusiestDays,
  getNoShows,
  getPopularEventTypes,
  getRevenue,
  getScheduleStats,
  getStaffPerformance,
} from '#lib/domain/insights/operations.ts'
import {
  Period,
  RankedPeriod,
  StaffPerformance,
  SteppedPeriod,
} from '#lib/domain/insights/schema.ts'
import { Nothing, reads, type Tools } from '#lib/mcp/tool.ts'
import { ANSWER } from '../answers.ts'

/** What the figures say. */
export const tools: Tools = {
  get_schedule_stats: reads(
    'How full the calendar is: appointments and bookings of some days by status, and how many are ahead.',
    Period,
    getScheduleStats,
    ANSWER.scheduleStats,
  ),
  dashboard_summary: reads(
    'Today and this week at a glance: appointments, revenue, bookings, customers, locations.',
    Nothing,
    dashboardSummary,
    ANSWER.dashboard,
  ),
  booking_analytics: reads(
    'Appointments and bookings of some days by status and over time, with rates of cancellation.',
    SteppedPeriod,
    getBookingAnalytics,
    ANSWER.analytics,
  ),
  popular_event_types: reads(
    'The event types and services that were booked most in some days.',
    RankedPeriod,
    getPopularEventTypes,
    ANSWER.popular,
  ),
  busiest_days: reads(
    'The dates, weekdays and hours on which most takes place, by the company’s clocks.',
    RankedPeriod,
    getBusiestDays,
    ANSWER.busiest,
  ),
  no_show_report: reads(
    'Who did not come in some days: customers, attendees, hosts, and with which employees.',
    RankedPeriod,
    getNoShows,
    ANSWER.noShows,
  ),
  revenue_report: reads(
    'What was earned in some days: over time, by service and by employee, in cents.',
    SteppedPeriod,
    getRevenue,
    ANSWER.revenue,
  ),
  staff_performance: reads(
    'What each of the staff did in some days: appointments, bookings, no-shows, revenue in cents.',
    StaffPerformance,
    getStaffPerformance,
    ANSWER.staffReport,
  ),
}
