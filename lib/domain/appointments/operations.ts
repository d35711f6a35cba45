import { lacking, type Member, ownEmployee } from '#lib/core/context.ts'
import { conflict, notFound } from '#lib/core/errors.ts'
import { existing, type Json, type Page } from '#lib/core/json.ts'
import { lookingAgain, lostTo } from '#lib/db/meanings.ts'
import type { Write } from '#lib/db/write.ts'
import type { Appointment } from './answer.ts'
import { addDraft, bookingWrite } from './booking.ts'
import {
  clashing,
  endOfSession,
  factsWindow,
  guestIdsOf,
  joinable,
  personsOf,
  planOccurrences,
  refuseClashes,
  requireExtras,
  requireNamed,
  sessionAt,
  startWindow,
} from './decide.ts'
import type { Draft, Occurrence } from './draft.ts'
import type { MemberFacts } from './facts.ts'
import { requireStarted } from './known.ts'
import { priceOf } from './price.ts'
import { memberFacts } from './queries.ts'
import { appointmentById, appointmentPages, appointmentWithSeries } from './record.ts'
import { type AppointmentFilter, isLive, type NewAppointment } from './schema.ts'

/** Races that are lost to somebody who made what we wanted to make: look again, then join them. */
const LOOK_AGAIN = new Set([
  'group_sessions_start',
  'group_sessions_room',
  'resource_bookings_pkey',
])
/** A series that leaves out what clashes looks again, and leaves out what was lost as well. */
const SKIP_LOST = new Set([...LOOK_AGAIN, 'occupancies_no_overlap', 'resources_free'])

/** Appointments, the latest start first; staff see their own alone. */
export async function listAppointments(
  m: Member,
  filter: AppointmentFilter,
): Promise<Page<Appointment>> {
  const own = ownEmployee(m, 'appointments.read', 'appointments.own')
  return appointmentPages(m.tenant, own === undefined ? filter : { ...filter, employeeId: own })
}

/** One appointment, with what the business alone may know; 404 for staff where it is not their own. */
export async function findAppointment(
  m: Member,
  { id }: { id: number },
): Promise<Json<Appointment>> {
  const own = ownEmployee(m, 'appointments.read', 'appointments.own')
  const record = await m.tenant.text(appointmentById, { id, employeeId: own ?? null })
  return existing(record, 'Appointment')
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
    lacking(m, 'appointments.write', 'this is not your own appointment')
  const input = own === undefined ? given : { ...given, employeeId: own }
  const skips = input.recurrenceRule !== undefined && input.onConflict === 'skip'
  return lookingAgain(skips ? SKIP_LOST : LOOK_AGAIN, async () => {
    const facts = await readFacts(m, input)
    const draft = decide(m, facts, input)
    const write = bookingWrite(m.tenant, draft)
    addDraft(write, m, draft)
    return write
      .commit(answerOf(write, facts, input, draft))
      .catch(error => nameClashes(m, input, error))
  })
}

/** The appointment, with all of its series if it has one. */
function answerOf(write: Write, facts: MemberFacts, input: NewAppointment, draft: Draft) {
  const { id } = draft.occurrences[0]!
  const { series } = draft
  if (!series) return write.answer(appointmentById, { id, employeeId: null })
  const planned = planOccurrences(facts, input.startTime, input.endTime, series.rule)
  return write.answer(appointmentWithSeries, {
    id,
    seriesId: series.id,
    planned: JSON.stringify(planned.map(o => ({ index: o.index, startTime: o.start }))),
  })
}

function readFacts(m: Member, input: NewAppointment): Promise<MemberFacts> {
  const count = input.recurrenceCount ?? 1
  return m.tenant.read(memberFacts, {
    serviceId: input.serviceId,
    employeeId: input.employeeId ?? null,
    locationId: input.locationId ?? null,
    ...(input.recurrenceRule
      ? factsWindow(input.startTime, input.recurrenceRule, count)
      : startWindow(input.startTime)),
    day: null,
    now: m.now.toISOString(),
    exclude: null,
    resourceIds: input.resourceIds ?? [],
    customerId: input.customerId ?? null,
    email: null,
    phone: null,
    extraIds: input.extras?.map(e => e.id) ?? [],
    guestIds: guestIdsOf(input.attendees),
    knownTo: ownEmployee(m, 'appointments.write', 'appointments.own') ?? null,
    count,
  })
}

/** What is to be booked, out of what is known and what was asked. */
function decide(m: Member, facts: MemberFacts, input: NewAppointment): Draft {
  requireNamed(facts, input)
  const service = facts.service ?? notFound('Service')
  const employee = facts.employees[0] ?? null
  if (employee && !employee.active) conflict('The employee is not active')
  const { recurrenceRule: rule, status = 'approved' } = input
  const persons = personsOf(input)
  const extras = requireExtras(facts, input.extras)
  const group = input.isGroupBooking ?? service.enableGroupBooking
  if (group && rule) conflict('A group session is joined one start at a time, not as a series')
  const planned = planOccurrences(facts, input.startTime, input.endTime, rule)
  for (const { start } of planned) requireStarted(status, start.getTime(), m.now)
  const { notes, internalNotes, attendees, timeZone } = input
  return {
    service,
    occurrences: rule && isLive(status) ? bookable(facts, input, planned) : planned,
    employee,
    locationId: facts.location?.id ?? null,
    needs: facts.needs,
    customer: facts.customer,
    status,
    price: input.price ?? priceOf(service, group ? persons : 1, extras),
    persons,
    series: rule && { id: facts.seriesId, rule, count: facts.ids.length },
    isGroup: group,
    session: group && isLive(status) ? sessionOf(facts, input, persons) : undefined,
    kept: { notes, internalNotes, attendees: attendees ?? [], extras, timeZone: timeZone ?? null },
  }
}

/** The session that a seat is taken in; 409 for one that ends at another time. */
function sessionOf(facts: MemberFacts, input: NewAppointment, persons: number): Draft['session'] {
  const session = sessionAt(facts, input.startTime, facts.employees[0]?.id ?? null)
  const end = endOfSession(session)
  if (end && end.getTime() !== input.endTime.getTime())
    conflict('The session at this start ends at another time', [
      { field: 'endTime', message: `must be ${end.toISOString()}, like the session` },
    ])
  return joinable(facts, facts.service!, session, persons)
}

/** The dates of a series that are free: all of them, or 409 unless what clashes is to be skipped. */
function bookable(
  facts: MemberFacts,
  input: NewAppointment,
  planned: readonly Occurrence[],
): readonly Occurrence[] {
  const clashes = clashing(facts, facts.service!, facts.employees[0] ?? null, planned)
  const left = planned.filter(o => !clashes.includes(o))
  if (left.length === 0 || (clashes.length > 0 && input.onConflict !== 'skip'))
    refuseClashes(clashes)
  return left
}

/** After a series lost a race, reads once more to name the dates that are taken. */
async function nameClashes(m: Member, input: NewAppointment, error: unknown): Promise<never> {
  const lost = lostTo(error)
  const taken = lost === 'occupancies_no_overlap' || lost === 'resources_free'
  if (!input.recurrenceRule || input.onConflict === 'skip' || !taken) throw error
  decide(m, await readFacts(m, input), input)
  throw error
}
