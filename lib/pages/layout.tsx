import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type { AppEnv } from '#lib/http/exchange.ts'
import { answerPage } from '#lib/http/reply.ts'
import { ASSETS } from './assets.ts'

/** What stands around every page. */
interface LayoutProps {
  title: string
  /** Whether a form was refused: what is read out first says so. */
  refused?: boolean | undefined
  /** Whether the visitor is signed in: the navigation then leads home. */
  signedIn?: boolean | undefined
  /** Which place of the navigation it is, or is below. */
  here?: 'home' | 'settings'
  /** Whether the page is for a business's customers, who have no account here to sign in to. */
  forCustomers?: boolean
  /** What its address shows is for those alone who have it: search engines keep out. */
  noindex?: boolean
  children?: Child
}

/** The frame of every page. */
export const Layout = ({
  title,
  refused,
  signedIn,
  here,
  forCustomers,
  noindex,
  children,
}: LayoutProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      {noindex ? <meta name="robots" content="noindex, nofollow" /> : null}
      <title>{`${refused ? 'Error: ' : ''}${title}${title === 'Almanac' ? '' : ' · Almanac'}`}</title>
      <link rel="icon" href={ASSETS.icon} type="image/svg+xml" />
      <link rel="stylesheet" href={ASSETS.style} />
      <script src={ASSETS.script} defer />
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <a class="brand" href="/">
          <Mark />
          Almanac
        </a>
        {forCustomers ? null : <Navigation signedIn={signedIn} here={here} />}
      </header>
      <main id="main">{children}</main>
      <footer class="foot">
        <span>Almanac is open source.</span>
        <a href="/docs">Documentation</a>
        <a href="/openapi.json">API description</a>
      </footer>
    </body>
  </html>
)

const Navigation = ({
  signedIn,
  here,
}: {
  [key in 'signedIn' | 'here']: LayoutProps[key] | undefined
}) => (
  <nav aria-label="Main">
    {signedIn ? (
      <>
        <a href="/home" aria-current={here === 'home' ? 'page' : undefined}>
          Home
        </a>
        <a href="/settings/profile" aria-current={here === 'settings' ? 'true' : undefined}>
          Settings
        </a>
      </>
    ) : (
      <>
        <a href="/signin">Sign in</a>
        <a class="button plain" href="/signup">
          Sign up
        </a>
      </>
    )}
  </nav>
)

const Mark = () => (
  <svg
    width="26"
    height="26"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <rect x="3" y="5" width="18" height="16" rx="4" />
    <path d="M8 2.5v4M16 2.5v4M3 10.5h18M8.5 15.5l2.4 2.3 4.6-4.6" />
  </svg>
)

/** Answers with a whole page of HTML; `leadsAway` where its form leads to another site. */
export const showPage = <E extends AppEnv>(
  c: Context<E>,
  page: Child,
  status = 200,
  leadsAway = false,
): Response => answerPage(c, `<!doctype html>${String(page)}`, status, leadsAway)

/** Whether the request is made by a user who is signed in. */
export const isSignedIn = <E extends AppEnv>(c: Context<E>): boolean =>
  c.var.exchange?.identity !== undefined
