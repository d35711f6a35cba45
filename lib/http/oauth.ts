import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ApiError } from '#lib/core/errors.ts'
import { type OAuthCode, OAuthError, refuse } from '#lib/domain/oauth/errors.ts'
import { type Parameters, readParameters, requireReadable } from '#lib/domain/oauth/parameters.ts'
import { type Presented, readPresented } from '#lib/domain/oauth/presented.ts'
import { readText } from './body.ts'
import type { AppEnv } from './exchange.ts'
import { failure } from './failure.ts'
import { isForm } from './validate.ts'

type Ctx = Context<AppEnv>

/** Refused clients a minute at one address: their secrets are not to be guessed. */
const GUESSES = 10

/**
 * An Idempotency-Key is not heeded: codes and refresh tokens work once by themselves, and the answers
 * hold secrets, which are not kept.
 */
export const once = createMiddleware<AppEnv>(async (c, next) => {
  c.var.exchange.claim = undefined
  await next()
})

/** Refusals of the token, revocation and registration endpoints: `{error, error_description}`. */
export function presentOAuth(c: Ctx, thrown: unknown): Response {
  if (!(thrown instanceof OAuthError)) return failure(c, thrown)
  const { error, message, status } = thrown
  const usedBasic = /^Basic\b/i.test(c.req.header('authorization') ?? '')
  if (status === 401 && usedBasic) c.header('WWW-Authenticate', 'Basic realm="Almanac"')
  return noStore(c, { error, error_description: message }, status)
}

/** An answer that nobody on the way keeps (RFC 6749 5.1). */
export function noStore<E extends AppEnv>(c: Context<E>, body: object, status = 200): Response {
  c.header('Cache-Control', 'no-store')
  c.header('Pragma', 'no-cache')
  return c.json(body, status as 200)
}

/** A body as text. One that cannot be read is refused in OAuth's words, with the status that it has. */
async function readBody(c: Context, code: OAuthCode): Promise<string> {
  try {
    return await readText(c)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new OAuthError(code, error.message, error.status)
  }
}

/** The parameters of a form. Those of the address are not looked at: secrets never stand in one. */
async function readForm(c: Context): Promise<Parameters> {
  if (!isForm(c)) refuse('invalid_request', 'The body must be application/x-www-form-urlencoded')
  const form = readParameters(new URLSearchParams(await readBody(c, 'invalid_request')))
  requireReadable(form)
  return form
}

/**
 * Does what a client asks for that says who it is, and answers with what comes of it. Those who guess
 * at its secret are refused for the rest of the minute, also when they get it right.
 */
export async function asClient<E extends AppEnv>(
  c: Context<E>,
  work: (request: { form: Parameters; presented: Presented }) => Promise<object>,
): Promise<Response> {
  const { exchange: x } = c.var
  const form = await readForm(c)
  const presented = readPresented(c.req.header('authorization') ?? null, form)
  const guesses = { key: `g${x.address} ${presented.clientId}`, limit: GUESSES }
  if (presented.secret !== undefined) {
    const before = await x.deps.limits.count([guesses], 0).verdict()
    if (before.remaining === 0) x.refuse(before)
  }
  try {
    return noStore(c, await work({ form, presented }))
  } catch (error) {
    if (error instanceof OAuthError && error.error === 'invalid_client')
      await x.deps.limits.count([guesses]).verdict()
    throw error
  }
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i

/** The body of a registration: JSON, checked by nobody yet; errors are those of RFC 7591. */
export async function readJsonBody(c: Context): Promise<unknown> {
  if (!JSON_TYPE.test(c.req.header('content-type') ?? ''))
    refuse('invalid_client_metadata', 'The body must be application/json')
  try {
    return JSON.parse(await readBody(c, 'invalid_client_metadata'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return refuse('invalid_client_metadata', 'The body is not well-formed JSON')
  }
}

/** A document for everybody, which may be kept for a while. */
export function published<E extends AppEnv>(
  c: Context<E>,
  body: object,
  seconds: number,
): Response {
  c.header('Cache-Control', `public, max-age=${seconds}`)
  return c.json(body)
}
