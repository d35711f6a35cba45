import type { appointments } from '#drizzle/schema/appointments.ts'
import { type Base, lacking, type Member, ownEmployee } from '#lib/core/context.ts'
import { enterBy } from '#lib/core/enter.ts'
import { badRequest, conflict, notFound } from '#lib/core/errors.ts'
import { existing, type Json } from '#lib/core/json.ts'
import type { Instant } from '#lib/core/kinds.ts'
import { readToken } from '#lib/core/tokens.ts'
import { appointmentByUid } from '#lib/db/entrances.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import type { Change, Write } from '#lib/db/write.ts'
import { blockedRange, blockTime, freeTime } from '../occupancies/writes.ts'
import { bookResources, freeResources } from '../resources/writes.ts'
import { runNoShow } from '../workflows/no-show.ts'
import type { Appointment } from './answer.ts'
import { guestIdsOf, requireNamed } from './decide.ts'
import { type Answered, differing } from './differing.ts'
import { CHANGED, changeAndRelease, changeStatuses, countCustomers, emit } from './effects.ts'
import type { MemberFacts } from './facts.ts'
import { type Known, known, pendingOfSeries, requireMove } from './known.ts'
import { knownAndFacts } from './moving.ts'
import { tellChange, tellOnce } from './notices.ts'
import { depositOn } from './price.ts'
import { appointmentById } from './record.ts'
import { type AppointmentChange, type Confirmation, isLive, MAX_LENGTH_MS } from './schema.ts'
import { requireEmployee } from './totals.ts'

const WHAT_TAKES_TIME = [
  'serviceId',
  'startTime',
  'endTime',
  'employeeId',
  'locationId',
  'resourceIds',
] as const satisfies (keyof AppointmentChange)[]

/**
 * Changes an appointment; what is left out, or sent as it is, stays. A change of nothing is no event.
 * @throws CONFLICT for a status that cannot be reached, a time that is taken, a stale `version`
 * @throws NOT_FOUND when it, or something the change names, is not the account's
 */
export async function updateAppointment(
  m: Member,
  { id, ...change }: { id: number } & AppointmentChange,
): Promise<Json<Appointment>> {
  const own = ownEmployee(m, 'appointments.write', 'appointments.own')
  if (own !== undefined && change.employeeId !== undefined && change.employeeId !== own)
    lacking(m, 'appointments.write', 'you cannot give your appointments away')
  return lookingAgain(change.version === undefined ? CHANGED : new Set(), async () => {
    const { was, answered, facts } = await readFacts(m, id, change)
    if (!was || (own !== undefined && was.employeeId !== own)) return notFound('Appointment')
    if (change.version !== undefined && change.version !== was.version)
      conflict(`The appointment is at version ${was.version} by now; read it again`)
    return applyChange(m, was, facts, differing(change, was, answered))
  })
}

const isMoved = (change: AppointmentChange): boolean =>
  WHAT_TAKES_TIME.some(key => change[key] !== undefined)

async function applyChange(
  m: Member,
  was: Known,
  facts: MemberFacts | undefined,
  change: AppointmentChange,
): Promise<Json<Appointment>> {
  const status = change.status ?? was.status
  const start = change.startTime?.getTime() ?? was.start
  if (change.status) requireMove(was.status, change.status, start, m.now)
  if (facts) requireNamed(facts, change)
  const columns = facts && isMoved(change) ? moveColumns(facts, was, change) : undefined
  const changed = { ...detailColumns(was, change), ...columns }
  const answer = { id: was.id, employeeId: null }
  // What stays as it is has no news for anybody.
  if (status === was.status && Object.values(changed).every(value => value === undefined))
    return existing(await m.tenant.text(appointmentById, answer), 'Appointment')
  const write = m.tenant.write('appointment.update', was.id)
  changeAndRelease(write, m, was, { ...changed, status })
  if (facts && columns && isLive(status)) retake(write, m, facts, was, columns)
  countCustomers(write, m, was, change.customerId, status)
  emit(write, m, [was.id], was.status, status)
  const recipient =
    change.customerId === undefined ? was.customerEmail : (facts?.customer?.email ?? null)
  tellChange(write, m, was, { ...columns, status }, recipient)
  if (change.noShow !== undefined) runNoShow(write, m, { subject: 'appointment', ids: [was.id] })
  return write.commit(write.answer(appointmentById, answer))
}

function detailColumns(was: Known, change: AppointmentChange): Change<typeof appointments> {
  const { customerId, price, attendees, notes, internalNotes, timeZone, noShow } = change
  const columns = { customerId, attendees, notes, internalNotes, timeZone, noShow }
  return {
    ...columns,
    ...(price === undefined
      ? {}
      : { price, totalAmount: price, depositAmount: depositOn(was.deposit, price) }),
    ...(change.status === 'canceled'
      ? { cancellationReason: change.cancellationReason ?? null, cancelledBy: 'business' }
      : was.status === 'canceled'
        ? { cancellationReason: change.cancellationReason }
        : {}),
  }
}

interface ChangeFacts {
  was: Known | null
  answered?: Answered
  /** Where the change names something that has to be there, or to be free. */
  facts?: MemberFacts
}

/** The appointment and what its change takes, in one trip. */
async function readFacts(m: Member, id: number, change: AppointmentChange): Promise<ChangeFacts> {
  const names = change.customerId != null || change.attendees !== undefined
  if (!isMoved(change) && !names) return { was: await m.tenant.read(known, { id }) }
  const { serviceId, employeeId, locationId, startTime, resourceIds, customerId } = change
  return m.tenant.read(knownAndFacts, {
    id,
    serviceId: serviceId ?? null,
    employeeId: employeeId ?? null,
    employeeGiven: employeeId !== undefined,
    locationId: locationId ?? null,
    locationGiven: locationId !== undefined,
    startTime: startTime?.toISOString() ?? null,
    resourceIds: resourceIds ?? null,
    customerId: customerId ?? null,
    guestIds: guestIdsOf(change.attendees),
    knownTo: ownEmployee(m, 'appointments.write', 'appointments.own') ?? null,
    now: m.now.toISOString(),
  })
}

type Moved = ReturnType<typeof moveColumns>

/** The columns of a new time, person, place or service. A new start alone moves the end along. */
function moveColumns(facts: MemberFacts, was: Known, change: AppointmentChange) {
  if (!isLive(was.status))
    conflict(`The appointment is ${was.status}; its time and people can no longer be changed`)
  if (was.sessionId !== null)
    conflict('A seat belongs to its session: cancel it and take one in another session')
  const employeeId = change.employeeId === undefined ? was.employeeId : change.employeeId
  if (employeeId !== null && !facts.employees[0]?.active) conflict('The employee is not active')
  const start = change.startTime?.getTime() ?? was.start
  const end = change.endTime?.getTime() ?? start + (was.end - was.start)
  if (end <= start)
    conflict('The appointment would end before it starts', [
      { field: 'endTime', message: 'must be after startTime' },
    ])
  if (end - start > MAX_LENGTH_MS)
    conflict('The appointment would be too long', [
      { field: 'endTime', message: 'must be within 7 days of startTime' },
    ])
  return {
    serviceId: change.serviceId ?? was.serviceId,
    employeeId,
    locationId: change.locationId === undefined ? was.locationId : change.locationId,
    startTime: new Date(start).toISOString(),
    endTime: new Date(end).toISOString(),
    // A service that was deleted meanwhile leaves its appointments with the buffers they had.
    bufferBefore: facts.service?.bufferBefore ?? was.bufferBefore,
    bufferAfter: facts.service?.bufferAfter ?? was.bufferAfter,
  }
}

/** Gives the old time and resources back and takes the new, in one transaction. */
export function retake(
  write: Write,
  m: Base,
  facts: MemberFacts,
  was: Known,
  columns: Moved,
): void {
  const [start, end] = [new Date(columns.startTime), new Date(columns.endTime)]
  const source = 'appointment' as const
  freeTime(write, source, [was.id])
  freeResources(write, source, [was.id])
  const [employee] = facts.employees
  if (employee) {
    const { personId } = employee
    const range = blockedRange(start, end, columns)
    blockTime(write, m.now, [{ personId, source, id: was.id, ...range }])
    requireEmployee(write, employee.id)
  }
  bookResources(write, [{ source, sourceId: was.id, start, end, needs: facts.needs }])
}

/**
 * The account and id of an appointment by its public identifier.
 * @throws NOT_FOUND when nothing has it
 */
export const enterByUid = (base: Base, uid: string) =>
  enterBy(base, appointmentByUid, { uid }, 'Appointment')

/** What confirming answers. */
export interface Confirmed {
  status: 'approved'
  appointment: { uid: string; startTime: Instant; endTime: Instant }
}

/**
 * Confirms a pending appointment by the token of its e-mailed link, and with it what else of its
 * series is pending: one e-mail told of all. Doing so twice is fine.
 * @throws BAD_REQUEST for a token that is not ours or has expired
 * @throws CONFLICT when it was canceled meanwhile
 */
export async function confirmByToken(
  base: Base,
  { token, uid: named }: Confirmation,
): Promise<Confirmed> {
  const uid =
    (await readToken(base.settings.secret, 'confirm', token, base.now)) ??
    badRequest('The link is not valid or has expired')
  if (named !== undefined && named !== uid) badRequest('The link is not that of this appointment')
  const { tenant, id } = await enterByUid(base, uid)
  return lookingAgain(CHANGED, async () => {
    const was = (await tenant.read(known, { id })) ?? notFound('Appointment')
    const startTime = new Date(was.start).toISOString()
    const endTime = new Date(was.end).toISOString()
    const answer: Confirmed = { status: 'approved', appointment: { uid, startTime, endTime } }
    if (was.status !== 'approved') requireMove(was.status, 'approved', was.start, base.now)
    const { seriesId } = was
    const series = seriesId === null ? [was] : await tenant.read(pendingOfSeries, { seriesId })
    const pending = series.filter(k => k.status === 'pending')
    if (pending.length === 0) return answer
    const write = tenant.write('appointment.confirm', id)
    changeStatuses(write, base, pending, { status: 'approved' })
    tellOnce(write, base, 'booking_confirmation', was)
    return write.commit(answer)
  })
}
