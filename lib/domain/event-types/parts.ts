import * as z from 'zod'
import { date, id, minutes, optionalText, phone, text, url } from '#lib/core/schemas.ts'

const oneOf = (values: readonly string[]) => ({
  error: (issue: { code?: string; input?: unknown }) =>
    issue.code === 'invalid_union'
      ? `expected a type of ${values.map(v => `"${v}"`).join(', ')}`
      : undefined,
})

const isPublic = z.boolean().optional().describe('Whether it is shown before somebody books')

/** Where a meeting takes place: fixed by the host, or said by who books (`attendee…`). */
export const MeetingPlace = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('address'), address: text(500), public: isPublic }),
    z.object({ type: z.literal('link'), link: url, public: isPublic }),
    z.object({ type: z.literal('phone'), phone, public: isPublic }),
    z.object({ type: z.enum(['integrations:jitsi', 'integrations:daily']) }),
    z.object({ type: z.enum(['attendeePhone', 'attendeeAddress', 'attendeeDefined']) }),
  ],
  oneOf([
    'address',
    'link',
    'phone',
    'integrations:jitsi',
    'integrations:daily',
    'attendeePhone',
    'attendeeAddress',
    'attendeeDefined',
  ]),
)

export type MeetingPlace = z.output<typeof MeetingPlace>

/** The kinds of a question to who books. */
const FIELD_TYPES = [
  'text',
  'textarea',
  'name',
  'email',
  'multiemail',
  'phone',
  'number',
  'address',
  'url',
  'date',
  'select',
  'multiselect',
  'radio',
  'checkbox',
  'boolean',
] as const

const WITH_OPTIONS: readonly string[] = ['select', 'multiselect', 'radio', 'checkbox']

/** A question to who books. `slug` is its name among the `responses` of a booking. */
export const BookingField = z
  .object({
    type: z.enum(FIELD_TYPES),
    slug: z
      .string()
      .regex(/^[A-Za-z][\w-]{0,63}$/, 'expected a letter and up to 63 of A-Z, a-z, 0-9, _ and -'),
    label: text(200),
    required: z.boolean().optional(),
    placeholder: optionalText(200).optional(),
    hidden: z.boolean().optional(),
    options: z.array(text(200)).max(100).optional(),
  })
  .superRefine((field, context) => {
    if (WITH_OPTIONS.includes(field.type) && !field.options?.length)
      context.addIssue({ code: 'custom', path: ['options'], message: 'required' })
  })

export type BookingField = z.output<typeof BookingField>

/** Refuses a list in which two have the same value under `key`. */
const eachOnce =
  <K extends string>(key: K) =>
  (list: readonly { [name in K]: unknown }[], context: z.RefinementCtx): void => {
    const seen = new Set<unknown>()
    for (const [index, entry] of list.entries()) {
      if (seen.has(entry[key]))
        context.addIssue({ code: 'custom', path: [index, key], message: 'stands here twice' })
      seen.add(entry[key])
    }
  }

/** Questions, each by a name of its own. */
export const BookingFields = z.array(BookingField).max(50).superRefine(eachOnce('slug'))

/** How far ahead one can book: days from now, or between two dates, both included. */
export const BookingWindow = z.discriminatedUnion(
  'type',
  [
    z.object({
      type: z.enum(['calendarDays', 'businessDays']),
      value: z.int().min(1).max(1100),
      rolling: z.boolean().optional().describe('Whether only days with free slots count'),
    }),
    z.object({
      type: z.literal('range'),
      value: z
        .tuple([date, date])
        .refine(([first, last]) => first <= last, 'must not end before it begins'),
    }),
  ],
  oneOf(['calendarDays', 'businessDays', 'range']),
)

const PERIODS = ['day', 'week', 'month', 'year'] as const

/** At most so much in each period; a longer period cannot allow less than a shorter one. */
const limits = (max: number) =>
  z
    .object({
      day: z.int().min(1).max(max).nullable().optional(),
      week: z.int().min(1).max(max).nullable().optional(),
      month: z.int().min(1).max(max).nullable().optional(),
      year: z.int().min(1).max(max).nullable().optional(),
    })
    .superRefine((given, context) => {
      const set = PERIODS.filter(period => given[period] != null)
      for (const [index, period] of set.entries()) {
        const shorter = set[index - 1]
        if (shorter && Number(given[period]) < Number(given[shorter]))
          context.addIssue({
            code: 'custom',
            path: [period],
            message: `must be at least that of ${shorter}`,
          })
      }
    })

/** How many bookings. */
export const CountLimits = limits(10_000)
/** How many minutes. */
export const DurationLimits = limits(525_600)

/** When a booking waits for its host: always, or when it starts sooner than a notice. */
export const ConfirmationPolicy = z
  .object({
    type: z.enum(['always', 'time']),
    noticeThreshold: z
      .object({ unit: z.enum(['minutes', 'hours', 'days']), count: z.int().min(1).max(100_000) })
      .nullable()
      .optional()
      .describe('With "time": a booking that starts sooner than this from now waits'),
    blockUnconfirmedBookingsInBooker: z
      .literal(true)
      .optional()
      .describe('A booking that waits always blocks its time'),
  })
  .superRefine(({ type, noticeThreshold }, context) => {
    if (type === 'time' && !noticeThreshold)
      context.addIssue({ code: 'custom', path: ['noticeThreshold'], message: 'required' })
  })

/** Meetings that are booked several at once. `occurrences` includes the first. */
export const Recurrence = z.object({
  frequency: z.enum(['daily', 'weekly', 'monthly', 'yearly']),
  interval: z.int().min(1).max(52),
  occurrences: z.int().min(2).max(52),
})

/** Several people in one meeting, each with a seat of their own. */
export const Seats = z.object({
  seatsPerTimeSlot: z.int().min(1).max(1000),
  showAttendeeInfo: z.boolean().optional(),
  showAvailabilityCount: z.boolean().optional(),
})

/** How many bookings ahead one person may have. */
export const ActiveBookingsLimit = z.object({
  maximumActiveBookings: z.int().min(1).max(1000),
  offerReschedule: z.boolean().optional(),
})

/** Whether and until when who booked may move it. */
export const ReschedulingPolicy = z.object({
  disabled: z.boolean().optional().describe('Whether it cannot be moved at all'),
  minutesBefore: minutes(1, 525_600)
    .nullable()
    .optional()
    .describe('Up to when before its start it can be moved'),
})

/** Who hosts a team's event type. */
export const HostInput = z.object({
  userId: id,
  isFixed: z.boolean().optional().describe('Hosts every meeting instead of taking turns'),
  weight: z.int().min(0).max(10_000).optional().describe('Share of the turns; 100 where not said'),
  priority: z.int().min(0).max(4).optional().describe('Who goes first among equals; 2 in between'),
  scheduleId: id.nullable().optional().describe('Their hours; their default where not said'),
})
export type HostInput = z.output<typeof HostInput>

/** The hosts of an event type, each once. */
export const Hosts = z.array(HostInput).max(200).superRefine(eachOnce('userId'))
