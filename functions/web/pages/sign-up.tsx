import type { Context } from 'hono'
import { signUp } from '#lib/domain/accounts/operations.ts'
import { SignUp } from '#lib/domain/accounts/schema.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import { created } from '#lib/http/reply.ts'
import { AT_FIRST, type Shown } from '#lib/http/validate.ts'
import { guessZone } from '#lib/pages/choices.ts'
import { Field, NEW_PASSWORD, TimeZone } from '#lib/pages/fields.tsx'
import { showPage } from '#lib/pages/layout.tsx'
import { leadingTo, nextOf } from '#lib/pages/next.ts'
import { byEmail, EntryPage, GUESSES, onTheWay, signInto } from './entry.tsx'

const Known = ({ signIn }: { signIn: string }) => (
  <p class="note bad" role="alert">
    You have an account already. <a href={signIn}>Sign in</a> with this address, or choose another.
  </p>
)

/** The form to make an account with. */
export function showSignUp(
  c: Context<AppEnv>,
  { filled, status, message }: Shown = AT_FIRST,
): Response {
  const next = nextOf(filled.values.next ?? c.req.query('next'))
  const signIn = leadingTo('/signin', next)
  return showPage(
    c,
    <EntryPage
      title="Create your account"
      lead="You can take bookings right away: Monday to Friday, 9 to 5, to begin with."
      action="/signup"
      button="Create account"
      hidden={{ next }}
      filled={status === 409 ? { ...filled, errors: {} } : filled}
      message={status === 409 ? <Known signIn={signIn} /> : message}
      below={
        <>
          Have an account? <a href={signIn}>Sign in</a>
        </>
      }
    >
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
      <Field {...NEW_PASSWORD} label="Password" filled={filled} />
      <TimeZone
        filled={filled}
        guess={guessZone(c) ?? 'UTC'}
        hint="Your opening hours are in this zone."
        asks
      />
    </EntryPage>,
    status,
  )
}

/** Makes an account, and signs its owner in. */
export const signUpForm = visitorForm({
  schema: SignUp.extend(onTheWay),
  max: GUESSES,
  target: byEmail,
  show: showSignUp,
  work: async (c, v, typed) => {
    const account = await signUp(v, typed)
    await signInto(c, v, account)
    return account
  },
  next: (_c, typed) => nextOf(typed.next),
  reply: created,
})
