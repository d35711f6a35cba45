import { expect, it } from 'vitest'
import { parseForm } from './form.ts'

it('reads nested names, lists and repeated names', () => {
  expect(parseForm('a=1&b[c][d]=2&e[]=3&e[]=4&f[0][g]=5&f[1][g]=6&h=7&h=8')).toEqual({
    a: '1',
    b: { c: { d: '2' } },
    e: ['3', '4'],
    f: [{ g: '5' }, { g: '6' }],
    h: ['7', '8'],
  })
})
