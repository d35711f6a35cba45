import { type Member, ownEmployee } from '#lib/core/context.ts'
import { conflict, forbidden, notFound } from '#lib/core/errors.ts'
import type { Json, Page } from '#lib/core/json.ts'
import { lookingAgain, lostTo } from '#lib/db/meanings.ts'
import { sendMessages } from '../messaging/send.ts'
import { addDraft, bookingWrite, type Draft } from './booking.ts'
import {
  clashing,
  factsWindow,
  joinable,
  personsOf,
  planOccurrences,
  refuseClashes,
  requireExtras,
  requireNamed,
  sessionAt,
  startWindow,
} from './decide.ts'
import { type BookingFacts, bookingFacts } from './facts.ts'
import { priceOf } from './price.ts'
import { appointmentById, appointmentPages, appointmentWithSeries } from './record.ts'
import type { Appointment, AppointmentFilter, NewAppointment } from './schema.ts'

/** Races that are lost to somebody who made what we wanted to make: look again, then join them. */
const LOOK_AGAIN = new Set([
  'group_sessions_start',
  'group_sessions_room',
  'resource_bookings_pkey',
])
/** Appointments, the latest start first; staff see their own alone. */
export async function listAppointments(
  m: Member,
  filter: AppointmentFilter,
): Promise<Page<Appointment>> {
  const own = ownEmployee(m, 'appointments.read', 'appointments.own')
  return appointmentPages(m.tenant, own === undefined ? filter : { ...filter, employeeId: own })
}

/** One appointment. */
export async function findAppointment(
  m: Member,
  { id }: { id: number },
): Promise<Json<Appointment>> {
  const own = ownEmployee(m, 'appointments.read', 'appointments.own')
  const found = await m.tenant.text(appointmentById, { id, employeeId: own ?? null })
  return found.text === 'null' ? notFound('Appointment') : found
}

/**
 * Makes an appointment, a seat of a group session, or a whole series.
 * @throws CONFLICT when the employee, a resource or the last seat is taken
 * @throws NOT_FOUND when something it names is not the account's
 */
export async function createAppointment(
  m: Member,
  given: NewAppointment,
): Promise<Json<Appointment>> {
  const own = ownEmployee(m, 'appointments.write', 'appointments.own')
  if (own !== undefined && given.employeeId != null && given.employeeId !== own)
    forbidden('Lacks the permission appointments.write: this is not your own appointment')
  const input = own === undefined ? given : { ...given, employeeId: own }
  const made = await lookingAgain(LOOK_AGAIN, async () => {
    const facts = await readFacts(m, input)
    const draft = decide(facts, input)
    const write = bookingWrite(m.tenant, draft)
    addDraft(write, m, draft)
    const { id } = draft.occurrences[0]!
    if (!draft.series) return write.commit(write.answer(appointmentById, { id, employeeId: null }))
    const planned = planOccurrences(facts, input.startTime, input.endTime, draft.series.rule)
    return write
      .commit(
        write.answer(appointmentWithSeries, {
          id,
          seriesId: draft.series.id,
          planned: JSON.stringify(planned.map(o => ({ index: o.index, startTime: o.start }))),
        }),
      )
      .catch(error => nameClashes(m, input, error))
  })
  m.after(() => sendMessages(m, { accountId: m.accountId }))
  return made
}

function readFacts(m: Member, input: NewAppointment): Promise<BookingFacts> {
  const count = input.recurrenceCount ?? 1
  return m.tenant.read(bookingFacts, {
    serviceId: input.serviceId,
    employeeId: input.employeeId ?? null,
    any: false,
    locationId: input.locationId ?? null,
    ...(input.recurrenceRule
      ? factsWindow(input.startTime, input.recurrenceRule, count)
      : startWindow(input.startTime)),
    day: input.startTime.toISOString(),
    now: m.now.toISOString(),
    exclude: null,
    resourceIds: input.resourceIds ?? [],
    customerId: input.customerId ?? null,
    email: null,
    phone: null,
    extraIds: input.extras?.map(e => e.id) ?? [],
    count,
  })
}

/** What is to be booked, out of what is known and what was asked. */
function decide(facts: BookingFacts, input: NewAppointment): Draft {
  requireNamed(facts, input)
  const service = facts.service ?? notFound('Service')
  const employee = facts.employees[0] ?? null
  if (employee && !employee.active) conflict('The employee is not active')
  const locationId = input.locationId ?? service.locationId
  const rule = input.recurrenceRule
  const persons = personsOf(input)
  const extras = requireExtras(facts, input.extras)
  const group = input.isGroupBooking ?? service.enableGroupBooking
  if (group && rule) conflict('A group session is joined one start at a time, not as a series')
  const planned = planOccurrences(facts, input.startTime, input.endTime, rule)
  const session = group
    ? joinable(
        facts,
        service,
        sessionAt(facts, input.startTime, employee?.id ?? null, locationId),
        persons,
      )
    : undefined
  const { notes, internalNotes, attendees, timeZone } = input
  return {
    service,
    occurrences: rule ? bookable(facts, input, planned) : planned,
    employee,
    locationId,
    needs: facts.needs,
    customer: facts.customer,
    status: input.status ?? 'approved',
    price: input.price ?? priceOf(service, group ? persons : 1, extras),
    persons,
    series: rule && { id: facts.seriesId, rule, count: facts.ids.length },
    session,
    kept: { notes, internalNotes, attendees: attendees ?? [], extras, timeZone: timeZone ?? null },
  }
}

/** The dates of a series that are free: all of them, or 409 unless what clashes is to be skipped. */
function bookable(facts: BookingFacts, input: NewAppointment, planned: Draft['occurrences']) {
  const clashes = clashing(facts, facts.service!, facts.employees[0] ?? null, planned)
  const left = planned.filter(o => !clashes.includes(o))
  if (left.length === 0 || (clashes.length > 0 && input.onConflict !== 'skip'))
    refuseClashes(clashes)
  return left
}

/** After a series lost a race, reads once more to name the dates that are taken. */
async function nameClashes(m: Member, input: NewAppointment, error: unknown): Promise<never> {
  if (lostTo(error) !== 'occupancies_no_overlap' && lostTo(error) !== 'resources_free') throw error
  decide(await readFacts(m, input), { ...input, onConflict: 'fail' })
  throw error
}
