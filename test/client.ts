import { makeAccount } from '#dev/accounts.ts'
import { operator } from '#dev/operator.ts'
import type { Base, Plan } from '#lib/core/context.ts'
import type { Role } from '#lib/core/permissions.ts'
import { addMember, createApiKey } from '#lib/domain/accounts/operations.ts'
import { undescribed } from './described.ts'
import { platform } from './platform.ts'

type Envelope = 'status' | 'error' | 'message' | 'data' | 'details' | 'pagination' | 'nextCursor'

/** Parsed JSON that a test looks into by whatever path; `expect` tells what is there. */
export type Body = { readonly [key in Envelope]: Body } & { readonly [key: string]: Body }

/** An answer of the platform. */
export interface Reply {
  status: number
  headers: Headers
  /** The whole body, parsed; `undefined` when it is not JSON. */
  body: Body
  /** The body's `data`, which a list has as an array. */
  items: Body[]
  text: string
}

type Headed = Record<string, string>

/** Sends requests with one API key, or with none. Paths begin with `/`. */
export interface Client {
  get(path: string, headers?: Headed): Promise<Reply>
  post(path: string, body?: unknown, headers?: Headed): Promise<Reply>
  put(path: string, body?: unknown, headers?: Headed): Promise<Reply>
  patch(path: string, body?: unknown, headers?: Headed): Promise<Reply>
  del(path: string, headers?: Headed): Promise<Reply>
}

function parse(text: string): Body | undefined {
  try {
    return JSON.parse(text) as Body
  } catch {
    return undefined
  }
}

/** A client of the shared platform, or of another. A body that is a string travels as it is. */
export function client(apiKey?: string, url = platform().url): Client {
  const send = async (method: string, path: string, body?: unknown, headers?: Headed) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(apiKey ? { 'cal-api-key': apiKey } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      redirect: 'manual',
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const parsed = parse(text) as Body
    const wrong = undescribed(method, path, answer.status, parsed)
    if (wrong) throw new Error(wrong)
    const items = (parsed?.data ?? []) as unknown as Body[]
    return { status: answer.status, headers: answer.headers, body: parsed, items, text }
  }
  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    del: (path, headers) => send('DELETE', path, undefined, headers),
  }
}

/** An account of its own for a test file: an owner, a staff member who is an employee, a client each. */
export interface TestAccount {
  accountId: number
  userId: number
  username: string
  subdomain: string
  email: string
  password: string
  apiKey: string
  staff: { email: string; password: string; apiKey: string; employeeId: number }
  client: Client
  staffClient: Client
}

/** Works straight in the database, as the operator does; for what no endpoint makes. */
export async function directly<R>(
  work: (base: Base) => Promise<R>,
  now = new Date(),
  { databaseUrl } = platform(),
): Promise<R> {
  const { base, close } = operator(databaseUrl, now)
  try {
    return await work(base)
  } finally {
    await close()
  }
}

/** Makes an account; its business is in New York. */
export const createAccount = (
  plan: Plan = 'enterprise',
  { timeZone = 'America/New_York', now }: { timeZone?: string; now?: Date } = {},
  at = platform(),
): Promise<TestAccount> =>
  directly(
    async base => {
      const email = `${crypto.randomUUID()}@example.com`
      const account = await makeAccount(base, { email, plan, timeZone, name: 'Olive Owner' })
      return {
        ...account,
        client: client(account.apiKey, at.url),
        staffClient: client(account.staff.apiKey, at.url),
      }
    },
    now,
    at,
  )

/** Adds a user with a role to an account and answers a client with their key. */
export const createMember = (accountId: number, role: Role): Promise<Client> =>
  directly(async base => {
    const tenant = base.enter(accountId)
    const email = `${crypto.randomUUID()}@example.com`
    const user = { name: `A ${role}`, email, password: 'correct horse', timeZone: 'UTC', role }
    const { userId } = await addMember(base, tenant, user)
    return client((await createApiKey(base, tenant, { userId })).key)
  })
