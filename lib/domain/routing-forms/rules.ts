/** What an answer can be compared by. */
export const OPERATORS = [
  'equal',
  'not_equal',
  'contains',
  'not_contains',
  'starts_with',
  'any_in',
  'none_in',
  'less',
  'greater',
  'is_empty',
  'is_not_empty',
] as const

/** What a field was answered with; of several choices their labels. */
export type AnswerValue = string | number | boolean | readonly string[]

/** What answers are compared with: all of `and`, one of `or`, or one answer with a value. */
export interface Rule {
  and?: readonly Rule[] | undefined
  or?: readonly Rule[] | undefined
  /** The id or the identifier of a field. */
  field?: string | undefined
  operator?: (typeof OPERATORS)[number] | undefined
  value?: AnswerValue | undefined
}

/** Texts are compared without regard to case and to spaces around them. */
const plain = (value: unknown): string => String(value).trim().toLowerCase()

const listOf = (value: AnswerValue | undefined): string[] =>
  value === undefined ? [] : (Array.isArray(value) ? value : [value]).map(plain).filter(Boolean)

const NUMBER = /^-?\d+(?:\.\d+)?$/

/** Numbers by their size, all else (dates too) as text; NaN where one is missing. */
function compare(answer: AnswerValue | undefined, value: AnswerValue | undefined): number {
  const [[a], [b]] = [listOf(answer), listOf(value)]
  if (a === undefined || b === undefined) return Number.NaN
  if (NUMBER.test(a) && NUMBER.test(b)) return Number(a) - Number(b)
  return a < b ? -1 : a > b ? 1 : 0
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && a.length === b.length && a.every(entry => b.includes(entry))

/** Of a text, a part; of several choices, one. */
const hasPart = (answer: AnswerValue | undefined, parts: readonly string[]): boolean => {
  const given = listOf(answer)
  const isIn = (part: string) =>
    Array.isArray(answer) ? given.includes(part) : given.some(text => text.includes(part))
  return parts.length > 0 && parts.every(isIn)
}

type Test = (answer: AnswerValue | undefined, value: AnswerValue | undefined) => boolean

const equal: Test = (answer, value) => {
  const [given, asked] = [listOf(answer), listOf(value)]
  return isSame(given, asked) || (given.length === 1 && compare(answer, value) === 0)
}
const contains: Test = (answer, value) => hasPart(answer, listOf(value))
const anyIn: Test = (answer, value) => listOf(answer).some(entry => listOf(value).includes(entry))

const TESTS: Record<(typeof OPERATORS)[number], Test> = {
  equal,
  not_equal: (answer, value) => !equal(answer, value),
  contains,
  not_contains: (answer, value) => !contains(answer, value),
  starts_with: (answer, value) =>
    listOf(answer).some(text => listOf(value).some(start => text.startsWith(start))),
  any_in: anyIn,
  none_in: (answer, value) => !anyIn(answer, value),
  less: (answer, value) => compare(answer, value) < 0,
  greater: (answer, value) => compare(answer, value) > 0,
  is_empty: answer => listOf(answer).length === 0,
  is_not_empty: answer => listOf(answer).length > 0,
}

/**
 * Whether answers fulfil a rule. A field that was not answered is less and greater than nothing, and
 * equal to nothing.
 * @param answerTo the answer to a field by its id or identifier
 */
export function matches(rule: Rule, answerTo: (field: string) => AnswerValue | undefined): boolean {
  if (rule.and) return rule.and.every(part => matches(part, answerTo))
  if (rule.or) return rule.or.some(part => matches(part, answerTo))
  if (rule.field === undefined || rule.operator === undefined) return false
  return TESTS[rule.operator](answerTo(rule.field), rule.value)
}

/** Where a rule names fields: the path within it, and the name. */
export function fieldsNamed(rule: Rule, path = ''): { path: string; field: string }[] {
  const parts = rule.and ?? rule.or ?? []
  const key = rule.and ? 'and' : 'or'
  const own = rule.field === undefined ? [] : [{ path: `${path}field`, field: rule.field }]
  return [...own, ...parts.flatMap((part, at) => fieldsNamed(part, `${path}${key}.${at}.`))]
}
