import { sql } from 'drizzle-orm'
import { appointments } from '#drizzle/schema/appointments.ts'
import { customers } from '#drizzle/schema/people.ts'
import { type Base, type Member, ownEmployee } from '#lib/core/context.ts'
import { badRequest, conflict, forbidden, notFound } from '#lib/core/errors.ts'
import type { Json } from '#lib/core/json.ts'
import { readToken } from '#lib/core/tokens.ts'
import { appointmentByUid } from '#lib/db/entrances.ts'
import { epochMinutes, json, jsonArray } from '#lib/db/json.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import { query } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import type { Change, Write } from '#lib/db/write.ts'
import { queueMessage } from '../messaging/queue.ts'
import type { MessageData, MessageKind } from '../messaging/schema.ts'
import { sendMessages } from '../messaging/send.ts'
import { bookResources, freeResources } from '../resources/writes.ts'
import { blockOf, blockTime, countBookings, freeTime, isLive, leaveSession } from './booking.ts'
import { requireNamed, startWindow } from './decide.ts'
import { type BookingFacts, type BookingParams, bookingFacts } from './facts.ts'
import { appointmentById, emitAppointmentEvents } from './record.ts'
import type { Appointment, AppointmentChange, Status } from './schema.ts'

/** An appointment as changing it needs to know it. Instants are milliseconds since the epoch. */
interface Known {
  id: number
  uid: string
  status: Status
  start: number
  end: number
  serviceId: number
  employeeId: number | null
  locationId: number | null
  customerId: number | null
  customerEmail: string | null
  sessionId: number | null
  seriesId: number | null
  persons: number
  version: number
}

const millis = (column: Parameters<typeof epochMinutes>[0]) =>
  sql`round(${epochMinutes(column)} * 60000)::bigint`

const a = appointments
const knownFields = json({
  id: a.id,
  uid: a.uid,
  status: a.status,
  start: millis(a.startTime),
  end: millis(a.endTime),
  serviceId: a.serviceId,
  employeeId: a.employeeId,
  locationId: a.locationId,
  customerId: a.customerId,
  customerEmail: sql`(select ${customers.email} from ${customers}
    where ${customers.accountId} = ${a.accountId} and ${customers.id} = ${a.customerId})`,
  sessionId: a.sessionId,
  seriesId: a.seriesId,
  persons: a.persons,
  version: a.version,
})

const known = query<{ id: number }, Known | null>(
  p => sql`select ${knownFields} from ${a} where ${a.accountId} = ${p.account}
    and ${a.id} = ${p.id}::int and ${a.hiddenAt} is null`,
)

const liveSeats = query<{ sessionId: number }, Known[]>(
  p =>
    sql`select ${jsonArray(
      knownFields,
      sql`from ${a} where ${a.accountId} = ${p.account} and ${a.sessionId} = ${p.sessionId}::int
      and ${a.status} in ('pending', 'approved') order by ${a.id}`,
    )}`,
)

const MOVES: Record<Status, readonly Status[]> = {
  pending: ['approved', 'canceled'],
  approved: ['completed', 'canceled'],
  canceled: [],
  completed: [],
}

const EVENT: Partial<Record<Status, string>> = {
  canceled: 'SERVICE_BOOKING_CANCELLED',
  completed: 'SERVICE_BOOKING_COMPLETED',
}

/** Somebody changed the row between our reading and our writing: read it again. */
const CHANGED = new Set(['appointments_changed'])

/** 409 unless the status may become the other; final ones become nothing, not even themselves. */
export function requireMove(from: Status, to: Status, startsAt: number, now: Date): void {
  const stays = from === to && MOVES[from].length > 0
  if (!stays && !MOVES[from].includes(to))
    conflict(`The appointment is ${from} and cannot become ${to}`, [
      { field: 'status', message: `cannot go from "${from}" to "${to}"` },
    ])
  if (to === 'completed' && startsAt > now.getTime())
    conflict('An appointment cannot be completed before it starts', [
      { field: 'status', message: 'cannot be "completed" before startTime' },
    ])
}

const WHAT_TAKES_TIME = [
  'serviceId',
  'startTime',
  'endTime',
  'employeeId',
  'locationId',
] as const satisfies (keyof AppointmentChange)[]

/**
 * Changes an appointment; what is left out stays.
 * @throws CONFLICT for a status that cannot be reached, a time that is taken, a stale `version`
 */
export async function updateAppointment(
  m: Member,
  { id, ...change }: { id: number } & AppointmentChange,
): Promise<Json<Appointment>> {
  const own = ownEmployee(m, 'appointments.write', 'appointments.own')
  if (own !== undefined && change.employeeId !== undefined && change.employeeId !== own)
    forbidden('Lacks the permission appointments.write: you cannot give your appointments away')
  const made = await lookingAgain(change.version === undefined ? CHANGED : new Set(), () =>
    applyChange(m, m.tenant, id, change, own),
  )
  m.after(() => sendMessages(m, { accountId: m.accountId }))
  return made
}

async function applyChange(
  m: Base,
  tenant: Tenant,
  id: number,
  change: AppointmentChange,
  own: number | undefined,
): Promise<Json<Appointment>> {
  const was = (await tenant.read(known, { id })) ?? notFound('Appointment')
  if (own !== undefined && was.employeeId !== own) notFound('Appointment')
  if (change.version !== undefined && change.version !== was.version)
    conflict(`The appointment is at version ${was.version} by now; read it again`)
  const status = change.status ?? was.status
  const start = change.startTime?.getTime() ?? was.start
  if (change.status) requireMove(was.status, change.status, start, m.now)
  const write = tenant.write('appointment.update', id)
  const moved = WHAT_TAKES_TIME.some(key => change[key] !== undefined)
  const named = moved || change.customerId != null
  const facts = named ? await readFacts(m, tenant, was, change) : undefined
  const columns = facts && moved ? moveColumns(facts, was, change) : {}
  guardedChange(write, m, was, { ...detailColumns(change), ...columns, status })
  if (facts && moved && isLive(status)) retake(write, m, facts, was, columns)
  if (!isLive(status) && isLive(was.status)) release(write, was, status)
  countCustomers(write, m, was, change.customerId, status)
  emitChange(write, m, was, status)
  tellChange(write, m, was, { ...columns, status }, facts?.customer?.email)
  return write.commit(write.answer(appointmentById, { id, employeeId: null }))
}

/** The row's own columns, guarded by the version that was read. */
function guardedChange(write: Write, m: Base, was: Known, change: Change<typeof appointments>) {
  const next = { ...change, version: was.version + 1, updatedAt: m.now.toISOString() }
  write.change(appointments, was.id, next, 'appointments_changed', { version: was.version })
}

function detailColumns(change: AppointmentChange): Change<typeof appointments> {
  const { customerId, price, attendees, notes, internalNotes, timeZone, noShow } = change
  const columns = { customerId, price, totalAmount: price, attendees, notes, internalNotes }
  return {
    ...columns,
    timeZone,
    noShow,
    ...(change.status === 'canceled'
      ? { cancellationReason: change.cancellationReason ?? null, cancelledBy: 'business' }
      : {}),
  }
}

function readFacts(
  m: Base,
  tenant: Tenant,
  was: Known,
  change: AppointmentChange,
): Promise<BookingFacts> {
  const start = change.startTime ?? new Date(was.start)
  const params: BookingParams = {
    serviceId: change.serviceId ?? was.serviceId,
    employeeId: change.employeeId === undefined ? was.employeeId : change.employeeId,
    any: false,
    locationId: change.locationId === undefined ? was.locationId : change.locationId,
    ...startWindow(start),
    day: start.toISOString(),
    now: m.now.toISOString(),
    exclude: was.id,
    resourceIds: [],
    customerId: change.customerId ?? null,
    email: null,
    phone: null,
    extraIds: [],
    count: 0,
  }
  return tenant.read(bookingFacts, params)
}

/** The columns of a new time, person, place or service. A new start alone moves the end along. */
function moveColumns(facts: BookingFacts, was: Known, change: AppointmentChange) {
  if (MOVES[was.status].length === 0)
    conflict(`The appointment is ${was.status}; its time and people can no longer be changed`)
  if (was.sessionId !== null)
    conflict('A seat belongs to its session: cancel it and take one in another session')
  requireNamed(facts, change)
  const employee = facts.employees[0]
  if (employee && !employee.active) conflict('The employee is not active')
  const start = change.startTime?.getTime() ?? was.start
  const end = change.endTime?.getTime() ?? start + (was.end - was.start)
  if (end <= start)
    conflict('The appointment would end before it starts', [
      { field: 'endTime', message: 'must be after startTime' },
    ])
  return {
    serviceId: change.serviceId ?? was.serviceId,
    employeeId: employee?.id ?? null,
    locationId: change.locationId === undefined ? was.locationId : change.locationId,
    startTime: new Date(start).toISOString(),
    endTime: new Date(end).toISOString(),
    bufferBefore: facts.service?.bufferBefore ?? 0,
    bufferAfter: facts.service?.bufferAfter ?? 0,
  }
}

/** Gives the old time and resources back and takes the new, in one transaction. */
function retake(
  write: Write,
  m: Base,
  facts: BookingFacts,
  was: Known,
  columns: { startTime?: string; endTime?: string },
): void {
  const start = new Date(columns.startTime ?? was.start)
  const end = new Date(columns.endTime ?? was.end)
  const { service, employees, needs } = facts
  freeTime(write, was.id)
  freeResources(write, 'appointment', was.id)
  const [employee] = employees
  if (employee && service)
    blockTime(write, m.now, employee.personId, [
      { source: 'appointment', id: was.id, ...blockOf(start, end, service) },
    ])
  bookResources(write, [{ source: 'appointment', sourceId: was.id, start, end, needs }])
}

/** Gives back what a live appointment took. A seat that was used stays taken. */
function release(write: Write, was: Known, status: Status): void {
  if (was.sessionId !== null) {
    if (status === 'canceled') leaveSession(write, was.sessionId, was.persons)
  } else {
    freeTime(write, was.id)
    freeResources(write, 'appointment', was.id)
  }
}

/** A customer's bookings are those that are not canceled. */
function countCustomers(
  write: Write,
  m: Base,
  was: Known,
  customerId: number | null | undefined,
  status: Status,
): void {
  const now = customerId === undefined ? was.customerId : customerId
  const countedBefore = was.status === 'canceled' ? null : was.customerId
  const countedNow = status === 'canceled' ? null : now
  if (countedBefore === countedNow) return
  const changes = [
    ...(countedBefore === null ? [] : [{ id: countedBefore, by: -1 }]),
    ...(countedNow === null ? [] : [{ id: countedNow, by: 1 }]),
  ].sort((x, y) => x.id - y.id)
  for (const { id, by } of changes) countBookings(write, m.now, id, by)
}

function emitChange(write: Write, m: Base, was: Known, status: Status): void {
  const type = (status !== was.status && EVENT[status]) || 'SERVICE_BOOKING_UPDATED'
  const now = m.now.toISOString()
  write.run(emitAppointmentEvents, { ids: [was.id], type, previous: was.status, now })
}

/** Tells the customer of a new time, an approval or a cancellation; other changes are not theirs. */
function tellChange(
  write: Write,
  m: Base,
  was: Known,
  next: { status: Status; startTime?: string; endTime?: string },
  newEmail: string | null | undefined,
): void {
  const recipient = newEmail ?? was.customerEmail
  const [start, end] = [new Date(was.start).toISOString(), new Date(was.end).toISOString()]
  const timeChanged =
    (next.startTime ?? start) !== start || (next.endTime !== undefined && next.endTime !== end)
  const kind = messageKind(was.status, next.status, timeChanged)
  if (!recipient || !kind) return
  const data: MessageData = timeChanged ? { previousStartTime: start, previousEndTime: end } : {}
  const dedupe = `${kind}:${was.id}:${was.version + 1}`
  queueMessage(write, m.now, { kind, recipient, subjectId: was.id, dedupe, data })
}

function messageKind(from: Status, to: Status, timeChanged: boolean): MessageKind | undefined {
  if (to === 'canceled' && from !== 'canceled') return 'booking_cancelled'
  if (from === 'pending' && to === 'approved') return 'booking_confirmation'
  return timeChanged && isLive(to) ? 'booking_changed' : undefined
}

/**
 * Cancels an appointment that is live, and hides one that is final. `scope: "session"` cancels every
 * seat of its group session.
 */
export async function removeAppointment(
  m: Member,
  {
    id,
    scope,
    reason,
  }: { id: number; scope?: 'seat' | 'session' | undefined; reason?: string | undefined },
): Promise<{ id: number; deleted: true; canceled?: number[] }> {
  const own = ownEmployee(m, 'appointments.write', 'appointments.own')
  const result = await lookingAgain(CHANGED, async () => {
    const was = (await m.tenant.read(known, { id })) ?? notFound('Appointment')
    if (own !== undefined && was.employeeId !== own) notFound('Appointment')
    const whole = scope === 'session' && was.sessionId !== null
    if (!whole && !isLive(was.status)) return hide(m, was)
    const seats = whole ? await m.tenant.read(liveSeats, { sessionId: was.sessionId! }) : [was]
    const write = m.tenant.write('appointment.cancel', id)
    for (const seat of seats) addCancel(write, m, seat, reason ?? null, 'business')
    const answer = { id, deleted: true as const }
    return write.commit(whole ? { ...answer, canceled: seats.map(s => s.id) } : answer)
  })
  m.after(() => sendMessages(m, { accountId: m.accountId }))
  return result
}

/** Everything that cancels a live appointment, added to a write. */
function addCancel(write: Write, m: Base, was: Known, reason: string | null, by: string): void {
  const change = { status: 'canceled' as const, cancellationReason: reason, cancelledBy: by }
  guardedChange(write, m, was, change)
  release(write, was, 'canceled')
  countCustomers(write, m, was, undefined, 'canceled')
  emitChange(write, m, was, 'canceled')
  tellChange(write, m, was, { status: 'canceled' }, undefined)
}

async function hide(m: Member, was: Known): Promise<{ id: number; deleted: true }> {
  const write = m.tenant.write('appointment.hide', was.id)
  guardedChange(write, m, was, { hiddenAt: m.now.toISOString() })
  return write.commit({ id: was.id, deleted: true })
}

/** The account and id of an appointment by its public identifier. */
async function enterByUid(base: Base, uid: string): Promise<{ tenant: Tenant; id: number }> {
  const [rows] = await base.db.trip([appointmentByUid.with({ uid })])
  const text = rows?.[0]?.[0] ?? notFound('Appointment')
  const { accountId, id } = JSON.parse(text) as { accountId: number; id: number }
  return { tenant: base.enter(accountId), id }
}

/** What confirming answers. */
export interface Confirmed {
  status: 'approved'
  appointment: { uid: string; startTime: string; endTime: string }
}

/**
 * Confirms a pending appointment by the token of its e-mailed link. Doing so twice is fine.
 * @throws BAD_REQUEST for a token that is not ours or has expired
 * @throws CONFLICT when it was canceled meanwhile
 */
export async function confirmByToken(base: Base, { token }: { token: string }): Promise<Confirmed> {
  const uid =
    (await readToken(base.settings.secret, 'confirm', token, base.now)) ??
    badRequest('The link is not valid or has expired')
  const found = await enterByUid(base, uid)
  return lookingAgain(CHANGED, async () => {
    const was = (await found.tenant.read(known, { id: found.id })) ?? notFound('Appointment')
    const times = { startTime: new Date(was.start), endTime: new Date(was.end) }
    const answer: Confirmed = {
      status: 'approved',
      appointment: {
        uid,
        startTime: times.startTime.toISOString(),
        endTime: times.endTime.toISOString(),
      },
    }
    if (was.status === 'approved') return answer
    requireMove(was.status, 'approved', was.start, base.now)
    const write = found.tenant.write('appointment.confirm', was.id)
    guardedChange(write, base, was, { status: 'approved' })
    emitChange(write, base, was, 'approved')
    tellChange(write, base, was, { status: 'approved' }, undefined)
    const done = await write.commit(answer)
    base.after(() => sendMessages(base, { accountId: found.tenant.accountId }))
    return done
  })
}
