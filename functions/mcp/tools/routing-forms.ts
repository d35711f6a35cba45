import { ById } from '#lib/core/schemas.ts'
import {
  findRoutingForm,
  listFormResponses,
  listRoutingForms,
} from '#lib/domain/routing-forms/operations.ts'
import { ResponseFilter, RoutingFormFilter } from '#lib/domain/routing-forms/schema.ts'
import { reads, type Tools } from '#lib/mcp/tool.ts'
import { ANSWER } from '../answers.ts'

/** Forms that lead who answers them to the right event type. */
export const tools: Tools = {
  list_routing_forms: reads(
    'List routing forms: questions whose answers lead to the right event type.',
    RoutingFormFilter,
    listRoutingForms,
    ANSWER.forms,
  ),
  get_routing_form: reads(
    'Read one routing form with its questions and routes.',
    ById,
    findRoutingForm,
    ANSWER.form,
  ),
  list_routing_form_responses: reads(
    'List what was answered to a routing form, the newest first.',
    ResponseFilter,
    listFormResponses,
    ANSWER.responses,
  ),
}
