import { type SQL, sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
import { eventTypes, routingFormResponses, routingForms, teams } from '#drizzle/schema/calendar.ts'
import { json, jsonArray } from '#lib/db/json.ts'
import { idsOf, type ListSpec } from '#lib/db/list.ts'
import { query } from '#lib/db/query.ts'
import { bookingPath } from '#lib/domain/event-types/address.ts'
import { isHosted } from '#lib/domain/event-types/hosted.ts'
import { managedBy, seenBy, type TeamReach, teamReach } from '#lib/domain/teams/reach.ts'
import { emitFrom } from '#lib/events/emit.ts'
import type { FormField, FormResponse, FormRoute, RoutingForm } from './schema.ts'

const f = routingForms
const r = routingFormResponses
const e = eventTypes

const record = json<RoutingForm>({
  id: f.id,
  name: f.name,
  slug: f.slug,
  description: f.description,
  position: f.position,
  disabled: f.disabled,
  userId: f.userId,
  teamId: f.teamId,
  fields: f.fields,
  routes: f.routes,
  settings: f.settings,
  createdAt: f.createdAt,
  updatedAt: f.updatedAt,
})

/** How forms are listed; `own` leaves those of others out. */
export const formList: ListSpec = {
  table: f,
  record,
  orders: {
    name: { by: sql`lower(${f.name})`, type: 'text' },
    position: { by: f.position, type: 'int' },
  },
  filters: {
    own: given => seenBy(f, sql`${given.own}`),
    teamId: given => sql`${f.teamId} = ${given.teamId}::int`,
    disabled: given => sql`${f.disabled} = ${given.disabled}::boolean`,
  },
  names: { teamId: idsOf(teams) },
  search: sql`${f.name} || ' ' || coalesce(${f.description}, '')`,
}

interface Which {
  id: number
  own: number | null
}

const where = (p: { account: SQL; id: SQL; own: SQL }): SQL =>
  sql`${f.accountId} = ${p.account} and ${f.id} = ${p.id}::int and ${seenBy(f, p.own)}`

/** One form; null unless the user may see it. */
export const formRecord = query<Which, RoutingForm>(
  p => sql`select ${record} from ${f} where ${where(p)}`,
)

/** The form that this batch just inserted. */
export const newFormRecord = query<object, RoutingForm>(
  p => sql`select ${record} from ${f} where ${f.accountId} = ${p.account}
    and ${f.id} = currval('routing_forms_id_seq')::int`,
)

/** What making a form takes: who may manage the team, and the slugs that are taken. */
export interface OwnerFacts {
  /** Null when there is no such team for the user. */
  team: TeamReach | null
  slugs: string[]
}

/** Whose a form may be, and the slugs near the one that it wants. */
export const ownerFacts = query<
  { teamId: number | null; own: number | null; base: string },
  OwnerFacts
>(
  p =>
    sql`select ${json({
      team: teamReach(p),
      slugs: jsonArray(
        sql`lower(${f.slug})`,
        sql`from ${f} where ${f.accountId} = ${p.account}
          and (lower(${f.slug}) = ${p.base} or lower(${f.slug}) like ${p.base} || '-%')`,
      ),
    })}`,
)

/** What changing a form takes. */
export interface FormFacts {
  isManaged: boolean
  fields: FormField[]
  routes: FormRoute[]
}

/** Null unless the user may see the form. */
export const formFacts = query<Which, FormFacts | null>(
  p =>
    sql`select ${json({
      isManaged: managedBy(f, p.own),
      fields: f.fields,
      routes: f.routes,
    })} from ${f} where ${where(p)}`,
)

/** How the responses to a form are listed. */
export const responseList: ListSpec = {
  table: r,
  record: json<FormResponse>({
    id: r.id,
    formId: r.formId,
    formFillerId: r.uid,
    response: r.response,
    chosenRouteId: r.chosenRouteId,
    routedToBookingUid: r.bookingUid,
    createdAt: r.createdAt,
  }),
  filters: { formId: given => sql`${r.formId} = ${given.formId}::int` },
  search: sql`${r.response}::text`,
}

/** A form as who fills it in needs it. */
export interface OpenForm {
  id: number
  name: string
  slug: string
  description: string | null
  teamId: number | null
  fields: FormField[]
  routes: FormRoute[]
  /** The event types that its routes lead to, as far as they are there and anybody hosts them. */
  eventTypes: { id: number; path: string }[]
  business: { name: string; subdomain: string; logoUrl: string | null }
}

/** Null when the form is disabled. */
export const openForm = query<{ id: number }, OpenForm | null>(
  p => sql`select ${json({
    id: f.id,
    name: f.name,
    slug: f.slug,
    description: f.description,
    teamId: f.teamId,
    fields: f.fields,
    routes: f.routes,
    eventTypes: jsonArray(
      json({ id: e.id, path: bookingPath() }),
      sql`from ${e} where ${e.accountId} = ${p.account} and ${isHosted()} and ${e.id} in (
        select (route->'action'->>'eventTypeId')::int from jsonb_array_elements(${f.routes}) as route)`,
    ),
    business: json({
      name: accounts.name,
      subdomain: accounts.subdomain,
      logoUrl: accounts.logoUrl,
    }),
  })} from ${f} join ${accounts} on ${accounts.id} = ${f.accountId}
    where ${f.accountId} = ${p.account} and ${f.id} = ${p.id}::int and not ${f.disabled}`,
)

/** Tells of the response that this batch just inserted. */
export const emitSubmission = emitFrom<{ payload: string }>(p => ({
  subject: sql`'routing_form_response'`,
  subjectId: sql`currval('routing_form_responses_id_seq')::int`,
  version: sql`1`,
  payload: sql`${p.payload}::json`,
  from: sql``,
}))

/** Which form was answered, and where the answers led. */
export const responseFacts = query<
  { id: number },
  { formId: number; chosenRouteId: string | null } | null
>(
  p => sql`select ${json({ formId: r.formId, chosenRouteId: r.chosenRouteId })} from ${r}
    where ${r.accountId} = ${p.account} and ${r.id} = ${p.id}::int`,
)
