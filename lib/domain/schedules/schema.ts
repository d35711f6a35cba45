import * as z from 'zod'
import type { Instant } from '#lib/core/kinds.ts'
import {
  date,
  id,
  Paging,
  queryId,
  text,
  timeOfDay,
  timeZone,
  WEEKDAYS,
  weekdayName,
} from '#lib/core/schemas.ts'

interface Hours {
  startTime: string
  endTime: string
}

/** Hours that several weekdays share. */
const Availability = z
  .object({
    days: z
      .array(weekdayName)
      .min(1)
      .max(7)
      .transform(days => WEEKDAYS.filter(day => days.includes(day))),
    startTime: timeOfDay,
    endTime: timeOfDay,
  })
  .refine(hours => hours.startTime < hours.endTime, {
    path: ['endTime'],
    message: 'must be after startTime',
  })
type Availability = z.output<typeof Availability>

/** Hours of one date, instead of its weekday's; from a time to the same time: closed. */
const Override = z
  .object({ date, startTime: timeOfDay, endTime: timeOfDay })
  .refine(hours => hours.startTime <= hours.endTime, {
    path: ['endTime'],
    message: 'must not be before startTime',
  })
type Override = z.output<typeof Override>

const isClosed = (hours: Hours): boolean => hours.startTime === hours.endTime

/** Refuses hours that overlap others of the same day, and other hours on a day that is closed. */
function refuseOverlaps<H extends Hours>(
  list: readonly H[],
  shareDay: (a: H, b: H) => boolean,
  context: z.RefinementCtx,
): void {
  for (const [at, hours] of list.entries()) {
    const others = list.slice(0, at).filter(other => shareDay(hours, other))
    const clash = others.some(
      other =>
        isClosed(hours) ||
        isClosed(other) ||
        (other.startTime < hours.endTime && hours.startTime < other.endTime),
    )
    if (clash)
      context.addIssue({ code: 'custom', path: [at], message: 'overlaps other hours of the day' })
  }
}

const haveDayInCommon = (a: Availability, b: Availability): boolean =>
  a.days.some(day => b.days.includes(day))

/** The body of a user's schedule: wall-clock hours in its zone. */
export const NewSchedule = z.object({
  name: text(200),
  timeZone: timeZone.optional().describe('The user’s where nothing is said'),
  isDefault: z.boolean().optional().describe('A user’s first schedule always is'),
  availability: z
    .array(Availability)
    .max(100)
    .superRefine((list, context) => refuseOverlaps(list, haveDayInCommon, context))
    .optional()
    .describe('Monday to Friday, 9 to 17, where nothing is said'),
  overrides: z
    .array(Override)
    .max(1000)
    .superRefine((list, context) => refuseOverlaps(list, (a, b) => a.date === b.date, context))
    .optional(),
  ownerId: id.optional().describe('Whose it is; yours where nothing is said'),
})
export type NewSchedule = z.output<typeof NewSchedule>

/** What can be changed: everything but whose it is. What is left out stays. */
export const ScheduleChange = NewSchedule.omit({ ownerId: true }).partial()
export type ScheduleChange = z.output<typeof ScheduleChange>

/** Which schedules are listed. */
export const ScheduleFilter = Paging.extend({ ownerId: queryId.optional() })
export type ScheduleFilter = z.output<typeof ScheduleFilter>

/** A user's schedule as it is answered. */
export interface UserSchedule {
  id: number
  ownerId: number
  name: string
  timeZone: string
  isDefault: boolean
  availability: Availability[]
  overrides: Override[]
  createdAt: Instant
  updatedAt: Instant
}
