import type { Context } from 'hono'
import type { AppEnv } from '#lib/http/exchange.ts'
import { isSignedIn, Layout, showPage } from '#lib/pages/layout.tsx'

const FEATURES = [
  [
    'Bookings that hold',
    'Every time is guarded by the database: two customers can never get the same hour, however fast they click.',
  ],
  [
    'The whole business',
    'Services, staff, rooms, customers, payments and reminders in one place, for one location or many.',
  ],
  [
    'Open on every side',
    'A documented API, signed webhooks and a tool server, so that your site and your assistants can book too.',
  ],
] as const

/** What this is, and the ways in. */
export function showLanding<E extends AppEnv>(c: Context<E>): Response {
  const signedIn = isSignedIn(c)
  return showPage(
    c,
    <Layout title="Almanac" signedIn={signedIn}>
      <section class="hero">
        <h1>Scheduling that your customers can rely on</h1>
        <p>
          Almanac takes bookings for service businesses and looks after all that comes with them. It
          is open source and runs at the edge, close to whoever books.
        </p>
        <div class="actions">
          {signedIn ? (
            <a class="button" href="/home">
              Go to your business
            </a>
          ) : (
            <>
              <a class="button" href="/signup">
                Create an account
              </a>
              <a class="button plain" href="/signin">
                Sign in
              </a>
            </>
          )}
        </div>
      </section>
      <ul class="grid">
        {FEATURES.map(([title, text]) => (
          <li class="card">
            <h2>{title}</h2>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </Layout>,
  )
}
