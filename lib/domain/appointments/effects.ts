import { sql } from 'drizzle-orm'
import { appointments } from '#drizzle/schema/appointments.ts'
import type { Base } from '#lib/core/context.ts'
import { query } from '#lib/db/query.ts'
import type { Change, Write } from '#lib/db/write.ts'
import type { EventType } from '#lib/events/catalog.ts'
import { freeTime } from '../occupancies/writes.ts'
import { freeResources } from '../resources/writes.ts'
import { runWorkflows, type Trigger } from '../workflows/trigger.ts'
import type { Known } from './known.ts'
import { emitAppointmentEvents } from './record.ts'
import { isLive, type Status } from './schema.ts'
import { leaveSession } from './sessions.ts'
import { countBookings } from './totals.ts'

/** Somebody changed the row between our reading and our writing: read it again. */
export const CHANGED: ReadonlySet<string> = new Set(['appointments_changed'])

/** The row's own columns, guarded by the version that was read. */
export function changeRow(
  write: Write,
  m: Base,
  was: Known,
  change: Change<typeof appointments>,
): void {
  const next = { ...change, version: was.version + 1, updatedAt: m.now.toISOString() }
  write.change(appointments, was.id, next, 'appointments_changed', { version: was.version })
}

interface StatusChange {
  status: Status
  reason: string | null
  by: string | null
  now: string
  ids: readonly number[]
  versions: readonly number[]
  sessionId: number | null
}

const changeLive = query<StatusChange, unknown>(
  p => sql`with changed as (
    update ${appointments} set status = ${p.status}, version = version + 1,
      cancellation_reason = ${p.reason}::text, cancelled_by = ${p.by}::text,
      updated_at = ${p.now}::timestamptz
    where ${appointments.accountId} = ${p.account}
      and ${appointments.status} in ('pending', 'approved')
      and (${appointments.id} = any(${p.ids}::int[])
        or ${appointments.sessionId} = ${p.sessionId}::int)
    returning id, version - 1 as version
  ) select must((select array_agg(id order by id) from changed) = ${p.ids}::int[]
    and (select array_agg(version order by id) from changed) = ${p.versions}::int[],
    'appointments_changed')`,
)

/**
 * Gives several live appointments (in the order of their ids) one status. Fails with
 * `appointments_changed` when one is not as it was read, or when a live seat of `sessionId` is not
 * among them.
 */
export function changeStatuses(
  write: Write,
  m: Base,
  all: readonly Known[],
  change: { status: Status; reason?: string | null; by?: string; sessionId?: number },
): void {
  write.run(changeLive, {
    status: change.status,
    reason: change.reason ?? null,
    by: change.by ?? null,
    sessionId: change.sessionId ?? null,
    now: m.now.toISOString(),
    ids: all.map(k => k.id),
    versions: all.map(k => k.version),
  })
  countBookings(
    write,
    m.now,
    change.status === 'canceled'
      ? all.flatMap(k => (k.customerId === null ? [] : [{ id: k.customerId, by: -1 }]))
      : [],
  )
  for (const previous of new Set(all.map(k => k.status))) {
    const ids = all.filter(k => k.status === previous).map(k => k.id)
    emit(write, m, ids, previous, change.status)
  }
}

/**
 * Changes the row of an appointment and gives back what it took if it is live no longer. A seat that
 * was used stays taken. The session is locked before the row, the row before its time.
 */
export function changeAndRelease(
  write: Write,
  m: Base,
  was: Known,
  change: Change<typeof appointments> & { status: Status },
): void {
  const ends = isLive(was.status) && !isLive(change.status)
  if (ends && was.sessionId !== null && change.status === 'canceled')
    leaveSession(write, was.sessionId, was.persons)
  changeRow(write, m, was, change)
  if (!ends) return
  if (was.sessionId === null) freeTime(write, 'appointment', [was.id])
  freeResources(write, 'appointment', [was.id])
}

/** A customer's bookings are those that are not canceled. */
export function countCustomers(
  write: Write,
  m: Base,
  was: Known,
  customerId: number | null | undefined,
  status: Status,
): void {
  const now = customerId === undefined ? was.customerId : customerId
  const countedBefore = was.status === 'canceled' ? null : was.customerId
  const countedNow = status === 'canceled' ? null : now
  countBookings(write, m.now, [
    ...(countedBefore === null ? [] : [{ id: countedBefore, by: -1 }]),
    ...(countedNow === null ? [] : [{ id: countedNow, by: 1 }]),
  ])
}

const EVENT: Partial<Record<Status, EventType>> = {
  canceled: 'SERVICE_BOOKING_CANCELLED',
  completed: 'SERVICE_BOOKING_COMPLETED',
}

/** Which workflows a new status sets off. */
const TRIGGERS: Partial<Record<Status, Trigger>> = {
  approved: 'newEvent',
  canceled: 'eventCancelled',
}

/**
 * One event for each of some appointments that went from one status to another, or stayed, and what
 * workflows make of that.
 */
export function emit(
  write: Write,
  m: Base,
  ids: readonly number[],
  previous: Status,
  status: Status,
): void {
  const type = (status !== previous && EVENT[status]) || 'SERVICE_BOOKING_UPDATED'
  write.run(emitAppointmentEvents, { ids, type, previous, now: m.now.toISOString() })
  const trigger = status === previous ? undefined : TRIGGERS[status]
  if (trigger) runWorkflows(write, m, trigger, { subject: 'appointment', ids })
}
