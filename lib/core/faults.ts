import type { Detail } from './errors.ts'

/** What zod says of a fault; of a union also what each of its shapes would have said. */
interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  readonly errors?: readonly (readonly Issue[])[]
}

/** What lib/core/schemas.ts says of a union that has no words of its own. */
export const NO_SHAPE = 'expected another shape'

const EXPECTED = /^expected (.+)$/

/** The faults that zod found, in the interface's form. */
export const detailsOf = (issues: readonly Issue[]): Detail[] =>
  issues.flatMap(narrowed).map(i => ({ field: i.path.join('.'), message: i.message }))

/** A fault of a union as that of the one shape that was meant, or with all that it may be. */
function narrowed(issue: Issue): Issue[] {
  const { path, message, errors = [] } = issue
  if (message !== NO_SHAPE || errors.length === 0) return [issue]
  // What is of another type altogether was not meant.
  const isType = (i: Issue) => i.path.length === 0 && EXPECTED.test(i.message)
  const meant = errors.filter(shape => !shape.some(isType))
  const [shape] = meant
  if (shape && meant.length === 1)
    return shape.flatMap(narrowed).map(i => ({ ...i, path: [...path, ...i.path] }))
  const types = errors.flat().map(i => EXPECTED.exec(i.message)?.[1])
  if (shape || types.includes(undefined)) return [issue]
  return [{ path, message: `expected ${[...new Set(types)].join(' or ')}` }]
}
