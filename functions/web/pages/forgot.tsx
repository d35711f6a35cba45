import type { Context } from 'hono'
import type { AppEnv } from '#lib/http/exchange.ts'
import type { Filled } from '#lib/http/validate.ts'
import { EMPTY, Field } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { EntryPage } from './entry.tsx'

/** The form that asks for a new password. */
export const showForgot = (
  c: Context<AppEnv>,
  filled: Filled = EMPTY,
  status = filled === EMPTY ? 200 : 422,
  message?: string,
): Response =>
  showPage(
    c,
    <EntryPage
      title="Forgotten password"
      lead="We send you a link with which you choose a new one."
      action="/forgot"
      button="Send link"
      filled={filled}
      message={message}
      below={
        <>
          Remembered it? <a href="/signin">Sign in</a>
        </>
      }
    >
      <Field name="email" label="E-mail" type="email" autocomplete="email" filled={filled} />
    </EntryPage>,
    status,
  )

/** What follows, whether somebody has the address or not. */
export const showSent = (c: Context<AppEnv>): Response =>
  showPage(
    c,
    <Layout title="Look into your inbox">
      <div class="card narrow stack">
        <h1>Look into your inbox</h1>
        <p>
          If there is an account with this address, an e-mail is on its way to it. Its link works
          once, within an hour.
        </p>
        <p class="quiet">
          Nothing there? Look among the spam, or <a href="/forgot">try another address</a>.
        </p>
      </div>
    </Layout>,
  )
