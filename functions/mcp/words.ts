import { argumentsIn, type Words } from '#lib/mcp/schema.ts'

const UID = 'Yk3v0dQk3m0x1x8y2ZyQ4w'
const START = '2031-06-02T14:00:00-04:00'
const END = '2031-06-02T15:00:00-04:00'
const INSTANT = 'An instant in ISO 8601 with an offset'

/** Fields of lists, and of records in general. */
const GENERAL: Words = {
  id: ['Number of the record, as its list or search shows it', 12],
  limit: ['How many to answer, 1 to 100; 20 where nothing is said', 20],
  cursor: ['nextCursor of the page before', undefined],
  search: ['Words to look for', 'grace'],
  sort: [
    'Order: a field, with a minus for the other way round; a wrong one names those there are',
    '-id',
  ],
  name: ['Name', 'Grace Hopper'],
  title: ['Title', 'Intro call'],
  description: ['Description', 'What it is about'],
  email: ['E-mail address', 'grace@example.org'],
  phone: ['Telephone number with its country code', '+15550109999'],
  timeZone: ['IANA time zone', 'America/New_York'],
  language: ['Language tag (BCP 47)', 'en'],
  locale: ['Language tag (BCP 47)', 'en'],
  interfaceLanguage: ['Language of the booking page (BCP 47)', 'en'],
  notes: ['Notes', 'Prefers the afternoon'],
  reason: ['Why; those concerned are told', 'The host is ill'],
  status: ['Status', 'approved'],
  active: ['Whether it is switched on', true],
  hidden: ['Whether it is left out of the public page', false],
  color: ['Color in hex', '#2266aa'],
  price: ['Price in cents', 4500],
  currency: ['ISO 4217 code', 'usd'],
  type: ['Kind', undefined],
  value: ['Value', undefined],
  options: ['What can be chosen', undefined],
  label: ['What is shown', 'Company'],
  required: ['Whether it has to be answered', true],
  placeholder: ['Shown while it is empty', 'Your company'],
  slug: ['End of its address', 'intro-call'],
  metadata: ['Anything to find again with it', { source: 'newsletter' }],
  address: ['Address', '1 Main Street'],
  link: ['Address of a meeting', 'https://meet.example.org/grace'],
}

/** Numbers of records, and the tools that tell them. */
const REFERENCES: Words = {
  eventTypeId: ['Number of an event type, from list_event_types', 12],
  userId: ['Number of a user, from list_team_members or get_current_user', 3],
  ownerId: ['Number of the user whose it is', 3],
  teamId: ['Number of a team, from list_teams', 4],
  customerId: ['Number of a customer, from search_customers', 41],
  employeeId: ['Number of an employee, from list_staff', 7],
  serviceId: ['Number of a service, from list_services', 5],
  locationId: ['Number of a location, from list_locations', 2],
  categoryId: ['Number of a category', 6],
  districtId: ['Number of a district', 1],
  seriesId: ['Number of a series, the recurrence of one of its appointments', 9],
  formId: ['Number of a routing form, from list_routing_forms', 8],
  appointmentId: ['Number of an appointment, from list_appointments', 101],
  productId: ['Number of a product, from list_products', 15],
  ids: ['Numbers of appointments, from list_appointments', [101, 102]],
  uid: ['Public identifier, as the record shows it', UID],
  username: ['Username', 'grace'],
  eventTypeSlug: ['Slug of the event type, instead of eventTypeId', '30min'],
  teamSlug: ['Slug of the team whose event type it is', 'sales'],
}

const TIMES: Words = {
  start: [INSTANT, START],
  end: [INSTANT, END],
  startTime: [INSTANT, START],
  endTime: [INSTANT, END],
  from: [`${INSTANT}, or a day`, '2031-06-02T00:00:00-04:00'],
  to: [`${INSTANT}, or a day`, '2031-06-09T00:00:00-04:00'],
  createdFrom: ['Made at or after this instant', '2031-01-01T00:00:00Z'],
  createdTo: ['Made before this instant', '2031-06-01T00:00:00Z'],
  date: ['A day', '2031-06-02'],
  dateOfBirth: ['A day that has come', '1990-05-17'],
  duration: ['Length in minutes, where it is not the usual one', 30],
  length: ['Length in minutes', 30],
  format: ['"time" for starts alone, "range" for starts and ends', 'range'],
  bookingUidToReschedule: ['Slots as if this booking did not exist: to move it', UID],
  days: ['Days of the week', ['Monday', 'Tuesday']],
  'availability.startTime': ['Wall-clock time', '09:00'],
  'availability.endTime': ['Wall-clock time, up to 24:00', '17:00'],
  'overrides.startTime': ['Wall-clock time; the same as endTime closes the day', '10:00'],
  'overrides.endTime': ['Wall-clock time', '14:00'],
  availability: ['Weekly hours', [{ days: ['Monday'], startTime: '09:00', endTime: '17:00' }]],
  overrides: [
    'Other hours on single dates',
    [{ date: '2031-06-02', startTime: '10:00', endTime: '14:00' }],
  ],
  weekStart: ['First day of the week', 'Monday'],
  timeFormat: ['12 or 24 hours', 24],
}

/** Which booking is meant, in the examples of the tools that take one. */
const NAMED: Words = Object.fromEntries(
  ['get', 'cancel', 'reschedule', 'confirm', 'reject'].map(verb => [
    `${verb}_booking.uid`,
    ['Public identifier of the booking, from list_bookings', UID] as const,
  ]),
)

const PEOPLE: Words = {
  attendee: [
    'Who comes',
    { name: 'Grace Hopper', email: 'grace@example.org', timeZone: 'America/New_York' },
  ],
  attendees: ['Who comes along', [{ name: 'Ada Lovelace', email: 'ada@example.org' }]],
  'mark_no_show.uid': ['Public identifier of the booking, from list_bookings', UID],
  'mark_no_show.attendees': [
    'Who did not come, by their e-mail addresses, telephone numbers or ids',
    [{ email: 'grace@example.org', absent: true }],
  ],
  phoneNumber: ['Telephone number with its country code', '+15550109999'],
  gender: ['Gender', 'female'],
  bio: ['A few words about the user', 'Cuts hair since 1999'],
  avatarUrl: ['Address of a picture', 'https://example.org/face.png'],
  persons: ['How many seats are taken', 1],
  guests: ['E-mail addresses of others who come', ['ada@example.org']],
}

const APPOINTMENTS: Words = {
  isGroupBooking: [
    'Whether it is a seat in a group session; as the service says if left out',
    false,
  ],
  extras: ['Extras of the service that are booked along', [{ id: 3, quantity: 1 }]],
  quantity: ['How many', 1],
  recurrenceRule: ['How it repeats; goes with recurrenceCount', 'weekly'],
  recurrenceCount: ['How many there are, the first included', 4],
  noShow: ['Whether the customer did not come', true],
  cancellationReason: ['Why it is cancelled; the customer is told', 'The host is ill'],
  scope: ['"session" cancels all seats of a group session', 'seat'],
  changes: [
    'What is to change, as update_appointment takes it',
    { notes: 'Moved to the new room' },
  ],
  'bulk_update_appointments.status': ['The status that each is to have', 'completed'],
  'update_appointment.startTime': ['The new start; alone it moves the end along', START],
  'create_booking.eventTypeId': ['Number of the event type, from list_event_types', 12],
  'get_available_slots.eventTypeId': ['Number of the event type, from list_event_types', 12],
  'get_available_slots.start': ['The first day, or an instant with an offset', '2031-06-02'],
  'get_available_slots.end': ['The last day, or an instant with an offset', '2031-06-06'],
  'get_available_slots.timeZone': ['IANA zone of the days and of the answer', 'America/New_York'],
  'check_availability.date': ['One day, in the asked time zone', '2031-06-02'],
  'search_bookings.search': [
    'Words of the title, or of an attendee’s name, e-mail address or telephone number',
    'grace',
  ],
  'search_customers.search': ['Words of the name, e-mail address or telephone number', 'grace'],
  'list_bookings.status': [
    'A status, or upcoming, recurring, past or unconfirmed: live ones by the clock',
    'upcoming',
  ],
  sku: ['Stock keeping unit', 'SHAMPOO-250'],
  barcode: ['EAN, UPC or another code that scanners read', '4006381333931'],
  'update_product_stock.delta': ['How many come (above 0) or go (below 0)', -2],
}

const EVENT_TYPES: Words = {
  'duplicate_event_type.slug': ['Slug of the copy; must be free', 'intro-call-copy'],
  'create_event_type.length': ['Length in minutes', 30],
  'update_event_type.title': ['Title', 'Intro call'],
  locations: [
    'Where it takes place; several let the one who books choose',
    [{ type: 'address', address: '1 Main Street' }],
  ],
  bookingFields: ['Questions beside name and e-mail address', undefined],
  offsetStart: ['Minutes after the full hour at which starts begin to be offered', 0],
  beforeEventBuffer: ['Minutes kept free before', 0],
  afterEventBuffer: ['Minutes kept free after', 15],
  bookingWindow: ['How far ahead it can be booked', undefined],
  bookingLimitsCount: ['At most so many bookings', { day: 4 }],
  bookingLimitsDuration: ['At most so many minutes of bookings', { week: 600 }],
  day: ['In a day', undefined],
  week: ['In a week', undefined],
  month: ['In a month', undefined],
  year: ['In a year', undefined],
  bookerActiveBookingsLimit: [
    'At most so many bookings ahead per person',
    { maximumActiveBookings: 1 },
  ],
  maximumActiveBookings: ['How many', 1],
  offerReschedule: ['Whether who has reached it may move a booking instead', true],
  confirmationPolicy: ['Whether bookings wait for the host to say yes', { type: 'always' }],
  unit: ['Unit of time', 'hour'],
  'noticeThreshold.unit': ['Unit of time', 'hours'],
  count: ['How many of the unit', 24],
  recurrence: [
    'Whether it can be booked as a series',
    { frequency: 'weekly', interval: 1, occurrences: 4 },
  ],
  frequency: ['How it repeats', 'weekly'],
  interval: ['Every how many of them', 1],
  occurrences: ['How many there are', 4],
  seats: ['Whether several can book the same start', { seatsPerTimeSlot: 10 }],
  seatsPerTimeSlot: ['How many', 10],
  showAttendeeInfo: ['Whether they see each other', false],
  showAvailabilityCount: ['Whether they see how many seats are left', true],
  disableGuests: ['Whether who books cannot bring others', false],
  disableCancelling: ['Whether who books cannot cancel', false],
  disableRescheduling: ['Whether, or how late, who books cannot move it', { disabled: true }],
  allowReschedulingPastBookings: ['Whether what is over can still be moved', false],
  allowReschedulingCancelledBookings: ['Whether what is cancelled can still be moved', false],
  requiresBookerEmailVerification: ['Whether who books has to prove their e-mail address', false],
  hideOrganizerEmail: ['Whether the host’s e-mail address is kept from who books', false],
  successRedirectUrl: ['Where the browser goes once it is booked', 'https://example.org/thanks'],
  instantMeetingExpiryTimeOffsetInSeconds: ['How long an instant meeting waits for its host', 90],
}

const AUTOMATION: Words = {
  disabled: ['Whether it is switched off', false],
  trigger: [
    'What it waits for, and how long before or after',
    { type: 'beforeEvent', offset: { value: 24, unit: 'hour' } },
  ],
  activation: ['What it is for', { isActiveOnAllEventTypes: true }],
  isActiveOnAllEventTypes: ['Whether it is for every event type', true],
  activeOnEventTypeIds: ['The event types it is for, from list_event_types', [12]],
  steps: ['What is sent, in this order', [{ action: 'email_attendee', template: 'reminder' }]],
  action: ['What the step does', 'email_attendee'],
  template: ['Which words it uses; "custom" for those in message', 'reminder'],
  subject: ['Subject of an e-mail', 'See you tomorrow'],
  html: ['The message as HTML', undefined],
  text: ['The message', 'Hello {attendee_name}, see you at {event_time}.'],
  includeCalendarEvent: ['Whether a calendar file goes along', true],
  triggers: ['Which events are sent', ['BOOKING_CREATED', 'BOOKING_CANCELLED']],
  subscriberUrl: ['Where events are sent', 'https://hooks.example.org/almanac'],
  'create_workflow.name': ['Name', 'Reminder the day before'],
  'create_schedule.name': ['Name', 'Summer hours'],
  'create_schedule.availability': [
    'Weekly hours',
    [{ days: ['Monday'], startTime: '09:00', endTime: '17:00' }],
  ],
  'update_webhook.active': ['Whether events are sent', false],
  'update_workflow.active': ['Whether it is carried out', false],
  'update_user_profile.timeZone': ['IANA time zone', 'America/New_York'],
  'update_customer.phone': ['Telephone number with its country code', '+15550109999'],
}

/**
 * Words and examples for the fields of tools, where a schema has none or an assistant needs more
 * than the reader of an API: above all, which tool tells an id.
 */
const WORDS: Words = {
  ...GENERAL,
  ...REFERENCES,
  ...TIMES,
  ...NAMED,
  ...PEOPLE,
  ...APPOINTMENTS,
  ...EVENT_TYPES,
  ...AUTOMATION,
}

/** The arguments of a tool as JSON Schema, with these words. */
export const argumentsOf = argumentsIn(WORDS)
