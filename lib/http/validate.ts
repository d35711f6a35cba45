import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler } from 'hono'
import type * as z from 'zod'
import { ApiError, badRequest, type Detail } from '#lib/core/errors.ts'
import '#lib/core/schemas.ts'
import { readText } from './body.ts'

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

/** A form (`application/x-www-form-urlencoded`) or JSON body of our own pages, by its schema. */
export const form = <S extends z.ZodObject>(schema: S): MiddlewareHandler => {
  const handler: MiddlewareHandler = async (c, next) => {
    const type = c.req.header('content-type') ?? ''
    const text = await readText(c)
    if (/^application\/x-www-form-urlencoded/i.test(type))
      c.set('form', Object.fromEntries(new URLSearchParams(text)))
    else {
      await readJson(c)
      c.set('form', await c.req.json())
    }
    return next()
  }
  return remember(handler, 'form', schema)
}
