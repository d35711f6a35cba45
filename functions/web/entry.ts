import { type Context, Hono } from 'hono'
import * as z from 'zod'
import type { Visitor } from '#lib/core/context.ts'
import { signIn, signOut, signUp, startSession } from '#lib/domain/accounts/operations.ts'
import { requestReset, resetPassword } from '#lib/domain/accounts/reset.ts'
import { Forgotten, Reset, SignIn, SignUp } from '#lib/domain/accounts/schema.ts'
import { visitorOf } from '#lib/http/callers.ts'
import { dropCookie, giveCookie, giveNotice, readCookie, withoutKey } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { type ShowForm, sameOrigin, submit } from '#lib/http/forms.ts'
import { created, type ok } from '#lib/http/reply.ts'
import { type Filled, form } from '#lib/http/validate.ts'
import { signedIn } from '#lib/pages/guard.ts'
import { nextOf } from '#lib/pages/next.ts'
import { showForgot, showSent } from './pages/forgot.tsx'
import { showLanding } from './pages/landing.tsx'
import { showReset } from './pages/reset.tsx'
import { showSignIn } from './pages/sign-in.tsx'
import { showSignUp } from './pages/sign-up.tsx'

/** Tries a minute at one address (of the client) and one target. */
const GUESSES = 10

type Show = (
  c: Context<AppEnv>,
  filled?: Filled,
  status?: number,
  message?: string,
) => Response | Promise<Response>

/** A form for somebody who has not signed in. */
interface Door<S extends z.ZodType> {
  schema: S
  show: Show
  /** What is guessed at: tries are counted by it. */
  target(typed: z.output<S>): string
  work(c: Context, visitor: Visitor, typed: z.output<S>): Promise<unknown>
  next(typed: z.output<S>): string
  reply?: typeof ok
}

/** The page of a form, and what takes the form. */
function door<S extends z.ZodType<object>>(path: string, of: Door<S>) {
  const { schema, show, target, work, next, reply } = of
  const shown: ShowForm = (c, filled, status, message) => show(c, filled, status, message)
  return new Hono<AppEnv>()
    .get(path, c => show(c))
    .post(
      path,
      sameOrigin,
      form(schema, (c, filled) => show(c, filled)),
      visitorOf<z.output<S>>(GUESSES, target),
      c => {
        const typed: z.output<S> = c.req.valid('form')
        const act = () => work(c, c.var.ctx, typed)
        const rest = reply ? { reply } : {}
        return submit(c, act, { next: next(typed), show: shown, typed, ...rest })
      },
    )
}

/** Where the visitor was on their way to. */
const onTheWay = { next: z.string().max(20_000).optional() }

const byEmail = ({ email }: { email: string }): string => email.toLowerCase()

/** Signing up, in and out, and choosing a new password. */
export const entryPages = new Hono<AppEnv>()
  .route(
    '/',
    door('/signup', {
      schema: SignUp.extend(onTheWay),
      show: showSignUp,
      target: byEmail,
      work: async (c, ctx, typed) => {
        const account = await signUp(ctx, typed)
        giveCookie(c, await startSession(withoutKey(ctx), account), ctx.now)
        return account
      },
      next: typed => nextOf(typed.next),
      reply: created,
    }),
  )
  .route(
    '/',
    door('/signin', {
      schema: SignIn.extend(onTheWay),
      show: showSignIn,
      target: byEmail,
      work: async (c, ctx, typed) => {
        const session = await signIn(withoutKey(ctx), typed)
        giveCookie(c, session, ctx.now)
        return { expiresAt: session.expiresAt }
      },
      next: typed => nextOf(typed.next),
    }),
  )
  .route(
    '/',
    door('/forgot', {
      schema: Forgotten,
      show: showForgot,
      target: byEmail,
      work: (_c, ctx, typed) => requestReset(withoutKey(ctx), typed),
      next: () => '/forgot/sent',
    }),
  )
  .get('/forgot/sent', c => showSent(c))
  .route(
    '/',
    door('/reset', {
      schema: Reset,
      show: showReset,
      target: () => '',
      work: async (c, ctx, typed) => {
        await resetPassword(withoutKey(ctx), typed)
        dropCookie(c)
        giveNotice(c, { text: 'Your password is changed. You can sign in with it now.' })
      },
      next: () => '/signin',
    }),
  )
  .post('/signout', sameOrigin, signedIn, c => {
    const work = async () => {
      const secret = readCookie(c)
      if (secret) await signOut(c.var.ctx, secret)
      dropCookie(c)
    }
    return submit(c, work, { next: '/', show: showLanding, typed: {} })
  })
