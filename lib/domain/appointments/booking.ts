import { appointmentSeries, appointments } from '#drizzle/schema/appointments.ts'
import type { Base } from '#lib/core/context.ts'
import { newUid } from '#lib/core/text.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import type { Write } from '#lib/db/write.ts'
import { queueMessage } from '../messaging/queue.ts'
import type { AppointmentKind } from '../messaging/schema.ts'
import { blockedRange, blockTime } from '../occupancies/writes.ts'
import { bookResources, type ResourceUse } from '../resources/writes.ts'
import { runWorkflows } from '../workflows/trigger.ts'
import type { Draft, Occurrence } from './draft.ts'
import { depositOn } from './price.ts'
import { emitAppointmentEvents } from './record.ts'
import { isLive } from './schema.ts'
import { joinSession } from './sessions.ts'
import { countBookings, noteBooked } from './totals.ts'

/**
 * Takes the employee's time for every occurrence of a draft that is not a seat.
 * @returns the resources to book
 */
function takeTime(write: Write, now: Date, draft: Draft): ResourceUse[] {
  const { employee, occurrences, service, needs } = draft
  const source = 'appointment' as const
  if (employee) {
    const { personId } = employee
    const blockOf = ({ id, start, end }: (typeof occurrences)[number]) => ({
      ...{ personId, source, id },
      ...blockedRange(start, end, service),
    })
    blockTime(write, now, occurrences.map(blockOf))
  }
  return occurrences.map(({ id, start, end }) => ({ source, sourceId: id, start, end, needs }))
}

/**
 * Everything that makes a draft an appointment (or a series), with its event and the message to the
 * customer, added to a write.
 */
export function addDraft(write: Write, base: Base, draft: Draft): void {
  const { now } = base
  const live = isLive(draft.status)
  if (live) bookResources(write, (draft.session ? joinSession : takeTime)(write, now, draft))
  const { series, occurrences, customer, employee } = draft
  if (series) write.insert(appointmentSeries, { ...series, createdAt: now.toISOString() })
  write.insert(
    appointments,
    occurrences.map(occurrence => rowOf(draft, occurrence, base)),
  )
  if (customer && draft.status !== 'canceled')
    countBookings(write, now, [{ id: customer.id, by: occurrences.length }])
  if (employee && live) noteBooked(write, now, employee.id)
  const ids = occurrences.map(o => o.id)
  const type = 'SERVICE_BOOKING_CREATED'
  write.run(emitAppointmentEvents, { ids, type, previous: null, now: now.toISOString() })
  const kind = draft.status === 'pending' ? 'booking_request' : 'booking_confirmation'
  if (!live) return
  tellCustomer(write, base, kind, draft)
  const trigger = draft.status === 'pending' ? 'bookingRequested' : 'newEvent'
  runWorkflows(write, base, trigger, { subject: 'appointment', ids })
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
    isGroupBooking: draft.isGroup,
    persons: draft.persons,
    source: base.via,
    createdAt: at,
    updatedAt: at,
  }
}

/** One e-mail for a booking, also for a series; nobody is told of what is over. */
function tellCustomer(write: Write, base: Base, kind: AppointmentKind, draft: Draft): void {
  const [first] = draft.occurrences
  const recipient = draft.customer?.email
  if (!recipient || !first) return
  const { series } = draft
  queueMessage(write, base.now, {
    kind,
    recipient,
    subject: 'appointment',
    subjectId: first.id,
    dedupe: `${kind}:${first.id}:0`,
    ...(series ? { data: { seriesId: series.id } } : {}),
  })
}

/** The tenant's write of a booking. */
export const bookingWrite = (tenant: Tenant, draft: Draft): Write =>
  tenant.write('appointment.create', draft.occurrences[0]?.id)
