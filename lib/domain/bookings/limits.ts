import { dateOf, dayOf, weekdayOf } from '#lib/scheduling/dates.ts'
import { localDay } from '#lib/scheduling/zone.ts'
import type { EventTypeFacts, Limits, TakenFacts } from './facts.ts'

type Period = keyof Limits
const PERIODS: readonly Period[] = ['day', 'week', 'month', 'year']

/** The period that a local day lies in, as a number that no other period has. Weeks begin on Monday. */
function periodOf(day: number, period: Period): number {
  if (period === 'day') return day
  if (period === 'week') return day - ((weekdayOf(day) + 6) % 7)
  const { year, month } = dateOf(day)
  return dayOf(year, period === 'month' ? month : 1, 1)
}

/** How much room the limits of an event type leave. Instants and lengths are minutes. */
export interface Room {
  /** Whether one more booking that starts then, of this length, stays within the limits. */
  within(start: number, length: number): boolean
  /** Counts a booking. */
  note(booking: Pick<TakenFacts, 'start' | 'end'>): void
}

const NO_LIMIT: Room = { within: () => true, note: () => {} }

/** Whether an event type limits how much of it is booked in a day, week, month or year. */
export const isLimited = ({ limitsCount, limitsDuration }: EventTypeFacts): boolean =>
  PERIODS.some(p => limitsCount[p] !== undefined || limitsDuration[p] !== undefined)

/** What is left within the limits of an event type, by the days of `zone`. */
export function roomOf(type: EventTypeFacts, zone: string, taken: readonly TakenFacts[]): Room {
  if (!isLimited(type)) return NO_LIMIT
  const { limitsCount, limitsDuration } = type
  const used = new Map<string, { count: number; minutes: number }>()
  const keyOf = (start: number, p: Period) => `${p}${periodOf(localDay(zone, start), p)}`
  const usedIn = (start: number, p: Period) => used.get(keyOf(start, p)) ?? { count: 0, minutes: 0 }
  const room: Room = {
    note({ start, end }) {
      for (const p of PERIODS) {
        const { count, minutes } = usedIn(start, p)
        used.set(keyOf(start, p), { count: count + 1, minutes: minutes + end - start })
      }
    },
    within: (start, length) =>
      PERIODS.every(p => {
        const { count, minutes } = usedIn(start, p)
        return (
          count + 1 <= (limitsCount[p] ?? Number.POSITIVE_INFINITY) &&
          minutes + length <= (limitsDuration[p] ?? Number.POSITIVE_INFINITY)
        )
      }),
  }
  taken.forEach(room.note)
  return room
}
