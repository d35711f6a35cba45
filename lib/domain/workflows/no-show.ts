import { sql } from 'drizzle-orm'
import { workflows } from '#drizzle/schema/workflows.ts'
import type { Base } from '#lib/core/context.ts'
import { type Query, queueing } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'
import { instantOf, makingAt, TABLES } from './instants.ts'
import { insertMessages, type Subject } from './messages.ts'
import { type Cause, runWorkflows } from './trigger.ts'

interface Params {
  ids: readonly number[]
  now: string
}

const w = workflows

/** Those whose instant has passed already; the others the clock finds. */
const flagged = (subject: Subject): Query<Params, unknown> => {
  const { accountId, id } = TABLES[subject]
  const instant = instantOf(subject)
  return queueing<Params>('messages', p =>
    insertMessages(
      subject,
      makingAt(
        subject,
        p.now,
        sql`${w.accountId} = ${p.account} and ${accountId} = ${p.account}
          and ${w.trigger} in ('afterHostsCalVideoNoShow', 'afterGuestsCalVideoNoShow')
          and ${id} = any(${p.ids}::int[]) and ${instant} <= ${p.now}::timestamptz
          and ${instant} > ${p.now}::timestamptz - interval '1 day'`,
      ),
    ),
  )
}

const FLAGGED: Record<Subject, Query<Params, unknown>> = {
  booking: flagged('booking'),
  appointment: flagged('appointment'),
}

/**
 * Queues what workflows send when somebody is noted (or noted no more) as not having come, and what
 * they were to send some time after the start, if that has passed.
 */
export function runNoShow(write: Write, base: Base, cause: Cause): void {
  runWorkflows(write, base, 'bookingNoShowUpdated', cause)
  write.run(FLAGGED[cause.subject], { ids: cause.ids, now: base.now.toISOString() })
}
