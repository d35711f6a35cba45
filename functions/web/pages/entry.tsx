import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import * as z from 'zod'
import type { Base } from '#lib/core/context.ts'
import { startSession } from '#lib/domain/accounts/operations.ts'
import { giveCookie, type Notice, withoutKey } from '#lib/http/cookies.ts'
import type { Filled } from '#lib/http/validate.ts'
import { Alert, Hidden, Said } from '#lib/pages/fields.tsx'
import { Fields } from '#lib/pages/filling.tsx'
import { Layout } from '#lib/pages/layout.tsx'

/** Tries a minute of one client at one account. */
export const GUESSES = 10

/** Whose account is tried. */
export const byEmail = ({ email }: { email: string }): string => email.toLowerCase()

/** Where the visitor was on their way to. */
export const onTheWay = { next: z.string().max(20_000).optional() }

/** Signs a user in to an account, in the browser that asks. */
export async function signInto(
  c: Context,
  base: Base,
  user: { accountId: number; userId: number },
): Promise<void> {
  giveCookie(c, await startSession(withoutKey(base), user), base.now)
}

interface EntryProps {
  title: string
  /** Where the form is sent. */
  action: string
  /** What its button says. */
  button: string
  /** Stands above the form. */
  lead?: Child
  /** Stands below it: the other ways in. */
  below?: Child
  filled: Filled
  /** What is wrong with the whole. */
  message?: Child
  notice?: Notice | undefined
  hidden?: Record<string, string | undefined>
  noindex?: boolean
  /** Its fields. */
  children?: Child
}

/** A page of one small form, for somebody who has not signed in. */
export const EntryPage = (props: EntryProps) => {
  const { title, action, button, lead, below, filled, message, notice, hidden, children } = props
  return (
    <Layout
      title={title}
      refused={message !== undefined || Object.keys(filled.errors).length > 0}
      noindex={props.noindex ?? false}
    >
      <div class="card narrow stack">
        <h1>{title}</h1>
        {lead ? <p class="quiet">{lead}</p> : null}
        <Said notice={notice} />
        {typeof message === 'string' ? <Alert message={message} /> : message}
        <form class="fields" method="post" action={action}>
          {hidden ? <Hidden values={hidden} /> : null}
          <Fields filled={filled}>{children}</Fields>
          <button class="button wide" type="submit">
            {button}
          </button>
        </form>
        {below ? <p class="quiet">{below}</p> : null}
      </div>
    </Layout>
  )
}
