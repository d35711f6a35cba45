import type { Base } from '#lib/core/context.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import type { Tried } from './answer.ts'
import { bookedById } from './record.ts'
import { attendeesOf, type Draft, rowOf, type Seat } from './write.ts'

const NOT_MADE = {
  id: null,
  uid: null,
  iCalUID: null,
  seatReferenceUid: null,
  isDryRun: true,
} as const

/** Who would come. */
const comers = (made: Seat) =>
  attendeesOf(made).map(({ name, email, timeZone, locale, phoneNumber }) => ({
    id: null,
    ...{ name, email, timeZone, locale, phoneNumber },
    noShow: false,
  }))

/** The booking that a draft would have become. */
export function triedOf(base: Base, draft: Draft): Tried {
  const { type, hosts, input } = draft
  const { eventTypeId, userId, title, description, startTime, endTime, status, ...row } = rowOf(
    draft,
    base,
  )
  const { location, price, currency, metadata, tracking } = row
  const [host] = hosts
  const isOwnRoom = String(row.meetingUrl ?? '').includes(draft.uid)
  const meetingUrl = isOwnRoom ? null : row.meetingUrl
  return {
    ...{ eventTypeId, userId, title, description, startTime, endTime, status, location },
    ...{ meetingUrl, videoCallUrl: meetingUrl },
    ...{ paid: false, price, currency },
    ...{ cancellationReason: null, rejectionReason: null, reschedulingReason: null },
    ...{ rescheduled: false, recurringEventId: null, iCalSequence: 0 },
    eventType: { id: type.id, slug: type.slug, title: type.title, length: type.length },
    ...{ createdAt: null, updatedAt: null, responses: input.responses, metadata },
    ...{ tracking, rating: null, ratingFeedback: null, noShowHost: false },
    ...{ creationSource: base.via, luckyUsers: hosts.map(h => h.userId) },
    user: host
      ? { email: null, name: host.name, username: host.username, timeZone: host.timeZone }
      : null,
    attendees: comers(draft),
    ...{ paymentRequired: type.price > 0, payment: [], references: [] },
    ...NOT_MADE,
  }
}

/** A booking as it would have been with a further seat taken. Where it meets is for those who come. */
export async function triedSeat(tenant: Tenant, seat: Seat): Promise<Tried> {
  const standing = await tenant.read(bookedById, { id: seat.id, seat: null })
  const attendees = [...comers(seat), ...standing.attendees]
  const { responses } = seat.input
  return { ...standing, responses, attendees, meetingUrl: null, ...NOT_MADE }
}
