import type { Context } from 'hono'
import { signIn } from '#lib/domain/accounts/operations.ts'
import { SignIn } from '#lib/domain/accounts/schema.ts'
import { giveCookie, takeNotice, withoutKey } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import { AT_FIRST, type Shown } from '#lib/http/validate.ts'
import { Field, PASSWORD } from '#lib/pages/fields.tsx'
import { showPage } from '#lib/pages/layout.tsx'
import { leadingTo, nextOf } from '#lib/pages/next.ts'
import { BUSINESSES } from './businesses.tsx'
import { byEmail, EntryPage, GUESSES, onTheWay } from './entry.tsx'

/** The form to sign in with. */
export function showSignIn(
  c: Context<AppEnv>,
  { filled, status, message }: Shown = AT_FIRST,
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
      <Field name="email" label="E-mail" type="email" autocomplete="username" filled={filled} />
      <Field {...PASSWORD} label="Password" filled={filled} />
      <p>
        <a href="/forgot">Forgotten your password?</a>
      </p>
    </EntryPage>,
    status,
  )
}

/** Signs in, and leads on to where one was going. */
export const signInForm = visitorForm({
  schema: SignIn.extend(onTheWay),
  max: GUESSES,
  target: byEmail,
  show: showSignIn,
  work: async (c, v, typed) => {
    const session = await signIn(withoutKey(v), typed)
    giveCookie(c, session, v.now)
    const { expiresAt, businesses } = session
    return { expiresAt, ...(businesses > 1 ? { businesses } : {}) }
  },
  next: (_c, typed, { businesses }) =>
    businesses ? leadingTo(BUSINESSES, nextOf(typed.next)) : nextOf(typed.next),
})
