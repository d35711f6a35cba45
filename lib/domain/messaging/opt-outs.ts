import { type SQL, sql } from 'drizzle-orm'
import { accounts } from '#drizzle/schema/accounts.ts'
import { bookings } from '#drizzle/schema/bookings.ts'
import { messageOptOuts } from '#drizzle/schema/events.ts'
import type { Base, Settings } from '#lib/core/context.ts'
import { readToken, signToken } from '#lib/core/tokens.ts'
import { json } from '#lib/db/json.ts'
import { entrance, into, lookUp, query } from '#lib/db/query.ts'
import type { ClaimedMessage } from './claimed.ts'

/**
 * Reminders and messages of workflows go to nobody who does not want them; what confirms, changes or
 * cancels a booking is always told, but by no text message to a number that answered STOP. That is said
 * of an address by a row of `message_opt_outs`, whoever has it; text messages want a customer's
 * consent as well (`sms_consent`).
 */
export const OPTIONAL: readonly string[] = ['booking_reminder', 'event_reminder', 'workflow']

const optional = sql.raw(OPTIONAL.map(kind => `'${kind}'`).join())

const o = messageOptOuts

const readers = (rows: SQL): SQL =>
  sql`jsonb_to_recordset(${rows}::jsonb) as r("accountId" int, recipient text)`

/** The opt-out `x` that the reader of a claimed message `c` has. */
const itsOptOut = sql`from ${o} x where x.account_id = c.account_id and x.channel = c.channel
  and x.address_hash = opt_out_hash(c.account_id, c.recipient)`

/** When what a claimed message `c` is about was booked, with its appointment `b`. */
const bookedAt = sql`coalesce(b.created_at, (select t.created_at from ${bookings} t
  where c.subject = 'booking' and t.account_id = c.account_id and t.id = c.subject_id))`

/**
 * Whether it is worth asking the provider if a number is stopped still: nobody but the provider hears
 * of a START. So what was booked after the STOP is tried, once a day at most; it is not delivered, and
 * costs nothing, while the number is stopped (https://www.twilio.com/docs/api/errors/21610).
 */
const mayBeBack = (now: SQL): SQL => sql`(c.channel = 'sms' and c.recipient not like 'whatsapp:%'
  and x.created_at < least(${bookedAt}, ${now} - interval '1 day'))`

/** Whether a claimed message `c` is one to a number that answered STOP when it was last tried. */
export const toStopped: SQL = sql`(c.channel = 'sms' and exists (select ${itsOptOut}))`

/**
 * Whether a claimed message `c` is one that its reader wants no more of, with the customer `k` of its
 * appointment `b`. A customer gets text messages by consent; who gave a number with the booking of an
 * event has consented to those about it.
 */
export const optedOut = (now: SQL): SQL => sql`((c.channel = 'sms' or c.kind in (${optional}))
  and coalesce(c.data ->> 'role', '') <> 'host'
  and (exists (select ${itsOptOut} and not ${mayBeBack(now)})
    or (c.channel = 'sms' and c.subject = 'appointment' and c.data ->> 'role' = 'attendee'
      and not coalesce(k.sms_consent, false))))`

/**
 * Notes that numbers have asked the provider for no more, and when that was last heard; `rows` is JSON
 * of account and number.
 */
export const noteStopped = entrance<{ rows: string; now: string }, unknown>(
  p => sql`insert into ${into(o, o.channel, o.addressHash, o.createdAt)}
    select distinct r."accountId", 'sms', opt_out_hash(r."accountId", r.recipient),
      ${p.now}::timestamptz from ${readers(p.rows)}
    on conflict (account_id, channel, address_hash) do update set created_at = excluded.created_at`,
)

/** Notes that numbers have come back, as the provider takes messages to them again. */
export const noteBack = entrance<{ rows: string }, unknown>(
  p => sql`delete from ${o} using ${readers(p.rows)} where ${o.accountId} = r."accountId"
    and ${o.channel} = 'sms' and ${o.addressHash} = opt_out_hash(r."accountId", r.recipient)`,
)

/** What a token of a link is for that ends reminders by e-mail. Its subject is account and address. */
const PURPOSE = 'unsubscribe'
/** A link works for as long as people may keep the e-mail. */
const LINK_MS = 2 * 365 * 86_400_000

/**
 * Where the reader of an e-mail ends such e-mails; undefined for one that must be sent whatever they
 * want. The same e-mail has the same link whenever it is tried.
 */
export async function unsubscribeUrl(
  message: ClaimedMessage,
  { secret, publicUrl }: Settings,
): Promise<string | undefined> {
  const { kind, accountId, recipient, createdAt } = message
  if (!OPTIONAL.includes(kind)) return undefined
  if (message.kind === 'workflow' && message.data.role === 'host') return undefined
  const token = await signToken(secret, {
    purpose: PURPOSE,
    subject: `${accountId}:${recipient.toLowerCase()}`,
    expiresAt: new Date(Date.parse(createdAt) + LINK_MS),
  })
  return `${publicUrl}/unsubscribe?token=${token}`
}

/** What an unsubscribe link is about. */
export interface Subscription {
  accountId: number
  address: string
  business: string
  isOff: boolean
}

const subscription = entrance<
  { accountId: number; address: string },
  Pick<Subscription, 'business' | 'isOff'>
>(
  p =>
    sql`select ${json({
      business: accounts.name,
      isOff: sql`opted_out(${accounts.id}, 'email', ${p.address})`,
    })} from ${accounts} where ${accounts.id} = ${p.accountId}::int`,
)

async function addressOf(base: Base, token: string) {
  const subject = await readToken(base.settings.secret, PURPOSE, token, base.now)
  const [accountId, address] = subject ? subject.split(/:(.*)/s) : []
  return address ? { accountId: Number(accountId), address } : undefined
}

/** What a link stands for; undefined when it is forged or has expired. Changes nothing. */
export async function findSubscription(
  base: Base,
  token: string,
): Promise<Subscription | undefined> {
  await base.admission()
  const whose = await addressOf(base, token)
  const found = whose && (await lookUp(base.db, subscription, whose))
  return found ? { ...whose, ...found } : undefined
}

const optOut = query<{ address: string; now: string }, unknown>(
  p => sql`insert into ${into(o, o.channel, o.addressHash, o.createdAt)}
    select ${p.account}::int, 'email', opt_out_hash(${p.account}::int, ${p.address}),
      ${p.now}::timestamptz on conflict do nothing`,
)

const optIn = query<{ address: string }, unknown>(
  p => sql`delete from ${o} where ${o.accountId} = ${p.account} and ${o.channel} = 'email'
    and ${o.addressHash} = opt_out_hash(${p.account}::int, ${p.address})`,
)

/** Ends, or brings back, reminders by e-mail for whom a link was sent. Doing so twice is fine. */
export async function setSubscription(base: Base, token: string, isOff: boolean): Promise<boolean> {
  const whose = await addressOf(base, token)
  if (!whose) return false
  const { accountId, address } = whose
  const write = base.enter(accountId).write(isOff ? 'email.unsubscribe' : 'email.subscribe')
  if (isOff) write.run(optOut, { address, now: base.now.toISOString() })
  else write.run(optIn, { address })
  await write.commit(undefined)
  return true
}
