import { routingForms } from '#drizzle/schema/calendar.ts'
import { type Member, requirePermission } from '#lib/core/context.ts'
import { removal } from '#lib/core/crud.ts'
import { notFound } from '#lib/core/errors.ts'
import { type Deleted, existing, type Json, type Page } from '#lib/core/json.ts'
import { freeSlug, slugify } from '#lib/core/text.ts'
import { lister } from '#lib/db/list.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import type { Write } from '#lib/db/write.ts'
import { guardEventTypes } from '#lib/domain/event-types/writes.ts'
import { ownFilter, ownUser, requireManaged } from '#lib/domain/teams/reach.ts'
import { completeFields, completeRoutes, requireKnownFields } from './complete.ts'
import {
  type FormFacts,
  formFacts,
  formList,
  formRecord,
  newFormRecord,
  ownerFacts,
  responseList,
} from './queries.ts'
import type {
  FormResponse,
  FormRoute,
  NewRoutingForm,
  ResponseFilter,
  RoutingForm,
  RoutingFormChange,
  RoutingFormFilter,
} from './schema.ts'

const page = lister<RoutingForm>(formList)
const responsePage = lister<FormResponse>(responseList)
const SLUG_TAKEN = new Set(['routing_forms_slug'])
const NONE = new Set<string>()
const NOUN = 'Form'

/** The forms that a member sees: everybody's, or their own and those of their teams. */
export const listRoutingForms = async (
  m: Member,
  filter: RoutingFormFilter,
): Promise<Page<RoutingForm>> => page(m.tenant, { ...filter, own: ownFilter(m) })

/**
 * One form.
 * @throws NOT_FOUND when it does not exist, or the member does not see it
 */
export async function findRoutingForm(
  m: Member,
  { id }: { id: number },
): Promise<Json<RoutingForm>> {
  return existing(await m.tenant.text(formRecord, { id, own: ownUser(m, 'calendar.read') }), NOUN)
}

/** The responses to one form that the member sees, newest first. */
export async function listFormResponses(
  m: Member,
  filter: ResponseFilter,
): Promise<Page<FormResponse>> {
  const { formId: id } = filter
  const own = ownUser(m, 'calendar.read')
  if (!(await m.tenant.read(formFacts, { id, own }))) notFound(NOUN)
  return responsePage(m.tenant, filter)
}

/** The event types that routes lead to have to be there. */
function guardRoutes(write: Write, routes: readonly FormRoute[]): void {
  const ids = routes.flatMap(route => route.action.eventTypeId ?? [])
  if (ids.length > 0) guardEventTypes(write, [...new Set(ids)], null)
}

/**
 * Makes a form of the member's or, with `teamId`, of a team.
 * @throws CONFLICT when `slug` is given and taken; NOT_FOUND for a team or an event type that does
 * not exist; VALIDATION_ERROR for a rule about a field that there is not
 */
export function createRoutingForm(m: Member, input: NewRoutingForm): Promise<Json<RoutingForm>> {
  requirePermission(m, 'calendar.own')
  const { slug: chosen, teamId = null, fields: asked = [], routes: ways = [], ...columns } = input
  const fields = completeFields(asked)
  const routes = completeRoutes(ways)
  requireKnownFields(fields, ways)
  const base = slugify(chosen ?? input.name)
  const own = ownUser(m, 'calendar.write')
  return lookingAgain(chosen === undefined ? SLUG_TAKEN : NONE, async () => {
    const { team, slugs } = await m.tenant.read(ownerFacts, { teamId, own, base })
    if (teamId !== null) requireManaged(m, (team ?? notFound('Team')).isManaged)
    const slug = chosen === undefined ? freeSlug(base, slugs) : base
    const at = m.now.toISOString()
    const write = m.tenant.write('routing_form.create')
    guardRoutes(write, routes)
    const rest = { userId: m.userId, teamId, slug, fields, routes }
    write.insert(routingForms, { ...columns, ...rest, createdAt: at, updatedAt: at })
    return write.commit(write.answer(newFormRecord, {}))
  })
}

/** What is known of a form that the member may change: else 404, or 403 when they see it. */
async function changeable(m: Member, id: number): Promise<FormFacts> {
  const own = ownUser(m, 'calendar.write')
  const facts = (await m.tenant.read(formFacts, { id, own })) ?? notFound(NOUN)
  requireManaged(m, facts.isManaged)
  return facts
}

/**
 * Changes a form; what is left out stays, a list that is given replaces the one there is.
 * @throws as for a new one
 */
export async function updateRoutingForm(
  m: Member,
  { id, slug, fields: asked, routes: ways, ...columns }: RoutingFormChange & { id: number },
): Promise<Json<RoutingForm>> {
  const facts = await changeable(m, id)
  const fields = asked && completeFields(asked)
  const routes = ways && completeRoutes(ways)
  requireKnownFields(fields ?? facts.fields, ways ?? facts.routes)
  const named = slug === undefined ? {} : { slug: slugify(slug) }
  const change = { ...columns, ...named, fields, routes, updatedAt: m.now.toISOString() }
  const write = m.tenant.write('routing_form.update', id)
  if (routes) guardRoutes(write, routes)
  write.change(routingForms, id, change, 'routing_forms_gone')
  return write.commit(write.answer(formRecord, { id, own: null }))
}

/** Deletes a form with its responses. */
export async function deleteRoutingForm(m: Member, { id }: { id: number }): Promise<Deleted> {
  await changeable(m, id)
  const write = m.tenant.write('routing_form.delete', id)
  write.run(removal(routingForms), { id })
  return write.commit({ id, deleted: true })
}
