import type * as z from 'zod'
import type { Decimal } from './kinds.ts'
import { date, email, optionalText, phone, url } from './schemas.ts'

/** What somebody answered to one question. */
export type Answer = string | Decimal | boolean | string[]

/** An answer as it is kept: a place may be given with what is said of it, and an answer taken back. */
export type KeptAnswer = Answer | { value: string; optionValue?: string } | null

/** What kinds of answers a question can ask for. */
export type QuestionType =
  | 'text'
  | 'textarea'
  | 'name'
  | 'address'
  | 'number'
  | 'email'
  | 'multiemail'
  | 'phone'
  | 'url'
  | 'date'
  | 'select'
  | 'radio'
  | 'multiselect'
  | 'checkbox'
  | 'boolean'

/** A question of a form. Options are chosen by their label or their id. */
export interface Question {
  type: QuestionType
  required: boolean
  options: readonly { id: string; label: string }[]
}

const MAX_ADDRESSES = 10

/** An answer that passed, or what is wrong with it; undefined for none. */
export type Checked = { value: Answer } | { fault: string } | undefined

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
function asChoice({ options, type }: Question, given: unknown): Checked {
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

/** Each of some e-mail addresses, in a list or with commas between them. */
function asAddresses(given: unknown): Checked {
  const list: unknown[] = Array.isArray(given) ? given : String(given).split(',')
  const found = list.map(entry => email.safeParse(entry))
  return found.every(entry => entry.success) && found.length <= MAX_ADDRESSES
    ? { value: found.map(entry => entry.data ?? '') }
    : { fault: `expected up to ${MAX_ADDRESSES} e-mail addresses` }
}

/** Checks an answer to a question. One to an optional question may be left out, or blank. */
export function checkAnswer(question: Question, given: unknown): Checked {
  if (isBlank(given)) return question.required ? { fault: 'required' } : undefined
  switch (question.type) {
    case 'text':
    case 'name':
    case 'address':
      return asText(given, 500)
    case 'textarea':
      return asText(given, 5000)
    case 'number':
      return asNumber(given)
    case 'boolean':
      return asBoolean(given, question.required)
    case 'email':
      return byFormat(email, given, 'expected an e-mail address')
    case 'multiemail':
      return asAddresses(given)
    case 'phone':
      return byFormat(phone, given, 'expected a telephone number such as +15551234567')
    case 'url':
      return byFormat(url, given, 'expected an http(s) URL')
    case 'date':
      return byFormat(date, given, 'expected a date such as 2026-03-08')
    default:
      return asChoice(question, given)
  }
}
