import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { ApiError, forbidden } from '#lib/core/errors.ts'
import { meaningOf } from '#lib/db/meanings.ts'
import type { AppEnv } from './exchange.ts'
import { ok } from './reply.ts'
import { byField, type Filled, isForm } from './validate.ts'

/**
 * Refuses what another site's page sends: a form needs an Origin of ours or the browser's word that
 * it is same-origin. A program sends neither, but JSON, which other sites' pages cannot.
 */
export const sameOrigin = createMiddleware<AppEnv>(async (c, next) => {
  const origin = c.req.header('origin')
  const site = c.req.header('sec-fetch-site')
  const own = [new URL(c.req.url).origin, c.var.exchange.deps.settings.publicUrl]
  const isOurs = (origin !== undefined && own.includes(origin)) || site === 'same-origin'
  const isProgram = origin === undefined && site === undefined && !isForm(c)
  if (!isOurs && !isProgram) forbidden('This form was sent from another site')
  await next()
})

/** Shows a form again, with what was typed and what is wrong with it. */
export type ShowForm = (
  c: Context<AppEnv>,
  filled: Filled,
  status: number,
  message: string,
) => Response | Promise<Response>

/** What a form leads to. */
interface Submission {
  /** The page that follows; asked once the work is done. */
  next: string | (() => string)
  show: ShowForm
  /** What was typed. */
  typed: object
  /** How a JSON body is answered; 200 where nothing is said. */
  reply?: typeof ok
}

/** Refusals that concern what was typed. */
export const SHOWN_AGAIN = new Set([400, 401, 404, 409, 422])

/**
 * Carries out what a form asks for and goes on to the next page (303); a refusal shows the form
 * again. A JSON body gets JSON.
 */
export async function submit<E extends AppEnv>(
  c: Context<E>,
  work: () => Promise<unknown>,
  { next, show, typed, reply = ok }: Submission,
): Promise<Response> {
  if (!isForm(c)) return reply(c, work)
  try {
    await work()
  } catch (thrown) {
    const error = meaningOf(thrown)
    if (!(error instanceof ApiError) || !SHOWN_AGAIN.has(error.status)) throw error
    const values = Object.fromEntries(
      Object.entries(typed).filter((entry): entry is [string, string] => Boolean(entry[1])),
    )
    const filled = { values, errors: byField(error.details ?? []) }
    return show(c as unknown as Context<AppEnv>, filled, error.status, error.message)
  }
  return c.redirect(typeof next === 'string' ? next : next(), 303)
}
