import * as z from 'zod'
import {
  cents,
  date,
  email,
  id,
  ids,
  instant,
  languageTag,
  maybe,
  optionalText,
  Paging,
  phone,
  queryBoolean,
  queryId,
  queryInt,
  queryMoment,
  text,
  timeZone,
} from '#lib/core/schemas.ts'

/** Where an appointment stands; the last two are final. */
export const Status = z.enum(['pending', 'approved', 'canceled', 'completed'])
export type Status = z.output<typeof Status>

/** Pending and approved appointments take time; canceled and completed ones do not. */
export const isLive = (status: Status): boolean => status === 'pending' || status === 'approved'

/** How an appointment repeats, by the clocks of its place. */
export const RecurrenceRule = z.enum(['weekly', 'biweekly', 'monthly'])
export type RecurrenceRule = z.output<typeof RecurrenceRule>

/** Someone who comes along: `persons` seats under one name. */
const Attendee = z.object({
  name: text(200),
  email: email.nullable().optional(),
  phone: phone.nullable().optional(),
  customerId: id.nullable().optional(),
  persons: z.int().min(1).max(1000).optional(),
})

/** An extra that is booked along. */
const ChosenExtra = z.object({ id, quantity: z.int().min(1).max(100).optional() })

const fields = {
  customerId: id.nullable().optional(),
  employeeId: id.nullable().optional().describe('Who gives it; left out: nobody in particular'),
  locationId: id.nullable().optional(),
  price: cents.optional().describe('Price in cents; the service’s where nothing is said'),
  attendees: z.array(Attendee).max(100).optional(),
  resourceIds: ids.optional().describe('Resources beside those of the service'),
  notes: optionalText(4096).optional().describe('Notes that the customer may see'),
  internalNotes: optionalText(4096).optional().describe('Notes that the customer never sees'),
  timeZone: timeZone.nullable().optional().describe('Zone of the customer'),
}

/** An appointment that does not repeat is answered with null for both. */
const recurrence = {
  recurrenceRule: maybe(RecurrenceRule),
  recurrenceCount: maybe(z.int().min(2).max(52)).describe('Instances, the first included'),
}

const inOrder = (v: { startTime?: Date | undefined; endTime?: Date | undefined }) =>
  !v.startTime || !v.endTime || v.endTime > v.startTime
/** The longest an appointment can be. */
export const MAX_LENGTH_MS = 7 * 24 * 60 * 60 * 1000
const notTooLong = (v: { startTime?: Date | undefined; endTime?: Date | undefined }) =>
  !v.startTime || !v.endTime || v.endTime.getTime() - v.startTime.getTime() <= MAX_LENGTH_MS

const AFTER = { path: ['endTime'], message: 'must be after startTime' }
const TOO_LONG = { path: ['endTime'], message: 'must be within 7 days of startTime' }

/** The body of an appointment. */
export const NewAppointment = z
  .object({
    serviceId: id,
    startTime: instant,
    endTime: instant,
    status: Status.optional(),
    ...fields,
    persons: z.int().min(1).max(1000).optional().describe('Seats taken in a group session'),
    isGroupBooking: z.boolean().optional(),
    extras: z.array(ChosenExtra).max(50).optional(),
    ...recurrence,
    onConflict: z
      .enum(['fail', 'skip'])
      .optional()
      .describe('For a series: book all or nothing ("fail"), or leave out what clashes'),
  })
  .refine(inOrder, AFTER)
  .refine(notTooLong, TOO_LONG)
  .refine(v => (v.recurrenceRule === undefined) === (v.recurrenceCount === undefined), {
    path: ['recurrenceCount'],
    message: 'recurrenceRule and recurrenceCount go together',
  })
export type NewAppointment = z.output<typeof NewAppointment>

const changeFields = {
  serviceId: id.optional(),
  startTime: instant.optional(),
  endTime: instant.optional(),
  status: Status.optional(),
  ...fields,
  noShow: z.boolean().optional(),
  cancellationReason: optionalText(1000).optional(),
}

/** What of an appointment can be changed. A new start alone moves the end along. */
export const AppointmentChange = z
  .object({
    ...changeFields,
    version: z.int().min(0).optional().describe('Refuse the change unless this is the version'),
  })
  .refine(inOrder, AFTER)
  .refine(notTooLong, TOO_LONG)
export type AppointmentChange = z.output<typeof AppointmentChange>

/** The same change for several appointments. */
export const BulkChange = z
  .object({
    ids: z
      .array(id)
      .min(1)
      .max(100)
      .transform(list => [...new Set(list)])
      .describe('The appointments to change, up to 100'),
    status: Status.optional().describe('The status that each is to have'),
    changes: z
      .object(changeFields)
      .refine(inOrder, AFTER)
      .refine(notTooLong, TOO_LONG)
      .optional()
      .describe('What else is to change, as update_appointment takes it'),
  })
  .refine(b => b.status !== undefined || b.changes !== undefined, {
    path: ['status'],
    message: 'required, unless changes is given',
  })
export type BulkChange = z.output<typeof BulkChange>

/** What appointments are asked for. */
export const AppointmentFilter = Paging.extend({
  from: queryMoment.optional().describe('Starts at or after this instant or day'),
  to: queryMoment.optional().describe('Starts before this instant, or on or before this day'),
  status: Status.optional(),
  customerId: queryId.optional(),
  employeeId: queryId.optional(),
  serviceId: queryId.optional(),
  locationId: queryId.optional(),
  seriesId: queryId.optional(),
})
export type AppointmentFilter = z.output<typeof AppointmentFilter>

/** `?id=` of DELETE; `scope=session` cancels a whole group session. */
export const Removal = z.object({
  id: queryId,
  scope: z.enum(['seat', 'session']).optional(),
  reason: z.string().trim().max(1000).optional(),
  cancellationReason: z.string().trim().max(1000).optional().describe('The same as reason'),
})

/** What starts are asked for: one day, or a span. */
export const AvailabilityQuery = z.object({
  serviceId: queryId,
  date: date.optional().describe('One day of the asked zone'),
  from: queryMoment.optional(),
  to: queryMoment.optional(),
  employeeId: queryId.optional(),
  locationId: queryId.optional(),
  timeZone: timeZone.optional(),
  duration: queryInt(1, 1500).optional().describe('Minutes, where it is not the service’s'),
  persons: queryInt(1, 1000).optional(),
  excludeAppointmentId: queryId.optional().describe('As if this appointment did not exist'),
  explain: queryBoolean.optional().describe('Say for each refused start which rule refused it'),
})
export type AvailabilityQuery = z.output<typeof AvailabilityQuery>

/** Who books for themselves: an e-mail address or a telephone number, so that they can be reached. */
const BookingCustomer = z
  .object({
    name: text(200),
    email: maybe(email),
    phone: maybe(phone),
    timeZone: maybe(timeZone),
    language: maybe(languageTag),
    notes: optionalText(4096).optional(),
  })
  .refine(c => c.email !== undefined || c.phone !== undefined, {
    path: ['email'],
    message: 'required, unless phone is given',
  })

const MAX_ANSWERS = 100

/** The body of a public booking. */
export const PublicBooking = z
  .object({
    serviceId: id,
    startTime: instant,
    endTime: maybe(instant),
    employeeId: id.nullable().optional().describe('Left out: whoever is free'),
    locationId: id.nullable().optional(),
    customer: BookingCustomer,
    attendees: z
      .array(Attendee.omit({ customerId: true }))
      .max(100)
      .optional(),
    persons: z.int().min(1).max(1000).optional(),
    extras: z.array(ChosenExtra).max(50).optional(),
    ...recurrence,
    smsConsent: z.boolean().optional(),
    customFields: z
      .record(z.string().max(100), z.union([z.string().max(5000), z.number(), z.boolean()]))
      .refine(
        answers => Object.keys(answers).length <= MAX_ANSWERS,
        `must have at most ${MAX_ANSWERS} fields`,
      )
      .optional(),
  })
  .refine(inOrder, AFTER)
  .refine(v => (v.recurrenceRule === undefined) === (v.recurrenceCount === undefined), {
    path: ['recurrenceCount'],
    message: 'recurrenceRule and recurrenceCount go together',
  })
export type PublicBooking = z.output<typeof PublicBooking>

/** What confirming takes: the token of the e-mailed link, and the appointment's uid with it or not. */
export const Confirmation = z.object({
  token: z.string().min(1).max(2000),
  uid: maybe(z.string().max(100)).describe('Has to be that of the token, where it is given'),
})
export type Confirmation = z.output<typeof Confirmation>
