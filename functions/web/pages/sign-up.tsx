import type { Context } from 'hono'
import type { AppEnv } from '#lib/http/exchange.ts'
import type { Filled } from '#lib/http/validate.ts'
import { Alert, Below, EMPTY, Field } from '../fields.tsx'
import { Layout, showPage } from '../layout.tsx'
import { writeZone, ZONES } from '../words.ts'

const TimeZone = ({ filled, guess }: { filled: Filled; guess: string | undefined }) => {
  const { timeZone: chosen } = filled.values
  const { timeZone: fault } = filled.errors
  const selected = chosen ?? guess ?? 'UTC'
  return (
    <div>
      <label for="timeZone">Time zone</label>
      <select
        id="timeZone"
        name="timeZone"
        autocomplete="off"
        data-guess={chosen === undefined}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby="timeZone-hint"
      >
        {ZONES.map(zone => (
          <option value={zone} selected={zone === selected}>
            {writeZone(zone)}
          </option>
        ))}
      </select>
      <Below name="timeZone" hint="Your opening hours are in this zone." fault={fault} />
    </div>
  )
}

const Known = () => (
  <p class="note bad" role="alert">
    You have an account already. <a href="/signin">Sign in</a> with this address, or choose another.
  </p>
)

/** The form to make an account with. */
export function showSignUp(
  c: Context<AppEnv>,
  filled: Filled = EMPTY,
  status = filled === EMPTY ? 200 : 422,
  message?: string,
): Response {
  const guess = c.req.raw.cf?.timezone
  return showPage(
    c,
    <Layout title="Sign up" script>
      <div class="card narrow stack">
        <h1>Create your account</h1>
        <p class="quiet">
          You can take bookings right away: Monday to Friday, 9 to 5, to begin with.
        </p>
        {status === 409 ? <Known /> : <Alert message={message} />}
        <form class="fields" method="post" action="/signup">
          <Field name="name" label="Your name" autocomplete="name" filled={filled} />
          <Field
            name="businessName"
            label="Business name"
            autocomplete="organization"
            optional
            hint="What customers see; your own name if you leave it empty."
            filled={filled}
          />
          <Field name="email" label="E-mail" type="email" autocomplete="email" filled={filled} />
          <Field
            name="password"
            label="Password"
            type="password"
            autocomplete="new-password"
            minlength={8}
            hint="At least 8 characters."
            filled={filled}
          />
          <TimeZone filled={filled} guess={typeof guess === 'string' ? guess : undefined} />
          <button class="button wide" type="submit">
            Create account
          </button>
        </form>
        <p class="quiet">
          Have an account? <a href="/signin">Sign in</a>
        </p>
      </div>
    </Layout>,
    status,
  )
}
