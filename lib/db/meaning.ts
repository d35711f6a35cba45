import type { ErrorCode } from '#lib/core/errors.ts'

/** What the caller is told when a constraint or a guard refuses a write. */
export interface Meaning {
  code: ErrorCode
  message: string
  field?: string
  /** What the field's detail says, where that is not the message. */
  fault?: string
}

/** Something that the request names is not there: 404. */
export const missing = (what: string): Meaning => ({
  code: 'NOT_FOUND',
  message: `${what} does not exist`,
})
/** The present state does not allow it: 409. */
export const taken = (message: string, field?: string, fault?: string): Meaning => ({
  code: 'CONFLICT',
  message,
  ...(field ? { field } : {}),
  ...(fault ? { fault } : {}),
})
/** A field of the body breaks a rule: 422. */
export const wrong = (field: string, message: string): Meaning => ({
  code: 'VALIDATION_ERROR',
  message: 'The request failed validation',
  field,
  fault: message,
})
/** A fault of ours: the code never lets it come to this, so the caller is told nothing. */
export const bug: Meaning = { code: 'INTERNAL_ERROR', message: 'Something went wrong' }
