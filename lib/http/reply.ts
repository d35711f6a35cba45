import type { Context } from 'hono'
import type { Envelope } from '#lib/core/idempotency.ts'
import { type Page, toText } from '#lib/core/json.ts'
import type { AppEnv } from './exchange.ts'

const HEADERS = { 'content-type': 'application/json' }
const OK: Envelope = { status: 200, prefix: '{"status":"success","data":', suffix: '}' }
const CREATED: Envelope = { status: 201, prefix: '', suffix: '' }
const BARE: Envelope = { status: 200, prefix: '', suffix: '' }

/** Says how the answer will be written before the operation runs: its batch may store it. */
async function reply(c: Context<AppEnv>, envelope: Envelope, work: () => Promise<unknown>) {
  const { claim } = c.get('exchange')
  if (claim) claim.envelope = envelope
  const text = toText((await work()) ?? null)
  return c.body(envelope.prefix + text + envelope.suffix, envelope.status as 200, HEADERS)
}

/** 200 with the documented envelope. */
export const ok = <E extends AppEnv>(c: Context<E>, work: () => Promise<unknown>) =>
  reply(c as unknown as Context<AppEnv>, OK, work)

/** 201 with the record itself. */
export const created = <E extends AppEnv>(c: Context<E>, work: () => Promise<unknown>) =>
  reply(c as unknown as Context<AppEnv>, CREATED, work)

/** 200 with the record itself, where a standard or the interface has it so. */
export const bare = <E extends AppEnv>(c: Context<E>, work: () => Promise<unknown>) =>
  reply(c as unknown as Context<AppEnv>, BARE, work)

/** 200 with a page of a list and the cursor of the next. */
export async function list(c: Pick<Context, 'body'>, work: () => Promise<Page<unknown>>) {
  const { items, limit, nextCursor } = await work()
  const pagination = JSON.stringify({ limit, nextCursor })
  return c.body(
    `{"status":"success","data":${items.text},"pagination":${pagination}}`,
    200,
    HEADERS,
  )
}

/** Nothing but our own files, framed by nobody, forms to ourselves alone unless they lead away. */
const policy = (leadsAway: boolean) =>
  `default-src 'self'; base-uri 'none';${leadsAway ? '' : " form-action 'self';"} frame-ancestors 'none'; object-src 'none'`

/**
 * A page of ours. Its Referrer-Policy keeps its address, which may hold a token, from other sites
 * and still lets the browser name the Origin of its forms.
 * @param leadsAway its form leads to another site, and from there wherever that leads on: browsers hold
 * the whole way against `form-action`, so there is none. Such a page names itself to nobody
 */
export function answerPage<E extends AppEnv>(
  c: Context<E>,
  html: string,
  status: number,
  leadsAway = false,
) {
  c.header('Access-Control-Allow-Origin', undefined)
  c.header('Content-Security-Policy', policy(leadsAway))
  c.header('X-Frame-Options', 'DENY')
  c.header('Referrer-Policy', leadsAway ? 'no-referrer' : 'same-origin')
  return c.body(html, status as 200, { 'content-type': 'text/html; charset=utf-8' })
}
