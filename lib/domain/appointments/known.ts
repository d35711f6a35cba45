import { type SQL, sql } from 'drizzle-orm'
import { appointments } from '#drizzle/schema/appointments.ts'
import { services } from '#drizzle/schema/catalog.ts'
import { customers } from '#drizzle/schema/people.ts'
import { resourceBookings, serviceResources } from '#drizzle/schema/resources.ts'
import { conflict } from '#lib/core/errors.ts'
import { epochMillis, json, jsonArray } from '#lib/db/json.ts'
import { query, type Slots } from '#lib/db/query.ts'
import type { ServiceFacts } from './facts.ts'
import type { Status } from './schema.ts'

/** An appointment as changing it needs to know it. Instants are milliseconds since the epoch. */
export interface Known {
  id: number
  uid: string
  status: Status
  start: number
  end: number
  bufferBefore: number
  bufferAfter: number
  serviceId: number
  /** How its service asks for a deposit. */
  deposit: Pick<ServiceFacts, 'depositType' | 'depositAmount'>
  employeeId: number | null
  locationId: number | null
  customerId: number | null
  customerEmail: string | null
  /** Resources that were asked for beside those of the service. */
  resourceIds: number[]
  sessionId: number | null
  seriesId: number | null
  persons: number
  price: number
  noShow: boolean
  notes: string | null
  internalNotes: string | null
  timeZone: string | null
  cancellationReason: string | null
  version: number
}

const a = appointments

/** From the resources that an appointment has beside those of its service. */
export const fromResourcesBeside = sql`from ${resourceBookings}
  where ${resourceBookings.accountId} = ${a.accountId}
    and ${resourceBookings.source} = 'appointment' and ${resourceBookings.sourceId} = ${a.id}
    and not exists (select from ${serviceResources}
      where ${serviceResources.accountId} = ${a.accountId}
        and ${serviceResources.serviceId} = ${a.serviceId}
        and ${serviceResources.resourceId} = ${resourceBookings.resourceId})`

const fields = json({
  id: a.id,
  uid: a.uid,
  status: a.status,
  start: epochMillis(a.startTime),
  end: epochMillis(a.endTime),
  bufferBefore: a.bufferBefore,
  bufferAfter: a.bufferAfter,
  serviceId: a.serviceId,
  deposit: sql`(select ${json({
    depositType: services.depositType,
    depositAmount: sql`${services.depositAmount}::double precision`,
  })} from ${services} where ${services.accountId} = ${a.accountId}
    and ${services.id} = ${a.serviceId})`,
  employeeId: a.employeeId,
  locationId: a.locationId,
  customerId: a.customerId,
  customerEmail: sql`(select ${customers.email} from ${customers}
    where ${customers.accountId} = ${a.accountId} and ${customers.id} = ${a.customerId})`,
  resourceIds: jsonArray(resourceBookings.resourceId, fromResourcesBeside),
  sessionId: a.sessionId,
  seriesId: a.seriesId,
  persons: a.persons,
  price: a.price,
  noShow: a.noShow,
  notes: a.notes,
  internalNotes: a.internalNotes,
  timeZone: a.timeZone,
  cancellationReason: a.cancellationReason,
  version: a.version,
})

/** An appointment that is not hidden. */
export const selectKnown = (p: Slots<{ id: number }>): SQL =>
  sql`select ${fields} from ${a} where ${a.accountId} = ${p.account}
    and ${a.id} = ${p.id}::int and ${a.hiddenAt} is null`

/** An appointment that is not hidden. */
export const known = query<{ id: number }, Known | null>(selectKnown)

/** Some appointments, in the order of their ids. */
export const knownOf = query<{ ids: readonly number[] }, Known[]>(
  p =>
    sql`select ${jsonArray(
      fields,
      sql`from ${a} where ${a.accountId} = ${p.account} and ${a.id} = any(${p.ids}::int[])
      and ${a.hiddenAt} is null order by ${a.id}`,
    )}`,
)

/** The pending and approved seats of a session, which canceling the session cancels. */
export const liveSeats = query<{ sessionId: number }, Known[]>(
  p =>
    sql`select ${jsonArray(
      fields,
      sql`from ${a} where ${a.accountId} = ${p.account} and ${a.sessionId} = ${p.sessionId}::int
      and ${a.status} in ('pending', 'approved') order by ${a.id}`,
    )}`,
)

/** What of a series still waits to be confirmed. */
export const pendingOfSeries = query<{ seriesId: number }, Known[]>(
  p =>
    sql`select ${jsonArray(
      fields,
      sql`from ${a} where ${a.accountId} = ${p.account} and ${a.seriesId} = ${p.seriesId}::int
      and ${a.status} = 'pending' order by ${a.id}`,
    )}`,
)

const MOVES: Record<Status, readonly Status[]> = {
  pending: ['approved', 'canceled'],
  approved: ['completed', 'canceled'],
  canceled: [],
  completed: [],
}

/** 409 unless the status may become the other; final ones become nothing, not even themselves. */
export function requireMove(from: Status, to: Status, startsAt: number, now: Date): void {
  const stays = from === to && MOVES[from].length > 0
  if (!stays && !MOVES[from].includes(to))
    conflict(`The appointment is ${from} and cannot become ${to}`, [
      { field: 'status', message: `cannot go from "${from}" to "${to}"` },
    ])
  requireStarted(to, startsAt, now)
}

/** 409 for what is to be completed and starts in the future. */
export function requireStarted(status: Status, startsAt: number, now: Date): void {
  if (status === 'completed' && startsAt > now.getTime())
    conflict('An appointment cannot be completed before it starts', [
      { field: 'status', message: 'cannot be "completed" before startTime' },
    ])
}
