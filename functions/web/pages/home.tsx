import type { Context } from 'hono'
import type { Member } from '#lib/core/context.ts'
import { getCompany } from '#lib/domain/company/operations.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { Layout, showPage } from '#lib/pages/layout.tsx'

/** Where a user lands after signing in. */
export async function showHome<E extends AppEnv>(c: Context<E>, m: Member): Promise<Response> {
  const { name, subdomain, timeZone } = (await getCompany(m)).read()
  const link = `${m.settings.publicUrl}/b/${subdomain}`
  return showPage(
    c,
    <Layout title={name} signedIn here="home">
      <div class="card stack">
        <h1>{name}</h1>
        <dl class="facts">
          <dt>Bookings</dt>
          <dd>
            <a href={link}>{link}</a>
          </dd>
          <dt>Time zone</dt>
          <dd>{timeZone.replaceAll('_', ' ')}</dd>
          <dt>You are</dt>
          <dd>{m.role}</dd>
        </dl>
        <div class="actions">
          <a class="button" href="/settings/profile">
            Settings
          </a>
          <form method="post" action="/signout">
            <button class="button plain" type="submit">
              Sign out
            </button>
          </form>
        </div>
      </div>
    </Layout>,
  )
}
