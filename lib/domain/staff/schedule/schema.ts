import * as z from 'zod'
import type { Day } from '#lib/core/kinds.ts'
import { date, id, optionalText, queryId, timeRange, timeZone, weekday } from '#lib/core/schemas.ts'

const MAX_RANGES = 24
const MAX_DAYS_NAMED = 28
const MAX_OVERRIDES = 1000
const MAX_TIME_OFF = 500

type Range = z.output<typeof timeRange>

const Ranges = z
  .array(timeRange)
  .max(MAX_RANGES)
  .optional()
  .transform(ranges => ranges ?? [])

interface Hours {
  intervals: Range[]
  breaks: Range[]
}

/** Where in `entries` an interval overlaps another one of the same key. */
function overlapOf(entries: readonly Hours[], keyOf: (index: number) => unknown): PropertyKey[][] {
  const all = entries.flatMap((entry, index) =>
    entry.intervals.map((range, at) => ({
      ...range,
      key: keyOf(index),
      path: [index, 'intervals', at],
    })),
  )
  return all
    .filter((range, index) =>
      all.some(
        (other, before) =>
          before < index &&
          other.key === range.key &&
          other.start < range.end &&
          range.start < other.end,
      ),
    )
    .map(range => range.path)
}

const refuseOverlaps = (
  entries: readonly Hours[],
  keyOf: (index: number) => unknown,
  context: z.RefinementCtx,
): void => {
  for (const path of overlapOf(entries, keyOf))
    context.addIssue({ code: 'custom', path, message: 'overlaps another interval of the day' })
}

const byStart = (a: Range, b: Range): number => (a.start < b.start ? -1 : 1)

/** The whole week out of the days that were named; the others have no hours. */
const wholeWeek = (entries: readonly (Hours & { day: number })[]) =>
  [0, 1, 2, 3, 4, 5, 6].map(day => {
    const own = entries.filter(entry => entry.day === day)
    return {
      day,
      intervals: own.flatMap(entry => entry.intervals).sort(byStart),
      breaks: own.flatMap(entry => entry.breaks).sort(byStart),
    }
  })

const Weekly = z
  .array(z.object({ day: weekday, intervals: Ranges, breaks: Ranges }))
  .max(MAX_DAYS_NAMED)
  .superRefine((days, context) => refuseOverlaps(days, index => days[index]?.day, context))
  .transform(wholeWeek)

const Overrides = z
  .array(
    z.object({
      date,
      intervals: Ranges.describe('None: closed on that day'),
      breaks: Ranges,
      reason: optionalText(200)
        .optional()
        .transform(reason => reason ?? null),
    }),
  )
  .max(MAX_OVERRIDES)
  .superRefine((days, context) => {
    refuseOverlaps(days, index => index, context)
    const seen = new Set<string>()
    for (const [index, day] of days.entries()) {
      if (seen.has(day.date))
        context.addIssue({ code: 'custom', path: [index, 'date'], message: 'stands here twice' })
      seen.add(day.date)
    }
  })

const TimeOff = z
  .array(
    z
      .object({
        id: id.optional().describe('Of an entry that is kept; a new one is given its id'),
        startDate: date,
        endDate: date.optional().describe('The last day; startDate where nothing is said'),
        reason: optionalText(200).optional(),
      })
      .transform(({ endDate, reason, ...days }) => ({
        ...days,
        endDate: endDate ?? days.startDate,
        reason: reason ?? null,
      }))
      .refine(days => days.endDate >= days.startDate, {
        path: ['endDate'],
        message: 'must not be before startDate',
      }),
  )
  .max(MAX_TIME_OFF)

/** Whose schedule is meant, and where. */
export const ScheduleOf = z.object({
  employeeId: queryId.optional().describe('Yourself where nothing is said, if you are an employee'),
  locationId: queryId.optional().describe('The hours at one location; without it, in general'),
})
export type ScheduleOf = z.output<typeof ScheduleOf>

/** What of a schedule is changed. A part that is left out stays; one that is given is replaced. */
export const ScheduleChange = z.object({
  employeeId: id.optional(),
  locationId: id.nullable().optional(),
  timeZone: timeZone.optional().describe('Of the employee; at a location its own zone counts'),
  weekly: Weekly.optional().describe('The whole week: a day that is not named has no hours'),
  overrides: Overrides.optional().describe('Hours of single dates, instead of the weekday’s'),
  timeOff: TimeOff.optional().describe('Whole days off, both included, wherever they would work'),
})
export type ScheduleChange = z.output<typeof ScheduleChange>

/** A schedule as it is answered: wall-clock hours in `timeZone`, all seven days from Sunday on. */
export interface EmployeeSchedule {
  employeeId: number
  locationId: number | null
  timeZone: string
  weekly: ReturnType<typeof wholeWeek>
  overrides: z.output<typeof Overrides>
  timeOff: { id: number; startDate: Day; endDate: Day; reason: string | null }[]
}
