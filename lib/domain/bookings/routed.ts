import { sql } from 'drizzle-orm'
import { routingFormResponses } from '#drizzle/schema/calendar.ts'
import { bare, query } from '#lib/db/query.ts'
import type { Write } from '#lib/db/write.ts'

const r = routingFormResponses

const linkResponse = query<{ uid: string; bookingUid: string }, unknown>(
  p => sql`with linked as (
    update ${r} set ${bare(r.bookingUid)} = coalesce(${r.bookingUid}, ${p.bookingUid}::text)
    where ${r.accountId} = ${p.account} and ${r.uid} = ${p.uid}::text returning 1
  ) select must(exists(select from linked), 'routing_form_responses_gone')`,
)

/**
 * Notes which booking the answers to a routing form have led to, in the write that makes it. Of
 * several bookings the first is noted.
 * @throws NOT_FOUND for a response that there is not
 */
export function linkToResponse(
  write: Write,
  uid: string | undefined,
  booking: { uid: string },
): void {
  if (uid !== undefined) write.run(linkResponse, { uid, bookingUid: booking.uid })
}
