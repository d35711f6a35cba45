import { sql } from 'drizzle-orm'
import { bookingCodes } from '#drizzle/schema/bookings.ts'
import { eventTypes } from '#drizzle/schema/calendar.ts'
import { messages } from '#drizzle/schema/events.ts'
import type { Base, Visitor } from '#lib/core/context.ts'
import { invalid } from '#lib/core/errors.ts'
import { hmac, newUid, sameText } from '#lib/core/text.ts'
import { json } from '#lib/db/json.ts'
import { bare, into, query, queueing } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import { CODE_MINUTES, codeOf } from '../messaging/code.ts'
import type { EventTypeFacts } from './facts.ts'
import { enterByEventType } from './read.ts'
import type { CodeAsked, NewBooking } from './schema.ts'

/** Wrong codes until no further one is looked at. */
const MAX_TRIES = sql.raw('5')

const c = bookingCodes
const t = eventTypes

const requireAsking = query<{ eventTypeId: number }, unknown>(
  p => sql`select must(exists(select from ${t} where ${t.accountId} = ${p.account}
    and ${t.id} = ${p.eventTypeId}::int and ${t.requiresBookerEmailVerification}),
    'booking_codes_unasked')`,
)

interface NewCode {
  eventTypeId: number
  email: string
  nonce: string
  hash: string
  now: string
  expiresAt: string
  dedupe: string
}

/**
 * Makes a code and queues its message. While one works the same is sent again, so that asking anew
 * gives nobody more tries; once its tries are used up there is no other until it has expired.
 */
const sendCode = queueing<NewCode>(
  'messages',
  p => sql`with asked as (
    insert into ${into(c, c.eventTypeId, c.email, c.nonce, c.hash, c.expiresAt)}
    select ${p.account}::int, ${p.eventTypeId}::int, lower(${p.email}::text), ${p.nonce}::text,
      ${p.hash}::text, ${p.expiresAt}::timestamptz
    on conflict (account_id, event_type_id, email) do update set
      nonce = case when ${c.expiresAt} > ${p.now}::timestamptz then ${c.nonce} else excluded.nonce end,
      hash = case when ${c.expiresAt} > ${p.now}::timestamptz then ${c.hash} else excluded.hash end,
      tries = case when ${c.expiresAt} > ${p.now}::timestamptz then ${c.tries} else 0 end,
      expires_at = excluded.expires_at
    where ${c.tries} < ${MAX_TRIES} or ${c.expiresAt} <= ${p.now}::timestamptz
    returning nonce
  ) insert into ${into(
    messages,
    messages.channel,
    messages.kind,
    messages.recipient,
    messages.data,
    messages.dedupe,
    messages.nextAt,
    messages.createdAt,
  )} select ${p.account}::int, 'email', 'booking_code', ${p.email}::text,
      jsonb_build_object('nonce', nonce), ${p.dedupe}::text, ${p.now}::timestamptz,
      ${p.now}::timestamptz from asked on conflict do nothing returning 1`,
)

const hashOf = ({ settings }: Base, email: string, code: string): Promise<string> =>
  hmac(settings.secret, JSON.stringify(['booking-code-kept', email.toLowerCase(), code]))

/** How long the code works, in seconds. */
export interface CodeSent {
  expiresInSeconds: number
}

/**
 * Sends a code to an address that somebody would book with, at most one e-mail a minute. The answer
 * is the same whatever is known of the address.
 * @throws NOT_FOUND for an event type that is not there; VALIDATION_ERROR for one that asks for none
 */
export async function askCode(v: Visitor, { eventTypeId, email }: CodeAsked): Promise<CodeSent> {
  const tenant = await enterByEventType(v, eventTypeId)
  const nonce = newUid()
  const hash = await hashOf(v, email, await codeOf(v.settings, nonce))
  const minute = Math.floor(v.now.getTime() / 60_000)
  const write = tenant.write('booking.code', eventTypeId)
  write.run(requireAsking, { eventTypeId })
  write.run(sendCode, {
    ...{ eventTypeId, email, nonce, hash },
    now: v.now.toISOString(),
    expiresAt: new Date(v.now.getTime() + CODE_MINUTES * 60_000).toISOString(),
    dedupe: `booking_code:${eventTypeId}:${email.toLowerCase()}:${minute}`,
  })
  return write.commit({ expiresInSeconds: CODE_MINUTES * 60 })
}

/** The hash of the code that works. A try is counted as it is made, so that no two pass as one. */
const tryCode = query<
  { eventTypeId: number; email: string; hash: string; now: string },
  { hash: string } | null
>(
  p => sql`with tried as (
    update ${c} set ${bare(c.tries)} = ${c.tries} + (${c.hash} <> ${p.hash}::text)::int
    where ${c.accountId} = ${p.account} and ${c.eventTypeId} = ${p.eventTypeId}::int
      and ${c.email} = lower(${p.email}::text) and ${c.tries} < ${MAX_TRIES}
      and ${c.expiresAt} > ${p.now}::timestamptz
    returning hash
  ) select ${json({ hash: sql`hash` })} from tried`,
)

const refuse = (message: string): never => invalid({ field: 'verificationCode', message })

/**
 * Sees to it that who books an event type that asks for it has proved their e-mail address. Members
 * book for others, whom they know.
 * @throws VALIDATION_ERROR with `verificationCode`, saying what to do
 */
export async function requireVerified(
  base: Base,
  tenant: Tenant,
  type: EventTypeFacts,
  { responses: { email }, verificationCode: code }: NewBooking,
): Promise<void> {
  if (!type.verifiesEmail || base.via !== 'public') return
  if (email === undefined)
    return void invalid({
      field: 'responses.email',
      message: 'required: who books this event type proves that it is theirs',
    })
  if (code === undefined)
    return refuse('required: ask for a code by POST /api/book/verify-email and give it here')
  const hash = await hashOf(base, email, code)
  const asked = { eventTypeId: type.id, email, hash, now: base.now.toISOString() }
  const right = await tenant.read(tryCode, asked)
  if (!right || !sameText(right.hash, hash))
    refuse('is wrong or works no more: look again at the newest e-mail, or ask for another code')
}
