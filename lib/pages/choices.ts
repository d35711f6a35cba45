import type { Context } from 'hono'
import * as z from 'zod'
import { date, queryInstant, timeZone } from '#lib/core/schemas.ts'
import type { PublicSlots } from '#lib/domain/appointments/availability.ts'
import { dateKey } from '#lib/scheduling/dates.ts'
import { localDay } from '#lib/scheduling/zone.ts'
import { daysOf, shiftMonth } from './words.ts'

const month = z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/)

/** What was chosen on the way to a time. What cannot be read counts as not chosen. */
export const Choices = z.object({
  zone: timeZone.optional().catch(undefined),
  day: date.optional().catch(undefined),
  month: month.optional().catch(undefined),
  start: queryInstant.optional().catch(undefined),
})
export type Choices = z.output<typeof Choices>

/** The zone that the runtime thinks a visitor is in. */
export function guessZone(c: Context): string | undefined {
  const guess: unknown = c.req.raw.cf?.timezone
  return typeof guess === 'string' ? guess : undefined
}

/** The day that it is in a zone. */
export const todayIn = (timeZone: string, now: Date): string =>
  dateKey(localDay(timeZone, now.getTime() / 60_000))

/** Free starts by day, of the zone that they are shown in. */
export type DaySlots = PublicSlots['slots']

/** Lists the free starts between two days, both included. */
export type ListSlots = (from: string, to: string) => Promise<DaySlots>

/** A month with its free times, and the day of it that is looked at: `2026-03` and `2026-03-10`. */
export interface ShownMonth {
  month: string
  day: string | undefined
  /** The first and the last month there is anything to see in. */
  first: string
  last: string
  slots: DaySlots
}

/**
 * The month that was asked for, else the first of this one and the next that has free times.
 * @param horizonDays how far ahead there is anything to see
 */
export async function readMonth(
  choices: Choices,
  today: string,
  horizonDays: number,
  list: ListSlots,
): Promise<ShownMonth> {
  const read = (month: string) => {
    const days = daysOf(month)
    return list(days[0] ?? today, days.at(-1) ?? today)
  }
  const asked = choices.month ?? choices.day?.slice(0, 7)
  const first = today.slice(0, 7)
  const last = new Date(Date.parse(today) + horizonDays * 86_400_000).toISOString().slice(0, 7)
  let month = asked ?? first
  let slots = await read(month)
  if (asked === undefined && Object.keys(slots).length === 0 && month < last) {
    month = shiftMonth(month, 1)
    slots = await read(month)
  }
  const day = choices.day?.startsWith(month) ? choices.day : Object.keys(slots)[0]
  return { month, day, first, last, slots }
}
