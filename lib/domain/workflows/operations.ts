import { workflowEventTypes, workflows } from '#drizzle/schema/workflows.ts'
import { type Member, requirePermission } from '#lib/core/context.ts'
import { removal } from '#lib/core/crud.ts'
import { notFound } from '#lib/core/errors.ts'
import { type Deleted, existing, type Json, type Page } from '#lib/core/json.ts'
import { setLinks } from '#lib/db/links.ts'
import { lister } from '#lib/db/list.ts'
import type { Write } from '#lib/db/write.ts'
import { guardEventTypes } from '#lib/domain/event-types/writes.ts'
import { ownFilter, ownUser } from '#lib/domain/teams/reach.ts'
import {
  dropSteps,
  type KnownWorkflow,
  knownWorkflow,
  newestWorkflow,
  newWorkflowRecord,
  putSteps,
  workflowList,
  workflowRecord,
} from './queries.ts'
import {
  MINUTES_OF,
  type NewWorkflow,
  recipientOf,
  type Step,
  type Workflow,
  type WorkflowChange,
  type WorkflowFilter,
} from './schema.ts'

const page = lister<Workflow>(workflowList)

/** The workflows that a member sees: everybody's, or their own. */
export const listWorkflows = async (m: Member, filter: WorkflowFilter): Promise<Page<Workflow>> =>
  page(m.tenant, { ...filter, own: ownFilter(m) })

/**
 * One workflow.
 * @throws NOT_FOUND when it does not exist, or the member does not see it
 */
export async function findWorkflow(m: Member, { id }: { id: number }): Promise<Json<Workflow>> {
  const record = await m.tenant.text(workflowRecord, { id, own: ownUser(m, 'calendar.read') })
  return existing(record, 'Workflow')
}

/** The columns of a workflow out of what is said of it; what is left out is undefined. */
function columnsOf({ name, active, trigger, activation }: WorkflowChange) {
  const offset = trigger?.offset
  return {
    name,
    active,
    trigger: trigger?.type,
    ...(trigger && {
      offsetMinutes: offset ? offset.value * MINUTES_OF[offset.unit] : null,
      offsetUnit: offset?.unit ?? null,
    }),
    onAllEventTypes: activation?.isActiveOnAllEventTypes,
    onAppointments: activation?.isActiveOnAppointments,
  }
}

/** What concerns the whole business is for those who may change everybody's calendar. */
function requireReach(m: Member, { activation }: WorkflowChange): void {
  if (activation?.isActiveOnAllEventTypes || activation?.isActiveOnAppointments)
    requirePermission(m, 'calendar.write')
}

/** Makes `ids` the event types that a workflow is active on; `id` null means the newest. */
function setEventTypes(
  m: Member,
  write: Write,
  id: number | null,
  { activation }: WorkflowChange,
): void {
  const ids = activation?.activeOnEventTypeIds
  if (!ids) return
  guardEventTypes(write, ids, ownUser(m, 'calendar.write'))
  const { workflowId: owner, eventTypeId: other } = workflowEventTypes
  const links = { table: workflowEventTypes, owner, other }
  setLinks(write, links, id ?? undefined, newestWorkflow, ids)
}

/** The rows of steps, in their order; ids that are not `known` are given anew. */
function rowsOf(steps: readonly Step[], known: readonly number[]) {
  const free = new Set(known)
  return steps.map((step, at) => {
    const { message = {} } = step
    return {
      id: step.id !== undefined && free.delete(step.id) ? step.id : null,
      stepNumber: at + 1,
      action: step.action,
      recipient: recipientOf(step),
      template: step.template,
      sender: step.sender ?? null,
      subject: message.subject ?? null,
      body: message.html ?? message.text ?? null,
      isHtml: Boolean(message.html),
      includeCalendarEvent: step.includeCalendarEvent ?? false,
      phoneRequired: step.phoneRequired ?? false,
    }
  })
}

/**
 * Makes a workflow of the member's.
 * @throws NOT_FOUND for an event type that does not exist or is not the member's to change;
 * FORBIDDEN for one that concerns the whole business, without `calendar.write`
 */
export async function createWorkflow(m: Member, input: NewWorkflow): Promise<Json<Workflow>> {
  requirePermission(m, 'calendar.own')
  requireReach(m, input)
  const { name, trigger } = input
  const at = m.now.toISOString()
  const write = m.tenant.write('workflow.create')
  const own = { userId: m.userId, name, trigger: trigger.type }
  write.insert(workflows, {
    ...columnsOf(input),
    ...own,
    since: at,
    createdAt: at,
    updatedAt: at,
  })
  write.run(putSteps, { id: null, steps: JSON.stringify(rowsOf(input.steps, [])) })
  setEventTypes(m, write, null, input)
  return write.commit(write.answer(newWorkflowRecord, {}))
}

/** Whether a change gives a workflow other instants than it had: those before it are not made up. */
const beginsAnew = (was: KnownWorkflow, next: ReturnType<typeof columnsOf>): boolean =>
  (next.active === true && !was.active) ||
  (next.trigger !== undefined &&
    (next.trigger !== was.trigger || next.offsetMinutes !== was.offsetMinutes))

/**
 * Changes a workflow; what is left out stays. `steps` replaces them: those that are given with their
 * id stay the same step.
 */
export async function updateWorkflow(
  m: Member,
  { id, ...input }: WorkflowChange & { id: number },
): Promise<Json<Workflow>> {
  const own = ownUser(m, 'calendar.write')
  const was = (await m.tenant.read(knownWorkflow, { id, own })) ?? notFound('Workflow')
  requireReach(m, input)
  const write = m.tenant.write('workflow.update', id)
  const now = m.now.toISOString()
  const columns = columnsOf(input)
  const change = { ...columns, ...(beginsAnew(was, columns) ? { since: now } : {}), updatedAt: now }
  write.change(workflows, id, change, 'workflows_gone')
  if (input.steps) {
    const rows = rowsOf(input.steps, was.stepIds)
    write.run(dropSteps, { id, kept: rows.flatMap(row => row.id ?? []) })
    write.run(putSteps, { id, steps: JSON.stringify(rows) })
  }
  setEventTypes(m, write, id, input)
  return write.commit(write.answer(workflowRecord, { id, own: null }))
}

/** Deletes a workflow; what it has queued and not sent is skipped. */
export async function deleteWorkflow(m: Member, { id }: { id: number }): Promise<Deleted> {
  const own = ownUser(m, 'calendar.write')
  if (!(await m.tenant.read(knownWorkflow, { id, own }))) notFound('Workflow')
  const write = m.tenant.write('workflow.delete', id)
  write.run(removal(workflows), { id })
  return write.commit({ id, deleted: true })
}
