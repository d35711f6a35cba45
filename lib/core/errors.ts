const STATUS = {
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  VALIDATION_ERROR: 422,
  RATE_LIMITED: 429,
  INTERNAL_ERROR: 500,
} as const

/** The codes that errors have in the interface; each has its status above. */
export type ErrorCode = keyof typeof STATUS

/** One fault of a request: `field` is a dotted path such as `items.0.quantity`. */
export interface Detail {
  field: string
  message: string
}

/** An expected failure. Anything else that is thrown is a bug and becomes INTERNAL_ERROR. */
export class ApiError extends Error {
  readonly status: number
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details?: readonly Detail[],
    /** A status that the code alone does not give: 405, 413 and 503. */
    status?: number,
  ) {
    super(message)
    this.status = status ?? STATUS[code]
  }
}

/** 429 for something that may be done so often in more than a minute: `wait` is in seconds. */
export class WaitError extends ApiError {
  constructor(
    message: string,
    readonly wait: number,
  ) {
    super('RATE_LIMITED', message)
  }
}

/** 400: what is asked of a query is wrong. Of a tool, the same are faults of its arguments. */
export class QueryError extends ApiError {
  constructor(override readonly details: readonly Detail[]) {
    super('BAD_REQUEST', 'The query parameters are wrong', details)
  }
}

/** 400 for what is wrong with a query, by its parameters. */
export const badQuery = (...details: readonly Detail[]): never => {
  throw new QueryError(details)
}

/** 400: the request cannot be read, or is not possible. */
export const badRequest = (message: string, details?: readonly Detail[]): never => {
  throw new ApiError('BAD_REQUEST', message, details)
}

/** 401: no credentials, or none that are valid. */
export const unauthorized = (message = 'Credentials are missing or invalid'): never => {
  throw new ApiError('UNAUTHORIZED', message)
}

/** 403: the caller is known and may not do this. */
export const forbidden = (message: string): never => {
  throw new ApiError('FORBIDDEN', message)
}

/** 403: the token does not reach as far (RFC 6750 3.1); any of `scopes` would. */
export class ScopeError extends ApiError {
  constructor(readonly scopes: readonly string[]) {
    const needed = scopes.join(' or ')
    super('FORBIDDEN', needed ? `The token lacks the scope ${needed}` : 'No token may do this')
  }
}

/** 404: the record does not exist, or belongs to somebody else. */
export const notFound = (what: string): never => {
  throw new ApiError('NOT_FOUND', `${what} does not exist`)
}

/** 404: nothing is at this path; in words that no missing record uses. */
export const nowhere = (): ApiError => new ApiError('NOT_FOUND', 'No such route')

/** 409: the request is fine, the present state is not. */
export const conflict = (message: string, details?: readonly Detail[]): never => {
  throw new ApiError('CONFLICT', message, details)
}

/** 422: the body is well formed and breaks a rule; one detail for each fault. */
export const invalid = (...details: Detail[]): never => {
  throw new ApiError('VALIDATION_ERROR', 'The request failed validation', details)
}

/** 503: the deployment lacks a setting that this operation needs. */
export const notConfigured = (setting: string): never => {
  throw new ApiError(
    'INTERNAL_ERROR',
    `This deployment is not configured for it: the setting ${setting} is missing`,
    undefined,
    503,
  )
}
