import { type SQL, sql } from 'drizzle-orm'
import { appointments } from '#drizzle/schema/appointments.ts'
import { bookings } from '#drizzle/schema/bookings.ts'
import { workflows } from '#drizzle/schema/workflows.ts'
import type { Base } from '#lib/core/context.ts'
import { type Query, queueing, type Slots } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import { insertMessages, type Subject } from './messages.ts'
import type { TRIGGERS } from './schema.ts'

/** What a workflow waits for. */
export type Trigger = (typeof TRIGGERS)[number]

interface Params {
  trigger: Trigger
  ids: readonly number[]
  seat: string | null
  now: string
}

/** A series that is changed at once is told of once; else each change of a row is one. */
const STAMPS: Record<Subject, (p: Slots<Params>) => SQL> = {
  booking: p => sql`${p.trigger}::text || ':' || coalesce(
    'series:' || ${bookings.recurringEventId} || ':' || ${p.now}::text,
    ${bookings.id} || ':' || ${bookings.version})`,
  appointment: p => sql`${p.trigger}::text || ':' || coalesce(
    'series:' || ${appointments.seriesId} || ':' || ${p.now}::text,
    ${appointments.id} || ':' || ${appointments.version})`,
}

const runner = (subject: Subject): Query<Params, unknown> => {
  const table = subject === 'booking' ? bookings : appointments
  return queueing<Params>('messages', p =>
    insertMessages(subject, {
      now: p.now,
      seat: p.seat,
      stamp: STAMPS[subject](p),
      where: sql`${workflows.accountId} = ${p.account} and ${workflows.trigger} = ${p.trigger}::text
        and ${table.accountId} = ${p.account} and ${table.id} = any(${p.ids}::int[])`,
    }),
  )
}

const RUNNERS: Record<Subject, Query<Params, unknown>> = {
  booking: runner('booking'),
  appointment: runner('appointment'),
}

/** What a workflow is told of. */
export interface Cause {
  subject: Subject
  ids: readonly number[]
  /** The seat that it is about, in a booking with seats. */
  seat?: string | undefined
}

/**
 * Queues what workflows send when something happens, in the write that makes it happen: a statement
 * of its own, no trip. Goes after the change, and before a row that it must still find is deleted.
 */
export function runWorkflows(
  write: Write,
  { now }: Base,
  trigger: Trigger,
  { subject, ids, seat }: Cause,
): void {
  write.run(RUNNERS[subject], { trigger, ids, seat: seat ?? null, now: now.toISOString() })
}
