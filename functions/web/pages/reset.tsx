import type { Context } from 'hono'
import { resetPassword, userOfReset } from '#lib/domain/accounts/reset.ts'
import { Reset } from '#lib/domain/accounts/schema.ts'
import { visitorIn } from '#lib/http/callers.ts'
import { dropCookie, giveNotice, withoutKey } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { visitorForm } from '#lib/http/forms.ts'
import { AT_FIRST, type Shown } from '#lib/http/validate.ts'
import { Field, NEW_PASSWORD, WhosePassword } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { EntryPage, GUESSES } from './entry.tsx'

/** The form that an e-mailed link leads to. Looking at it uses nothing up. */
export async function showReset(
  c: Context<AppEnv>,
  { filled, status, message }: Shown = AT_FIRST,
): Promise<Response> {
  const token = filled.values.token ?? c.req.query('token') ?? ''
  const user = await userOfReset(visitorIn(c), token)
  if (!user) return showEnded(c)
  return showPage(
    c,
    <EntryPage
      title="Your new password"
      lead={`For ${user.email}. Every browser that is signed in will be signed out.`}
      action="/reset"
      button="Change password"
      hidden={{ token }}
      filled={filled}
      message={message}
      noindex
    >
      <WhosePassword email={user.email} />
      <Field {...NEW_PASSWORD} label="New password" filled={filled} />
    </EntryPage>,
    status,
  )
}

/** Changes the password. Nobody is signed in any more. */
export const resetForm = visitorForm({
  schema: Reset,
  max: GUESSES,
  show: showReset,
  work: async (c, v, typed) => {
    await resetPassword(withoutKey(v), typed)
    dropCookie(c)
    giveNotice(c, { text: 'Your password is changed. You can sign in with it now.' })
  },
  next: () => '/signin',
})

/** The link is forged, used or older than an hour. */
const showEnded = (c: Context<AppEnv>): Response =>
  showPage(
    c,
    <Layout title="This link has ended" noindex>
      <div class="card narrow stack">
        <h1>This link has ended</h1>
        <p>It works once, within an hour. You can have another one sent.</p>
        <p>
          <a class="button wide" href="/forgot">
            Send another link
          </a>
        </p>
      </div>
    </Layout>,
    404,
  )
