import { type Context, Hono } from 'hono'
import type { Child } from 'hono/jsx'
import type * as z from 'zod'
import type { Member } from '#lib/core/context.ts'
import { ApiError, badRequest, type Detail, invalid, notFound } from '#lib/core/errors.ts'
import { detailsOf } from '#lib/core/faults.ts'
import { queryId } from '#lib/core/schemas.ts'
import { meaningOf } from '#lib/db/meanings.ts'
import { readText } from '#lib/http/body.ts'
import { member, memberIn } from '#lib/http/callers.ts'
import { giveNotice, type Notice, type Secret, takeNotice } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { SHOWN_AGAIN } from '#lib/http/forms.ts'
import { pressOnce } from '#lib/http/press.ts'
import { byField, type Filled, isForm } from '#lib/http/validate.ts'
import { inBrowser } from '#lib/pages/guard.ts'
import { showPage } from '#lib/pages/layout.tsx'

/** What a form sends: its fields by name, '' for those that were left empty. */
export type Typed = Readonly<Record<string, string>>

/** Somebody pressed a button. */
export interface Press {
  c: Context
  m: Member
  /** The id in the page's address, 0 without one. */
  id: number
  typed: Typed
}

/** What a form has led to: what the next page says, and where it is if not here. */
export interface Done extends Notice {
  to?: string
}

/** What a button does. */
export type Act = (press: Press) => Promise<Done>

/**
 * A button whose form fills in a schema: `read` makes the input of the fields, whose faults are then
 * shown at the fields of their names.
 */
export const act =
  <S extends z.ZodType>(
    schema: S,
    read: (typed: Typed) => unknown,
    work: (m: Member, input: z.output<S>, press: Press) => Promise<Done>,
  ): Act =>
  async press => {
    const { success, data, error } = schema.safeParse(read(press.typed))
    return success ? work(press.m, data, press) : invalid(...detailsOf(error.issues))
  }

/** A form that was refused. */
interface Refused {
  act: string
  filled: Filled
  /** What is wrong with the whole. */
  message: string | undefined
}

/** What a page is made of. */
export class View {
  constructor(
    readonly c: Context,
    readonly m: Member,
    readonly id: number,
    readonly notice?: Notice,
    readonly refused?: Refused,
  ) {}

  /** A form as it is to be shown: as it was typed if it was refused, else with what is kept. */
  form(name: string, kept: Record<string, string | number | null | undefined> = {}): Filled {
    if (this.refused?.act === name) return this.refused.filled
    const values = Object.entries(kept).map(([key, value]) => [key, String(value ?? '')] as const)
    return { values: Object.fromEntries(values), errors: {} }
  }
}

/** A page with forms that are sent to its own address. */
export interface FormPage {
  show(view: View): Promise<Child>
  /** What its buttons do, by the `act` of their forms. */
  acts?: Record<string, Act>
  /** The field at which a fault is shown, where it is not the one of the same name. */
  fieldOf?(fault: string, typed: Typed): string
  /** How often a minute one user may send its forms, where something can be guessed. */
  tries?: number
}

function idOf(c: Context): number {
  const asked = c.req.param('id')
  if (asked === undefined) return 0
  const { data } = queryId.safeParse(asked)
  return data ?? notFound('What this address names')
}

async function show(page: FormPage, view: View, status = 200): Promise<Response> {
  return showPage(view.c, await page.show(view), status)
}

/** Sent by a form that has no room for faults at its fields, such as a button in a row. */
export const BARE = { bare: 'on' }

/** Whether a form shows its faults itself. What the state refuses may concern nothing typed. */
function isSaidAtField(error: ApiError, faults: readonly Detail[], typed: Typed): boolean {
  if (typed.bare || faults.length === 0) return false
  return error.status === 422 || faults.some(({ field }) => field in typed)
}

/** A secret was for the first press alone, and is kept nowhere. */
const secretGone = ({ instead }: Secret): string =>
  `You pressed twice, and it was done once. Its secret was shown after the first press and cannot be shown again. If you did not see it, ${instead}.`

/** What a second press is told of what the first has done. */
const again = ({ secret, ...done }: Done): Done =>
  secret ? { ...done, text: `${done.text} ${secretGone(secret)}`, bad: true } : done

const untold = (): Done => ({ text: 'This was done by an earlier press of the button.' })

/** Carries out what was pressed and leads on (303), or shows the page again with what is wrong. */
async function press<E extends AppEnv>(page: FormPage, c: Context<E>): Promise<Response> {
  if (!isForm(c)) badRequest('This page takes forms (application/x-www-form-urlencoded) alone')
  const typed: Typed = Object.fromEntries(new URLSearchParams(await readText(c)))
  const name = typed.act ?? ''
  const known = page.acts && Object.hasOwn(page.acts, name) ? page.acts[name] : undefined
  if (!known) return badRequest('This form is not of this page; load the page again')
  const { exchange } = c.var
  const id = idOf(c)
  // A member of the moment, whose writes are held by the press.
  const work = () => known({ c, m: memberIn(exchange, 'api'), id, typed })
  try {
    const { to, ...notice } = await pressOnce(c, { work, again, untold })
    giveNotice(c, notice)
    return c.redirect(to ?? c.req.path, 303)
  } catch (thrown) {
    const error = meaningOf(thrown)
    if (!(error instanceof ApiError) || !SHOWN_AGAIN.has(error.status)) throw error
    const faults = (error.details ?? []).map(({ field, message }) => ({
      field: page.fieldOf?.(field, typed) ?? field,
      message,
    }))
    const message = isSaidAtField(error, faults, typed) ? undefined : error.message
    const filled = { values: { ...typed }, errors: byField(faults) }
    return show(
      page,
      new View(c, memberIn(exchange, 'api'), id, undefined, { act: name, filled, message }),
      error.status,
    )
  }
}

/**
 * The routes of a page with forms, for somebody who has signed in. Their session is a cookie, so that the
 * exchange has refused what another site's page sends.
 */
export const pageRoutes = (path: string, page: FormPage) =>
  new Hono<AppEnv>()
    .get(path, inBrowser, member, c => show(page, new View(c, c.var.ctx, idOf(c), takeNotice(c))))
    .post(
      path,
      inBrowser,
      async (c, next) => {
        const { exchange } = c.var
        const key = `t${exchange.identity?.userId} ${c.req.path}`
        if (page.tries) exchange.count({ key, limit: page.tries })
        await next()
      },
      member,
      c => press(page, c),
    )
