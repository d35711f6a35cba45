import type * as z from 'zod'
import type { Detail } from '#lib/core/errors.ts'
import { date, email, optionalText, phone, url } from '#lib/core/schemas.ts'
import type { AnswerValue } from './rules.ts'
import type { Answers, FormField } from './schema.ts'

/** An answer that passed, or what is wrong with it; undefined for none. */
type Checked = { value: AnswerValue } | { fault: string } | undefined

const isBlank = (given: unknown): boolean =>
  given == null ||
  (typeof given === 'string' && given.trim() === '') ||
  (Array.isArray(given) && given.length === 0)

const byFormat = (schema: z.ZodType<string | null>, given: unknown, fault: string): Checked => {
  const { success, data } = schema.safeParse(typeof given === 'number' ? String(given) : given)
  return success && data ? { value: data } : { fault }
}

function asText(given: unknown, max: number): Checked {
  const text = typeof given === 'number' ? String(given) : given
  if (typeof text !== 'string') return { fault: 'expected text' }
  if (text.length > max) return { fault: `must be at most ${max} characters long` }
  return byFormat(optionalText(max), text, 'must not contain a NUL character')
}

function asNumber(given: unknown): Checked {
  const text = typeof given === 'string' ? given.trim() : given
  const number = typeof text === 'string' && /^-?\d{1,15}(?:\.\d{1,9})?$/.test(text) ? +text : text
  return typeof number === 'number' && Number.isFinite(number)
    ? { value: number }
    : { fault: 'expected a number' }
}

function asBoolean(given: unknown, isRequired: boolean): Checked {
  const value = given === true || given === 'true' || given === 'on'
  if (!value && given !== false && given !== 'false') return { fault: 'expected a boolean' }
  return isRequired && !value ? { fault: 'required' } : { value }
}

/** The labels of chosen options, which may be named by their label or their id. */
function asChoice({ options, type }: FormField, given: unknown): Checked {
  const isSingle = type === 'select' || type === 'radio'
  const list: unknown[] = Array.isArray(given) ? given : [given]
  const chosen = options.filter(({ id, label }) => list.includes(label) || list.includes(id))
  const isKnown = (entry: unknown) => options.some(o => o.label === entry || o.id === entry)
  if (!list.every(isKnown) || (isSingle && list.length > 1))
    return { fault: `expected one of ${options.map(o => `"${o.label}"`).join(', ')}` }
  const labels = chosen.map(option => option.label)
  const [only = ''] = labels
  return { value: isSingle ? only : labels }
}

function check(field: FormField, given: unknown): Checked {
  if (isBlank(given)) return field.required ? { fault: 'required' } : undefined
  switch (field.type) {
    case 'text':
      return asText(given, 500)
    case 'textarea':
      return asText(given, 5000)
    case 'number':
      return asNumber(given)
    case 'boolean':
      return asBoolean(given, field.required)
    case 'email':
      return byFormat(email, given, 'expected an e-mail address')
    case 'phone':
      return byFormat(phone, given, 'expected a telephone number such as +15551234567')
    case 'url':
      return byFormat(url, given, 'expected an http(s) URL')
    case 'date':
      return byFormat(date, given, 'expected a date such as 2026-03-08')
    default:
      return asChoice(field, given)
  }
}

/**
 * Checks answers against the fields of a form. Answers may be under the identifier or the id of their
 * field; those to nothing that is asked are passed over.
 * @returns the answers by the fields' ids, and what is wrong, under `<identifier>`
 */
export function checkAnswers(
  fields: readonly FormField[],
  given: Answers,
): { answers: Map<string, AnswerValue>; faults: Detail[] } {
  const answers = new Map<string, AnswerValue>()
  const faults: Detail[] = []
  for (const field of fields.filter(f => !f.deleted)) {
    const name = [field.identifier, field.id].find(key => Object.hasOwn(given, key))
    const checked = check(field, name === undefined ? undefined : given[name])
    if (checked && 'fault' in checked)
      faults.push({ field: field.identifier, message: checked.fault })
    else if (checked) answers.set(field.id, checked.value)
  }
  return { answers, faults }
}
