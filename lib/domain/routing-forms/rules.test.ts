import { describe, expect, it } from 'vitest'
import { type AnswerValue, fieldsNamed, matches, type Rule } from './rules.ts'

const GIVEN: Record<string, AnswerValue> = {
  name: ' Ann Other ',
  size: 250,
  typed: '90',
  day: '2026-03-08',
  wants: ['Red', 'Blue'],
  agrees: true,
}
const holds = (rule: Rule) => matches(rule, field => GIVEN[field])
const is = (field: string, operator: Rule['operator'], value?: AnswerValue) =>
  holds({ field, operator, value })

describe('matches', () => {
  it.each([
    ['name', 'equal', 'ann other', true],
    ['name', 'equal', 'ann', false],
    ['name', 'not_equal', 'ann', true],
    ['name', 'contains', 'OTHER', true],
    ['name', 'contains', '', false],
    ['name', 'not_contains', 'x', true],
    ['name', 'starts_with', 'ann', true],
    ['name', 'starts_with', 'other', false],
    ['name', 'any_in', ['bob', 'Ann Other'], true],
    ['name', 'none_in', ['bob'], true],
    ['size', 'equal', '250.0', true],
    ['size', 'less', 1000, true],
    ['typed', 'less', '100', true],
    ['typed', 'greater', 100, false],
    ['day', 'greater', '2026-03-07', true],
    ['day', 'less', '2026-03-08', false],
    ['wants', 'equal', ['blue', 'red'], true],
    ['wants', 'equal', 'red', false],
    ['wants', 'contains', 'red', true],
    ['wants', 'contains', 're', false],
    ['wants', 'any_in', ['green', 'blue'], true],
    ['wants', 'none_in', ['green'], true],
    ['agrees', 'equal', true, true],
    ['name', 'is_empty', undefined, false],
    ['none', 'is_empty', undefined, true],
    ['none', 'is_not_empty', undefined, false],
    ['none', 'equal', 'x', false],
    ['none', 'not_equal', 'x', true],
    ['none', 'less', 5, false],
    ['none', 'greater', 5, false],
    ['none', 'none_in', ['x'], true],
  ] as const)('%s %s %s: %s', (field, operator, value, expected) => {
    expect(is(field, operator, value)).toBe(expected)
  })

  it('takes all of "and", one of "or", in any depth', () => {
    const yes: Rule = { field: 'agrees', operator: 'equal', value: 'true' }
    const no: Rule = { field: 'agrees', operator: 'equal', value: 'false' }
    expect(holds({ and: [yes, { or: [no, yes] }] })).toBe(true)
    expect(holds({ and: [yes, no] })).toBe(false)
    expect(holds({ or: [no, { and: [yes, no] }] })).toBe(false)
    expect(holds({})).toBe(false)
  })
})

describe('fieldsNamed', () => {
  it('says where each field is named', () => {
    const leaf = (field: string): Rule => ({ field, operator: 'is_empty' })
    expect(fieldsNamed({ and: [leaf('a'), { or: [leaf('b')] }] })).toEqual([
      { path: 'and.0.field', field: 'a' },
      { path: 'and.1.or.0.field', field: 'b' },
    ])
    expect(fieldsNamed(leaf('c'))).toEqual([{ path: 'field', field: 'c' }])
  })
})
