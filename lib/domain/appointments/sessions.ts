import { sql } from 'drizzle-orm'
import { groupSessions, occupancies } from '#drizzle/schema/appointments.ts'
import { resourceBookings } from '#drizzle/schema/resources.ts'
import { query } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import { blockedRange, blockTime } from '../occupancies/writes.ts'
import type { ResourceUse } from '../resources/writes.ts'
import type { Draft } from './draft.ts'

interface Seats {
  id: number
  persons: number
  capacity: number
  end: string
  empty: boolean
}

/**
 * Locks the session and takes seats. Fails when they are gone, when it was empty and is not (or the
 * other way round), and when it ends at another time than was read. The first seat sets the end.
 */
const takeSeats = query<Seats, unknown>(
  p => sql`with taken as (
    update ${groupSessions} set taken = taken + ${p.persons}::int, capacity = ${p.capacity}::int,
      end_time = ${p.end}::timestamptz
    where ${groupSessions.accountId} = ${p.account} and ${groupSessions.id} = ${p.id}::int
      and taken + ${p.persons}::int <= ${p.capacity}::int and (taken = 0) = ${p.empty}::boolean
      and (taken = 0 or end_time = ${p.end}::timestamptz)
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

/**
 * Gives seats back; a session without any frees its employee and its resources. Whoever changes
 * seats as well does this first: everybody locks the session before its seats.
 */
export function leaveSession(write: Write, id: number, persons: number): void {
  write.run(giveSeats, { id, persons })
  write.run(closeEmptySession, { id })
}

/**
 * Takes the seats of a draft. The first to come takes the employee's time, and the resources that
 * the service needs; what a seat asks for beside is its own.
 * @returns the resources to book
 */
export function joinSession(write: Write, now: Date, draft: Draft): ResourceUse[] {
  const { session, service, persons, employee, needs } = draft
  const [first] = draft.occurrences
  if (!session || !first) return []
  const { start, end } = first
  const { id } = session
  const capacity = service.maxCapacity
  const empty = session.taken === 0
  const place = { employeeId: employee?.id ?? null, locationId: draft.locationId }
  const times = { startTime: start.toISOString(), endTime: end.toISOString() }
  if (session.isNew)
    write.insert(groupSessions, {
      id,
      serviceId: service.id,
      ...place,
      ...times,
      capacity,
      taken: persons,
    })
  else write.run(takeSeats, { id, persons, capacity, end: times.endTime, empty })
  if (empty && employee)
    blockTime(write, now, [
      { personId: employee.personId, source: 'session', id, ...blockedRange(start, end, service) },
    ])
  const shared = empty ? needs.filter(n => n.ofService) : []
  const own = needs.filter(n => !n.ofService)
  return [
    { source: 'session', sourceId: id, start, end, needs: shared },
    { source: 'appointment', sourceId: first.id, start, end, needs: own },
  ]
}
