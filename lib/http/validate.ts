import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler, Next } from 'hono'
import type * as z from 'zod'
import type { Member } from '#lib/core/context.ts'
import { ApiError, badQuery, badRequest, type Detail, unauthorized } from '#lib/core/errors.ts'
import '#lib/core/schemas.ts'
import { detailsOf } from '#lib/core/faults.ts'
import { unkeepable } from '#lib/core/unkeepable.ts'
import { isJson, readBytes, readText } from './body.ts'
import { withFault } from './callers.ts'
import type { AppEnv } from './exchange.ts'

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

const failed = (details: readonly Detail[]): never => {
  throw new ApiError('VALIDATION_ERROR', 'The request failed validation', details)
}

/** Reads a JSON body, telling a wrong type from malformed text, and text that cannot be kept. */
async function readJson(c: Context): Promise<unknown> {
  if (!isJson(c)) badRequest('The body must be JSON: Content-Type application/json')
  const text = await readText(c)
  const body = parse(text)
  const faults = unkeepable(text, body)
  return faults.length > 0 ? failed(faults) : body
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return badRequest('The body is not well-formed JSON')
  }
}

/** What passed its schema, read as `c.req.valid('json')`, `c.req.valid('query')` or `c.req.valid('form')`. */
type Validated<K extends 'json' | 'query' | 'form', S extends z.ZodType> = MiddlewareHandler<
  AppEnv,
  string,
  { in: { [key in K]: z.input<S> }; out: { [key in K]: z.output<S> } }
>

/**
 * Goes on with what `check` lets pass. What is wrong with a request is told to those alone who may do what
 * they ask for: the operation says so, which begins with the permission that it needs.
 */
const validated = <K extends 'json' | 'query', S extends z.ZodType>(
  where: K,
  schema: S,
  check: (c: Context) => Promise<unknown>,
): Validated<K, S> => {
  const handler: Validated<K, S> = async (c, next) => {
    try {
      await check(c)
    } catch (fault) {
      c.req.addValidatedData(where, {})
      return refused(c as unknown as Asked, next, fault)
    }
    return next()
  }
  return remember(handler, where, schema)
}

type Asked = Context<{ Bindings: AppEnv['Bindings']; Variables: { ctx?: Member } }>

/** Asks the operation whether the member may do what they ask for, and tells them the fault if so. */
async function refused(c: Asked, next: Next, fault: unknown): Promise<void> {
  const m = c.get('ctx')
  if (m && fault instanceof ApiError) {
    c.set('ctx', withFault(m, fault))
    await next()
    if (c.error instanceof ApiError && c.error.code === 'FORBIDDEN') return
    // Nothing of the answer to it stays.
    c.res = undefined
    c.res = new Response()
  }
  throw fault
}

/** A JSON body by its schema: 400 for what is not JSON, 422 for what breaks the schema. */
export const json = <S extends z.ZodType>(schema: S): Validated<'json', S> =>
  validated('json', schema, async c => {
    const { success, data, error } = await schema.safeParseAsync(await readJson(c))
    c.req.addValidatedData('json', success ? (data as object) : failed(detailsOf(error.issues)))
  })

/**
 * A JSON body, some or all of whose fields may stand in the query instead; the body wins. The field
 * `credential` lets its sender in: 401 for who has neither that nor a user's credentials.
 */
export const jsonOrQuery = <S extends z.ZodType>(
  schema: S,
  credential: string,
): Validated<'json', S> => {
  const handler: Validated<'json', S> = async (c, next) => {
    const isBare = c.req.header('content-type') === undefined && (await readText(c)) === ''
    const body = isBare ? {} : await readJson(c)
    const isFields = typeof body === 'object' && body !== null && !Array.isArray(body)
    const given = isFields ? { ...c.req.query(), ...body } : body
    const isShown = isFields && Boolean((given as Record<string, unknown>)[credential])
    if (!isShown && !c.var.exchange.identity)
      unauthorized(`Credentials are missing: the ${credential} of the link in the e-mail`)
    const result = await schema.safeParseAsync(given)
    if (!result.success) return failed(detailsOf(result.error.issues))
    c.req.addValidatedData('json', result.data as object)
    return next()
  }
  return remember(handler, 'json', schema)
}

/** The query parameters by their schema: 400 with details when they break it. */
export const query = <S extends z.ZodType>(schema: S): Validated<'query', S> => {
  const check = zValidator('query', schema, result => {
    if (!result.success) badQuery(...detailsOf(result.error.issues))
  })
  return validated('query', schema, c => check(c, async () => {}))
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** Whether a browser's form sent the body: its answer is a page, not JSON. */
export const isForm = (c: Context): boolean => FORM_TYPE.test(c.req.header('content-type') ?? '')

/** A form to show again: what was typed, and by field what is wrong with it. */
export interface Filled {
  values: Record<string, string>
  errors: Record<string, string>
}

/** How a page with a form is shown: what is in the form, and what is wrong with the whole. */
export interface Shown {
  filled: Filled
  status: number
  message?: string | undefined
}

/** A form before anything was typed. */
export const AT_FIRST: Shown = { filled: { values: {}, errors: {} }, status: 200 }

/** Shows a form again, with what was typed and what is wrong with it. */
export type ShowForm = (c: Context<AppEnv>, shown: Shown) => Response | Promise<Response>

/** What a form sent. A field that was left empty is one that was left out. */
export const readForm = async (c: Context): Promise<Record<string, string>> =>
  Object.fromEntries([...new URLSearchParams(await readText(c))].filter(([, v]) => v !== ''))

const PARTS_TYPE = /^multipart\/form-data\s*;/i

/** The same of a form that was sent in parts (RFC 7578). Files are left out. */
async function readParts(c: Context): Promise<Record<string, string>> {
  const headers = { 'content-type': c.req.header('content-type') ?? '' }
  const parts = await new Response(await readBytes(c), { headers })
    .formData()
    .catch(() => badRequest('The body is not well-formed multipart/form-data'))
  const fields = [...parts].filter(([, v]) => typeof v === 'string' && v !== '')
  return Object.fromEntries(fields.map(([name, v]) => [name, String(v)]))
}

/** What was typed into a form; undefined where the body is none. */
const typedInto = async (c: Context, takesParts: boolean) =>
  isForm(c)
    ? readForm(c)
    : takesParts && PARTS_TYPE.test(c.req.header('content-type') ?? '')
      ? readParts(c)
      : undefined

/**
 * A form (`application/x-www-form-urlencoded`) or JSON body of our own pages, by its schema. A form
 * that breaks it is shown again by `show`; JSON gets the usual answers.
 * @param takesParts whether `multipart/form-data` will do as well: for what others than our pages send
 */
export const form = <S extends z.ZodType>(
  schema: S,
  show: ShowForm,
  { takesParts = false } = {},
): Validated<'form', S> => {
  const handler: Validated<'form', S> = async (c, next) => {
    const typed = await typedInto(c, takesParts)
    const result = await schema.safeParseAsync(typed ?? (await readJson(c)))
    if (!result.success) {
      const details = detailsOf(result.error.issues)
      if (!typed) return failed(details)
      return show(c, { filled: { values: typed, errors: byField(details) }, status: 422 })
    }
    c.req.addValidatedData('form', result.data as object)
    return next()
  }
  return remember(handler, 'form', schema)
}

/** The first fault of each field, in the order in which they were found. */
export function byField(details: readonly Detail[]): Record<string, string> {
  const faults = new Map<string, string>()
  for (const { field, message } of details) if (!faults.has(field)) faults.set(field, message)
  return Object.fromEntries(faults)
}
