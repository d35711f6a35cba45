import type { Context } from 'hono'
import { type Member, may } from '#lib/core/context.ts'
import { listBusinesses } from '#lib/domain/accounts/switch.ts'
import { getCompany } from '#lib/domain/company/operations.ts'
import { ROLE_WORDS } from '#lib/domain/messaging/invitation.ts'
import { getMe } from '#lib/domain/users/operations.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { Facts } from '#lib/pages/fields.tsx'
import { Layout, showPage } from '#lib/pages/layout.tsx'
import { writeZone } from '#lib/pages/words.ts'
import { BUSINESSES } from './businesses.tsx'

/** What one who has just signed up does next; what pages do not offer yet, the API does. */
const Next = ({ m, own }: { m: Member; own: string }) => (
  <section class="card stack" aria-labelledby="next">
    <h2 id="next">What you can do next</h2>
    <ul class="granted">
      <li>
        <a href="/settings/schedules">Say when you can be booked</a>, and{' '}
        <a href="/settings/away">when you are away</a>.
      </li>
      <li>
        <a href={own}>Book a meeting with yourself</a>, as others will: it is how you see what they
        see.
      </li>
      {may(m, 'connections.write') ? (
        <>
          <li>
            <a href="/settings/business">Say how customers reach you</a>, and what they see of the
            business.
          </li>
          <li>
            Add services, employees and customers: by the <a href="/docs#catalog">API</a> with{' '}
            <a href="/settings/keys">a key</a>, or by <a href="/docs#assistants">an assistant</a>.
          </li>
          <li>
            <a href="/settings/webhooks">Let your own programs know</a> of what is booked.
          </li>
        </>
      ) : null}
    </ul>
  </section>
)

/** Where a user lands after signing in. */
export async function showHome<E extends AppEnv>(c: Context<E>, m: Member): Promise<Response> {
  const [company, me, businesses] = await Promise.all([getCompany(m), getMe(m), listBusinesses(m)])
  const { name, subdomain, timeZone } = company.read()
  const [own, shop] = [`/${me.read().username}`, `/b/${subdomain}`]
  const { publicUrl } = m.settings
  return showPage(
    c,
    <Layout title={name} signedIn here="home">
      <div class="stack">
        <div class="card stack">
          <h1>{name}</h1>
          <Facts
            facts={[
              ['Meetings with you', <a href={own}>{publicUrl + own}</a>],
              ['Your services', <a href={shop}>{publicUrl + shop}</a>],
              ['Time zone', writeZone(timeZone)],
              ['You are', ROLE_WORDS[m.role]],
            ]}
          />
          <div class="actions">
            <a class="button" href="/settings/profile">
              Settings
            </a>
            {businesses.length > 1 ? (
              <a class="button plain" href={BUSINESSES}>
                Another business
              </a>
            ) : null}
            <form method="post" action="/signout">
              <button class="button plain" type="submit">
                Sign out
              </button>
            </form>
          </div>
        </div>
        <Next m={m} own={own} />
      </div>
    </Layout>,
  )
}
