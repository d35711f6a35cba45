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

const customer = {
  id,
  name: text,
  email: 'string?',
  phone: 'string?',
  totalBookings: 'integer',
  totalSpent: 'integer',
} as const

const schedule = {
  id,
  name: text,
  timeZone: text,
  isDefault: 'boolean',
  availability: 'array',
} as const

const service = {
  id,
  name: text,
  duration: 'integer',
  price: 'integer',
  currency: text,
  active: 'boolean',
} as const

const location = { id, name: text, timeZone: text, active: 'boolean' } as const

const staff = {
  id,
  name: text,
  email: text,
  role: text,
  serviceIds: 'array',
  active: 'boolean',
} as const

const product = { id, name: text, price: 'integer', stock: 'integer' } as const

const workflow = { id, name: text, active: 'boolean', trigger: 'object', steps: 'array' } as const

const webhook = {
  id,
  subscriberUrl: text,
  triggers: 'array',
  active: 'boolean',
  hasSecret: 'boolean',
} as const

const form = { id, name: text, fields: 'array', routes: 'array' } as const

const team = { id, name: text, slug: text, timeZone: text } as const

const reported = { from: text, to: text, timeZone: text } as const

/** What of each answer a program can rely on, as JSON Schema. Answers have more fields than these. */
export const ANSWER = {
  eventType: answers(eventType),
  eventTypes: pages(eventType),
  booking: answers(booking),
  bookings: pages(booking),
  cancelledBooking: answers({
    message: text,
    bookingId: 'integer',
    bookingUid: text,
    onlyRemovedAttendee: 'boolean',
    cancelledUids: 'array',
  }),
  appointment: answers(appointment),
  appointments: pages(appointment),
  canceled: answers({ id, status: text, canceled: 'array' }),
  availability: answers({ timeZone: text, slots: 'object' }),
  bulk: answers({ updated: 'integer', updatedIds: 'array', failed: 'array' }),
  customer: answers(customer),
  customers: pages(customer),
  top: answers({ items: { type: 'array', items: answers(customer) } }),
  schedule: answers(schedule),
  schedules: pages(schedule),
  service: answers(service),
  services: pages(service),
  categories: pages({ id, name: text }),
  location: answers(location),
  locations: pages(location),
  staffMember: answers(staff),
  staff: pages(staff),
  product: answers(product),
  products: pages(product),
  invoices: pages({
    id,
    number: 'string?',
    customerId: 'integer',
    status: text,
    currency: text,
    items: 'array',
    total: 'integer',
    amountDue: 'integer',
  }),
  workflow: answers(workflow),
  workflows: pages(workflow),
  webhook: answers(webhook),
  webhooks: pages(webhook),
  webhookTest: answers({
    ok: 'boolean',
    status: 'integer?',
    durationMs: 'number',
    error: 'string?',
  }),
  form: answers(form),
  forms: pages(form),
  responses: pages({ id, formId: 'integer', response: 'object' }),
  team: answers(team),
  teams: pages(team),
  teamMembers: pages({ userId: 'integer', teamId: 'integer', role: text }),
  me: answers({
    id,
    name: text,
    email: text,
    username: text,
    timeZone: text,
    role: text,
  }),
  apiKeys: pages({ id, note: 'string?', hint: text }),
  absences: pages({ id, userId: 'integer', start: text, end: text, reason: text }),
  scheduleStats: answers({
    ...reported,
    appointments: 'object',
    eventBookings: 'object',
    upcoming: answers({ appointments: 'integer', eventBookings: 'integer' }),
  }),
  dashboard: answers({
    serviceAppointments: answers({
      today: answers({ total: 'integer', pending: 'integer' }),
      thisWeek: answers({ total: 'integer', revenue: text }),
    }),
    calBookings: answers({ today: 'integer', thisWeek: 'integer' }),
    totalCustomers: 'integer',
    activeLocations: 'integer',
  }),
  analytics: answers({
    ...reported,
    appointments: 'object',
    eventBookings: 'object',
    groupBy: text,
    steps: 'array',
  }),
  popular: answers({ ...reported, eventTypes: 'array', services: 'array' }),
  busiest: answers({ ...reported, days: 'array', weekdays: 'array', hours: 'array' }),
  noShows: answers({
    ...reported,
    appointments: answers({ total: 'integer', noShows: 'integer', rate: 'number' }),
    eventBookings: 'object',
    employees: 'array',
    customers: 'array',
  }),
  revenue: answers({
    ...reported,
    currency: text,
    totalRevenue: 'integer',
    completedAppointments: 'integer',
    steps: 'array',
    services: 'array',
    employees: 'array',
    unassigned: 'object',
  }),
  staffReport: answers({ ...reported, currency: text, staff: 'array' }),
}
