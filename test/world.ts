import { createAccount, type TestAccount } from './client.ts'

/** The kinds of records that a world has one of, and that requests name by id. */
export const KINDS = [
  'district',
  'location',
  'category',
  'resource',
  'service',
  'groupService',
  'extra',
  'customer',
  'employee',
  'tax',
  'appointment',
  'seat',
  'series',
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
  '/api/services/resources id': 'resource',
  '/api/services/appointments id': 'appointment',
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
}

/** Ids that are not of a record: they number the entries of one list. */
const NOT_RECORDS = new Set(['timeOff.id'])

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
    return Number(reply.body.id)
  }
  const name = (what: string) => `${what} ${mark}`
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
  const tax = await make('taxes', { name: name('Tax'), rate: 5, locationId: location })
  const who = { customerId: customer, employeeId: employee }
  const hour = (day: string) => ({
    startTime: at(`${day}T14:00:00`),
    endTime: at(`${day}T15:00:00`),
  })
  const booked = { serviceId: service, ...who, locationId: location, notes: name('Note') }
  const appointment = await make('appointments', { ...booked, ...hour('04') })
  const seat = await make('appointments', { ...who, serviceId: groupService, ...hour('05') })
  const weekly = { recurrenceRule: 'weekly', recurrenceCount: 2 }
  const { body } = await account.client.post('/api/services/appointments', {
    ...booked,
    ...hour('06'),
    ...weekly,
  })
  const series = Number(body.recurrence!.id)
  const first = { district, location, category, resource, service, groupService, extra, customer }
  return { account, mark, ids: { ...first, employee, tax, appointment, seat, series } }
}
