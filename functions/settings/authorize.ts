import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Base, Member } from '#lib/core/context.ts'
import { forbidden } from '#lib/core/errors.ts'
import { sha256 } from '#lib/core/text.ts'
import { readToken, signToken } from '#lib/core/tokens.ts'
import { getCompany } from '#lib/domain/company/operations.ts'
import { type Ask, allow, deny, readAuthorization } from '#lib/domain/oauth/authorize.ts'
import { OAuthError } from '#lib/domain/oauth/errors.ts'
import { type Parameters, readParameters } from '#lib/domain/oauth/parameters.ts'
import { getMe } from '#lib/domain/users/operations.ts'
import { readText } from '#lib/http/body.ts'
import { memberIn, visitorIn } from '#lib/http/callers.ts'
import { readCookie } from '#lib/http/cookies.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import { sameOrigin } from '#lib/http/forms.ts'
import { goSignIn } from '#lib/pages/guard.ts'
import { showConsent, showRefused } from './pages/consent.tsx'

type Ctx = Context<AppEnv>

const CONSENT_MS = 30 * 60_000
const PURPOSE = 'consent'

/** What the consent is given to, in one text; it is signed, so that no other can be put in its place. */
const fingerprintOf = (
  session: string,
  { accountId }: Pick<Member, 'accountId'>,
  { client, ...ask }: Ask,
): Promise<string> => sha256(JSON.stringify([session, accountId, client.id, ask]))

/** Reads the request. What must not lead back to the client is shown here, and undefined answered. */
async function read(c: Ctx, base: Base, given: Parameters) {
  try {
    return await readAuthorization(base, given)
  } catch (error) {
    if (error instanceof OAuthError) return showRefused(c, error)
    throw error
  }
}

/** RFC 9700 4.12: what was posted here is not posted again there. */
const leadTo = (c: Ctx, address: string) => c.redirect(address, 303)

/** Asks the user, once they have signed in and the request is in order. */
async function ask(c: Ctx): Promise<Response> {
  const given = readParameters(new URL(c.req.url).searchParams)
  const base = visitorIn(c)
  const found = await read(c, base, given)
  if (found instanceof Response) return found
  if ('back' in found) return leadTo(c, found.back)
  const session = readCookie(c)
  const { exchange: x } = c.var
  if (!session || x.credential?.kind !== 'session' || !x.identity) return goSignIn(c)
  const m = memberIn(x, 'api')
  const [me, company] = await Promise.all([getMe(m), getCompany(m)])
  const subject = await fingerprintOf(session, m, found.ask)
  const expiresAt = new Date(base.now.getTime() + CONSENT_MS)
  const token = await signToken(base.settings.secret, { purpose: PURPOSE, subject, expiresAt })
  const business = company.read().name
  return showConsent(c, { ask: found.ask, given, user: me.read(), business, token })
}

/** Who is not signed in any more is asked once more when they are: the page was another session's. */
const orAskAgain = createMiddleware<AppEnv>(async (c, next) => {
  const { credential, identity } = c.var.exchange
  if (credential?.kind === 'session' && identity) return next()
  const asked = new URLSearchParams(await readText(c))
  for (const own of ['token', 'decision']) asked.delete(own)
  return goSignIn(c, `/auth/oauth2/authorize?${asked}`)
})

/** The user has pressed a button of the page. */
async function answer(c: Ctx): Promise<Response> {
  const form = readParameters(new URLSearchParams(await readText(c)))
  const { token = '', decision } = form.one
  const m = memberIn(c.var.exchange, 'api')
  const found = await read(c, m, form)
  if (found instanceof Response) return found
  if ('back' in found) return leadTo(c, found.back)
  const subject = await fingerprintOf(readCookie(c) ?? '', m, found.ask)
  if ((await readToken(m.settings.secret, PURPOSE, token, m.now)) !== subject)
    forbidden('This page is too old, or not yours; begin again at the application')
  return leadTo(c, decision === 'allow' ? await allow(m, found.ask) : deny(m, found.ask))
}

/** Asking a user for access, and their answer. */
export const authorizePages = new Hono<AppEnv>()
  .get('/authorize', ask)
  .post('/consent', sameOrigin, orAskAgain, answer)
