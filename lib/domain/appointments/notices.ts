import type { Base } from '#lib/core/context.ts'
import type { Write } from '#lib/db/write.ts'
import { queueMessage, queueMessages } from '../messaging/queue.ts'
import type { AppointmentData, AppointmentKind } from '../messaging/schema.ts'
import { runWorkflows } from '../workflows/trigger.ts'
import type { Known } from './known.ts'
import { isLive, type Status } from './schema.ts'

/** What an appointment has become, as far as its customer hears of it. */
interface Outcome {
  status: Status
  startTime?: string
  endTime?: string
}

/**
 * Tells the customer of a new time, an approval or a cancellation; other changes are not theirs. A
 * new time sets off workflows.
 * @param recipient the e-mail address of whoever the customer is now
 */
export function tellChange(
  write: Write,
  m: Base,
  was: Known,
  next: Outcome,
  recipient: string | null,
): void {
  const [start, end] = [new Date(was.start).toISOString(), new Date(was.end).toISOString()]
  const timeChanged =
    (next.startTime ?? start) !== start || (next.endTime !== undefined && next.endTime !== end)
  if (timeChanged && was.status === next.status && isLive(next.status))
    runWorkflows(write, m, 'rescheduleEvent', { subject: 'appointment', ids: [was.id] })
  const kind = kindOf(was.status, next.status, timeChanged)
  if (!recipient || !kind) return
  const data: AppointmentData = timeChanged
    ? { previousStartTime: start, previousEndTime: end }
    : {}
  queueMessage(write, m.now, {
    kind,
    recipient,
    subject: 'appointment',
    subjectId: was.id,
    dedupe: key(kind, was),
    data,
  })
}

const key = (kind: AppointmentKind, was: Known): string => `${kind}:${was.id}:${was.version + 1}`

function kindOf(from: Status, to: Status, timeChanged: boolean): AppointmentKind | undefined {
  if (to === 'canceled' && from !== 'canceled') return 'booking_cancelled'
  if (from === 'pending' && to === 'approved') return 'booking_confirmation'
  return timeChanged && isLive(to) ? 'booking_changed' : undefined
}

/** Tells every seat's customer that the session is canceled. */
export function tellCanceled(write: Write, m: Base, seats: readonly Known[]): void {
  const kind = 'booking_cancelled'
  const messages = seats.flatMap(was =>
    was.customerEmail
      ? [
          {
            kind,
            recipient: was.customerEmail,
            subject: 'appointment',
            subjectId: was.id,
            dedupe: key(kind, was),
          } as const,
        ]
      : [],
  )
  queueMessages(write, m.now, messages)
}

/**
 * One e-mail for an appointment, or for the series that it belongs to.
 * @param ids the dates of the series that it tells of; all where nothing is said
 */
export function tellOnce(
  write: Write,
  m: Base,
  kind: AppointmentKind,
  was: Known,
  ids?: readonly number[],
): void {
  if (!was.customerEmail) return
  queueMessage(write, m.now, {
    kind,
    recipient: was.customerEmail,
    subject: 'appointment',
    subjectId: was.id,
    dedupe: key(kind, was),
    ...(was.seriesId === null ? {} : { data: { seriesId: was.seriesId, ...(ids && { ids }) } }),
  })
}
