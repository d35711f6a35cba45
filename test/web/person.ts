import type { Role } from '#lib/core/permissions.ts'
import { addMember, startSession } from '#lib/domain/accounts/operations.ts'
import { HTML, own, PASSWORD, setCookie } from '../browser.ts'
import { client, createAccount, directly, type Reply } from '../client.ts'
import { platform } from '../platform.ts'

/** A page as a browser got it. */
export interface Page extends Reply {
  /** Where it leads, as a path. */
  location: string | null
}

/** Somebody who has signed in, in a browser of their own. */
export interface Person {
  accountId: number
  userId: number
  email: string
  username: string
  role: Role
  cookie: string
  /** Opens a page; a redirect is not followed. */
  open(path: string, headers?: object): Promise<Page>
  /** Sends a form of a page, and answers what came. */
  send(path: string, fields: Record<string, string>, headers?: object): Promise<Page>
  /** Presses a button, which must lead on, and answers the page that it leads to. */
  press(path: string, act: string, fields?: Record<string, string>): Promise<Page>
}

/** The Set-Cookie lines of an answer. */
export const cookiesOf = (headers: Headers): string[] => setCookie(headers).split(', ')

const cookieIn = (headers: Headers): string =>
  cookiesOf(headers)
    .filter(line => line.startsWith('__Host-notice='))
    .map(line => line.split(';')[0])
    .join('')

const pageOf = (reply: Reply): Page => {
  const location = reply.headers.get('location')?.replace(platform().url, '') ?? null
  return { ...reply, location }
}

/** A browser in which a user has signed in. */
export async function signedIn(
  user: { accountId: number; userId: number; email: string; username: string },
  role: Role,
): Promise<Person> {
  const { secret } = await directly(base => startSession(base, user))
  const cookie = `__Host-session=${secret}`
  const open = async (path: string, headers: object = {}) =>
    pageOf(await client().get(path, { ...HTML, cookie, ...headers }))
  const send = async (path: string, fields: Record<string, string>, headers: object = own()) =>
    pageOf(
      await client().post(path, new URLSearchParams(fields).toString(), {
        'content-type': 'application/x-www-form-urlencoded',
        ...HTML,
        cookie,
        ...headers,
      }),
    )
  const press = async (path: string, act: string, fields: Record<string, string> = {}) => {
    const reply = await send(path, { ...fields, act })
    if (reply.status !== 303 || !reply.location)
      throw new Error(`${act} on ${path}: ${reply.status} ${textOf(reply)}`)
    const notice = cookieIn(reply.headers)
    return {
      ...(await open(reply.location, { cookie: `${cookie}; ${notice}` })),
      location: reply.location,
    }
  }
  return { ...user, role, cookie, open, send, press }
}

/** Another user of an account, in their browser. */
export async function joining(accountId: number, role: Role, name = `A ${role}`): Promise<Person> {
  const email = `${crypto.randomUUID()}@example.com`
  const { userId } = await directly(base =>
    addMember(base, base.enter(accountId), {
      name,
      email,
      password: PASSWORD,
      timeZone: 'Europe/Berlin',
      role,
    }),
  )
  return signedIn({ accountId, userId, email, username: email.split('@')[0]!.slice(0, 36) }, role)
}

/** The owner of a new account in New York, in their browser. */
export async function newOwner(): Promise<Person & { apiKey: string; password: string }> {
  const account = await createAccount()
  const { apiKey, password } = account
  return { ...(await signedIn(account, 'owner')), apiKey, password }
}

/** What a page says, without its tags. */
export const textOf = ({ text }: { text: string }): string =>
  text
    .replace(/<(?:select|nav|script)[\s\S]*?<\/(?:select|nav|script)>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')

/** The value of a field of a page, undefined when it has no such field. */
export function fieldOf({ text }: { text: string }, name: string): string | undefined {
  const tag = new RegExp(`<input[^>]*\\bname="${name.replaceAll('.', '\\.')}"[^>]*>`).exec(
    text,
  )?.[0]
  return tag && (/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? '')
}
