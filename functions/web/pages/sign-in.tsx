import type { Context } from 'hono'
import { takeNotice } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import type { Filled } from '#lib/http/validate.ts'
import { EMPTY, Field } from '#lib/pages/fields.tsx'
import { showPage } from '#lib/pages/layout.tsx'
import { leadingTo, nextOf } from '#lib/pages/next.ts'
import { EntryPage } from './entry.tsx'

/** The form to sign in with. */
export function showSignIn(
  c: Context<AppEnv>,
  filled: Filled = EMPTY,
  status = filled === EMPTY ? 200 : 422,
  message?: string,
): Response {
  const next = nextOf(filled.values.next ?? c.req.query('next'))
  return showPage(
    c,
    <EntryPage
      title="Sign in"
      action="/signin"
      button="Sign in"
      hidden={{ next }}
      notice={takeNotice(c)}
      filled={filled}
      message={message}
      below={
        <>
          No account yet? <a href={leadingTo('/signup', next)}>Sign up</a>
        </>
      }
    >
      <Field name="email" label="E-mail" type="email" autocomplete="email" filled={filled} />
      <Field
        name="password"
        label="Password"
        type="password"
        autocomplete="current-password"
        filled={filled}
      />
      <p>
        <a href="/forgot">Forgotten your password?</a>
      </p>
    </EntryPage>,
    status,
  )
}
