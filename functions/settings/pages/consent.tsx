import type { Context } from 'hono'
import { SCOPE_WORDS } from '#lib/core/scopes.ts'
import type { Ask } from '#lib/domain/oauth/authorize.ts'
import type { OAuthError } from '#lib/domain/oauth/errors.ts'
import type { Parameters } from '#lib/domain/oauth/parameters.ts'
import { placeOf } from '#lib/domain/oauth/redirects.ts'
import type { Me } from '#lib/domain/users/schema.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { noStore } from '#lib/http/oauth.ts'
import { wantsPage } from '#lib/pages/error.tsx'
import { Facts, Hidden } from '#lib/pages/fields.tsx'
import { isSignedIn, Layout, showPage } from '#lib/pages/layout.tsx'

interface Consent {
  ask: Ask
  /** The request as it came: the form sends it again. */
  given: Parameters
  user: Me
  /** Where they are signed in: what is allowed is allowed there alone. */
  business: string
  /** Shows that the form comes from this page, in this session. */
  token: string
}

/** Asks a user whether a client may have what it asks for. */
export function showConsent(
  c: Context<AppEnv>,
  { ask, given, user, business, token }: Consent,
): Response {
  const { client, redirectUri, scopes } = ask
  const place = placeOf(redirectUri)
  return showPage(
    c,
    <Layout title={`Allow ${client.name}?`} signedIn noindex>
      <div class="card narrow stack">
        <h1>Allow {client.name}?</h1>
        {client.description ? <p class="quiet">{client.description}</p> : null}
        <p>It wants to act for you at Almanac, and to:</p>
        <ul class="granted">
          {scopes.map(scope => (
            <li>{SCOPE_WORDS[scope]}</li>
          ))}
        </ul>
        {client.madeBy === null ? (
          <p class="note bad">
            This application registered itself: anybody could have chosen its name. Allow it only if
            you have just begun this yourself.
          </p>
        ) : null}
        <Facts
          facts={[
            ['Leads to', <strong>{place}</strong>],
            ['Made by', client.madeBy],
            ['You are', `${user.name} (${user.email})`],
            ['Business', business],
          ]}
        />
        <form method="post" action="/auth/oauth2/consent">
          <Hidden values={{ ...given.one, decision: undefined, token }} />
          {given.resources.map(resource => (
            <input type="hidden" name="resource" value={resource} />
          ))}
          <p class="actions">
            <button class="button" type="submit" name="decision" value="allow">
              Allow
            </button>
            <button class="button plain" type="submit" name="decision" value="deny">
              Cancel
            </button>
          </p>
        </form>
        <p class="quiet">You can take this back at any time in your settings.</p>
      </div>
    </Layout>,
    200,
    true,
  )
}

const WORDS: Record<string, string> = {
  client_not_found: 'The application that sent you here is not known.',
  redirect_uri_mismatch:
    'The application wants to be led back to an address that it has not registered.',
  not_approved: 'The application that sent you here has not been approved.',
}

/** Tells what keeps a client from asking at all; nobody is led anywhere. */
export function showRefused(c: Context<AppEnv>, { error, message, status }: OAuthError): Response {
  if (!wantsPage(c)) return noStore(c, { error, error_description: message }, status)
  return showPage(
    c,
    <Layout title="This application cannot go on" signedIn={isSignedIn(c)} noindex>
      <div class="card narrow stack">
        <h1>This application cannot go on</h1>
        <p>{WORDS[error] ?? `${message}.`}</p>
        <p class="quiet">Please tell those who make it. You have given it nothing.</p>
        <p class="code">{error}</p>
      </div>
    </Layout>,
    status,
  )
}
