import { cookieOf, HTML, own, PASSWORD, sendForm, signUp, somebody } from './browser.ts'
import {
  type Body,
  type Client,
  client,
  createAccount,
  createMember,
  type Reply,
} from './client.ts'
import { queryDatabase } from './database.ts'
import { platform, readMessages } from './platform.ts'

export const INVITE = '/api/services/employees/invite'
export const EMPLOYEES = '/api/services/employees'
const DAY = 86_400_000

export const newAddress = () => `${crypto.randomUUID()}@example.com`
/** A clock that is some days ahead. */
export const inDays = (days: number) => ({
  'x-test-now': new Date(Date.now() + days * DAY).toISOString(),
})

/** Two accounts, and those of the first who may invite, beside its owner. */
export async function inviters() {
  const [a, other] = await Promise.all([createAccount(), createAccount()])
  const [admin, manager] = await Promise.all([
    createMember(a.accountId, 'admin'),
    createMember(a.accountId, 'manager'),
  ])
  return { a, other, admin, manager }
}

/** Invites somebody, which must work; answers the invitation. */
export async function invited(by: Client, body: object, headers?: Record<string, string>) {
  const reply = await by.post(INVITE, body, headers)
  if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`)
  return reply.body
}

/** Takes an invitation back. */
export const takeBack = (by: Client, id: unknown) => by.del(`${INVITE}?id=${id}`)

/** The e-mails to somebody with something in them, the newest first, once there are as many as that. */
export async function mailsTo(to: string, count = 1, holds = '') {
  for (let tries = 0; tries < 80; tries++) {
    const all = await readMessages({ to, channel: 'email' })
    const found = all.filter(({ text }) => text?.includes(holds))
    if (found.length >= count) return found
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error(`No ${count} e-mails to ${to}`)
}

const LINK = '/invitation?token='

/** The token of the newest link that somebody was sent, of as many as that. */
export async function tokenTo(to: string, count = 1): Promise<string> {
  const [message] = await mailsTo(to, count, platform().url + LINK)
  return message?.text?.split(LINK)[1]?.split(/\s/)[0] ?? ''
}

/** Invites an address and answers the token of its link. */
export async function invitedToken(by: Client, email = newAddress(), more: object = {}) {
  const invitation = await invited(by, { email, ...more })
  return { email, invitation, token: await tokenTo(email) }
}

/** Opens the page of a link. */
export const look = (token: string, headers: object = {}) =>
  client().get(`/invitation?token=${token}`, { ...HTML, ...somebody(), ...headers })

/** What a newcomer sends. */
export const join = (token: string, change: Record<string, string> = {}, headers: object = own()) =>
  sendForm(
    '/invitation',
    { token, name: 'Ida Newcomer', password: PASSWORD, timeZone: 'Europe/Berlin', ...change },
    headers,
  )

/** What somebody with a user sends; who is signed in needs no password. */
export const accept = (token: string, fields: Record<string, string> = {}, cookie = '') =>
  sendForm('/invitation/accept', { token, ...fields }, { ...own(), ...(cookie ? { cookie } : {}) })

/** A client that acts by a session. */
export function inSession(cookie: string) {
  const headers = () => ({ cookie, ...own(), ...somebody() })
  return {
    get: (path: string) => client().get(path, headers()),
    post: (path: string, body: unknown) => client().post(path, body, headers()),
    page: (path: string) => client().get(path, { ...headers(), ...HTML }),
  }
}

/** The session that an answer gives. */
export const sessionOf = (reply: Reply): string => cookieOf(reply.headers)

/** Who a session stands for. */
export const whoIs = async (cookie: string): Promise<Body> =>
  (await inSession(cookie).get('/api/auth/oauth/me')).body

/** How somebody's password is kept. */
export async function passwordOf(email: string): Promise<string | undefined> {
  const [row] = await queryDatabase(`select password_hash from users where email = $1`, [email])
  return row?.password_hash
}

/** An employee as they are answered. */
export const employeeOf = async (by: Client, id: unknown, headers?: Record<string, string>) =>
  (await by.get(`${EMPLOYEES}?id=${id}`, headers)).body.data

/** Where an answer leads. */
export const leads = (reply: Reply) => [reply.status, reply.headers.get('location')]

/** Somebody with a user and a business of their own, who is invited. */
export async function knownTo(by: Client, more: object = {}) {
  const person = await signUp()
  return { ...person, ...(await invitedToken(by, person.email, more)) }
}
