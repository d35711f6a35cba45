import { sql } from 'drizzle-orm'
import {
  appointmentSeries,
  appointments,
  groupSessions,
  occupancies,
} from '#drizzle/schema/appointments.ts'
import { customers, employees } from '#drizzle/schema/people.ts'
import { resourceBookings } from '#drizzle/schema/resources.ts'
import type { Base } from '#lib/core/context.ts'
import { newUid } from '#lib/core/text.ts'
import { into, query } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import type { NewRow, Write } from '#lib/db/write.ts'
import { queueMessage } from '../messaging/queue.ts'
import type { MessageKind } from '../messaging/schema.ts'
import { bookResources } from '../resources/writes.ts'
import type { NeedFacts, ServiceFacts, SessionFacts } from './facts.ts'
import { depositOn } from './price.ts'
import { emitAppointmentEvents } from './record.ts'
import type { RecurrenceRule, Status } from './schema.ts'

/** One start of what is booked. `index` counts from 0 within its series. */
export interface Occurrence {
  id: number
  index: number
  start: Date
  end: Date
}

/** A booking that is decided and only has to be written. */
export interface Draft {
  service: ServiceFacts
  occurrences: readonly Occurrence[]
  employee: { id: number; personId: number } | null
  locationId: number | null
  needs: readonly NeedFacts[]
  customer: { id: number; email: string | null } | null
  status: Status
  price: number
  persons: number
  series?: { id: number; rule: RecurrenceRule; count: number } | undefined
  /** The group session that is joined; `isNew` makes it. */
  session?: (Pick<SessionFacts, 'id' | 'taken'> & { isNew: boolean }) | undefined
  /** Columns that are kept as they were given. */
  kept: Partial<NewRow<typeof appointments>>
}

/** Pending and approved appointments take time; canceled and completed ones do not. */
export const isLive = (status: Status): boolean => status === 'pending' || status === 'approved'

const minutes = (count: number): number => count * 60_000

/** The range an appointment takes of its employee's time, buffers included. */
export const blockOf = (
  start: Date,
  end: Date,
  { bufferBefore, bufferAfter }: Pick<ServiceFacts, 'bufferBefore' | 'bufferAfter'>,
): { from: string; to: string } => ({
  from: new Date(start.getTime() - minutes(bufferBefore)).toISOString(),
  to: new Date(end.getTime() + minutes(bufferAfter)).toISOString(),
})

/** Blocks that are past their time (holds, offers) make room for whoever books next. */
const clearExpired = query<{ personId: number; now: string }, unknown>(
  p => sql`delete from ${occupancies} where ${occupancies.accountId} = ${p.account}
    and ${occupancies.personId} = ${p.personId}::int and ${occupancies.expiresAt} <= ${p.now}::timestamptz`,
)

const insertBlocks = query<{ rows: string; count: number; personId: number }, unknown>(
  p => sql`with made as (
    insert into ${into(occupancies, occupancies.personId, occupancies.source, occupancies.sourceId, occupancies.blocked)}
    select ${p.account}::int, ${p.personId}::int, b.source, b.id, tstzrange(b.from, b.to)
    from jsonb_to_recordset(${p.rows}::jsonb) as b(source text, id int, "from" timestamptz, "to" timestamptz)
    order by b.from
    on conflict do nothing returning 1
  ) select must((select count(*) from made) = ${p.count}::int, 'occupancies_no_overlap')`,
)

/** A block of a person's time: what it comes from, and the range with its buffers. */
export interface Block {
  source: 'appointment' | 'session'
  id: number
  from: string
  to: string
}

/** Takes a person's time; if any of it is taken the whole write fails. */
export function blockTime(
  write: Write,
  now: Date,
  personId: number,
  blocks: readonly Block[],
): void {
  write.run(clearExpired, { personId, now: now.toISOString() })
  write.run(insertBlocks, { personId, rows: JSON.stringify(blocks), count: blocks.length })
}

const freeBlock = query<{ source: string; id: number }, unknown>(
  p => sql`delete from ${occupancies} where ${occupancies.accountId} = ${p.account}
    and ${occupancies.source} = ${p.source} and ${occupancies.sourceId} = ${p.id}::int`,
)

/** Gives back the time that an appointment took. */
export const freeTime = (write: Write, id: number): void => {
  write.run(freeBlock, { source: 'appointment', id })
}

/** Locks the session and takes seats; fails when they are gone, or when it was empty and is not. */
const takeSeats = query<{ id: number; persons: number; capacity: number; empty: boolean }, unknown>(
  p => sql`with taken as (
    update ${groupSessions} set taken = taken + ${p.persons}::int, capacity = ${p.capacity}::int
    where ${groupSessions.accountId} = ${p.account} and ${groupSessions.id} = ${p.id}::int
      and taken + ${p.persons}::int <= ${p.capacity}::int and (taken = 0) = ${p.empty}::boolean
    returning 1
  ) select must(exists(select from taken), 'group_sessions_room')`,
)

const giveSeats = query<{ id: number; persons: number }, unknown>(
  p => sql`update ${groupSessions} set taken = taken - ${p.persons}::int
    where ${groupSessions.accountId} = ${p.account} and ${groupSessions.id} = ${p.id}::int`,
)

const closeEmptySession = query<{ id: number }, unknown>(
  p => sql`with empty as (
      select 1 from ${groupSessions} where ${groupSessions.accountId} = ${p.account}
        and ${groupSessions.id} = ${p.id}::int and taken = 0
    ), freed as (
      delete from ${resourceBookings} where ${resourceBookings.accountId} = ${p.account}
        and ${resourceBookings.source} = 'session' and ${resourceBookings.sourceId} = ${p.id}::int
        and exists (select from empty)
    ) delete from ${occupancies} where ${occupancies.accountId} = ${p.account}
      and ${occupancies.source} = 'session' and ${occupancies.sourceId} = ${p.id}::int
      and exists (select from empty)`,
)

/** Gives seats back; a session without any frees its employee and its resources. */
export function leaveSession(write: Write, id: number, persons: number): void {
  write.run(giveSeats, { id, persons })
  write.run(closeEmptySession, { id })
}

/** Takes the seats of a draft. The first to come takes the employee's time and the resources. */
function joinSession(write: Write, now: Date, draft: Draft): void {
  const { session, service, persons, employee, needs } = draft
  const [first] = draft.occurrences
  if (!session || !first) return
  if (session.isNew)
    write.insert(groupSessions, {
      id: session.id,
      serviceId: service.id,
      employeeId: employee?.id ?? null,
      locationId: draft.locationId,
      startTime: first.start.toISOString(),
      endTime: first.end.toISOString(),
      capacity: service.maxCapacity,
      taken: persons,
    })
  else
    write.run(takeSeats, {
      id: session.id,
      persons,
      capacity: service.maxCapacity,
      empty: session.taken === 0,
    })
  if (session.taken > 0) return
  const { start, end } = first
  if (employee)
    blockTime(write, now, employee.personId, [
      { source: 'session', id: session.id, ...blockOf(start, end, service) },
    ])
  bookResources(write, [{ source: 'session', sourceId: session.id, start, end, needs }])
}

/** Takes time and resources for every occurrence of a draft that is not a seat. */
function takeTime(write: Write, now: Date, draft: Draft): void {
  const { employee, occurrences, service, needs } = draft
  if (employee)
    blockTime(
      write,
      now,
      employee.personId,
      occurrences.map(({ id, start, end }) => ({
        source: 'appointment' as const,
        id,
        ...blockOf(start, end, service),
      })),
    )
  bookResources(
    write,
    occurrences.map(({ id, start, end }) => ({
      source: 'appointment' as const,
      sourceId: id,
      start,
      end,
      needs,
    })),
  )
}

const addTotals = query<{ id: number; count: number; now: string }, unknown>(
  p => sql`update ${customers} set total_bookings = total_bookings + ${p.count}::int,
      last_booked_at = ${p.now}::timestamptz
    where ${customers.accountId} = ${p.account} and ${customers.id} = ${p.id}::int`,
)

/** Adds to (or, below zero, takes from) a customer's count of bookings. */
export const countBookings = (write: Write, now: Date, id: number, count: number): void => {
  write.run(addTotals, { id, count, now: now.toISOString() })
}

const noteBooked = query<{ id: number; now: string }, unknown>(
  p => sql`update ${employees} set last_booked_at = ${p.now}::timestamptz
    where ${employees.accountId} = ${p.account} and ${employees.id} = ${p.id}::int`,
)

/** Everything that makes a draft an appointment (or a series), added to a write. */
export function addDraft(write: Write, base: Base, draft: Draft): void {
  const { now } = base
  const live = isLive(draft.status)
  if (live && draft.session) joinSession(write, now, draft)
  else if (live) takeTime(write, now, draft)
  const { series, occurrences, customer, employee } = draft
  if (series) write.insert(appointmentSeries, { ...series, createdAt: now.toISOString() })
  write.insert(
    appointments,
    occurrences.map(occurrence => rowOf(draft, occurrence, base)),
  )
  if (customer && draft.status !== 'canceled')
    countBookings(write, now, customer.id, occurrences.length)
  if (employee && live) write.run(noteBooked, { id: employee.id, now: now.toISOString() })
  const ids = occurrences.map(o => o.id)
  const type = 'SERVICE_BOOKING_CREATED'
  write.run(emitAppointmentEvents, { ids, type, previous: null, now: now.toISOString() })
  const kind = draft.status === 'pending' ? 'booking_request' : 'booking_confirmation'
  if (live) tellCustomer(write, base, kind, draft)
}

function rowOf(draft: Draft, { id, index, start, end }: Occurrence, base: Base) {
  const { service, price, series, session } = draft
  const at = base.now.toISOString()
  return {
    ...draft.kept,
    id,
    uid: newUid(),
    serviceId: service.id,
    customerId: draft.customer?.id ?? null,
    employeeId: draft.employee?.id ?? null,
    locationId: draft.locationId,
    status: draft.status,
    startTime: start.toISOString(),
    endTime: end.toISOString(),
    bufferBefore: service.bufferBefore,
    bufferAfter: service.bufferAfter,
    price,
    currency: service.currency,
    depositAmount: depositOn(service, price),
    totalAmount: price,
    seriesId: series?.id ?? null,
    seriesIndex: series ? index : null,
    recurrenceRule: series?.rule ?? null,
    recurrenceCount: series?.count ?? null,
    sessionId: session?.id ?? null,
    isGroupBooking: session !== undefined,
    persons: draft.persons,
    source: base.via,
    createdAt: at,
    updatedAt: at,
  }
}

/** One e-mail for a booking, also for a series; nobody is told of what is over. */
function tellCustomer(write: Write, base: Base, kind: MessageKind, draft: Draft): void {
  const [first] = draft.occurrences
  const recipient = draft.customer?.email
  if (!recipient || !first) return
  const { series } = draft
  queueMessage(write, base.now, {
    kind,
    recipient,
    subjectId: first.id,
    dedupe: `${kind}:${first.id}:0`,
    ...(series ? { data: { seriesId: series.id } } : {}),
  })
}

/** The tenant's write of a booking. */
export const bookingWrite = (tenant: Tenant, draft: Draft): Write =>
  tenant.write('appointment.create', draft.occurrences[0]?.id)
