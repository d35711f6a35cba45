import type { BookingPolicy } from '#drizzle/schema/accounts.ts'
import type { Visitor } from '#lib/core/context.ts'
import { enteringById } from '#lib/core/enter.ts'
import { conflict, invalid, notFound } from '#lib/core/errors.ts'
import type { Json } from '#lib/core/json.ts'
import { accountOfService } from '#lib/db/entrances.ts'
import { lookingAgain, lostTo } from '#lib/db/meanings.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import type { BookedExtra, PublicAppointment } from './answer.ts'
import { addDraft, bookingWrite } from './booking.ts'
import { addCustomer, requireFreeCustomer } from './customer.ts'
import {
  endOfSession,
  factsWindow,
  joinable,
  minutesOf,
  personsOf,
  planOccurrences,
  refuseClashes,
  requireExtras,
  requireNamed,
  sessionAt,
} from './decide.ts'
import type { Draft, Occurrence } from './draft.ts'
import type { BookingFacts, EmployeeFacts, ServiceFacts } from './facts.ts'
import { type Ask, offerAt } from './offers.ts'
import { durationOf, priceOf } from './price.ts'
import { bookingFacts } from './queries.ts'
import { publicAppointment } from './record.ts'
import { MAX_LENGTH_MS, type PublicBooking } from './schema.ts'

/** More appointments ahead than this, and a customer has to ask the business for the next. */
const MAX_UPCOMING = 50

/** Lost to somebody who took the employee, the seat or the e-mail address a moment before. */
const LOOK_AGAIN = new Set([
  'customers_email',
  'customers_phone_alone',
  'group_sessions_start',
  'group_sessions_room',
  'resource_bookings_pkey',
  'customers_gone',
  'employees_gone',
])

/**
 * The account of a service.
 * @throws NOT_FOUND for a service that is not there
 */
export const enterByService = enteringById(accountOfService, 'Service')

/**
 * Books a service for whoever asks: one of the offered starts, with the employee asked for or with
 * whoever is free.
 * @throws NOT_FOUND for a service that is not there or not active
 * @throws CONFLICT when the start is not offered (any more)
 */
export async function bookPublicly(
  v: Visitor,
  input: PublicBooking,
): Promise<Json<PublicAppointment>> {
  const tenant = await enterByService(v, input.serviceId)
  const tried = new Set<number>()
  return lookingAgain(LOOK_AGAIN, () => bookOnce(v, tenant, input, tried))
}

/** Reads, decides and writes; a lost employee is followed by the next who is free. */
async function bookOnce(
  v: Visitor,
  tenant: Tenant,
  input: PublicBooking,
  tried: Set<number>,
): Promise<Json<PublicAppointment>> {
  const facts = await readFacts(v, tenant, input)
  for (;;) {
    const draft = decide(v, facts, input, tried)
    const write = bookingWrite(tenant, draft)
    addCustomer(write, v, facts, input)
    addDraft(write, v, draft)
    const id = draft.occurrences[0]!.id
    write.run(requireFreeCustomer, {
      customerId: draft.customer!.id,
      ids: draft.occurrences.map(o => o.id),
    })
    try {
      return await write.commit(
        write.answer(publicAppointment, { id, publicUrl: v.settings.publicUrl }),
      )
    } catch (error) {
      if (lostTo(error) !== 'occupancies_no_overlap' || !draft.employee) throw error
      tried.add(draft.employee.id)
    }
  }
}

function readFacts(v: Visitor, tenant: Tenant, input: PublicBooking): Promise<BookingFacts> {
  const count = input.recurrenceCount ?? 1
  return tenant.read(bookingFacts, {
    serviceId: input.serviceId,
    employeeId: input.employeeId ?? null,
    locationId: input.locationId ?? null,
    ...factsWindow(input.startTime, input.recurrenceRule, count),
    day: input.employeeId == null ? input.startTime.toISOString() : null,
    now: v.now.toISOString(),
    exclude: null,
    resourceIds: [],
    customerId: null,
    email: input.customer.email ?? null,
    phone: input.customer.phone ?? null,
    extraIds: input.extras?.map(e => e.id) ?? [],
    guestIds: [],
    knownTo: null,
    count,
  })
}

const NOT_OFFERED = [{ field: 'startTime', message: 'is not one of the offered starts' }]

/** What is to be booked: an offered start, and the free employee with the lightest day. */
function decide(
  v: Visitor,
  facts: BookingFacts,
  input: PublicBooking,
  tried: ReadonlySet<number>,
): Draft {
  const service = requireBookable(facts, input)
  const extras = requireExtras(facts, input.extras)
  const persons = personsOf(input)
  requireCapacity(service, persons, input)
  const group = service.enableGroupBooking
  const duration = durationOf(service, group, extras)
  if (duration * 60_000 > MAX_LENGTH_MS)
    invalid({ field: 'extras', message: 'make the appointment longer than 7 days' })
  const ask: Ask = { now: minutesOf(v.now), duration, persons, group }
  const startOnly = planOccurrences(facts, input.startTime, input.startTime, input.recurrenceRule)
  const employee = chooseEmployee(facts, ask, startOnly, tried)
  const session = group ? sessionAt(facts, input.startTime, employee.id) : undefined
  const end = endOfSession(session) ?? new Date(input.startTime.getTime() + duration * 60_000)
  requireEnd(input, end)
  const { recurrenceRule: rule } = input
  const status = facts.company.policy.autoConfirm ? 'approved' : 'pending'
  const planned = planOccurrences(facts, input.startTime, end, rule)
  return {
    service,
    occurrences: planned,
    employee,
    locationId: facts.location?.id ?? null,
    needs: facts.needs,
    customer: { id: facts.customer?.id ?? facts.customerId, email: input.customer.email ?? null },
    status,
    price: priceOf(service, group ? persons : 1, extras),
    persons,
    series: rule && { id: facts.seriesId, rule, count: planned.length },
    isGroup: group,
    session: group ? joinable(facts, service, session, persons) : undefined,
    kept: {
      ...keptOf(input, extras),
      ...(status === 'pending' ? { confirmBy: confirmByOf(facts.company.policy, v.now) } : {}),
    },
  }
}

/** An end may be given, and is then the one that the booking has anyway. */
function requireEnd({ endTime }: PublicBooking, end: Date): void {
  if (endTime && endTime.getTime() !== end.getTime())
    invalid({ field: 'endTime', message: `must be ${end.toISOString()}, or left out` })
}

function requireCapacity({ maxCapacity }: ServiceFacts, persons: number, input: PublicBooking) {
  if (persons > maxCapacity)
    invalid({
      field: input.persons === undefined ? 'attendees' : 'persons',
      message: `must be at most ${maxCapacity} for this service`,
    })
}

const keptOf = (input: PublicBooking, extras: BookedExtra[]): Draft['kept'] => ({
  notes: input.customer.notes ?? null,
  attendees: input.attendees ?? [],
  extras,
  timeZone: input.customer.timeZone ?? null,
  customFields: input.customFields ?? {},
})

/** Until when somebody has to confirm; what begins before that is theirs until it begins. */
const confirmByOf = ({ confirmWithinMinutes: minutes }: BookingPolicy, now: Date) =>
  minutes === null ? null : new Date(now.getTime() + minutes * 60_000).toISOString()

/** Refuses what cannot be booked at all, before it is asked when. */
function requireBookable(facts: BookingFacts, input: PublicBooking): ServiceFacts {
  if (!facts.service?.active) return notFound('Service')
  const { serviceId, employeeId, locationId } = input
  requireNamed(facts, { serviceId, employeeId, locationId })
  const { service, customer } = facts
  if (input.recurrenceRule && (!service.enableRecurring || service.enableGroupBooking))
    invalid({ field: 'recurrenceRule', message: 'this service is not booked as a series' })
  if ((customer?.upcoming ?? 0) >= MAX_UPCOMING)
    conflict('There are too many appointments ahead; ask the business for more')
  return service
}

/**
 * Of the employees who offer every start: one whose group session has begun to fill, then fewest
 * blocked minutes that day, then booked longest ago, then the lowest id.
 */
function chooseEmployee(
  facts: BookingFacts,
  ask: Ask,
  planned: readonly Occurrence[],
  tried: ReadonlySet<number>,
): EmployeeFacts {
  const offering = planned.map(o => new Set(offerAt(facts, ask, minutesOf(o.start))?.employeeIds))
  const joins = (e: EmployeeFacts): number =>
    ask.group && endOfSession(sessionAt(facts, planned[0]!.start, e.id)) ? 0 : 1
  const free = facts.employees
    .filter(e => !tried.has(e.id) && offering.every(ids => ids.has(e.id)))
    .sort(
      (x, y) =>
        joins(x) - joins(y) ||
        x.dayMinutes - y.dayMinutes ||
        (x.lastBookedAt ?? 0) - (y.lastBookedAt ?? 0) ||
        x.id - y.id,
    )
  const [first] = free
  if (first) return first
  const clashes = planned.filter((_, i) => offering[i]?.size === 0)
  if (planned.length > 1 && clashes.length > 0) return refuseClashes(clashes)
  return conflict('This time is not available', NOT_OFFERED)
}
