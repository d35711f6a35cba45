import * as z from 'zod'
import {
  email,
  id,
  instant,
  maybe,
  metadata,
  optionalText,
  Paging,
  phone,
  queryId,
  queryMoment,
  queryPhone,
  text,
  timeZone,
} from '#lib/core/schemas.ts'
import { isReached, numberOf } from '#lib/domain/attendees/schema.ts'
import { Answer, namedFields, uid } from './schema.ts'

/** What of bookings can be looked at: a status, or where they stand by the clock. */
const View = z.enum([
  'upcoming',
  'recurring',
  'past',
  'cancelled',
  'unconfirmed',
  'accepted',
  'pending',
  'rejected',
  'awaiting_host',
])
/** A status of bookings, or a group of them by the clock. */
export type BookingView = z.output<typeof View>

/** Which bookings are asked for. */
export const BookingFilter = Paging.extend({
  status: View.optional().describe(
    'A status; or upcoming, recurring, past or unconfirmed, which are live ones by the clock',
  ),
  from: queryMoment.optional().describe('Starts at or after this instant or day'),
  to: queryMoment.optional().describe('Starts before this instant, or on or before this day'),
  eventTypeId: queryId.optional(),
  userId: queryId.optional().describe('Only bookings that this user hosts'),
  attendeeEmail: z.string().trim().max(320).optional().describe('E-mail address of who comes'),
  attendeePhoneNumber: queryPhone.optional().describe('Telephone number of who comes'),
})
export type BookingFilter = z.output<typeof BookingFilter>

const words = z.string().trim().min(1).max(200)
/** What searching takes: the words, in either of two fields. */
export const BookingSearch = BookingFilter.extend({
  search: words.optional().describe('Words to look for'),
  query: words.optional().describe('The same as search'),
}).refine(s => (s.search ?? s.query) !== undefined, {
  path: ['search'],
  message: 'required, unless query is given',
})

/** One booking, by its id or its public identifier. */
const named = {
  uid: uid.optional().describe('Public identifier of the booking'),
  bookingUid: uid.optional().describe('The same as uid'),
  id: z
    .union([queryId, uid])
    .optional()
    .describe('Number of the booking, or its public identifier as uid takes it'),
}
interface Named {
  uid?: string | undefined
  bookingUid?: string | undefined
  id?: number | string | undefined
}
const isNamed = (b: Named): boolean => (b.uid ?? b.bookingUid ?? b.id) !== undefined
const UNNAMED = { path: ['uid'], message: 'required, unless id is given' }

/** One public identifier in several fields: `id` takes it as well. */
const isOne = ({ uid, bookingUid = uid, id }: Named): boolean =>
  (uid ?? bookingUid) === bookingUid && (typeof id !== 'string' || (bookingUid ?? id) === id)
const DIFFERENT = { path: ['uid'], message: 'names another booking than bookingUid or id' }

/** Which booking is meant. */
export const BookingNamed = z.object(named).refine(isNamed, UNNAMED).refine(isOne, DIFFERENT)
export type BookingNamed = z.output<typeof BookingNamed>

/** What rejecting takes. */
export const Rejection = z
  .object({ ...named, reason: optionalText(1000).optional() })
  .refine(isNamed, UNNAMED)
  .refine(isOne, DIFFERENT)
export type Rejection = z.output<typeof Rejection>

/** What cancelling takes, of a member. */
export const MemberCancellation = z
  .object({
    ...named,
    cancellationReason: optionalText(1000).optional().describe('Told to those who come'),
    reason: optionalText(1000).optional().describe('The same as cancellationReason'),
    allRemainingBookings: z
      .boolean()
      .optional()
      .describe('Of a series: every occurrence still to come'),
    cancelSubsequentBookings: z
      .boolean()
      .optional()
      .describe('Of a series: this occurrence and those after it'),
    seatUid: uid.optional().describe('Give back this seat alone'),
  })
  .refine(isNamed, UNNAMED)
  .refine(isOne, DIFFERENT)
export type MemberCancellation = z.output<typeof MemberCancellation>

/** What moving a booking takes, of a member. */
export const Rescheduling = z
  .object({
    ...named,
    start: instant.describe('The new start; one of those that get_available_slots offers'),
    end: instant.optional().describe('Left out: as long as it was'),
    location: text(1000)
      .optional()
      .describe('Another place; with the start that it has, nothing but the place is changed'),
    reschedulingReason: optionalText(1000).optional().describe('Told to those who come'),
    reason: optionalText(1000).optional().describe('The same as reschedulingReason'),
    rescheduledBy: email
      .optional()
      .describe('E-mail address of who asked for it; yours where nothing is said'),
  })
  .refine(isNamed, UNNAMED)
  .refine(isOne, DIFFERENT)
  .refine(b => !b.end || b.end > b.start, { path: ['end'], message: 'must be after start' })
export type Rescheduling = z.output<typeof Rescheduling>

/** One who came or did not: by any of what tells them from the others. */
const Absentee = z
  .object({
    id: id.optional().describe('Number of the attendee'),
    email: email.optional(),
    phoneNumber: phone.optional(),
    absent: z.boolean().optional().describe('true unless said'),
  })
  .refine(a => a.id ?? a.email ?? a.phoneNumber, {
    path: ['email'],
    message: 'required, unless id or phoneNumber is given',
  })

/** Who did not come, or came after all. */
export const NoShow = z
  .object({
    ...named,
    attendees: z.array(Absentee).min(1).max(100).optional(),
    host: z.boolean().optional().describe('Whether the host was absent'),
  })
  .refine(isNamed, UNNAMED)
  .refine(isOne, DIFFERENT)
  .refine(n => n.attendees !== undefined || n.host !== undefined, {
    path: ['attendees'],
    message: 'required, unless host is given',
  })
export type NoShow = z.output<typeof NoShow>

const Attendee = z
  .object({
    name: text(200),
    email: maybe(email).describe('Left out: who comes is told by text message'),
    timeZone: timeZone.describe('IANA zone of the one who comes'),
    language: z.string().min(2).max(35).optional(),
    phoneNumber: maybe(phone).describe('With its country code where there is no email'),
    phone: maybe(phone).describe('The same as phoneNumber'),
  })
  .refine(...isReached('phoneNumber', 'phone'))
  .transform(({ phone, phoneNumber = phone, ...attendee }, context) => ({
    ...attendee,
    phoneNumber: numberOf(attendee.email, ['phoneNumber', phoneNumber], context),
  }))

/** A booking that a member makes for somebody: of an event type by its id, or by its slug. */
export const NewMemberBooking = z
  .object({
    eventTypeId: id.optional(),
    eventTypeSlug: z.string().max(100).optional().describe('Instead of eventTypeId'),
    username: z
      .string()
      .max(100)
      .optional()
      .describe('Whose eventTypeSlug it is; yours if left out'),
    teamSlug: z.string().max(100).optional().describe('The team whose eventTypeSlug it is'),
    start: instant.describe('One of the starts that get_available_slots offers'),
    lengthInMinutes: z.int().min(1).max(1440).optional().describe('As the event type if left out'),
    attendee: Attendee,
    guests: z.array(email).max(10).optional().describe('E-mail addresses of others who come'),
    location: z
      .string()
      .max(1000)
      .optional()
      .describe('The place, where the event type has several'),
    notes: optionalText(4096).optional(),
    ...namedFields,
    metadata: metadata.optional().describe('Anything you want to find again with the booking'),
    bookingFieldsResponses: z
      .record(z.string().max(100), Answer)
      .optional()
      .describe('Answers to the questions of the event type, by their names'),
  })
  .refine(b => b.eventTypeId ?? b.eventTypeSlug, {
    path: ['eventTypeId'],
    message: 'required, unless eventTypeSlug is given',
  })
export type NewMemberBooking = z.output<typeof NewMemberBooking>
