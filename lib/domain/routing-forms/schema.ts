import * as z from 'zod'
import type { Instant } from '#lib/core/kinds.ts'
import {
  atMostEntries,
  id,
  optionalText,
  Paging,
  queryBoolean,
  queryId,
  slug,
  text,
  url,
} from '#lib/core/schemas.ts'
import { OPERATORS, type Rule } from './rules.ts'

/** The kinds of a question. */
const FIELD_TYPES = [
  'text',
  'textarea',
  'number',
  'email',
  'phone',
  'url',
  'date',
  'select',
  'radio',
  'multiselect',
  'checkbox',
  'boolean',
] as const

const WITH_OPTIONS: readonly string[] = ['select', 'radio', 'multiselect', 'checkbox']

const key = z.string().regex(/^[\w-]{1,64}$/, 'expected up to 64 of A-Z, a-z, 0-9, _ and -')

const Field = z
  .object({
    id: key.optional().describe('Of a field that is kept; a new one is given its id'),
    label: text(200),
    identifier: key.optional().describe('Its name in responses; made from the label'),
    type: z.enum(FIELD_TYPES),
    placeholder: optionalText(200).optional(),
    required: z.boolean().optional(),
    deleted: z.boolean().optional().describe('Asked no more; answers and rules keep it'),
    options: z
      .array(z.object({ id: key.nullable().optional(), label: text(200) }))
      .max(100)
      .optional(),
  })
  .superRefine((field, context) => {
    if (WITH_OPTIONS.includes(field.type) && !field.options?.length)
      context.addIssue({ code: 'custom', path: ['options'], message: 'required' })
  })
/** A question as it is given. */
export type FieldInput = z.output<typeof Field>

const Value = z.union(
  [z.string().max(500), z.number(), z.boolean(), z.array(z.string().max(500)).max(100)],
  'expected a text, a number, a boolean or a list of texts',
)

const leaf = {
  field: z.string().max(64).optional(),
  operator: z.enum(OPERATORS).optional(),
  value: Value.optional(),
}

function refuseUnclear(rule: Rule, context: z.RefinementCtx): void {
  const refuse = (path: string[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  const kinds = [rule.and, rule.or, rule.field].filter(kind => kind !== undefined)
  if (kinds.length !== 1) refuse([], 'expected one of "and", "or", "field"')
  else if (rule.field === undefined) return
  else if (!rule.operator) refuse(['operator'], 'required')
  else if (!rule.operator.endsWith('empty') && rule.value === undefined)
    refuse(['value'], 'required')
}

const DEPTH = 4

/** A rule in which others stand up to `depth` deep. */
function ruleSchema(depth: number): z.ZodType<Rule> {
  if (depth === 0) return z.object(leaf).superRefine(refuseUnclear)
  const parts = z
    .array(ruleSchema(depth - 1))
    .min(1)
    .max(20)
    .optional()
  return z.object({ ...leaf, and: parts, or: parts }).superRefine(refuseUnclear)
}

const Action = z
  .object({
    type: z.enum(['customPageMessage', 'externalRedirectUrl', 'eventTypeRedirectUrl']),
    value: optionalText(5000).optional().describe('The message, or the address'),
    eventTypeId: id.nullable().optional(),
  })
  .superRefine(({ type, value, eventTypeId }, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    if (type === 'eventTypeRedirectUrl') {
      if (eventTypeId == null) refuse('eventTypeId', 'required')
    } else if (!value) refuse('value', 'required')
    else if (type === 'externalRedirectUrl' && !url.safeParse(value).success)
      refuse('value', 'expected an http(s) URL')
  })

const Route = z
  .object({
    id: key.optional(),
    name: optionalText(200).optional(),
    isFallback: z.boolean().optional().describe('Taken when no other matches'),
    rule: ruleSchema(DEPTH).nullable().optional(),
    action: Action,
  })
  .superRefine(({ isFallback, rule }, context) => {
    if (!isFallback && !rule)
      context.addIssue({ code: 'custom', path: ['rule'], message: 'required' })
    if (isFallback && rule)
      context.addIssue({ code: 'custom', path: ['rule'], message: 'does not go with isFallback' })
  })
/** A way to go on as it is given. */
export type RouteInput = z.output<typeof Route>

const Routes = z
  .array(Route)
  .max(50)
  .superRefine((routes, context) => {
    const second = routes.map(route => Boolean(route.isFallback)).indexOf(true, 1)
    if (routes.filter(route => route.isFallback).length > 1)
      context.addIssue({
        code: 'custom',
        path: [second, 'isFallback'],
        message: 'one route is it already',
      })
  })

/** The body of a routing form. */
export const NewRoutingForm = z.object({
  name: text(200),
  slug: slug
    .optional()
    .describe('The end of its address; made from the name where nothing is said'),
  description: optionalText(5000).optional(),
  position: z.int().min(0).max(100_000).optional(),
  disabled: z.boolean().optional(),
  teamId: id.nullable().optional(),
  fields: z.array(Field).max(50).optional(),
  routes: Routes.optional().describe('The first that matches is taken; the fallback comes last'),
})
export type NewRoutingForm = z.output<typeof NewRoutingForm>

/** What can be changed: everything but whose it is. What is left out stays. */
export const RoutingFormChange = NewRoutingForm.omit({ teamId: true }).partial()
export type RoutingFormChange = z.output<typeof RoutingFormChange>

/** Which forms are listed. */
export const RoutingFormFilter = Paging.extend({
  teamId: queryId.optional(),
  disabled: queryBoolean.optional(),
})
export type RoutingFormFilter = z.output<typeof RoutingFormFilter>

/** Whose responses are listed. */
export const ResponseFilter = Paging.extend({ formId: queryId })
export type ResponseFilter = z.output<typeof ResponseFilter>

/** Answers by the identifier or the id of their fields. */
export const Answers = z.record(z.string().max(100), z.unknown()).refine(...atMostEntries(1000))
export type Answers = z.output<typeof Answers>

/** An answered form: which one, by its id or its address, and the answers. */
export const Submission = z.union(
  [
    z.object({ formId: id, response: Answers }),
    z.object({ subdomain: z.string().max(63), slug: z.string().max(100), response: Answers }),
  ],
  'expected formId, or subdomain and slug, and response',
)
export type Submission = z.output<typeof Submission>

/** A question as it is kept. */
export interface FormField {
  id: string
  identifier: string
  label: string
  type: (typeof FIELD_TYPES)[number]
  placeholder: string | null
  required: boolean
  deleted: boolean
  options: { id: string; label: string }[]
}

/** What comes after a form. */
export interface RouteAction {
  type: 'customPageMessage' | 'externalRedirectUrl' | 'eventTypeRedirectUrl'
  value: string | null
  eventTypeId: number | null
}

/** A way to go on as it is kept; a fallback has no rule and stands last. */
export interface FormRoute {
  id: string
  name: string | null
  isFallback: boolean
  rule: Rule | null
  action: RouteAction
}

/** A routing form as it is answered. */
export interface RoutingForm {
  id: number
  name: string
  slug: string
  description: string | null
  position: number
  disabled: boolean
  userId: number
  teamId: number | null
  fields: FormField[]
  routes: FormRoute[]
  settings: Record<string, unknown>
  createdAt: Instant
  updatedAt: Instant
}

/** A response as it is listed; `formFillerId` is its public identifier. */
export interface FormResponse {
  id: number
  formId: number
  formFillerId: string
  response: Record<string, { label: string; value: string | number | boolean | string[] }>
  chosenRouteId: string | null
  routedToBookingUid: string | null
  createdAt: Instant
}
