import { routingFormResponses } from '#drizzle/schema/calendar.ts'
import type { Visitor } from '#lib/core/context.ts'
import { enterBy } from '#lib/core/enter.ts'
import { invalid, notFound } from '#lib/core/errors.ts'
import { newUid } from '#lib/core/text.ts'
import { formByAddress, formById, formResponseByUid } from '#lib/db/entrances.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import type { FormPayload } from '#lib/events/catalog.ts'
import { checkAnswers } from './answers.ts'
import { emitSubmission, type OpenForm, openForm, responseFacts } from './queries.ts'
import { type AnswerValue, matches } from './rules.ts'
import type { FormRoute, RouteAction, Submission } from './schema.ts'

/** Which form is meant: by its id, or by its address. */
export type FormAddress = { formId: number } | { subdomain: string; slug: string }

/** What is said where no route matches and there is no fallback. */
const THANKS: RouteAction = {
  type: 'customPageMessage',
  value: 'Thank you. We have received your answers.',
  eventTypeId: null,
}

/** Where an answered form leads. Addresses of our own pages begin with the deployment's own. */
export interface Outcome {
  responseUid: string
  action: RouteAction
}

async function open(v: Visitor, address: FormAddress): Promise<{ tenant: Tenant; form: OpenForm }> {
  const { tenant, id } = await ('formId' in address
    ? enterBy(v, formById, address, 'Form')
    : enterBy(v, formByAddress, address, 'Form'))
  return { tenant, form: (await tenant.read(openForm, { id })) ?? notFound('Form') }
}

/**
 * A form as it is shown to who fills it in.
 * @throws NOT_FOUND when it does not exist or is disabled
 */
export async function findOpenForm(v: Visitor, address: FormAddress): Promise<OpenForm> {
  return (await open(v, address)).form
}

/** Whether a route leads anywhere: an event type, or all who hosted it, may be gone. */
const isOpen = (form: OpenForm, { action }: FormRoute): boolean =>
  action.type !== 'eventTypeRedirectUrl' || form.eventTypes.some(e => e.id === action.eventTypeId)

/** The first route whose rule the answers fulfil; the fallback stands last. */
function chooseRoute(
  form: OpenForm,
  answers: ReadonlyMap<string, AnswerValue>,
): FormRoute | undefined {
  const answerTo = (name: string) => {
    const field = form.fields.find(f => f.id === name || f.identifier === name)
    return field && answers.get(field.id)
  }
  return form.routes.find(
    route =>
      isOpen(form, route) && (route.isFallback || (route.rule && matches(route.rule, answerTo))),
  )
}

/** What a route leads to; a booking page is told which response led there. */
function actionOf(v: Visitor, form: OpenForm, route: FormRoute | undefined, uid: string) {
  if (!route || !isOpen(form, route)) return THANKS
  const { action } = route
  const booked = form.eventTypes.find(e => e.id === action.eventTypeId)
  if (!booked) return action
  const value = `${v.settings.publicUrl}${booked.path}?routingFormResponse=${uid}`
  return { ...action, value }
}

/**
 * Takes the answers to a form, emits FORM_SUBMITTED, and says where they lead.
 * @throws VALIDATION_ERROR with a fault for each wrong answer, under `response.<identifier>`
 */
export async function submitForm(v: Visitor, input: Submission): Promise<Outcome> {
  const { tenant, form } = await open(v, input)
  const { answers, faults } = checkAnswers(form.fields, input.response)
  if (faults.length > 0)
    invalid(...faults.map(({ field, message }) => ({ field: `response.${field}`, message })))
  const route = chooseRoute(form, answers)
  const responseUid = newUid()
  const answered = form.fields.flatMap(field => {
    const value = answers.get(field.id)
    return value === undefined ? [] : [{ field, value }]
  })
  const at = v.now.toISOString()
  const write = tenant.write('routing_form.submit', form.id)
  write.insert(routingFormResponses, {
    formId: form.id,
    uid: responseUid,
    response: Object.fromEntries(
      answered.map(({ field, value }) => [field.id, { label: field.label, value }]),
    ),
    chosenRouteId: route?.id ?? null,
    createdAt: at,
  })
  const payload: FormPayload = {
    formId: form.id,
    formName: form.name,
    teamId: form.teamId,
    responses: Object.fromEntries(
      answered.map(({ field, value }) => [field.identifier, { value, response: value }]),
    ),
  }
  write.run(emitSubmission, { type: 'FORM_SUBMITTED', now: at, payload: JSON.stringify(payload) })
  return write.commit({ responseUid, action: actionOf(v, form, route, responseUid) })
}

/**
 * Where a response led, by its public identifier, with the form that it answers.
 * @throws NOT_FOUND when there is no such response, or its form is disabled
 */
export async function findOutcome(
  v: Visitor,
  { uid }: { uid: string },
): Promise<Outcome & { form: OpenForm }> {
  const { tenant, id } = await enterBy(v, formResponseByUid, { uid }, 'Response')
  const found = (await tenant.read(responseFacts, { id })) ?? notFound('Response')
  const form = (await tenant.read(openForm, { id: found.formId })) ?? notFound('Form')
  const route = form.routes.find(r => r.id === found.chosenRouteId)
  return { responseUid: uid, action: actionOf(v, form, route, uid), form }
}
