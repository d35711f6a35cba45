import type { Context } from 'hono'
import * as z from 'zod'
import type { Member } from '#lib/core/context.ts'
import { unauthorized } from '#lib/core/errors.ts'
import { queryId } from '#lib/core/schemas.ts'
import { listBusinesses, switchBusiness } from '#lib/domain/accounts/switch.ts'
import { ROLE_WORDS } from '#lib/domain/messaging/invitation.ts'
import { memberIn } from '#lib/http/callers.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { submit } from '#lib/http/forms.ts'
import { AT_FIRST, type Shown } from '#lib/http/validate.ts'
import { Alert, Hidden } from '#lib/pages/fields.tsx'
import { browserOf } from '#lib/pages/guard.ts'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { nextOf } from '#lib/pages/next.ts'
import { onTheWay } from './entry.tsx'

/** Where one who works for several businesses says for which. */
export const BUSINESSES = '/businesses'

/** Which business to go on in. */
export const Chosen = z.object({ accountId: queryId, ...onTheWay })

/** The businesses that a user works for, with a button for each. */
export async function showBusinesses<E extends AppEnv>(
  c: Context<E>,
  m: Member,
  { filled, status, message }: Shown = AT_FIRST,
): Promise<Response> {
  const next = nextOf(filled.values.next ?? c.req.query('next'))
  const known = await listBusinesses(m)
  return showPage(
    c,
    <Layout title="Your businesses" refused={status >= 400} signedIn>
      <div class="card narrow stack">
        <h1>Your businesses</h1>
        <p class="quiet">You see and change one at a time, in this browser.</p>
        <Alert message={message} />
        <ul class="rows">
          {known.map(({ id, name, role }) => (
            <li>
              <div class="about">
                <h2 class="name">{name}</h2>
                <p class="quiet">
                  {ROLE_WORDS[role]}
                  {id === m.accountId ? ' · you are here' : ''}
                </p>
              </div>
              <form method="post" action={BUSINESSES}>
                <Hidden values={{ accountId: id, next }} />
                <button class="button plain small" type="submit">
                  {id === m.accountId ? 'Stay' : 'Go'}
                  <span class="unseen">
                    {id === m.accountId ? ' at ' : ' to '}
                    {name}
                  </span>
                </button>
              </form>
            </li>
          ))}
        </ul>
      </div>
    </Layout>,
    status,
  )
}

/** The same again for a form that is none of its own. */
export const showBusinessesAgain = (c: Context<AppEnv>, shown: Shown): Promise<Response> =>
  showBusinesses(c, memberIn(c.var.exchange, 'api'), shown)

/** Goes on in the business that was chosen. */
export const chooseBusiness = <E extends AppEnv>(
  c: Context<E>,
  m: Member,
  { accountId, next }: z.output<typeof Chosen>,
): Promise<Response> => {
  const { session } = browserOf(c) ?? unauthorized()
  const work = () => switchBusiness(m, { accountId }, session)
  return submit(c, work, { next: () => nextOf(next), show: shown => showBusinesses(c, m, shown) })
}
