import { neon, neonConfig } from '@neondatabase/serverless'
import { Ratelimit } from '@upstash/ratelimit'
import { Redis } from '@upstash/redis'
import { listPlainly, listStartsPlainly } from './sweep.ts'

/** A statement whose parameters are JSON text with blanks in it. */
export interface Template {
  text: string
  between: string[]
  blanks: string[]
}

/** What the functions send for the requests that are compared. */
export interface Captured {
  identity: Template
  list: Template
  availability: { one: Template; five: Template }
  slots: Template
  facts: Template
  batch: Template[]
}

interface BareEnv {
  DATABASE_URL: string
  NEON_FETCH_ENDPOINT: string
  UPSTASH_REDIS_REST_URL: string
  UPSTASH_REDIS_REST_TOKEN: string
  CAPTURED: Captured
}

type Row = (string | null)[]
type Values = Record<string, string | number>

const RAW = { getTypeParser: () => (value: string) => value }
const JSON_HEADERS = { 'content-type': 'application/json' }
const encoder = new TextEncoder()
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const identities = new Map<string, { accountId: number; until: number }>()

function connect(env: BareEnv) {
  neonConfig.fetchEndpoint = env.NEON_FETCH_ENDPOINT
  const sql = neon(env.DATABASE_URL, { arrayMode: true, fullResults: false })
  const query = ({ text, between, blanks }: Template, values: Values) => {
    let json = between[0]!
    for (let i = 0; i < blanks.length; i++) json += values[blanks[i]!] + between[i + 1]!
    return sql.query(text, JSON.parse(json), { types: RAW })
  }
  const redis = new Redis({
    url: env.UPSTASH_REDIS_REST_URL,
    token: env.UPSTASH_REDIS_REST_TOKEN,
    retry: false,
    enableAutoPipelining: false,
    enableTelemetry: false,
    responseEncoding: false,
  })
  const limiter = new Ratelimit({
    redis,
    limiter: Ratelimit.fixedWindow(600, '60000 ms'),
    prefix: 'limit',
    timeout: 250,
  })
  return { sql, query, limiter }
}

type Connection = ReturnType<typeof connect>
let connection: Connection | undefined

async function accountOf(request: Request, env: BareEnv, { query }: Connection): Promise<number> {
  const secret = request.headers.get('cal-api-key')!.slice(4)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(secret)))
  let hash = ''
  for (const byte of digest) hash += HEX[byte]
  const known = identities.get(hash)
  if (known && known.until > Date.now()) return known.accountId
  const now = new Date().toISOString()
  const rows = (await query(env.CAPTURED.identity, { hash, now })) as Row[]
  const { accountId } = JSON.parse(rows[0]![0]!) as { accountId: number }
  identities.set(hash, { accountId, until: Date.now() + 10_000 })
  return accountId
}

async function list(env: BareEnv, { query }: Connection): Promise<string> {
  const [row] = (await query(env.CAPTURED.list, {})) as Row[]
  const nextCursor = row![1]
    ? btoa(JSON.stringify(['-startTime', ...(JSON.parse(row![1]) as unknown[])]))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '')
    : null
  const pagination = JSON.stringify({ limit: 50, nextCursor })
  return `{"status":"success","data":${row![0]},"pagination":${pagination}}`
}

async function availability(url: string, env: BareEnv, { query }: Connection): Promise<string> {
  const { one, five } = env.CAPTURED.availability
  const ask = new URL(url).searchParams
  const rows = (await query(ask.has('employeeId') ? one : five, {})) as Row[]
  const facts = JSON.parse(rows[0]![0]!)
  const data = listPlainly(facts, ask.get('from')!, ask.get('to')!, Date.now())
  return `{"status":"success","data":${JSON.stringify(data)}}`
}

async function slots(url: string, env: BareEnv, { query }: Connection): Promise<string> {
  const ask = new URL(url).searchParams
  const now = new Date()
  const rows = (await query(env.CAPTURED.slots, { now: now.toISOString() })) as Row[]
  const facts = JSON.parse(rows[0]![0]!)
  const data = listStartsPlainly(facts, ask.get('start')!, ask.get('end')!, now.getTime())
  return `{"status":"success","data":${JSON.stringify(data)}}`
}

interface BookingBody {
  startTime: string
  endTime: string
  employeeId: number
  customerId: number
}

interface Facts {
  ids: number[]
  employees: { personId: number }[]
}

async function book(
  request: Request,
  env: BareEnv,
  { sql, query }: Connection,
  admitted: Promise<unknown>,
): Promise<string> {
  const body = await request.json<BookingBody>()
  const values: Values = {
    now: new Date().toISOString(),
    requestId: crypto.randomUUID(),
    uid: btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16)))),
    employeeId: body.employeeId,
    customerId: body.customerId,
    start: body.startTime.slice(0, 16),
    end: body.endTime.slice(0, 16),
  }
  const rows = (await query(env.CAPTURED.facts, values)) as Row[]
  const facts = JSON.parse(rows[0]![0]!) as Facts
  values.id = facts.ids[0]!
  values.personId = facts.employees[0]!.personId
  await admitted
  const { batch } = env.CAPTURED
  const results = (await sql.transaction(
    batch.map(statement => query(statement, values)),
  )) as Row[][]
  // The record is the last statement but one; after it comes the audit row.
  return results.at(-2)![0]![0]!
}

/** The least that answers the same requests with the same statements and the same promises. */
export default {
  async fetch(request: Request, env: BareEnv): Promise<Response> {
    connection ??= connect(env)
    const account = await accountOf(request, env, connection)
    const counted = connection.limiter.limit(`a${account}`)
    const work =
      request.method === 'POST'
        ? book(request, env, connection, counted)
        : request.url.includes('/availability')
          ? availability(request.url, env, connection)
          : request.url.includes('/slots')
            ? slots(request.url, env, connection)
            : list(env, connection)
    const text = await work
    if (!(await counted).success) return new Response('Too many requests', { status: 429 })
    const status = request.method === 'POST' ? 201 : 200
    return new Response(text, { status, headers: JSON_HEADERS })
  },
}
