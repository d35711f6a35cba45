import { createHash, randomBytes } from 'node:crypto'
import { ownerOf } from '#dev/operator.ts'
import type { Member } from '#lib/core/context.ts'
import { createOAuthClient } from '#lib/domain/oauth/clients.ts'
import { NewOAuthClient, type ShownClient } from '#lib/domain/oauth/schema.ts'
import { anyone, cookieOf, HTML, own, sendForm, somebody } from '../browser.ts'
import {
  type Body,
  type Client,
  createAccount,
  directly,
  type Reply,
  type TestAccount,
} from '../client.ts'
import { platform } from '../platform.ts'

/** Where the clients of the tests are led back to. */
export const BACK = 'http://127.0.0.1:3999/callback'

/** Does something in the name of an account's owner, or of somebody with less. */
export const inNameOf = <R>(
  { accountId, userId }: Pick<TestAccount, 'accountId' | 'userId'>,
  work: (m: Member) => Promise<R>,
  change: Partial<Member> = {},
): Promise<R> =>
  directly(base => work({ ...ownerOf(base, { accountId, userId, plan: 'enterprise' }), ...change }))

/** Makes a client of an account. */
export const makeClient = (
  account: Pick<TestAccount, 'accountId' | 'userId'>,
  input: Partial<NewOAuthClient> = {},
  change: Partial<Member> = {},
): Promise<ShownClient> =>
  inNameOf(
    account,
    m =>
      createOAuthClient(
        m,
        NewOAuthClient.parse({
          name: 'Partner',
          type: 'confidential',
          redirectUris: [BACK],
          ...input,
        }),
      ),
    change,
  )

/** A user who has signed in, by their cookie. */
export interface SignedIn extends TestAccount {
  cookie: string
}

/** An account whose owner has signed in with a browser. */
export async function signedInAccount(): Promise<SignedIn> {
  const account = await createAccount()
  const { email, password } = account
  const { headers, status } = await sendForm('/signin', { email, password })
  if (status !== 303) throw new Error(`Signing in: ${status}`)
  return { ...account, cookie: cookieOf(headers) }
}

/** A verifier of PKCE with its challenge. */
export function pkce() {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

type Fields = Record<string, string>

/** Asks for access; without `cookie` nobody has signed in. */
export const authorize = (
  fields: Fields | URLSearchParams,
  cookie?: string,
  headers: Fields = {},
): Promise<Reply> =>
  anyone.get(`/auth/oauth2/authorize?${new URLSearchParams(fields)}`, {
    ...HTML,
    ...somebody(),
    ...(cookie ? { cookie } : {}),
    ...headers,
  })

const plain = (html: string): string =>
  html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')

/** The hidden fields of a page's form. */
export function fieldsOf(html: string): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [, name = '', value = ''] of html.matchAll(
    /<input type="hidden" name="([^"]*)" value="([^"]*)"/g,
  ))
    fields.append(plain(name), plain(value))
  return fields
}

/** Presses a button of the consent page. */
export function decide(
  html: string,
  cookie: string,
  decision = 'allow',
  headers: object = own(),
  change: Fields = {},
): Promise<Reply> {
  const fields = fieldsOf(html)
  for (const [name, value] of Object.entries(change)) fields.set(name, value)
  fields.set('decision', decision)
  return anyone.post('/auth/oauth2/consent', fields.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    ...HTML,
    ...somebody(),
    cookie,
    ...headers,
  })
}

/** Where an answer leads, as an address. */
export const leadsTo = ({ headers, status, text }: Reply): URL => {
  const location = headers.get('location')
  if (status !== 303 || !location) throw new Error(`Leads nowhere: ${status} ${text}`)
  return new URL(location, platform().url)
}

/** What a client asks for, with a state. */
export const request = (client: Pick<ShownClient, 'clientId'>, more: Fields = {}): Fields => ({
  client_id: client.clientId,
  redirect_uri: BACK,
  state: 'a state',
  ...more,
})

/** The user allows what a client asks for; answers the code. */
export async function codeFor(
  user: Pick<SignedIn, 'cookie'>,
  client: Pick<ShownClient, 'clientId'>,
  more: Fields = {},
): Promise<string> {
  const page = await authorize(request(client, more), user.cookie)
  if (page.status !== 200) throw new Error(`No consent page: ${page.status} ${page.text}`)
  const code = leadsTo(await decide(page.text, user.cookie)).searchParams.get('code')
  if (!code) throw new Error('No code')
  return code
}

/** Sends a form to one of OAuth's endpoints. */
export const post = (
  endpoint: 'token' | 'refreshToken' | 'revoke',
  fields: Fields | string,
  headers: Fields = {},
): Promise<Reply> =>
  anyone.post(
    `/api/auth/oauth/${endpoint}`,
    typeof fields === 'string' ? fields : new URLSearchParams(fields).toString(),
    { 'content-type': 'application/x-www-form-urlencoded', ...somebody(), ...headers },
  )

type Shown = Pick<ShownClient, 'clientId' | 'clientSecret'>

/** How a client says who it is, in the form. */
export const credentials = ({ clientId, clientSecret }: Shown): Fields => ({
  client_id: clientId,
  ...(clientSecret ? { client_secret: clientSecret } : {}),
})

/** `Authorization: Basic` of a client. */
export const basic = ({ clientId, clientSecret }: Shown): Fields => ({
  authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
})

/** The form that a client exchanges a code with. */
export const exchange = (client: Shown, code: string, more: Fields = {}): Fields => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: BACK,
  ...credentials(client),
  ...more,
})

/** The form that a client gets new tokens with. */
export const refresh = (client: Shown, token: unknown, more: Fields = {}): Fields => ({
  grant_type: 'refresh_token',
  refresh_token: String(token),
  ...credentials(client),
  ...more,
})

/** Access and refresh tokens that a user has given a client. */
export async function tokensFor(
  user: Pick<SignedIn, 'cookie'>,
  client: Shown,
  more: Fields = {},
): Promise<Body> {
  const { status, body, text } = await post(
    'token',
    exchange(client, await codeFor(user, client, more)),
  )
  if (status !== 200) throw new Error(`No tokens: ${status} ${text}`)
  return body
}

/** The header of a bearer. */
export const bearer = (token: unknown): Fields => ({
  authorization: `Bearer ${token}`,
  ...somebody(),
})

/** Sends requests with an access token, each from an address of its own. */
export function bearerClient(token: unknown): Client {
  const as = () => bearer(token)
  return {
    get: (path, headers) => anyone.get(path, { ...as(), ...headers }),
    post: (path, body, headers) => anyone.post(path, body, { ...as(), ...headers }),
    put: (path, body, headers) => anyone.put(path, body, { ...as(), ...headers }),
    patch: (path, body, headers) => anyone.patch(path, body, { ...as(), ...headers }),
    del: (path, headers) => anyone.del(path, { ...as(), ...headers }),
  }
}

/** The status of `me` with a token. */
export const statusOf = async (token: unknown): Promise<number> =>
  (await anyone.get('/api/auth/oauth/me', bearer(token))).status
