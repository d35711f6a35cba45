import * as z from 'zod'
import type { Cents, Instant, Minutes } from '#lib/core/kinds.ts'
import {
  cents,
  color,
  currency,
  id,
  languageTag,
  metadata,
  minutes,
  optionalText,
  Paging,
  queryBoolean,
  queryId,
  slug,
  text,
  url,
} from '#lib/core/schemas.ts'
import {
  ActiveBookingsLimit,
  BookingFields,
  BookingWindow,
  ConfirmationPolicy,
  CountLimits,
  DurationLimits,
  Hosts,
  MeetingPlace,
  Recurrence,
  ReschedulingPolicy,
  Seats,
} from './parts.ts'

const length = minutes(1, 1440)
const address = slug.describe('The end of its address; made from the title where nothing is said')

/** What can be said of an event type. Durations in minutes, money in cents. */
const fields = {
  title: text(200),
  slug: address.optional(),
  description: optionalText(5000).optional(),
  length: length.optional(),
  lengthInMinutes: length.optional().describe('The same as length'),
  lengthInMinutesOptions: z
    .array(length)
    .max(20)
    .transform(list => [...new Set(list)])
    .optional()
    .describe('Other lengths that can be booked'),
  hidden: z.boolean().optional().describe('Whether it is left out of the public page'),
  color: color.nullable().optional(),
  customName: optionalText(200).optional().describe('Title of its bookings'),
  locations: z.array(MeetingPlace).max(20).optional(),
  bookingFields: BookingFields.optional(),
  metadata: metadata.optional(),
  slotInterval: minutes(1, 1440).nullable().optional().describe('Distance of offered starts'),
  offsetStart: minutes(0, 1439).optional(),
  minimumBookingNotice: minutes(0, 525_600).optional().describe('120 where nothing is said'),
  beforeEventBuffer: minutes(0, 1440).optional(),
  afterEventBuffer: minutes(0, 1440).optional(),
  bookingWindow: BookingWindow.nullable().optional(),
  bookingLimitsCount: CountLimits.optional(),
  bookingLimitsDuration: DurationLimits.optional(),
  bookerActiveBookingsLimit: ActiveBookingsLimit.nullable().optional(),
  onlyShowFirstAvailableSlot: z.boolean().optional().describe('Of each day'),
  requiresConfirmation: z.boolean().optional().describe('Short for a confirmationPolicy "always"'),
  confirmationPolicy: ConfirmationPolicy.nullable().optional(),
  recurrence: Recurrence.nullable().optional(),
  seats: Seats.nullable().optional(),
  disableGuests: z.boolean().optional(),
  disableCancelling: z.boolean().optional(),
  disableRescheduling: ReschedulingPolicy.nullable().optional(),
  allowReschedulingPastBookings: z.boolean().optional(),
  allowReschedulingCancelledBookings: z.boolean().optional(),
  requiresBookerEmailVerification: z
    .boolean()
    .optional()
    .describe('Who books proves their e-mail address by a code'),
  hideOrganizerEmail: z.boolean().optional(),
  successRedirectUrl: url.nullable().optional(),
  interfaceLanguage: languageTag.nullable().optional(),
  price: cents.optional(),
  currency: currency.optional(),
  scheduleId: id.nullable().optional().describe('The hours; null: the default of its user'),
  instantMeetingExpiryTimeOffsetInSeconds: z.int().min(10).max(3600).optional(),
  schedulingType: z
    .enum(['roundRobin', 'collective'])
    .nullable()
    .optional()
    .describe('Of a team: one host in turn, or all of them'),
  hosts: Hosts.optional().describe('Of a team; all of its members where nothing is said'),
}

/** Refuses two names for one thing that disagree. */
function refuseContradictions(
  given: z.output<z.ZodObject<Partial<typeof fields>>>,
  context: z.RefinementCtx,
): void {
  const { length: minutes, lengthInMinutes, requiresConfirmation, confirmationPolicy } = given
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message })
  if (minutes !== undefined && lengthInMinutes !== undefined && minutes !== lengthInMinutes)
    refuse('lengthInMinutes', 'differs from length')
  if (confirmationPolicy !== undefined && requiresConfirmation !== undefined)
    if (requiresConfirmation !== (confirmationPolicy !== null))
      refuse('requiresConfirmation', 'differs from confirmationPolicy')
  if (given.seats && given.recurrence) refuse('recurrence', 'does not go with seats')
}

/** What is said of a field that a user's own event type cannot have. */
export const FOR_TEAMS = 'is for the event types of teams only'

/** The fields of an input that only a team's event type can have. */
export const teamFieldsOf = (given: {
  schedulingType?: string | null | undefined
  hosts?: readonly unknown[] | undefined
}): string[] => [
  ...(given.schedulingType ? ['schedulingType'] : []),
  ...(given.hosts?.length ? ['hosts'] : []),
]

/** The body of an event type: of a team (`teamId`), else of a user. */
export const NewEventType = z
  .object({
    ...fields,
    userId: id.optional().describe('Whose it is; yours where nothing is said'),
    teamId: id.nullable().optional(),
  })
  .superRefine((given, context) => {
    refuseContradictions(given, context)
    if (given.length === undefined && given.lengthInMinutes === undefined)
      context.addIssue({ code: 'custom', path: ['length'], message: 'required' })
    if (given.teamId == null)
      for (const field of teamFieldsOf(given))
        context.addIssue({ code: 'custom', path: [field], message: FOR_TEAMS })
  })
export type NewEventType = z.output<typeof NewEventType>

/** What can be changed: everything but whose it is. What is left out stays. */
export const EventTypeChange = z
  .object({ ...fields, title: fields.title.optional() })
  .superRefine(refuseContradictions)
export type EventTypeChange = z.output<typeof EventTypeChange>

/** What a copy differs in. Without `teamId` it stays with the same owner. */
export const Duplicate = z.object({
  id,
  slug: address,
  title: text(200),
  description: optionalText(5000).optional(),
  length: length.optional(),
  teamId: id.optional(),
})
export type Duplicate = z.output<typeof Duplicate>

/** Which event types are listed. */
export const EventTypeFilter = Paging.extend({
  userId: queryId.optional(),
  teamId: queryId.optional(),
  hidden: queryBoolean.optional(),
})
export type EventTypeFilter = z.output<typeof EventTypeFilter>

/** A host as it is answered. */
export interface EventTypeHost {
  userId: number
  name: string
  isFixed: boolean
  weight: number
  priority: number
  scheduleId: number | null
}

/** An event type as it is answered. */
export interface EventType {
  id: number
  /** Whose it is; null: a team's. */
  userId: number | null
  teamId: number | null
  title: string
  slug: string
  description: string | null
  length: Minutes
  /** The same as `length`. */
  lengthInMinutes: Minutes
  lengthInMinutesOptions: number[]
  hidden: boolean
  color: string | null
  customName: string | null
  locations: z.output<typeof MeetingPlace>[]
  bookingFields: z.output<typeof BookingFields>
  metadata: Record<string, string>
  /** Distance of offered starts; null: its length. */
  slotInterval: Minutes | null
  offsetStart: Minutes
  minimumBookingNotice: Minutes
  beforeEventBuffer: Minutes
  afterEventBuffer: Minutes
  bookingWindow: z.output<typeof BookingWindow> | null
  bookingLimitsCount: z.output<typeof CountLimits>
  bookingLimitsDuration: z.output<typeof DurationLimits>
  bookerActiveBookingsLimit: z.output<typeof ActiveBookingsLimit> | null
  onlyShowFirstAvailableSlot: boolean
  requiresConfirmation: boolean
  confirmationPolicy: z.output<typeof ConfirmationPolicy> | null
  recurrence: z.output<typeof Recurrence> | null
  seats: z.output<typeof Seats> | null
  disableGuests: boolean
  disableCancelling: boolean
  disableRescheduling: z.output<typeof ReschedulingPolicy> | null
  allowReschedulingPastBookings: boolean
  allowReschedulingCancelledBookings: boolean
  requiresBookerEmailVerification: boolean
  hideOrganizerEmail: boolean
  successRedirectUrl: string | null
  interfaceLanguage: string | null
  price: Cents
  /** ISO 4217, in lower case. */
  currency: string
  scheduleId: number | null
  instantMeetingExpiryTimeOffsetInSeconds: number
  schedulingType: 'roundRobin' | 'collective' | null
  hosts: EventTypeHost[]
  createdAt: Instant
  updatedAt: Instant
}
