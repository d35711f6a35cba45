import { type SQL, sql } from 'drizzle-orm'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import { workflowEventTypes, workflowSteps, workflows } from '#drizzle/schema/workflows.ts'

const e = eventTypes
const w = workflows
const s = workflowSteps
const x = workflowEventTypes

/**
 * Whether who books the event type of a row of `event_types` has to give a telephone number: a workflow
 * that is active on it writes to them there, and says so (`phoneRequired`).
 */
export const requiresNumber = (): SQL => sql`exists (
  select from ${s} join ${w} on ${w.accountId} = ${s.accountId} and ${w.id} = ${s.workflowId}
  where ${s.accountId} = ${e.accountId} and ${s.phoneRequired}
    and ${s.action} in ('sms_attendee', 'whatsapp_attendee') and ${w.active}
    and (${w.onAllEventTypes} or exists (select from ${x} where ${x.accountId} = ${e.accountId}
      and ${x.workflowId} = ${w.id} and ${x.eventTypeId} = ${e.id})))`
