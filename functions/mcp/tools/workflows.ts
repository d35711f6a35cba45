import { ById, id } from '#lib/core/schemas.ts'
import {
  createWorkflow,
  deleteWorkflow,
  findWorkflow,
  listWorkflows,
  updateWorkflow,
} from '#lib/domain/workflows/operations.ts'
import { NewWorkflow, WorkflowChange, WorkflowFilter } from '#lib/domain/workflows/schema.ts'
import { DELETED } from '#lib/mcp/output.ts'
import { creates, deletes, reads, type Tools, updates } from '#lib/mcp/tool.ts'
import { ANSWER } from '../answers.ts'

/** Messages that are sent before, at or after what happens to bookings. */
export const tools: Tools = {
  list_workflows: reads(
    'List workflows: messages that go out before, at or after what happens to bookings.',
    WorkflowFilter,
    listWorkflows,
    ANSWER.workflows,
  ),
  get_workflow: reads('Read one workflow with its steps.', ById, findWorkflow, ANSWER.workflow),
  create_workflow: creates(
    'Make a workflow: what it waits for (trigger) and which messages it sends (steps).',
    NewWorkflow,
    createWorkflow,
    ANSWER.workflow,
  ),
  update_workflow: updates(
    'Change a workflow; what is left out stays, steps replaces all of them.',
    WorkflowChange.safeExtend({ id }),
    updateWorkflow,
    ANSWER.workflow,
  ),
  delete_workflow: deletes('Delete a workflow.', ById, deleteWorkflow, DELETED),
}
