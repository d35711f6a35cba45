import * as z from 'zod'
import type { Visitor } from '#lib/core/context.ts'
import { queryInt } from '#lib/core/schemas.ts'
import { listOpenSlots } from '#lib/domain/bookings/open.ts'
import {
  findOpenEventType,
  type OpenEventType,
  type OwnerAddress,
} from '#lib/domain/event-types/public.ts'
import { usableStyle } from '#lib/domain/messaging/times.ts'
import { Choices, readMonth, type ShownMonth, todayIn } from '#lib/pages/choices.ts'
import { shownSlots } from './event-slots.ts'

/** Where the pages of an event type are. */
export type EventAddress = OwnerAddress & { slug: string }

/** What was chosen on the way to a meeting. What cannot be read counts as not chosen. */
export const EventChoices = Choices.pick({
  zone: true,
  day: true,
  month: true,
  start: true,
}).extend({
  length: queryInt(1, 1440).optional().catch(undefined),
  routingFormResponse: z.string().max(64).optional().catch(undefined),
})
export type EventChoices = z.output<typeof EventChoices>

/** Choices that were looked up: everything is there and fits together. */
export interface EventSelection {
  type: OpenEventType
  /** Minutes. */
  length: number
  /** The lengths to choose from, in order. */
  lengths: number[]
  /** The zone that times are shown in: the one asked for, else that of the visitor. */
  timeZone: string
  locale: string
  /** The answers to a routing form that led here. */
  routed: string | undefined
}

/**
 * Looks up what was chosen. A length that there is not counts as not chosen.
 * @param guess the zone that the visitor seems to be in
 * @throws NOT_FOUND for an event type that is not there
 */
export async function readEventSelection(
  v: Visitor,
  address: EventAddress,
  choices: Pick<EventChoices, 'zone' | 'length' | 'routingFormResponse'>,
  guess: unknown,
): Promise<EventSelection> {
  const type = await findOpenEventType(v, address)
  const { length, lengthOptions, interfaceLanguage, business } = type
  const lengths = [...new Set([length, ...lengthOptions])].sort((a, b) => a - b)
  const guessed = typeof guess === 'string' ? guess : undefined
  const style = usableStyle(
    [interfaceLanguage, business.locale],
    [choices.zone, guessed, business.timeZone],
  )
  return {
    ...style,
    type,
    lengths,
    length: lengths.find(l => l === choices.length) ?? length,
    routed: choices.routingFormResponse,
  }
}

/** What of a selection stays when something else is chosen. */
export const keptChoices = ({ type, length, timeZone, routed }: EventSelection) => ({
  length: length === type.length ? undefined : length,
  zone: timeZone,
  routingFormResponse: routed,
})

/** The free starts of what is selected, between two days, both included. */
export async function startsOf(v: Visitor, s: EventSelection, start: string, end: string) {
  const { type, timeZone, length } = s
  const days = await listOpenSlots(v, {
    eventTypeId: type.id,
    start,
    end,
    timeZone,
    duration: length,
  })
  return { timeZone, slots: shownSlots(days, type.showSeats ? type.seats : null) }
}

const HORIZON_DAYS = 365

/** How many days ahead there is anything to see. */
function horizonOf({ bookingWindow: window }: OpenEventType, today: string): number {
  if (!window) return HORIZON_DAYS
  if (window.type === 'range')
    return Math.max(0, (Date.parse(window.value[1]) - Date.parse(today)) / 86_400_000)
  return window.type === 'calendarDays' ? window.value : Math.ceil((window.value * 7) / 5) + 3
}

/** The month that is looked at, with the free starts of its days. */
export function monthOf(v: Visitor, s: EventSelection, choices: EventChoices): Promise<ShownMonth> {
  const today = todayIn(s.timeZone, v.now)
  const horizon = horizonOf(s.type, today)
  const asked = { ...choices, employee: undefined, location: undefined }
  return readMonth(asked, today, horizon, (from, to) => startsOf(v, s, from, to))
}
