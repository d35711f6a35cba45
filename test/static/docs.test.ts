import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../source.ts'

it('decisions are numbered one after another', () => {
  const numbers = readdirSync(path.join(ROOT, 'docs/decisions')).map(file =>
    Number.parseInt(file, 10),
  )
  expect(numbers.toSorted((a, b) => a - b)).toEqual(numbers.map((_, at) => at + 1))
})
