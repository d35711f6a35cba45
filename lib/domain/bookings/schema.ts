import * as z from 'zod'
import {
  atMostEntries,
  email,
  id,
  ids,
  instant,
  maybe,
  metadata,
  optionalText,
  phone,
  queryId,
  queryIds,
  queryInstantOrDate,
  queryInt,
  text,
  timeZone,
} from '#lib/core/schemas.ts'
import { isReached, numberOf } from '#lib/domain/attendees/schema.ts'

/** Where an event booking stands. */
export const BookingStatus = z.enum([
  'accepted',
  'pending',
  'cancelled',
  'rejected',
  'awaiting_host',
])
export type BookingStatus = z.output<typeof BookingStatus>

/** A public identifier in a body. */
export const uid = z.string().min(1).max(64)

/** A place, as a plain text or as `{value, optionValue}`. */
const Place = z.union([
  z.string().max(1000),
  z.object({ value: z.string().max(1000), optionValue: z.string().max(1000).optional() }),
])

/** An answer to a question of an event type. */
export const Answer = z.union([
  z.string().max(5000),
  z.number(),
  z.boolean(),
  z.array(z.string().max(1000)).max(100),
  z.null(),
])

/**
 * What the one who books says: name, and e-mail address or telephone number, and whatever the event type
 * asks. Of one without an address `phone` is their number as well, for it may be a question of its own.
 */
const Responses = z
  .object({
    name: text(200),
    email: maybe(email).describe('Left out: who books is known by their telephone number'),
    attendeePhoneNumber: maybe(phone).describe('With its country code where there is no email'),
    guests: z.array(email).max(10).optional().describe('E-mail addresses of others who come'),
    notes: optionalText(4096).optional(),
    location: Place.optional(),
    rescheduleReason: optionalText(1000).optional(),
  })
  .catchall(Answer)
  .refine(...atMostEntries(100))
  .refine(...isReached('attendeePhoneNumber', 'phone'))
  .transform(({ email, attendeePhoneNumber, ...answers }, context) => {
    const isOther = email === undefined && attendeePhoneNumber === undefined
    const given = isOther
      ? (['phone', String(answers.phone)] as const)
      : (['attendeePhoneNumber', attendeePhoneNumber] as const)
    const number = numberOf(email, given, context)
    return {
      ...answers,
      ...(email === undefined ? {} : { email }),
      ...(number === undefined ? {} : { attendeePhoneNumber: number }),
    }
  })

/** Who of the hosts who take turns is to be asked. Those who are always there stay. */
export const namedFields = {
  teamMemberEmail: email.optional().describe('Ask nobody in turn but the host with this address'),
  routedTeamMemberIds: ids
    .optional()
    .describe('Ask nobody in turn but these hosts, by the numbers of their users'),
}

const bookingFields = {
  eventTypeId: id,
  start: instant,
  end: instant.optional().describe('Left out: as long as the event type'),
  responses: Responses,
  timeZone: timeZone.describe('IANA zone of the one who books'),
  language: z.string().min(2).max(35).optional(),
  metadata: metadata.optional(),
  rescheduleUid: uid.optional().describe('Move this booking instead of making one'),
  rescheduledBy: email.optional(),
  bookingUid: uid.optional().describe('Take a seat in this booking'),
  holdUid: uid.optional().describe('The hold that was taken on the slot'),
  routingFormResponse: uid.optional().describe('The answers to a routing form that led here'),
  ...namedFields,
  skipContactOwner: z.boolean().optional().describe('Leave teamMemberEmail out of account'),
  tracking: z
    .record(z.string().max(20), z.string().max(500))
    .refine(...atMostEntries(20))
    .optional(),
  verificationCode: z
    .string()
    .max(20)
    .transform(code => code.replace(/[\s-]/g, ''))
    .optional()
    .describe('Of POST /api/book/verify-email, where the event type asks for it'),
  _isDryRun: z.boolean().optional().describe('Check everything and book nothing: 200'),
}

/** The body of POST /api/book/event. */
export const NewBooking = z
  .object(bookingFields)
  .refine(b => !b.end || b.end > b.start, { path: ['end'], message: 'must be after start' })
export type NewBooking = z.output<typeof NewBooking>

/** Who may name a hold. */
export type Holder = Pick<NewBooking, 'holdUid'>

/** The holds that are named. */
export const holdsOf = (holders: readonly Holder[]): string[] =>
  holders.flatMap(({ holdUid }) => holdUid ?? [])

/** The body of POST /api/book/verify-email. */
export const CodeAsked = z.object({
  eventTypeId: id,
  email: email.describe('Where the code is sent: the address to book with'),
})
export type CodeAsked = z.output<typeof CodeAsked>

const MAX_OCCURRENCES = 52

const seriesFields = {
  ...bookingFields,
  recurringEventId: uid.optional().describe('A name for the series, the same in all of an array'),
  onConflict: z
    .enum(['fail', 'skip'])
    .optional()
    .describe('Book all or nothing ("fail"), or leave out what is not free'),
}

/** The body of POST /api/book/recurring-event: one per date, or one with a count. */
export const NewSeries = z.union([
  z.array(z.object(seriesFields)).min(1).max(MAX_OCCURRENCES),
  z
    .object({
      ...seriesFields,
      recurrenceCount: z.int().min(1).max(MAX_OCCURRENCES).optional(),
      recurringCount: z.int().min(1).max(MAX_OCCURRENCES).optional(),
    })
    .refine(
      b => (b.recurrenceCount ?? b.recurringCount) === (b.recurringCount ?? b.recurrenceCount),
      {
        path: ['recurringCount'],
        message: 'must be the same as recurrenceCount',
      },
    ),
])
export type NewSeries = z.output<typeof NewSeries>

/** The body of POST /api/cancel. */
export const Cancellation = z.object({
  uid: uid.optional(),
  id: id.optional().describe('Instead of uid, for a member of the account'),
  reason: optionalText(1000).optional(),
  cancellationReason: optionalText(1000).optional(),
  allRemainingBookings: z.boolean().optional().describe('Every occurrence still to come'),
  cancelSubsequentBookings: z.boolean().optional().describe('This occurrence and those after it'),
  seatReferenceUid: uid.optional().describe('Give back this seat alone'),
  cancelledBy: email.optional().describe('E-mail address of who cancels, for who holds the uid'),
})
export type Cancellation = z.output<typeof Cancellation>

/** What is asked of the slots of an event type. */
export const SlotsQuery = z
  .object({
    start: queryInstantOrDate,
    end: queryInstantOrDate,
    eventTypeId: queryId.optional(),
    eventTypeSlug: z.string().max(100).optional(),
    slug: z.string().max(100).optional(),
    username: z.string().max(100).optional(),
    teamSlug: z.string().max(100).optional(),
    timeZone: timeZone.optional(),
    duration: queryInt(1, 1440).optional(),
    format: z.enum(['time', 'range']).optional().describe('"time": starts without ends'),
    bookingUidToReschedule: uid.optional(),
    ...namedFields,
    routedTeamMemberIds: queryIds
      .optional()
      .describe('Of the hosts who take turns these alone, as 1,2'),
  })
  .refine(q => q.eventTypeId ?? q.slug ?? q.eventTypeSlug, {
    path: ['eventTypeId'],
    message: 'required, unless slug is given',
  })
export type SlotsQuery = z.output<typeof SlotsQuery>

/** A slot that is to be kept for a while. */
export const NewHold = z.object({
  eventTypeId: id,
  slotStart: instant,
  slotDuration: z.int().min(1).max(1440).optional(),
  reservationDuration: z.int().min(1).max(60).optional().describe('Minutes; 5 unless it is said'),
})
export type NewHold = z.output<typeof NewHold>
