import { describe, expect, it } from 'vitest'
import type { FormField } from '#lib/domain/routing-forms/schema.ts'
import { faultText } from './faults.ts'
import { asAsked } from './questions.tsx'

const MISSING: [FormField['type'], string][] = [
  ['text', 'Please fill this in.'],
  ['number', 'Please fill this in.'],
  ['date', 'Please fill this in.'],
  ['boolean', 'Please tick this.'],
  ['radio', 'Please choose one.'],
  ['select', 'Please choose one.'],
  ['multiselect', 'Please choose at least one.'],
  ['checkbox', 'Please choose at least one.'],
]

describe('asAsked', () => {
  const field = (type: FormField['type']): FormField => ({
    id: 'a',
    identifier: 'a',
    label: 'A',
    type,
    required: true,
    placeholder: null,
    options: [],
    deleted: false,
  })
  const told = (type: FormField['type'], fault: string) =>
    faultText(asAsked([field(type)], { values: {}, errors: { a: fault } }).errors.a ?? '')

  it.each(MISSING)('says of a %s that is missing: %s', (type, words) => {
    expect(told(type, 'required')).toBe(words)
  })

  it('leaves other faults, and those of other fields, as they are', () => {
    expect(told('boolean', 'expected true')).toBe('Please enter true.')
    const errors = { b: 'required' }
    expect(asAsked([field('boolean')], { values: {}, errors }).errors).toEqual(errors)
  })
})
