import { answers, pages } from '#lib/mcp/output.ts'

const id = 'integer'
const text = 'string'

const eventType = {
  id,
  title: text,
  slug: text,
  lengthInMinutes: 'integer',
  userId: 'integer?',
  teamId: 'integer?',
} as const
const EVENT_TYPE = answers(eventType)
const EVENT_TYPES = pages(eventType)

const booking = {
  id,
  uid: text,
  title: text,
  status: text,
  start: text,
  end: text,
  duration: 'integer',
  eventTypeId: 'integer?',
  hosts: 'array',
  attendees: 'array',
  location: 'string?',
} as const
const BOOKING = answers(booking)
const BOOKINGS = pages(booking)
const CANCELLED_BOOKING = answers({
  message: text,
  bookingId: 'integer',
  bookingUid: text,
  onlyRemovedAttendee: 'boolean',
  cancelledUids: 'array',
})

const appointment = {
  id,
  uid: text,
  status: text,
  serviceId: 'integer',
  startTime: text,
  endTime: text,
  price: 'integer',
  service: 'object',
  customer: 'object?',
  employee: 'object?',
} as const
const APPOINTMENT = answers(appointment)
const APPOINTMENTS = pages(appointment)
const CANCELED = answers({ id, status: text, canceled: 'array' })
const AVAILABILITY = answers({ timeZone: text, slots: 'object' })
const BULK = answers({ updated: 'integer', updatedIds: 'array', failed: 'array' })

const customer = {
  id,
  name: text,
  email: 'string?',
  phone: 'string?',
  totalBookings: 'integer',
  totalSpent: 'integer',
} as const
const CUSTOMER = answers(customer)
const CUSTOMERS = pages(customer)
const TOP = answers({ items: { type: 'array', items: answers(customer) } })

const schedule = {
  id,
  name: text,
  timeZone: text,
  isDefault: 'boolean',
  availability: 'array',
} as const
const SCHEDULE = answers(schedule)
const SCHEDULES = pages(schedule)

const service = {
  id,
  name: text,
  duration: 'integer',
  price: 'integer',
  currency: text,
  active: 'boolean',
} as const
const SERVICE = answers(service)
const SERVICES = pages(service)
const CATEGORIES = pages({ id, name: text })

const location = { id, name: text, timeZone: text, active: 'boolean' } as const
const LOCATION = answers(location)
const LOCATIONS = pages(location)

const staff = {
  id,
  name: text,
  email: text,
  role: text,
  serviceIds: 'array',
  active: 'boolean',
} as const
const STAFF_MEMBER = answers(staff)
const STAFF = pages(staff)

const product = { id, name: text, price: 'integer', stock: 'integer' } as const
const PRODUCT = answers(product)
const PRODUCTS = pages(product)

const INVOICES = pages({
  id,
  number: 'string?',
  customerId: 'integer',
  status: text,
  currency: text,
  items: 'array',
  total: 'integer',
  amountDue: 'integer',
})

const workflow = { id, name: text, active: 'boolean', trigger: 'object', steps: 'array' } as const
const WORKFLOW = answers(workflow)
const WORKFLOWS = pages(workflow)

const webhook = {
  id,
  subscriberUrl: text,
  triggers: 'array',
  active: 'boolean',
  hasSecret: 'boolean',
} as const
const WEBHOOK = answers(webhook)
const WEBHOOKS = pages(webhook)
const WEBHOOK_TEST = answers({
  ok: 'boolean',
  status: 'integer?',
  durationMs: 'number',
  error: 'string?',
})

const form = { id, name: text, fields: 'array', routes: 'array' } as const
const FORM = answers(form)
const FORMS = pages(form)
const RESPONSES = pages({ id, formId: 'integer', response: 'object' })

const team = { id, name: text, slug: text, timeZone: text } as const
const TEAM = answers(team)
const TEAMS = pages(team)
const TEAM_MEMBERS = pages({ userId: 'integer', teamId: 'integer', role: text })

const ME = answers({
  id,
  name: text,
  email: text,
  username: text,
  timeZone: text,
  role: text,
})
const API_KEYS = pages({ id, note: 'string?', hint: text })
const ABSENCES = pages({ id, userId: 'integer', start: text, end: text, reason: text })

const reported = { from: text, to: text, timeZone: text } as const
const SCHEDULE_STATS = answers({
  ...reported,
  appointments: 'object',
  eventBookings: 'object',
  upcoming: answers({ appointments: 'integer', eventBookings: 'integer' }),
})
const DASHBOARD = answers({
  serviceAppointments: answers({
    today: answers({ total: 'integer', pending: 'integer' }),
    thisWeek: answers({ total: 'integer', revenue: text }),
  }),
  calBookings: answers({ today: 'integer', thisWeek: 'integer' }),
  totalCustomers: 'integer',
  activeLocations: 'integer',
})
const ANALYTICS = answers({
  ...reported,
  appointments: 'object',
  eventBookings: 'object',
  groupBy: text,
  steps: 'array',
})
const POPULAR = answers({ ...reported, eventTypes: 'array', services: 'array' })
const BUSIEST = answers({ ...reported, days: 'array', weekdays: 'array', hours: 'array' })
const NO_SHOWS = answers({
  ...reported,
  appointments: answers({ total: 'integer', noShows: 'integer', rate: 'number' }),
  eventBookings: 'object',
  employees: 'array',
  customers: 'array',
})
const REVENUE = answers({
  ...reported,
  currency: text,
  totalRevenue: 'integer',
  completedAppointments: 'integer',
  steps: 'array',
  services: 'array',
  employees: 'array',
  unassigned: 'object',
})
const STAFF_REPORT = answers({ ...reported, currency: text, staff: 'array' })

/** What of each answer a program can rely on, as JSON Schema. Answers have more fields than these. */
export const ANSWER = {
  eventType: EVENT_TYPE,
  eventTypes: EVENT_TYPES,
  booking: BOOKING,
  bookings: BOOKINGS,
  cancelledBooking: CANCELLED_BOOKING,
  appointment: APPOINTMENT,
  appointments: APPOINTMENTS,
  canceled: CANCELED,
  availability: AVAILABILITY,
  bulk: BULK,
  customer: CUSTOMER,
  customers: CUSTOMERS,
  top: TOP,
  schedule: SCHEDULE,
  schedules: SCHEDULES,
  service: SERVICE,
  services: SERVICES,
  categories: CATEGORIES,
  location: LOCATION,
  locations: LOCATIONS,
  staffMember: STAFF_MEMBER,
  staff: STAFF,
  product: PRODUCT,
  products: PRODUCTS,
  invoices: INVOICES,
  workflow: WORKFLOW,
  workflows: WORKFLOWS,
  webhook: WEBHOOK,
  webhooks: WEBHOOKS,
  webhookTest: WEBHOOK_TEST,
  form: FORM,
  forms: FORMS,
  responses: RESPONSES,
  team: TEAM,
  teams: TEAMS,
  teamMembers: TEAM_MEMBERS,
  me: ME,
  apiKeys: API_KEYS,
  absences: ABSENCES,
  scheduleStats: SCHEDULE_STATS,
  dashboard: DASHBOARD,
  analytics: ANALYTICS,
  popular: POPULAR,
  busiest: BUSIEST,
  noShows: NO_SHOWS,
  revenue: REVENUE,
  staffReport: STAFF_REPORT,
}
