import { client, type Reply } from './client.ts'
import { platform } from './platform.ts'

/** What a browser says that it would like to have. */
export const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
/** The password of everyone whom `signUp` signs up. */
export const PASSWORD = 'correct horse'

/** The Origin of the pages themselves. */
export const own = () => ({ origin: platform().url })
export const newEmail = () => `${crypto.randomUUID()}@example.com`

/** Headers of a client of its own, whose requests nobody else's are counted with. */
export const somebody = () => ({ 'x-test-client': crypto.randomUUID() })
/** Somebody without credentials. */
export const anyone = client()

/** Sends a form as a browser does. */
export const sendForm = (
  path: string,
  fields: Record<string, string>,
  headers: object = own(),
): Promise<Reply> =>
  anyone.post(path, new URLSearchParams(fields).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    ...HTML,
    ...somebody(),
    ...headers,
  })

/** What a new user types. */
export const signUpForm = (change: Record<string, string> = {}) => ({
  name: 'Ann',
  businessName: 'Bee & Sons <Ltd>',
  email: newEmail(),
  password: PASSWORD,
  timeZone: 'Europe/Berlin',
  ...change,
})

/** The Set-Cookie of an answer, '' without one. */
export const setCookie = (headers: Headers): string => headers.get('set-cookie') ?? ''
/** The cookie that the next request sends. */
export const cookieOf = (headers: Headers): string => setCookie(headers).split(';')[0] ?? ''

/** Signs a new user up; answers what was typed and the session's cookie. */
export async function signUp() {
  const fields = signUpForm()
  const reply = await sendForm('/signup', fields)
  if (reply.status !== 303) throw new Error(`Signing up: ${reply.status} ${reply.text}`)
  return { ...fields, cookie: cookieOf(reply.headers) }
}
