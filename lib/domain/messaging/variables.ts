import type * as z from 'zod'

/** What a message may name in braces, in any case: `{attendee_name}`. */
export const VARIABLES = [
  'event_name',
  'event_date',
  'event_time',
  'event_end_time',
  'timezone',
  'location',
  'organizer_name',
  'attendee_name',
  'attendee_first_name',
  'attendee_last_name',
  'attendee_email',
  'additional_notes',
  'meeting_url',
  'cancel_url',
  'cancel_reason',
  'reschedule_url',
  'reschedule_reason',
  'rating_url',
  'no_show_url',
  'attendee_timezone',
  'event_start_time_in_attendee_timezone',
  'event_end_time_in_attendee_timezone',
] as const

/** What may stand in braces in the words of a workflow's step, in any case. */
export type Variable = (typeof VARIABLES)[number]

const IN_BRACES = /\{([A-Za-z][A-Za-z0-9_]*)\}/g

const variableOf = (name: string): Variable | undefined =>
  VARIABLES.find(variable => variable === name.toLowerCase())

/** The names in braces that are no variables, as they are written. */
const unknownVariables = (text: string): string[] =>
  [...text.matchAll(IN_BRACES)].map(([, name = '']) => name).filter(name => !variableOf(name))

/** Puts values in the place of variables; one that is not known becomes nothing. */
export const fillVariables = (
  text: string,
  values: Partial<Record<Variable, string | null>>,
): string =>
  text.replace(IN_BRACES, (written, name: string) => {
    const variable = variableOf(name)
    return variable ? (values[variable] ?? '') : written
  })

/** Refuses a text that names what there is not. */
export function requireKnownVariables(text: string | null, context: z.RefinementCtx): void {
  const [unknown] = unknownVariables(text ?? '')
  if (unknown)
    context.addIssue({
      code: 'custom',
      message: `{${unknown}} is none of the variables: ${VARIABLES.map(v => `{${v}}`).join(', ')}`,
    })
}
