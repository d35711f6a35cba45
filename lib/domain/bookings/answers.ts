import { checkAnswer } from '#lib/core/answers.ts'
import { type Detail, invalid } from '#lib/core/errors.ts'
import type { EventTypeFacts } from './facts.ts'
import type { NewBooking } from './schema.ts'

/** Asked elsewhere: where to meet by the places of the event type, why only of who moves a booking. */
const NOT_HERE = new Set(['location', 'rescheduleReason'])

/**
 * What was booked, with the answers to the questions of the event type as they are kept.
 * @throws VALIDATION_ERROR with `responses.<slug>` for each that is missing or wrong
 */
export function withAnswers(type: EventTypeFacts, input: NewBooking): NewBooking {
  const responses: Record<string, unknown> = { ...input.responses }
  const faults: Detail[] = []
  for (const { slug, hidden, ...field } of type.fields) {
    if (NOT_HERE.has(slug)) continue
    const options = (field.options ?? []).map(label => ({ id: label, label }))
    const required = field.required === true && !hidden
    const checked = checkAnswer({ type: field.type, required, options }, responses[slug])
    if (checked && 'fault' in checked)
      faults.push({ field: `responses.${slug}`, message: checked.fault })
    else if (checked) responses[slug] = checked.value
  }
  if (type.requiresNumber && input.responses.attendeePhoneNumber === undefined)
    faults.push({ field: 'responses.attendeePhoneNumber', message: 'required' })
  if (faults.length > 0) invalid(...faults)
  return { ...input, responses: { ...responses, ...known(input, responses) } }
}

/** The answers that every booking has keep their own types. */
function known({ responses }: NewBooking, answered: Record<string, unknown>) {
  const { name, email } = responses
  const { guests } = answered
  return {
    name,
    ...(email === undefined ? {} : { email }),
    ...(Array.isArray(guests) ? { guests: guests.map(String) } : {}),
  }
}
