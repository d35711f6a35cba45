import type { Context } from 'hono'
import { requestReset } from '#lib/domain/accounts/reset.ts'
import { Forgotten } from '#lib/domain/accounts/schema.ts'
import { withoutKey } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import { AT_FIRST, type Shown } from '#lib/http/validate.ts'
import { Field } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { byEmail, EntryPage, GUESSES } from './entry.tsx'

/** The form that asks for a new password. */
export const showForgot = (
  c: Context<AppEnv>,
  { filled, status, message }: Shown = AT_FIRST,
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

/** Sends a link with which to choose a new password. */
export const forgotForm = visitorForm({
  schema: Forgotten,
  max: GUESSES,
  target: byEmail,
  show: showForgot,
  work: (_c, v, typed) => requestReset(withoutKey(v), typed),
  next: () => '/forgot/sent',
})

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
