import {
  acceptBooking,
  bookFor,
  callOff,
  declineBooking,
  getBooking,
  moveBooking,
  noteNoShow,
} from '#lib/domain/bookings/member.ts'
import {
  BookingFilter,
  BookingNamed,
  BookingSearch,
  MemberCancellation,
  NewMemberBooking,
  NoShow,
  Rejection,
  Rescheduling,
} from '#lib/domain/bookings/member-schema.ts'
import { listBookings } from '#lib/domain/bookings/member-view.ts'
import { breaks, reads, sends, type Tools, updates } from '#lib/mcp/tool.ts'
import { ANSWER } from '../answers.ts'

const Upcoming = BookingFilter.omit({ status: true, from: true, sort: true })

/** Meetings of event types. */
export const tools: Tools = {
  list_bookings: reads(
    'List bookings (meetings of event types). Upcoming ones begin with the next, others with the latest. Service appointments are listed by list_appointments.',
    BookingFilter,
    listBookings,
    ANSWER.bookings,
  ),
  get_booking: reads(
    'Read one booking by its uid or id.',
    BookingNamed,
    getBooking,
    ANSWER.booking,
  ),
  create_booking: sends(
    'Book an event type for somebody, who is told by e-mail, or by text message where they have no address. Ask get_available_slots first: only a start that it offers can be booked.',
    NewMemberBooking,
    bookFor,
    ANSWER.booking,
  ),
  cancel_booking: breaks(
    'Cancel a booking, or what is left of its series; everybody who comes is told.',
    MemberCancellation,
    callOff,
    ANSWER.cancelledBooking,
  ),
  reschedule_booking: breaks(
    'Move a booking to another start that get_available_slots offers; everybody who comes is told.',
    Rescheduling,
    moveBooking,
    ANSWER.booking,
  ),
  confirm_booking: sends(
    'Accept a pending booking, one that waits for the host to say yes.',
    BookingNamed,
    acceptBooking,
    ANSWER.booking,
  ),
  reject_booking: breaks(
    'Turn down a pending booking; the one who asked for it is told.',
    Rejection,
    declineBooking,
    ANSWER.booking,
  ),
  list_upcoming_bookings: reads(
    'List the bookings that are still to come, the next one first.',
    Upcoming,
    (m, filter) => listBookings(m, { ...filter, status: 'upcoming' }),
    ANSWER.bookings,
  ),
  search_bookings: reads(
    'Find bookings by words of their title, or of the name, e-mail address or telephone number of an attendee.',
    BookingSearch,
    (m, { query, ...filter }) => listBookings(m, { ...filter, search: filter.search ?? query }),
    ANSWER.bookings,
  ),
  mark_no_show: updates(
    'Note after the start of a booking who did not come: attendees by their e-mail addresses, telephone numbers or ids, or the host.',
    NoShow,
    noteNoShow,
    ANSWER.booking,
  ),
}
