import { client, createAccount, type TestAccount } from './client.ts'
import { queryDatabase } from './database.ts'

/** The kinds of records that a world has one of, and that requests name by id. */
const KINDS = [
  'district',
  'location',
  'category',
  'resource',
  'service',
  'groupService',
  'extra',
  'product',
  'productCategory',
  'invoice',
  'customer',
  'employee',
  'invitation',
  'tax',
  'appointment',
  'seat',
  'series',
  'eventType',
  'booking',
  'hold',
  'webhook',
  'delivery',
  'form',
  'team',
  'member',
] as const
export type Kind = (typeof KINDS)[number]

/** An account with a record of every kind. Every name of its own holds `mark`, and nothing else does. */
export interface World {
  account: TestAccount
  ids: Record<Kind, number>
  mark: string
}

/** Which record an id of a body or a query is of: by the path and field, or the field alone. */
const KIND_OF: Record<string, Kind | undefined> = {
  '/api/services/services id': 'service',
  '/api/services/categories id': 'category',
  '/api/services/extras id': 'extra',
  '/api/services/taxes id': 'tax',
  '/api/services/locations id': 'location',
  '/api/services/districts id': 'district',
  '/api/services/customers id': 'customer',
  '/api/services/employees id': 'employee',
  '/api/services/employees/invite id': 'invitation',
  '/api/services/resources id': 'resource',
  '/api/services/appointments id': 'appointment',
  '/api/services/products id': 'product',
  '/api/services/product-categories id': 'productCategory',
  '/api/services/products categoryId': 'productCategory',
  '/api/services/invoices id': 'invoice',
  'items.taxId': 'tax',
  appointmentId: 'appointment',
  productId: 'product',
  taxId: 'tax',
  categoryId: 'category',
  locationId: 'location',
  locationIds: 'location',
  districtId: 'district',
  serviceId: 'service',
  serviceIds: 'service',
  resourceIds: 'resource',
  resourceId: 'resource',
  employeeId: 'employee',
  customerId: 'customer',
  seriesId: 'series',
  excludeAppointmentId: 'appointment',
  'extras.id': 'extra',
  'resources.resourceId': 'resource',
  'attendees.customerId': 'customer',
  eventTypeId: 'eventType',
  '/api/cancel id': 'booking',
  '/api/services/webhooks id': 'webhook',
  '/api/services/webhooks/test id': 'webhook',
  '/api/services/webhooks/rotate-secret id': 'webhook',
  '/api/extension/slots/reservations id': 'hold',
  '/api/routing/forms id': 'form',
  'routes.action.eventTypeId': 'eventType',
  teamId: 'team',
  webhookId: 'webhook',
  deliveryId: 'delivery',
  routedTeamMemberIds: 'member',
}

/** Ids that are not of a record: they number the entries of one list. */
const NOT_RECORDS = new Set(['timeOff.id', 'fields.options.id'])

/** The kind of record that a field names; undefined for one that names none. */
export function kindOf(path: string, field: string): Kind | undefined {
  const kind = KIND_OF[`${path} ${field}`] ?? KIND_OF[field]
  if (kind || NOT_RECORDS.has(field)) return kind
  throw new Error(`test/world.ts does not know what "${field}" of ${path} is the id of`)
}

const at = (time: string) => `2031-06-${time}Z`

/** Makes an account with a record of every kind, through the interface. */
export async function makeWorld(): Promise<World> {
  const account = await createAccount('enterprise')
  const mark = `zz${crypto.randomUUID().replaceAll('-', '')}`
  const make = async (path: string, body: object): Promise<number> => {
    const reply = await account.client.post(`/api/services/${path}`, body)
    if (reply.status !== 201) throw new Error(`${path}: ${reply.text}`)
    return Number(reply.body.id ?? reply.body.inviteId)
  }
  const name = (what: string) => `${what} ${mark}`
  const subscriberUrl = `http://127.0.0.1:9/${mark}`
  const triggers = ['SERVICE_BOOKING_CREATED']
  const webhook = await make('webhooks', { subscriberUrl, triggers })
  const district = await make('districts', { name: name('North') })
  const place = { name: name('Salon'), districtId: district, timeZone: 'America/New_York' }
  const location = await make('locations', place)
  const category = await make('categories', { name: name('Hair') })
  const resource = await make('resources', {
    name: name('Chair'),
    locationId: location,
    quantity: 9,
  })
  const resources = [{ resourceId: resource }]
  const cut = { name: name('Cut'), duration: 60, categoryId: category, resources }
  const service = await make('services', { ...cut, enableRecurring: true })
  const course = { name: name('Course'), duration: 60, enableGroupBooking: true, maxCapacity: 5 }
  const groupService = await make('services', course)
  const extra = await make('extras', { name: name('Wash'), serviceIds: [service] })
  const customer = await make('customers', { name: name('Cleo'), email: `${mark}@example.org` })
  const person = { name: name('Eva'), email: `e${mark}@example.org`, serviceIds: [service] }
  const employee = await make('employees', { ...person, locationIds: [location] })
  const ida = { name: name('Ida'), email: `i${mark}@example.org` }
  const invitation = await make('employees/invite', ida)
  const tax = await make('taxes', { name: name('Tax'), rate: 5, locationId: location })
  const who = { customerId: customer, employeeId: employee }
  const hour = (day: string) => ({
    startTime: at(`${day}T14:00:00`),
    endTime: at(`${day}T15:00:00`),
  })
  const booked = { serviceId: service, ...who, locationId: location, notes: name('Note') }
  const appointment = await make('appointments', { ...booked, ...hour('04') })
  const seat = await make('appointments', { ...who, serviceId: groupService, ...hour('05') })
  const items = [{ description: name('Cut'), quantity: 1, unitPrice: 5000, taxId: tax }]
  const bill = { customerId: customer, appointmentId: appointment, items }
  const invoice = await make('invoices', bill)
  const weekly = { recurrenceRule: 'weekly', recurrenceCount: 2 }
  const { body } = await account.client.post('/api/services/appointments', {
    ...booked,
    ...hour('06'),
    ...weekly,
  })
  const series = Number(body.recurrence!.id)
  const first = async (table: string) => {
    const sql = `select min(id) as id from ${table} where account_id = $1`
    return Number((await queryDatabase(sql, [account.accountId]))[0]?.id)
  }
  const eventType = await first('event_types')
  const delivery = await first('deliveries')
  // Switched off, it gives up what is on its way: from here on nothing changes by itself.
  await account.client.patch(`/api/services/webhooks?id=${webhook}`, { active: false })
  const guest = { name: name('Guest'), email: `g${mark}@example.org` }
  const meeting = await client().post(
    '/api/book/event',
    { eventTypeId: eventType, start: at('09T18:00:00'), timeZone: 'UTC', responses: guest },
    { 'x-test-now': at('01T00:00:00'), 'x-test-client': `2001:db8:${mark.slice(2, 6)}::1` },
  )
  if (meeting.status !== 201) throw new Error(`book/event: ${meeting.text}`)
  const booking = Number(meeting.body.id)
  const [{ id: team } = { id: 0 }] = await queryDatabase<{ id: number }>(
    `insert into teams (account_id, name, slug, time_zone, created_at, updated_at)
     values ($1, $2, 'team', 'UTC', now(), now()) returning id`,
    [account.accountId, name('Team')],
  )
  const asked = await account.client.post('/api/routing/forms', { name: name('Ask') })
  if (asked.status !== 201) throw new Error(`routing/forms: ${asked.text}`)
  // By a clock that no other test is ahead of: what has expired is gone at once.
  const held = await account.client.post(
    '/api/extension/slots/reservations',
    { eventTypeId: eventType, slotStart: at('27T15:00:00'), reservationDuration: 60 },
    { 'x-test-now': at('01T00:00:00') },
  )
  if (held.status !== 201) throw new Error(`reservations: ${held.text}`)
  const shelf = await make('product-categories', { name: name('Oils') })
  const oil = { name: name('Oil'), price: 900, categoryId: shelf, taxId: tax, stock: 5 }
  const goods = { productCategory: shelf, product: await make('products', oil) }
  const shop = { district, location, category, resource, service, groupService, extra, tax }
  const people = { customer, employee, invitation, appointment, seat, series }
  const hold = Number(held.body.id)
  const form = Number(asked.body.id)
  const calendar = { eventType, booking, hold, form, team, member: account.userId }
  const ids = { ...shop, ...goods, invoice, ...people, ...calendar, webhook, delivery }
  return { account, mark, ids }
}
