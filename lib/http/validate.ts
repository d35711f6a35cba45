import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import { ApiError, badRequest, type Detail } from '#lib/core/errors.ts'
import '#lib/core/schemas.ts'
import { readText } from './body.ts'
import type { AppEnv } from './exchange.ts'

interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** The faults that zod found, in the interface's form. */
export const detailsOf = (issues: readonly Issue[]): Detail[] =>
  issues.map(i => ({ field: i.path.join('.'), message: i.message }))

/** Which schemas guard a handler: lib/http/openapi.ts reads them off the route table. */
export const SCHEMAS = new WeakMap<object, { in: 'json' | 'query' | 'form'; schema: z.ZodType }>()

const remember = <H extends object>(
  handler: H,
  where: 'json' | 'query' | 'form',
  schema: z.ZodType,
): H => {
  SCHEMAS.set(handler, { in: where, schema })
  return handler
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i

/** Reads a JSON body, telling a wrong type from malformed text. */
async function readJson(c: Context): Promise<void> {
  const type = c.req.header('content-type') ?? ''
  if (!JSON_TYPE.test(type)) badRequest('The body must be JSON: Content-Type application/json')
  const text = await readText(c)
  try {
    c.req.bodyCache.json = Promise.resolve(JSON.parse(text))
  } catch {
    badRequest('The body is not well-formed JSON')
  }
}

/** A JSON body by its schema: 400 for what is not JSON, 422 for what breaks the schema. */
export const json = <S extends z.ZodType>(schema: S) => {
  const validate = zValidator('json', schema, result => {
    if (!result.success)
      throw new ApiError(
        'VALIDATION_ERROR',
        'The request failed validation',
        detailsOf(result.error.issues),
      )
  })
  const handler: typeof validate = async (c, next) => {
    await readJson(c)
    return validate(c, next)
  }
  return remember(handler, 'json', schema)
}

/** The query parameters by their schema: 400 with details when they break it. */
export const query = <S extends z.ZodType>(schema: S) =>
  remember(
    zValidator('query', schema, result => {
      if (!result.success)
        badRequest('The query parameters are wrong', detailsOf(result.error.issues))
    }),
    'query',
    schema,
  )

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** Whether a browser's form sent the body: its answer is a page, not JSON. */
export const isForm = (c: Context): boolean => FORM_TYPE.test(c.req.header('content-type') ?? '')

/** A form to show again: what was typed, and by field what is wrong with it. */
export interface Filled {
  values: Record<string, string>
  errors: Record<string, string>
}

/** A validated form or JSON body, read as `c.req.valid('form')`. */
type Validated<S extends z.ZodType> = MiddlewareHandler<
  AppEnv,
  string,
  { in: { form: z.input<S> }; out: { form: z.output<S> } }
>

/** A field that was left empty is one that was left out. */
const readForm = async (c: Context): Promise<Record<string, string>> =>
  Object.fromEntries([...new URLSearchParams(await readText(c))].filter(([, v]) => v !== ''))

/**
 * A form (`application/x-www-form-urlencoded`) or JSON body of our own pages, by its schema. A form
 * that breaks it is shown again by `show`, which answers 422; JSON gets the usual answers.
 */
export const form = <S extends z.ZodType>(
  schema: S,
  show: (c: Context<AppEnv>, filled: Filled) => Response | Promise<Response>,
): Validated<S> => {
  const handler: Validated<S> = async (c, next) => {
    if (!isForm(c)) await readJson(c)
    const given = isForm(c) ? await readForm(c) : await c.req.json()
    const result = await schema.safeParseAsync(given)
    if (!result.success) {
      const details = detailsOf(result.error.issues)
      if (!isForm(c))
        throw new ApiError('VALIDATION_ERROR', 'The request failed validation', details)
      return show(c as unknown as Context<AppEnv>, { values: given, errors: byField(details) })
    }
    c.req.addValidatedData('form', result.data as object)
    return next()
  }
  return remember(handler, 'form', schema)
}

/** The first fault of each field. */
export const byField = (details: readonly Detail[]): Record<string, string> =>
  Object.fromEntries(details.toReversed().map(({ field, message }) => [field, message]))
