import type { Member } from '#lib/core/context.ts'
import type { Json } from '#lib/core/json.ts'
import { createAppointment } from '#lib/domain/appointments/operations.ts'
import { NewAppointment } from '#lib/domain/appointments/schema.ts'
import { category, extra, service } from '#lib/domain/catalog/operations.ts'
import { district, location, tax, updateCompany } from '#lib/domain/company/operations.ts'
import { customer } from '#lib/domain/customers/operations.ts'
import { invite } from '#lib/domain/invitations/operations.ts'
import { createInvoice } from '#lib/domain/invoices/operations.ts'
import { NewInvoice } from '#lib/domain/invoices/schema.ts'
import { createOAuthClient } from '#lib/domain/oauth/clients.ts'
import { product, productCategory } from '#lib/domain/products/operations.ts'
import { resource } from '#lib/domain/resources/operations.ts'
import { employee } from '#lib/domain/staff/operations.ts'
import { updateSchedule } from '#lib/domain/staff/schedule/operations.ts'
import { ScheduleChange } from '#lib/domain/staff/schedule/schema.ts'
import { localDay, toUtc } from '#lib/scheduling/zone.ts'
import { makeAccount } from './accounts.ts'
import { operator, ownerOf } from './operator.ts'
import type { Seed } from './seeding.ts'

const EAST = 'America/New_York'
const WEST = 'America/Los_Angeles'
const PASSWORD = 'almanac-demo'

const BUSINESSES = [
  { plan: 'free', name: 'Rosa Marino', businessName: 'Corner Cuts' },
  { plan: 'pro', name: 'Theo Lindqvist', businessName: 'Juniper Hair' },
  { plan: 'enterprise', name: 'Amara Okafor', businessName: 'Luma Salons' },
] as const

const CUSTOMERS = [
  'Ada Brennan',
  'Bilal Haddad',
  'Chloe Nguyen',
  'Dmitri Volkov',
  'Elena Fuentes',
  'Farah Aziz',
  'George Baptiste',
  'Hana Sato',
]

const MINUTE = 60_000

/** Fills an empty database with a believable salon for each plan. Returns what signs one in. */
export const seed: Seed = async ({ url, databaseUrl, now, log }) => {
  const { base, close } = operator(databaseUrl, now)
  try {
    const accounts = await Promise.all(
      BUSINESSES.map(async ({ plan, name, businessName }) => {
        const account = await makeAccount(base, {
          plan,
          name,
          businessName,
          email: `${plan}@almanac.test`,
          password: PASSWORD,
          timeZone: EAST,
          staff: { name: 'Mira Cole', email: `staff.${plan}@almanac.test` },
        })
        const made = await fillSalon(ownerOf(base, account), account.staff.employeeId)
        log(`${businessName} (${plan}): ${made} appointments; sign in as ${account.email}`)
        return account
      }),
    )
    const oauth = await addClients(ownerOf(base, accounts[2]!))
    return { baseUrl: url, accounts, oauth }
  } finally {
    await close()
  }
}

/** Where the demo's OAuth clients lead back to; nobody has to listen there. */
const REDIRECT = 'http://127.0.0.1:3999/callback'

/** An OAuth client of each kind, and one that nobody has approved. */
async function addClients(owner: Member) {
  const add = async (m: Member, name: string, type: 'confidential' | 'public') => {
    const client = await createOAuthClient(m, { name, type, redirectUris: [REDIRECT] })
    return { clientId: client.clientId, clientSecret: client.clientSecret, redirectUri: REDIRECT }
  }
  const confidential = await add(owner, 'Demo partner', 'confidential')
  const { clientSecret: _, ...open } = await add(owner, 'Demo app', 'public')
  // What a manager makes waits for an owner or admin.
  const manager: Member = { ...owner, role: 'manager' }
  const { clientSecret: __, ...unapproved } = await add(manager, 'Demo newcomer', 'public')
  return { confidential, public: open, unapproved }
}

/** The id of a record that an operation has just made. */
const idOf = async (made: Promise<Json<{ id: number }>>): Promise<number> => (await made).read().id

async function fillSalon(m: Member, miraId: number): Promise<number> {
  await updateCompany(m, {
    phone: '+12125550123',
    email: 'hello@salon.example.com',
    website: 'https://salon.example.com',
    description: 'Cuts, colour and calm.',
    bookingPolicy: { horizonDays: 180 },
  })
  const places = await addPlaces(m)
  const services = await addServices(m, places.east)
  const people = await addPeople(m, places, services, miraId)
  const customers: number[] = []
  for (const [i, name] of CUSTOMERS.entries()) {
    const email = `${name.toLowerCase().replace(' ', '.')}@example.com`
    customers.push(await idOf(customer.create(m, { name, email, phone: `+1212555${4000 + i}` })))
  }
  await addGoods(m)
  await addInvoices(m, customers)
  await invite(m, { employeeId: people.lucia })
  return addAppointments(m, places, services, people, customers)
}

/** What stands on the shelf: enough, little, and nothing to be counted. */
async function addGoods(m: Member) {
  const care = await idOf(productCategory.create(m, { name: 'Hair care' }))
  const shared = { categoryId: care, lowStockThreshold: 5 }
  const oil = { ...shared, name: 'Argan oil', price: 2400, cost: 1100, sku: 'OIL-50', stock: 18 }
  await product.create(m, { ...oil, barcode: '4006381333931' })
  await product.create(m, { ...shared, name: 'Matte wax', price: 1600, sku: 'WAX-1', stock: 3 })
  await product.create(m, { name: 'Gift wrapping', price: 300, trackStock: false })
}

const DAY_MS = 86_400_000

/** One that is due, one that is overdue, and a draft. */
async function addInvoices(m: Member, customers: readonly number[]) {
  const day = (n: number) => new Date(m.now.getTime() + n * DAY_MS).toISOString().slice(0, 10)
  const bill = (customerId: number, more: object) =>
    createInvoice(
      m,
      NewInvoice.parse({
        customerId,
        items: [
          { description: 'Colour', quantity: 1, unitPrice: 14_000, taxRate: 8.875 },
          { description: 'Argan oil', quantity: 2, unitPrice: 2400, discount: 300 },
        ],
        ...more,
      }),
    )
  const [first, second, third] = customers
  if (!first || !second || !third) return
  await bill(first, { status: 'sent', issueDate: day(-30), dueDate: day(-9) })
  await bill(second, { status: 'sent', dueDate: day(14) })
  await bill(third, { notes: 'To be sent after the next visit' })
}

async function addPlaces(m: Member) {
  const coasts = await idOf(district.create(m, { name: 'Both coasts', region: 'USA' }))
  const city = { districtId: coasts, country: 'US' }
  const east = await idOf(
    location.create(m, { ...city, name: 'Soho', city: 'New York', timeZone: EAST }),
  )
  const west = await idOf(
    location.create(m, { ...city, name: 'Silver Lake', city: 'Los Angeles', timeZone: WEST }),
  )
  await tax.create(m, { name: 'Sales tax', rate: 8.875, isDefault: true })
  return { east, west }
}

async function addServices(m: Member, east: number) {
  const hair = await idOf(category.create(m, { name: 'Hair', color: '#7a4fd0' }))
  const care = await idOf(category.create(m, { name: 'Care & wellness', color: '#2a8f6b' }))
  const basin = await idOf(
    resource.create(m, { locationId: east, name: 'Colour basin', type: 'station', quantity: 2 }),
  )
  const cut = await idOf(
    service.create(m, {
      name: 'Haircut',
      description: 'Wash, cut and finish.',
      categoryId: hair,
      duration: 45,
      price: 5500,
      bufferTimeAfter: 15,
      enableRecurring: true,
    }),
  )
  const color = await idOf(
    service.create(m, {
      name: 'Colour',
      categoryId: hair,
      duration: 120,
      price: 14_000,
      bufferTimeBefore: 10,
      bufferTimeAfter: 20,
      depositType: 'percentage',
      depositAmount: 25,
      resources: [{ resourceId: basin }],
    }),
  )
  const yoga = await idOf(
    service.create(m, {
      name: 'Morning yoga',
      categoryId: care,
      duration: 60,
      price: 2000,
      maxCapacity: 8,
      enableGroupBooking: true,
    }),
  )
  await extra.create(m, { name: 'Scalp massage', price: 1500, duration: 15, serviceIds: [cut] })
  return { cut, color, yoga }
}

type Places = Awaited<ReturnType<typeof addPlaces>>
type Services = Awaited<ReturnType<typeof addServices>>

async function addPeople(m: Member, places: Places, { cut, color, yoga }: Services, mira: number) {
  const jonas = await idOf(
    employee.create(m, {
      name: 'Jonas Weber',
      email: 'jonas@example.com',
      serviceIds: [cut, color],
      locationIds: [places.east],
      color: '#c2553a',
    }),
  )
  const lucia = await idOf(
    employee.create(m, {
      name: 'Lucía Ortega',
      email: 'lucia@example.com',
      serviceIds: [cut, yoga],
      locationIds: [places.west],
      timeZone: WEST,
      color: '#3a7bc2',
    }),
  )
  const day = (d: number) => ({
    day: d,
    intervals: [{ start: '10:00', end: '19:00' }],
    breaks: [{ start: '13:00', end: '13:45' }],
  })
  const weekly = [2, 3, 4, 5, 6].map(day)
  await updateSchedule(m, { ...ScheduleChange.parse({ weekly }), in: { employeeId: jonas } })
  return { mira, jonas, lucia }
}

/** Two weeks behind and two ahead: done, canceled, booked, and a class with some seats taken. */
async function addAppointments(
  m: Member,
  places: Places,
  services: Services,
  people: Awaited<ReturnType<typeof addPeople>>,
  customers: readonly number[],
): Promise<number> {
  const today = localDay(EAST, m.now.getTime() / MINUTE)
  let made = 0
  const add = async (zone: string, day: number, minute: number, length: number, rest: object) => {
    const startTime = new Date(toUtc(zone, today + day, minute) * MINUTE)
    const endTime = new Date(startTime.getTime() + length * MINUTE)
    const body = { startTime: startTime.toISOString(), endTime: endTime.toISOString(), ...rest }
    await createAppointment(m, NewAppointment.parse(body))
    made++
  }
  for (let day = -14; day <= 14; day++) {
    const customerId = customers[(day + 14) % customers.length]
    const status = day > 0 ? 'approved' : day % 5 === 0 ? 'canceled' : 'completed'
    const shared = { customerId, status }
    const east = { ...shared, serviceId: services.cut, locationId: places.east }
    await add(EAST, day, 10 * 60 + 30, 45, { ...east, employeeId: people.jonas })
    if (day % 2 === 0)
      await add(EAST, day, 14 * 60, 120, {
        ...shared,
        serviceId: services.color,
        locationId: places.east,
        employeeId: people.mira,
      })
    if (day % 3 === 0)
      await add(WEST, day, 16 * 60, 45, {
        ...shared,
        serviceId: services.cut,
        locationId: places.west,
        employeeId: people.lucia,
      })
  }
  for (const customerId of customers.slice(0, 3))
    await add(WEST, 2, 9 * 60, 60, {
      customerId,
      serviceId: services.yoga,
      locationId: places.west,
      employeeId: people.lucia,
    })
  return made
}
