import { sql } from 'drizzle-orm'
import { appointments } from '#drizzle/schema/appointments.ts'
import { unless } from '#lib/core/differing.ts'
import { json } from '#lib/db/json.ts'
import type { Slots } from '#lib/db/query.ts'
import type { Known } from './known.ts'
import { attendees, resourceIds } from './record.ts'
import type { AppointmentChange } from './schema.ts'

type Attendees = NonNullable<AppointmentChange['attendees']>

/** What an appointment is answered with that its row does not have by itself. */
export interface Answered {
  attendees: Attendees
  resourceIds: number[]
}

const a = appointments

/** What of an appointment is answered beside its row. */
export const selectAnswered = (p: Slots<{ id: number }>) =>
  sql`select ${json({ attendees, resourceIds })} from ${a}
    where ${a.accountId} = ${p.account} and ${a.id} = ${p.id}::int`

/**
 * What of a change changes something. An appointment may be sent back as it was read: what it names
 * may have been deleted since, or be its session's, and none of that is asked for anew. A status is
 * sent back where `version` says what was read; without one it is a wish, also for what is so already.
 */
export function differing(
  change: AppointmentChange,
  was: Known,
  answered: Answered | undefined,
): AppointmentChange {
  const { startTime, endTime, version, status } = change
  const starts = startTime === undefined || startTime.getTime() === was.start
  const ends = endTime === undefined || endTime.getTime() === was.end
  return {
    ...change,
    // An end that stays is said for a start that moves: without it, it would move along.
    ...(starts ? { startTime: undefined, ...(ends ? { endTime: undefined } : {}) } : {}),
    status: version !== undefined && status === was.status ? undefined : status,
    serviceId: unless(was.serviceId, change.serviceId),
    employeeId: unless(was.employeeId, change.employeeId),
    locationId: unless(was.locationId, change.locationId),
    customerId: unless(was.customerId, change.customerId),
    price: unless(was.price, change.price),
    noShow: unless(was.noShow, change.noShow),
    notes: unless(was.notes, change.notes),
    internalNotes: unless(was.internalNotes, change.internalNotes),
    timeZone: unless(was.timeZone, change.timeZone),
    cancellationReason: unless(was.cancellationReason, change.cancellationReason),
    attendees: answered && unlike(answered.attendees, change.attendees, identity),
    resourceIds: answered && unlike(answered.resourceIds, change.resourceIds, String),
  }
}

/** A list, unless it has what is there already, in whatever order. */
function unlike<T>(
  is: readonly T[],
  wanted: T[] | undefined,
  key: (item: T) => string,
): T[] | undefined {
  const keys = (list: readonly T[]) => JSON.stringify(list.map(key).sort())
  return wanted && keys(wanted) !== keys(is) ? wanted : undefined
}

const identity = ({ name, email, phone, customerId, persons }: Attendees[number]): string =>
  JSON.stringify([name, email ?? null, phone ?? null, customerId ?? null, persons ?? 1])
