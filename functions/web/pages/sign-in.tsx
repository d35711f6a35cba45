import type { Context } from 'hono'
import type { AppEnv } from '#lib/http/exchange.ts'
import type { Filled } from '#lib/http/validate.ts'
import { Alert, EMPTY, Field } from '../fields.tsx'
import { Layout, showPage } from '../layout.tsx'

/** The form to sign in with. */
export function showSignIn(
  c: Context<AppEnv>,
  filled: Filled = EMPTY,
  status = filled === EMPTY ? 200 : 422,
  message?: string,
): Response {
  return showPage(
    c,
    <Layout title="Sign in">
      <div class="card narrow stack">
        <h1>Sign in</h1>
        <Alert message={message} />
        <form class="fields" method="post" action="/signin">
          <Field name="email" label="E-mail" type="email" autocomplete="email" filled={filled} />
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
            filled={filled}
          />
          <button class="button wide" type="submit">
            Sign in
          </button>
        </form>
        <p class="quiet">
          No account yet? <a href="/signup">Sign up</a>
        </p>
      </div>
    </Layout>,
    status,
  )
}
