import type { Base, Visitor } from '#lib/core/context.ts'
import { createRoutingForm, listFormResponses } from '#lib/domain/routing-forms/operations.ts'
import { NewRoutingForm, ResponseFilter, Submission } from '#lib/domain/routing-forms/schema.ts'
import { submitForm } from '#lib/domain/routing-forms/submit.ts'
import { type Actor, as, carryOut } from './actors.ts'

/** A question of each of some kinds, and one that is asked no more. */
export const FIELDS = [
  { label: 'Your e-mail', identifier: 'email', type: 'email', required: true },
  { label: 'Company size', identifier: 'size', type: 'number' },
  {
    label: 'Interests',
    identifier: 'interests',
    type: 'checkbox',
    options: [{ label: 'Sales' }, { label: 'Support' }],
  },
  { label: 'Old', identifier: 'old', type: 'text', required: true, deleted: true },
]
/** What a route ends in: a message. */
export const message = (value: string) => ({ type: 'customPageMessage', value })
/** A form with two ways and a fallback. */
export const FORM = {
  name: 'Contact us',
  fields: FIELDS,
  routes: [
    { isFallback: true, action: message('Thanks') },
    {
      id: 'big',
      name: 'Big',
      rule: { and: [{ field: 'size', operator: 'greater', value: 100 }] },
      action: { type: 'externalRedirectUrl', value: 'https://example.org/big' },
    },
    {
      id: 'support',
      rule: { or: [{ field: 'interests', operator: 'contains', value: 'support' }] },
      action: message('We help'),
    },
  ],
}

/** Makes a form. */
export const makeForm = (who: Actor, input: object = {}) =>
  as(who, createRoutingForm, NewRoutingForm, { ...FORM, ...input })
const visitorOf = (base: Base): Visitor => ({
  ...base,
  settings: { ...base.settings, publicUrl: 'https://almanac.example' },
  kind: 'visitor',
  address: '192.0.2.1',
})
/** Sends answers as anybody. */
export const submit = (input: object) => carryOut(visitorOf, submitForm, Submission, input)
/** Sends answers to a form by its id. */
export const answer = (formId: unknown, response: object) => submit({ formId, response })
/** The responses to a form. */
export const responsesTo = (who: Actor, formId: unknown) =>
  as(who, listFormResponses, ResponseFilter, { formId: String(formId) })
