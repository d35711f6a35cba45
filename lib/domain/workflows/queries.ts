import { sql } from 'drizzle-orm'
import { workflowEventTypes, workflowSteps, workflows } from '#drizzle/schema/workflows.ts'
import { json, jsonArray } from '#lib/db/json.ts'
import type { ListSpec } from '#lib/db/list.ts'
import { bare, into, query } from '#lib/db/query.ts'
import { ownedBy } from '#lib/domain/teams/reach.ts'
import type { Workflow } from './schema.ts'

const w = workflows
const s = workflowSteps
const link = workflowEventTypes

/** The id of the workflow that this batch just inserted. */
export const newestWorkflow = sql.raw(`currval('workflows_id_seq')::int`)

const steps = jsonArray(
  json({
    id: s.id,
    stepNumber: s.stepNumber,
    action: s.action,
    recipient: s.recipient,
    template: s.template,
    sender: s.sender,
    message: json({
      subject: s.subject,
      html: sql`case when ${s.isHtml} then ${s.body} end`,
      text: sql`case when not ${s.isHtml} then ${s.body} end`,
    }),
    includeCalendarEvent: s.includeCalendarEvent,
    phone: sql`case when ${s.action} <> 'email_address' then ${s.recipient} end`,
    phoneRequired: s.phoneRequired,
  }),
  sql`from ${s} where ${s.accountId} = ${w.accountId} and ${s.workflowId} = ${w.id}
    order by ${s.stepNumber}`,
)

/** The offset in the unit in which it was said. */
const offset = sql`case when ${w.offsetMinutes} is not null then ${json({
  value: sql`${w.offsetMinutes} / case ${w.offsetUnit} when 'day' then 1440 when 'hour' then 60
    else 1 end`,
  unit: sql`coalesce(${w.offsetUnit}, 'minute')`,
})} end`

const record = json<Workflow>({
  id: w.id,
  userId: w.userId,
  name: w.name,
  active: w.active,
  activation: json({
    isActiveOnAllEventTypes: w.onAllEventTypes,
    activeOnEventTypeIds: jsonArray(
      link.eventTypeId,
      sql`from ${link} where ${link.accountId} = ${w.accountId}
        and ${link.workflowId} = ${w.id} order by 1`,
    ),
    isActiveOnAppointments: w.onAppointments,
  }),
  trigger: json({ type: w.trigger, offset }),
  steps,
  createdAt: w.createdAt,
  updatedAt: w.updatedAt,
})

/** How workflows are listed; `own` leaves those of others out. */
export const workflowList: ListSpec = {
  table: w,
  record,
  orders: { name: { by: sql`lower(${w.name})`, type: 'text' } },
  filters: {
    own: given => ownedBy(w, sql`${given.own}`),
    active: given => sql`${w.active} = ${given.active}::boolean`,
  },
  search: sql`${w.name}`,
}

interface Which {
  id: number
  own: number | null
}

/** One workflow; null unless it is the user's or `own` is null. */
export const workflowRecord = query<Which, Workflow>(
  p => sql`select ${record} from ${w} where ${w.accountId} = ${p.account} and ${w.id} = ${p.id}::int
    and ${ownedBy(w, p.own)}`,
)

/** The workflow that this batch just inserted. */
export const newWorkflowRecord = query<object, Workflow>(
  p => sql`select ${record} from ${w} where ${w.accountId} = ${p.account}
    and ${w.id} = ${newestWorkflow}`,
)

/** What a change of a workflow has to know of it. */
export interface KnownWorkflow {
  active: boolean
  trigger: string
  offsetMinutes: number | null
  stepIds: number[]
}

/** A workflow that is to be changed; null unless the user may. */
export const knownWorkflow = query<Which, KnownWorkflow | null>(
  p => sql`select ${json({
    active: w.active,
    trigger: w.trigger,
    offsetMinutes: w.offsetMinutes,
    stepIds: jsonArray(
      s.id,
      sql`from ${s} where ${s.accountId} = ${p.account} and ${s.workflowId} = ${w.id}`,
    ),
  })} from ${w} where ${w.accountId} = ${p.account} and ${w.id} = ${p.id}::int
    and ${ownedBy(w, p.own)}`,
)

/** Removes the steps of a workflow that are not kept. */
export const dropSteps = query<{ id: number; kept: readonly number[] }, unknown>(
  p => sql`delete from ${s} where ${s.accountId} = ${p.account} and ${s.workflowId} = ${p.id}::int
    and ${s.id} <> all(${p.kept}::int[])`,
)

const columns = [
  s.stepNumber,
  s.action,
  s.recipient,
  s.template,
  s.sender,
  s.subject,
  s.body,
  s.isHtml,
  s.includeCalendarEvent,
  s.phoneRequired,
]

/** Writes steps: those with an id take the place of the step that has it. */
export const putSteps = query<{ id: number | null; steps: string }, unknown>(
  p => sql`insert into ${into(s, s.id, s.workflowId, ...columns)}
    select ${p.account}::int, coalesce(r.id, nextval('workflow_steps_id_seq')::int),
      coalesce(${p.id}::int, ${newestWorkflow}), r."stepNumber", r.action, r.recipient, r.template,
      r.sender, r.subject, r.body, r."isHtml", r."includeCalendarEvent", r."phoneRequired"
    from jsonb_to_recordset(${p.steps}::jsonb) as r(id int, "stepNumber" smallint, action text,
      recipient text, template text, sender text, subject text, body text, "isHtml" boolean,
      "includeCalendarEvent" boolean, "phoneRequired" boolean)
    order by r."stepNumber"
    on conflict (account_id, id) do update set ${sql.join(
      columns.map(column => sql`${bare(column)} = excluded.${bare(column)}`),
      sql`, `,
    )}`,
)
