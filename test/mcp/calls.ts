import { june, type Stage } from './stage.ts'

/** A call of a tool with real data. */
export interface Call {
  args(s: Stage): Record<string, unknown>
  /** What its answer has to hold. */
  shows(s: Stage): string
  /** When, where that is not the moment of the test. */
  at?: string
}

const marked = (s: Stage) => s.mark
const call = (
  args: Call['args'] = () => ({}),
  shows: Call['shows'] = marked,
  at?: string,
): Call => ({ args, shows, ...(at ? { at } : {}) })
const byId = (kind: keyof Stage['ids']) => call(s => ({ id: s.ids[kind] }))
const deleting = (kind: keyof Stage['ids']) =>
  call(
    s => ({ id: s.ids[kind] }),
    s => `{"id":${s.ids[kind]},"deleted":true}`,
  )
const says = (text: string) => () => text

const guest = (s: Stage) => ({
  name: `New ${s.mark}`,
  email: `new${s.mark}@example.org`,
  timeZone: 'America/New_York',
})
const week = { from: '2031-06-02', to: '2031-06-15' }
const hour = { startTime: june('11T14:00'), endTime: june('11T15:00') }

/** How each tool is called. Those that take something away come last in their domain. */
export const CALLS: Record<string, Call> = {
  get_current_user: call(undefined, s => s.world.account.email),
  update_user_profile: call(s => ({ bio: `Bio ${s.mark}`, timeZone: 'America/New_York' })),
  list_api_keys: call(undefined, s => `"hint":"${s.key.slice(-4)}"`),
  get_out_of_office: call(),

  list_event_types: call(s => ({ search: s.mark })),
  get_event_type: byId('picky'),
  create_event_type: call(s => ({ title: `Made ${s.mark}`, length: 45 })),
  update_event_type: call(s => ({ id: s.ids.picky, title: `Changed ${s.mark}` })),
  duplicate_event_type: call(s => ({ id: s.ids.picky, slug: 'copy', title: `Copy ${s.mark}` })),
  delete_event_type: deleting('picky'),

  list_bookings: call(() => ({ status: 'upcoming', limit: 10 })),
  get_booking: call(s => ({ uid: s.uids.cancel })),
  list_upcoming_bookings: call(),
  search_bookings: call(s => ({ search: s.mark.slice(0, 20).toUpperCase() })),
  create_booking: call(s => ({
    eventTypeSlug: '30min',
    start: june('13T14:00'),
    attendee: guest(s),
    metadata: { deal: s.mark },
  })),
  reschedule_booking: call(
    s => ({ bookingUid: s.uids.move, start: june('11T16:00'), reschedulingReason: s.mark }),
    says('"start":"2031-06-11T16:00:00.000Z"'),
  ),
  confirm_booking: call(s => ({ uid: s.uids.confirm }), says('"status":"accepted"')),
  reject_booking: call(s => ({ uid: s.uids.reject, reason: s.mark }), says('"status":"rejected"')),
  mark_no_show: call(
    s => ({ uid: s.uids.missed, attendees: [{ email: `guest${s.mark}@example.org` }] }),
    says('"absent":true'),
    june('10T17:10'),
  ),
  cancel_booking: call(
    s => ({ bookingUid: s.uids.cancel, cancellationReason: 'ill' }),
    s => `"bookingUid":"${s.uids.cancel}"`,
  ),

  list_schedules: call(),
  get_schedule: byId('schedule'),
  create_schedule: call(s => ({
    name: `Made ${s.mark}`,
    timeZone: 'Europe/Berlin',
    availability: [{ days: ['Monday'], startTime: '10:00', endTime: '12:00' }],
  })),
  delete_schedule: deleting('schedule'),
  get_available_slots: call(
    s => ({
      eventTypeId: s.ids.eventType,
      start: '2031-06-16',
      end: '2031-06-16',
      timeZone: 'America/New_York',
    }),
    says('"2031-06-16":[{"start":"2031-06-16T09:00:00.000-04:00"'),
  ),

  list_appointments: call(() => ({ status: 'approved', limit: 5 })),
  get_appointment: byId('appointment'),
  check_availability: call(
    s => ({ serviceId: s.ids.service, date: '2031-06-11', timeZone: 'America/New_York' }),
    says('"2031-06-11":[{"startTime":"2031-06-11T'),
  ),
  create_appointment: call(s => ({
    serviceId: s.ids.service,
    customerId: s.ids.customer,
    employeeId: s.ids.employee,
    ...hour,
  })),
  update_appointment: call(s => ({ id: s.ids.appointment, notes: `Changed ${s.mark}` })),
  bulk_update_appointments: call(
    s => ({ ids: [s.ids.appointment, s.ids.series], changes: { noShow: true } }),
    says('"updated":'),
  ),
  cancel_appointment: call(
    s => ({ id: s.ids.appointment, reason: 'ill' }),
    s => `{"id":${s.ids.appointment},"status":"canceled"`,
  ),

  search_customers: call(s => ({ search: s.mark })),
  get_customer: byId('customer'),
  list_top_customers: call(() => ({ by: 'totalBookings' })),
  create_customer: call(s => ({ name: `Made ${s.mark}`, email: `made${s.mark}@example.org` })),
  update_customer: call(s => ({ id: s.ids.customer, notes: `Kind ${s.mark}` })),
  delete_customer: deleting('unbooked'),

  list_locations: call(),
  get_location: byId('location'),
  list_services: call(),
  get_service: byId('service'),
  list_staff: call(),
  get_staff: byId('employee'),
  list_products: call(),
  update_product_stock: call(
    s => ({ productId: s.ids.product, stock: 17, reason: 'count' }),
    says('"stock":17'),
  ),
  list_invoices: call(s => ({ customerId: s.ids.customer })),
  list_service_categories: call(),

  list_workflows: call(),
  get_workflow: byId('workflow'),
  create_workflow: call(s => ({
    name: `Made ${s.mark}`,
    trigger: { type: 'newEvent' },
    activation: { activeOnEventTypeIds: [s.ids.eventType] },
    steps: [{ action: 'email_host', template: 'custom', message: { text: 'Hello' } }],
  })),
  update_workflow: call(s => ({ id: s.ids.workflow, name: `Changed ${s.mark}`, active: false })),
  delete_workflow: deleting('workflow'),

  list_webhooks: call(),
  get_webhook: byId('webhook'),
  create_webhook: call(s => ({
    subscriberUrl: `http://127.0.0.1:9/made-${s.mark}`,
    triggers: ['BOOKING_CREATED'],
    secret: 'tell nobody',
  })),
  update_webhook: call(s => ({ id: s.ids.webhook, triggers: ['BOOKING_CREATED'] })),
  // Nobody listens there: what came of it is told.
  test_webhook: call(s => ({ id: s.ids.webhook }), says('"ok":false')),
  delete_webhook: deleting('webhook'),

  list_routing_forms: call(),
  get_routing_form: byId('form'),
  list_routing_form_responses: call(s => ({ formId: s.ids.form })),

  list_teams: call(),
  get_team: byId('team'),
  list_team_members: call(
    s => ({ teamId: s.ids.team }),
    s => `"userId":${s.userId}`,
  ),

  get_schedule_stats: call(() => week, says('"eventBookings":{')),
  dashboard_summary: call(undefined, says('"activeLocations":1')),
  booking_analytics: call(() => ({ ...week, groupBy: 'day' }), says('"groupBy":"day"')),
  popular_event_types: call(
    () => week,
    s => `"id":${s.ids.service}`,
  ),
  busiest_days: call(() => week, says('"weekdays":[')),
  no_show_report: call(() => week, says('"customers":[')),
  revenue_report: call(() => ({ ...week, groupBy: 'week' }), says('"currency":"usd"')),
  staff_performance: call(() => week, says('"staff":[')),
}
