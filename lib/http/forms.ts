import type { Context, Handler } from 'hono'
import { createMiddleware } from 'hono/factory'
import type * as z from 'zod'
import type { Visitor } from '#lib/core/context.ts'
import { ApiError, conflict, forbidden } from '#lib/core/errors.ts'
import { meaningOf } from '#lib/db/meanings.ts'
import { visitorIn, visitorOf } from './callers.ts'
import type { AppEnv } from './exchange.ts'
import { pressOnce } from './press.ts'
import { ok } from './reply.ts'
import { byField, form, isForm, readForm, type ShowForm, type Shown } from './validate.ts'

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

/** What a form leads to. */
interface Submission<R> {
  /** The page that follows what was done. */
  next: (done: R) => string
  /** Shows the form again, with what was typed and what is wrong with it. */
  show: (shown: Shown) => Response | Promise<Response>
  /** How a JSON body is answered; 200 where nothing is said. */
  reply?: typeof ok | undefined
}

/** Refusals that concern what was typed. */
export const SHOWN_AGAIN = new Set([400, 401, 404, 409, 422])

/**
 * Carries out what a form asks for and goes on to the next page (303); a refusal shows the form
 * again. A JSON body gets JSON.
 */
export async function submit<E extends AppEnv, R>(
  c: Context<E>,
  work: () => Promise<R>,
  { next, show, reply = ok }: Submission<R>,
): Promise<Response> {
  if (!isForm(c)) return reply(c, work)
  try {
    const { to } = await pressOnce(c, { work: async () => ({ to: next(await work()) }), untold })
    return c.redirect(to, 303)
  } catch (thrown) {
    const error = meaningOf(thrown)
    if (!(error instanceof ApiError) || !SHOWN_AGAIN.has(error.status)) throw error
    const filled = { values: await readForm(c), errors: byField(error.details ?? []) }
    return show({ filled, status: error.status, message: wordsOf(error) })
  }
}

const untold = () => conflict('This was done by an earlier press of the button')

/** What stands at the fields need not be said once more in the words for programs. */
const wordsOf = ({ status, message, details }: ApiError): string =>
  status === 422 && details?.length ? 'Please look again at what you typed' : message

/** A form that anybody may send who finds its page. */
interface VisitorForm<S extends z.ZodType<object>, R> {
  schema: S
  /** How often a minute one address may send it; 30 times where nothing is said. */
  max?: number
  /** What is guessed at: the tries are counted by it. */
  target?: (typed: z.output<S>) => string
  /** Shows the form again, with what was typed and what is wrong with it. */
  show: ShowForm
  work: (c: Context<AppEnv>, visitor: Visitor, typed: z.output<S>) => Promise<R>
  /** The page that follows what was done. */
  next: (c: Context<AppEnv>, typed: z.output<S>, done: R) => string
  /** How a JSON body is answered; 200 where nothing is said. */
  reply?: typeof ok
}

/** In turn: the origin, the schema, the counts and the work. */
type FormHandlers = [Handler<AppEnv>, Handler<AppEnv>, Handler<AppEnv>, Handler<AppEnv>]

/** What a visitor's form is answered by. */
export const visitorForm = <S extends z.ZodType<object>, R>({
  schema,
  max = 30,
  target = () => '',
  show,
  work,
  next,
  reply,
}: VisitorForm<S, R>): FormHandlers => {
  const act: Handler<AppEnv> = c => {
    const typed = c.req.valid('form' as never) as z.output<S>
    return submit(c, () => work(c, visitorIn(c), typed), {
      next: done => next(c, typed, done),
      show: shown => show(c, shown),
      reply,
    })
  }
  const counted = visitorOf<z.output<S>>(max, target) as unknown as Handler<AppEnv>
  return [sameOrigin, form(schema, show) as unknown as Handler<AppEnv>, counted, act]
}
