import type { Context } from 'hono'
import { userOfReset } from '#lib/domain/accounts/reset.ts'
import { visitorIn } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import type { Filled } from '#lib/http/validate.ts'
import { EMPTY, Field, NEW_PASSWORD } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { EntryPage } from './entry.tsx'

/** The form that an e-mailed link leads to. Looking at it uses nothing up. */
export async function showReset(
  c: Context<AppEnv>,
  filled: Filled = EMPTY,
  status = filled === EMPTY ? 200 : 422,
  message?: string,
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
      <Field {...NEW_PASSWORD} label="New password" filled={filled} />
    </EntryPage>,
    status,
  )
}

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
