import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { detailsOf } from './faults.ts'
import './schemas.ts'

const Part = z.object({ name: z.string(), count: z.int().min(1) })
const Either = z.object({ parts: z.union([z.array(Part), Part, z.string().max(3)]) })

const faultsOf = (value: unknown) =>
  detailsOf(Either.safeParse(value).error?.issues ?? []).map(d => `${d.field}: ${d.message}`)

describe('faults of a value that may have several shapes', () => {
  it('are those of the shape that was meant, with the whole path', () => {
    expect(faultsOf({ parts: [{ name: 'a', count: 1 }, { name: 5 }] })).toEqual([
      'parts.1.name: expected string',
      'parts.1.count: required',
    ])
    expect(faultsOf({ parts: { name: 'a', count: 'x' } })).toEqual([
      'parts.count: expected integer',
    ])
    expect(faultsOf({ parts: 'long' })).toEqual(['parts: must be at most 3 characters long'])
  })

  it('name every type where none fits', () => {
    expect(faultsOf({ parts: 5 })).toEqual(['parts: expected array or object or string'])
  })
})
