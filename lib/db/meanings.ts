import { ApiError, type Detail } from '#lib/core/errors.ts'
import { DbError } from './client.ts'
import { bug, type Meaning, missing, taken, wrong } from './meaning.ts'
import { calendarMeanings } from './meanings-calendar.ts'
import { oauthMeanings } from './meanings-oauth.ts'

/** Every constraint of the schema and every guard of a write, by name; a test sees to it. */
const all = (): Record<string, Meaning> => ({
  accounts_subdomain: taken('This subdomain is taken', 'subdomain'),
  accounts_slug: wrong('slug', 'is another name than subdomain, which is the same'),
  users_email: taken('An account with this e-mail address exists', 'email'),
  users_username: taken('This username is taken', 'username'),
  users_password: taken('The password was changed meanwhile; ask for a new link'),
  people_account_fk: bug,
  members_person_fk: bug,
  members_user_fk: bug,
  members_account_fk: bug,
  members_person: bug,
  api_keys_hash: bug,
  api_keys_member_fk: bug,
  web_sessions_hash: bug,
  web_sessions_member_fk: bug,
  web_sessions_account: missing('Business'),
  audit_log_account_fk: bug,
  ...oauthMeanings(),
  ...calendarMeanings(),
  rehearsal_over: bug,

  webhooks_account_fk: bug,
  webhooks_event_type_fk: missing('Event type'),
  webhooks_url: taken('A webhook with this address exists', 'subscriberUrl'),
  webhooks_limit: taken('An account has at most 50 webhooks'),
  deliveries_webhook_fk: bug,
  deliveries_on_way: taken('The delivery is still on its way'),
  deliveries_event_fk: bug,
  delivery_attempts_delivery_fk: bug,
  workflows_account_fk: bug,
  message_opt_outs_account_fk: bug,
  message_opt_outs_hash: bug,
  workflows_member_fk: missing('User'),
  workflow_steps_workflow_fk: bug,
  workflow_event_types_workflow_fk: bug,
  workflow_event_types_event_type_fk: missing('Event type'),
  idempotency_keys_claim: taken('Another request with this Idempotency-Key took over'),

  districts_account_fk: bug,
  locations_account_fk: bug,
  locations_district_fk: missing('District'),
  locations_resources: taken('Resources are at this location; move or delete them first'),
  taxes_account_fk: bug,
  taxes_location_fk: missing('Location'),
  taxes_rate: wrong('rate', 'must be at least 0 and below 100'),

  categories_account_fk: bug,
  categories_slug: taken('A category with this name was just created', 'name'),
  services_account_fk: bug,
  services_category_fk: missing('Category'),
  services_location_fk: missing('Location'),
  services_slug: taken('A service with this name was just created', 'name'),
  services_id: bug,
  services_duration: wrong('duration', 'must be between 1 and 1500'),
  services_deposit: wrong('depositAmount', 'must be at most 100 when depositType is "percentage"'),
  extras_account_fk: bug,
  extra_services_extra_fk: missing('Extra'),
  extra_services_service_fk: missing('Service'),

  product_categories_account_fk: bug,
  product_categories_slug: taken('A product category with this name was just created', 'name'),
  products_account_fk: bug,
  products_category_fk: missing('Product category'),
  products_tax_fk: missing('Tax'),
  products_sku: taken('A product with this sku exists', 'sku'),
  products_price: wrong('price', 'must be at least 0'),
  products_stock: taken('Not that many are in stock', 'stock'),
  products_stock_limit: taken('More than 1000000000 cannot be kept', 'stock'),
  products_expected: taken(
    'The stock was changed at the same time; read it again',
    'expectedStock',
  ),
  stock_movements_product_fk: bug,
  stock_movements_quantity: bug,

  customers_account_fk: bug,
  customers_email: taken('A customer with this e-mail address exists', 'email'),
  customers_phone_alone: taken('A customer with this telephone number exists', 'customer.phone'),
  employees_person_fk: bug,
  employees_user_fk: bug,
  employees_email: taken('An employee with this e-mail address exists', 'email'),
  employees_booked: taken('The employee has appointments in the future; move or cancel them first'),
  employees_role: {
    code: 'FORBIDDEN',
    message: 'Changing the role of an employee needs the permission roles.write',
  },
  members_rank: {
    code: 'FORBIDDEN',
    message:
      'Deleting an employee who is a manager, admin or owner needs the permission roles.write',
  },
  members_owner: taken('An account needs an owner: give the role to somebody else first', 'role'),
  employees_person: taken('This person is an employee already'),
  invitations_employee_fk: missing('Employee'),
  invitations_member_fk: bug,
  invitations_open: taken('This employee was invited at the same time'),
  invitations_outcome: bug,
  invitations_whom: taken('The employee was changed at the same time; try again'),
  invitations_rank: {
    code: 'FORBIDDEN',
    message: 'The role of the employee is one that you cannot invite to',
  },
  invitations_day: {
    code: 'RATE_LIMITED',
    message: 'No more invitations can be sent within a day',
  },
  invitations_over: taken('The invitation is over'),
  members_joined: taken('You are a member already'),
  employee_services_employee_fk: missing('Employee'),
  employee_services_service_fk: missing('Service'),
  employee_locations_employee_fk: missing('Employee'),
  employee_locations_location_fk: missing('Location'),
  employee_schedules_employee_fk: missing('Employee'),
  employee_schedules_location_fk: missing('Location'),
  employee_schedules_place: taken('The schedule was changed at the same time; try again'),

  resources_location_fk: missing('Location'),
  resources_quantity: wrong('quantity', 'must be at least 0'),
  resources_in_use: taken(
    'The resource is booked in the future; move or cancel its appointments first',
  ),
  resources_booked: taken('More than that is booked in the future', 'quantity'),
  service_resources_service_fk: missing('Service'),
  service_resources_resource_fk: missing('Resource'),
  resource_bookings_resource_fk: missing('Resource'),
  resource_bookings_quantity: bug,
  resources_free: taken('A resource that this needs is in use at this time', 'startTime'),

  occupancies_person_fk: bug,
  occupancies_blocked: wrong('endTime', 'must be after startTime'),
  occupancies_no_overlap: taken('This time is already booked', 'startTime', 'employee busy'),
  group_sessions_service_fk: missing('Service'),
  group_sessions_employee_fk: missing('Employee'),
  group_sessions_location_fk: missing('Location'),
  group_sessions_start: bug,
  group_sessions_capacity: taken('This session is full', 'startTime'),
  group_sessions_room: taken('This session is full', 'startTime'),
  appointments_service_fk: missing('Service'),
  appointments_customer_fk: missing('Customer'),
  appointments_employee_fk: missing('Employee'),
  appointments_location_fk: missing('Location'),
  appointments_series_fk: bug,
  appointments_session_fk: bug,
  appointments_uid: bug,
  appointments_times: wrong('endTime', 'must be after startTime'),
  appointments_price: wrong('price', 'must be at least 0'),
  appointments_refunded: bug,
  appointments_changed: taken('The appointment was changed at the same time; read it again'),
  appointments_customer_overlap: taken('You have an appointment at this time', 'startTime'),

  counters_account_fk: bug,
  invoices_customer_fk: missing('Customer'),
  invoices_appointment_fk: missing('Appointment'),
  invoices_sequence: bug,
  invoices_numbered: bug,
  invoices_due: wrong('dueDate', 'must not be before issueDate'),
  invoices_amounts: bug,
  invoices_paid: bug,
  invoices_changed: taken('The invoice was changed at the same time; read it again'),
  invoices_draft: taken('Only a draft can be deleted; one that was sent is taken back (void)'),
  invoice_items_invoice_fk: bug,
  invoice_items_tax_fk: missing('Tax'),
  invoice_items_amounts: bug,
  rollups_account_fk: bug,
  events_account_fk: bug,
  messages_account_fk: bug,
  messages_dedupe: bug,
  messages_subject: bug,
})

let made: Record<string, Meaning> | undefined

/** What each name means. Made when the first write is refused: an isolate starts without (docs/decisions/0013). */
export function meanings(): Record<string, Meaning> {
  made ??= all()
  return made
}

/** Guards named `<table>_gone`: the row that a change was meant for is not there. */
export const NOUNS: Record<string, string> = {
  taxes: 'Tax',
  districts: 'District',
  locations: 'Location',
  categories: 'Category',
  services: 'Service',
  extras: 'Extra',
  product_categories: 'Product category',
  products: 'Product',
  invoices: 'Invoice',
  routing_form_responses: 'Form response',
  customers: 'Customer',
  employees: 'Employee',
  resources: 'Resource',
  appointments: 'Appointment',
  appointment_series: 'Series',
  accounts: 'Account',
  api_keys: 'API key',
  members: 'User',
  invitations: 'Invitation',
  event_types: 'Event type',
  schedules: 'Schedule',
  teams: 'Team',
  team_members: 'Team member',
  out_of_office: 'Out of office entry',
  routing_forms: 'Form',
  bookings: 'Booking',
  booking_attendees: 'Seat',
  holds: 'Hold',
  webhooks: 'Webhook',
  workflows: 'Workflow',
  oauth_clients: 'OAuth client',
  oauth_grants: 'Connected application',
}

/** Which constraint a write fell to, if it fell to one. */
export const lostTo = (error: unknown): string | undefined =>
  error instanceof DbError ? error.constraint : undefined

const MAX_TRIES = 6

/** Tries for what many want at once, such as the turns of one event type: so many all get theirs. */
export const QUEUE = 50

/**
 * Runs facts and write again after a race that may be won the next time. Each loss is another's win,
 * so many at once get through, one a round: `tries` says how long a queue may be.
 */
export async function lookingAgain<R>(
  again: ReadonlySet<string>,
  attempt: () => Promise<R>,
  tries = MAX_TRIES,
): Promise<R> {
  for (let n = 1; ; n++) {
    try {
      return await attempt()
    } catch (error) {
      if (n === tries || !again.has(lostTo(error) ?? '')) throw error
    }
  }
}

const FOREIGN_KEY = '23503'
const OUT_OF_RANGE = '22003'
const BAD_TEXT = new Set(['22021', '22P05'])
const UNREADABLE = new Set(['22007', '22008', '22P02'])

/** The error a caller is told for what the database refused; other errors pass unchanged. */
export function meaningOf(error: unknown): unknown {
  if (!(error instanceof DbError)) return error
  if (error.code === OUT_OF_RANGE) return new ApiError('BAD_REQUEST', 'A number is out of range')
  if (BAD_TEXT.has(error.code))
    return new ApiError('BAD_REQUEST', 'The text holds a character that cannot be kept')
  if (UNREADABLE.has(error.code))
    return new ApiError('BAD_REQUEST', 'A value of the request, such as the cursor, cannot be read')
  const gone = NOUNS[/^(\w+)_gone$/.exec(error.constraint ?? '')?.[1] ?? '']
  if (gone) return new ApiError('NOT_FOUND', `${gone} does not exist`)
  const meaning = meanings()[error.constraint ?? '']
  if (!meaning || meaning === bug) return error
  if (error.code === FOREIGN_KEY && /still referenced/.test(error.detail ?? ''))
    return new ApiError('CONFLICT', `It is still in use and cannot be deleted`)
  return new ApiError(meaning.code, meaning.message, detailsOf(meaning))
}

const detailsOf = ({ field, message, fault = message }: Meaning): Detail[] | undefined =>
  field ? [{ field, message: fault }] : undefined
