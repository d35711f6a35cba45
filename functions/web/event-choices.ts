import type { Context } from 'hono'
import * as z from 'zod'
import type { Visitor } from '#lib/core/context.ts'
import { email, queryIds, queryInt } from '#lib/core/schemas.ts'
import { listOpenSlots } from '#lib/domain/bookings/open.ts'
import {
  findOpenEventType,
  type OpenEventType,
  type OwnerAddress,
} from '#lib/domain/event-types/public.ts'
import { type Style, usableStyle } from '#lib/domain/messaging/times.ts'
import type { AppEnv } from '#lib/http/exchange.ts'
import type { Bookable } from '#lib/pages/bookable.tsx'
import { Choices, guessZone, todayIn } from '#lib/pages/choices.ts'
import { count, pageStyle, type Query, writeLength, writePrice } from '#lib/pages/words.ts'
import { HORIZON_DAYS, shownSlots } from './event-slots.ts'

/** Where the pages of an event type are. */
export type EventAddress = OwnerAddress & { slug: string }

/** What a link, or a routing form, has settled before anything is chosen. */
const routed = {
  routingFormResponse: z.string().max(64).optional().catch(undefined),
  teamMemberEmail: email.optional().catch(undefined),
  routedTeamMemberIds: queryIds.optional().catch(undefined),
}
export type Routed = z.output<z.ZodObject<typeof routed>>

/** What was chosen on the way to a meeting. What cannot be read counts as not chosen. */
export const EventChoices = Choices.extend({
  length: queryInt(1, 1440).optional().catch(undefined),
  ...routed,
})
export type EventChoices = z.output<typeof EventChoices>

/** What was settled, as links and forms carry it on. */
export const carried = ({ routedTeamMemberIds: ids, ...others }: Routed): Query => ({
  ...others,
  routedTeamMemberIds: ids?.join(),
})

/** Choices that were looked up: everything is there and fits together. */
export interface EventSelection {
  type: OpenEventType
  /** The lengths to choose from, in order. */
  lengths: number[]
  /** The answers to a routing form that led here, and which hosts they, or a link, led to. */
  routed: Routed
  /** The language that who books is written to in. */
  language: string
  /** The event type as pages offer it, with what was chosen. */
  bookable: Bookable
}

/**
 * Looks up what was chosen. A length that there is not counts as not chosen. Times are shown in the zone
 * asked for, else in that of the visitor.
 * @throws NOT_FOUND for an event type that is not there, and when its times are listed for a host who is not
 */
export async function readEventSelection<E extends AppEnv>(
  c: Context<E>,
  v: Visitor,
  address: EventAddress,
  choices: Pick<EventChoices, 'zone' | 'length' | keyof Routed>,
): Promise<EventSelection> {
  const type = await findOpenEventType(v, address)
  const { lengthOptions, interfaceLanguage, business } = type
  const lengths = [...new Set([type.length, ...lengthOptions])].sort((a, b) => a - b)
  const length = lengths.find(l => l === choices.length) ?? type.length
  const locales = [interfaceLanguage, business.locale]
  const style = pageStyle(locales, [choices.zone, guessZone(c), business.timeZone])
  const { locale: language } = usableStyle(locales, [])
  const { routingFormResponse, teamMemberEmail, routedTeamMemberIds } = choices
  const routed = { routingFormResponse, teamMemberEmail, routedTeamMemberIds }
  const bookable = bookableOf(v, type, style, { length, routed })
  return { type, lengths, routed, language, bookable }
}

/** An event type as pages offer it: with the times of the length and zone that were chosen. */
function bookableOf(
  v: Visitor,
  type: OpenEventType,
  style: Style,
  { length, routed }: { length: number; routed: Routed },
): Bookable {
  const { id: eventTypeId, business, showSeats, seats } = type
  const { timeZone } = style
  return {
    ...style,
    title: type.title,
    description: type.description,
    owner: { name: type.owner, path: type.ownerPath },
    facts: factsOf(type, length, style),
    length,
    path: type.path,
    kept: {
      length: length === type.length ? undefined : length,
      zone: timeZone,
      ...carried(routed),
    },
    weekStart: business.weekStart,
    horizonDays: horizonOf(type, todayIn(timeZone, v.now)),
    async list(start, end) {
      const { routingFormResponse: _, ...named } = routed
      const ask = { eventTypeId, start, end, timeZone, duration: length, ...named }
      return shownSlots(await listOpenSlots(v, ask), showSeats ? seats : null)
    },
  }
}

/** Whose it is, how long it takes, and what else there is to know at once. */
function factsOf(type: OpenEventType, length: number, { locale }: Style): Bookable['facts'] {
  const { owner, price, currency, recurrence, seats, requiresConfirmation } = type
  return [
    owner,
    writeLength(length),
    price > 0 && writePrice(price, currency, locale),
    recurrence && `repeats ${writeRule(recurrence)}`,
    seats && `up to ${count(seats, 'seat')}`,
    requiresConfirmation && 'on request',
  ]
}

const EVERY = { daily: 'day', weekly: 'week', monthly: 'month', yearly: 'year' }

/** `every week`, `every 2 weeks` */
export function writeRule({ frequency, interval }: NonNullable<OpenEventType['recurrence']>) {
  const unit = EVERY[frequency]
  return interval === 1 ? `every ${unit}` : `every ${interval} ${unit}s`
}

/** How many days ahead there is anything to see. */
function horizonOf({ bookingWindow: window }: OpenEventType, today: string): number {
  if (!window) return HORIZON_DAYS
  if (window.type === 'range')
    return Math.max(0, (Date.parse(window.value[1]) - Date.parse(today)) / 86_400_000)
  return window.type === 'calendarDays' ? window.value : Math.ceil((window.value * 7) / 5) + 3
}
