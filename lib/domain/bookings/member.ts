import { type Member, requirePermission } from '#lib/core/context.ts'
import type { Json } from '#lib/core/json.ts'
import type { MemberBooking } from './answer.ts'
import { type Cancelled, cancelBooking } from './cancel.ts'
import { confirmBooking, markNoShow, rejectBooking } from './changes.ts'
import { bookIn } from './create.ts'
import type { Which } from './known.ts'
import type {
  BookingNamed,
  MemberCancellation,
  NewMemberBooking,
  NoShow,
  Rejection,
  Rescheduling,
} from './member-schema.ts'
import { bookingById, findBooking } from './member-view.ts'
import { rescheduleBooking } from './reschedule.ts'
import { eventTypeNamed } from './slots.ts'

/*
 * Bookings as members act on them: named by uid or id, answered whole.
 */

type Named = Json<MemberBooking>

/** A number and a public identifier that are both given both have to be the booking's. */
const whichOf = ({ id, uid, bookingUid = uid }: BookingNamed): Which =>
  typeof id === 'string' ? { id: undefined, uid: id } : { id, uid: bookingUid }

/** One booking, by its id or its uid, as the tools name it. */
export const getBooking = (m: Member, named: BookingNamed): Promise<Named> =>
  findBooking(m, whichOf(named))

/** Accepts a booking that waits for its host's word. */
export const acceptBooking = (m: Member, named: BookingNamed): Promise<Named> =>
  confirmBooking(m, whichOf(named))

/** Turns down a booking that waits for its host's word. */
export const declineBooking = (m: Member, { reason, ...named }: Rejection): Promise<Named> =>
  rejectBooking(m, { ...whichOf(named), reason })

/** Cancels a booking, what is left of its series, or one of its seats. */
export const callOff = (
  m: Member,
  { seatUid, id, uid, bookingUid, ...order }: MemberCancellation,
): Promise<Cancelled> =>
  cancelBooking(m, { ...order, ...whichOf({ id, uid, bookingUid }), seatReferenceUid: seatUid })

/** Moves a booking to another of its host's free starts, or gives it another place. */
export const moveBooking = (
  m: Member,
  {
    start,
    end,
    reason,
    reschedulingReason = reason,
    rescheduledBy,
    location,
    ...named
  }: Rescheduling,
): Promise<Named> =>
  rescheduleBooking(m, {
    ...whichOf(named),
    start,
    end,
    reason: reschedulingReason,
    by: rescheduledBy,
    location,
  })

/** Notes who did not come, or came after all. */
export const noteNoShow = (m: Member, { attendees, host, ...named }: NoShow): Promise<Named> =>
  markNoShow(m, {
    ...whichOf(named),
    attendees: attendees?.map(({ absent = true, ...who }) => ({ ...who, noShow: absent })) ?? [],
    host,
  })

/**
 * Books an event type of the member's account for somebody. The same rules hold as for those who
 * book for themselves.
 * @throws CONFLICT when the start is not offered; NOT_FOUND for an event type of nobody or of others
 */
export async function bookFor(m: Member, input: NewMemberBooking): Promise<Named> {
  requirePermission(m, 'calendar.own')
  const { start, lengthInMinutes, attendee, guests, notes, location, metadata } = input
  const { teamMemberEmail, routedTeamMemberIds } = input
  const eventTypeId = await eventTypeNamed(m, input)
  const booking = {
    eventTypeId,
    start,
    end: lengthInMinutes ? new Date(start.getTime() + lengthInMinutes * 60_000) : undefined,
    responses: {
      ...input.bookingFieldsResponses,
      name: attendee.name,
      ...(attendee.email && { email: attendee.email }),
      ...(attendee.phoneNumber && { attendeePhoneNumber: attendee.phoneNumber }),
      ...(guests && { guests }),
      ...(notes && { notes }),
      ...(location && { location }),
    },
    timeZone: attendee.timeZone,
    language: attendee.language,
    metadata,
    ...{ teamMemberEmail, routedTeamMemberIds },
  }
  return bookIn(m, m.tenant, booking, (write, { id }) =>
    write.commit(write.answer(bookingById, { id, uid: null, userId: null })),
  )
}
