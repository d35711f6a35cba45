import { sql } from 'drizzle-orm'
import { appointments } from '#drizzle/schema/appointments.ts'
import type { Base } from '#lib/core/context.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import { entrance, lookUp } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import { freeTime } from '../occupancies/writes.ts'
import { freeResources } from '../resources/writes.ts'
import { CHANGED, changeStatuses } from './effects.ts'
import { knownOf } from './known.ts'
import { tellOnce } from './notices.ts'
import { leaveSession } from './sessions.ts'

/** A booking that nobody confirmed: an appointment, or the dates of a series. */
interface Unconfirmed {
  accountId: number
  ids: number[]
}

const unconfirmed = entrance<{ now: string; limit: number }, Unconfirmed[]>(
  p => sql`select coalesce(json_agg(x), '[]') from (
    select account_id as "accountId", array_agg(id order by id) as ids from ${appointments}
    where status = 'pending' and confirm_by <= ${p.now}::timestamptz and start_time > confirm_by
    group by account_id, series_id, case when series_id is null then id end
    order by min(confirm_by) limit ${p.limit}::int) x`,
)

const BATCH = 100

/** What the customer and the business read as the reason. */
const UNCONFIRMED = 'It was not confirmed in time'

/**
 * Cancels the public bookings whose time to be confirmed is over, so that nobody blocks time by
 * asking for it. Two runs at once cancel each once; what was confirmed meanwhile stays.
 * @returns how many bookings were due
 */
export async function expireUnconfirmed(base: Base): Promise<number> {
  const due = await lookUp(base.db, unconfirmed, { now: base.now.toISOString(), limit: BATCH })
  for (const { accountId, ids } of due) {
    const tenant = base.enter(accountId)
    await lookingAgain(CHANGED, () => expireOne(base, tenant, ids))
  }
  return due.length
}

async function expireOne(base: Base, tenant: Tenant, ids: readonly number[]): Promise<void> {
  const pending = (await tenant.read(knownOf, { ids })).filter(k => k.status === 'pending')
  const [first] = pending
  if (!first) return
  const left = pending.map(k => k.id)
  const write = tenant.write('appointment.expire', first.id)
  for (const { sessionId, persons } of pending)
    if (sessionId !== null) leaveSession(write, sessionId, persons)
  changeStatuses(write, base, pending, { status: 'canceled', reason: UNCONFIRMED, by: 'system' })
  freeTime(write, 'appointment', left)
  freeResources(write, 'appointment', left)
  tellOnce(write, base, 'booking_cancelled', first, left)
  await write.commit(undefined)
}
