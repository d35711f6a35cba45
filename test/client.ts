import { makeAccount } from '#dev/accounts.ts'
import { operator } from '#dev/operator.ts'
import type { Plan } from '#lib/core/context.ts'
import { platform } from './platform.ts'

/** Parsed JSON that a test looks into: any path may be written, `expect` tells what is there. */
export interface Body {
  readonly [key: string]: Body
}

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

/** A client of the shared platform. A body that is a string travels as it is. */
export function client(apiKey?: string): Client {
  const send = async (method: string, path: string, body?: unknown, headers?: Headed) => {
    const answer = await fetch(`${platform().url}${path}`, {
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

/** Makes an account straight in the database; its business is in New York. */
export async function createAccount(
  plan: Plan = 'enterprise',
  options: { timeZone?: string; now?: Date } = {},
): Promise<TestAccount> {
  const { base, close } = operator(platform().databaseUrl, options.now ?? new Date())
  try {
    const email = `${crypto.randomUUID()}@example.com`
    const { timeZone = 'America/New_York' } = options
    const account = await makeAccount(base, { email, plan, timeZone, name: 'Olive Owner' })
    return {
      ...account,
      client: client(account.apiKey),
      staffClient: client(account.staff.apiKey),
    }
  } finally {
    await close()
  }
}
