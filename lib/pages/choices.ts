import * as z from 'zod'
import type { Visitor } from '#lib/core/context.ts'
import { notFound } from '#lib/core/errors.ts'
import {
  date,
  email,
  optionalText,
  phone,
  queryId,
  queryInstant,
  queryInt,
  text,
  timeZone,
} from '#lib/core/schemas.ts'
import { listPublicSlots, type PublicSlots } from '#lib/domain/appointments/availability.ts'
import { getStorefront } from '#lib/domain/storefront/operations.ts'
import type {
  ShownEmployee,
  ShownLocation,
  ShownService,
  Storefront,
} from '#lib/domain/storefront/schema.ts'
import { dateKey } from '#lib/scheduling/dates.ts'
import { localDay } from '#lib/scheduling/zone.ts'
import { daysOf, shiftMonth, usableLocale } from './words.ts'

const month = z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/)

/** What was chosen on the way to a booking. What cannot be read counts as not chosen. */
export const Choices = z.object({
  employee: queryId.optional().catch(undefined),
  location: queryId.optional().catch(undefined),
  zone: timeZone.optional().catch(undefined),
  day: date.optional().catch(undefined),
  month: month.optional().catch(undefined),
  start: queryInstant.optional().catch(undefined),
})
export type Choices = z.output<typeof Choices>

/** What the form of a booking sends. */
export const BookingForm = z.object({
  start: queryInstant,
  employee: queryId.optional(),
  location: queryId.optional(),
  zone: timeZone.optional(),
  persons: queryInt(1, 1000).optional(),
  name: text(200),
  email,
  phone: phone.optional(),
  notes: optionalText(4096).optional(),
})
export type BookingForm = z.output<typeof BookingForm>

/** Choices that were looked up: everything is there and fits together. */
export interface Selection {
  shop: Storefront
  service: ShownService
  locations: ShownLocation[]
  location: ShownLocation | undefined
  employees: ShownEmployee[]
  employee: ShownEmployee | undefined
  /** The zone that times are shown in; `chosen` when the visitor asked for it. */
  timeZone: string
  chosenZone: string | undefined
  locale: string
}

/** A business by the name in its address. */
export const readShop = (v: Visitor, subdomain: string): Promise<Storefront> =>
  getStorefront(v, { subdomain: subdomain.slice(0, 100) })

/**
 * Looks up what was chosen. An employee or a place that does not fit counts as not chosen.
 * @throws NOT_FOUND for a business or a service that is not there
 */
export async function readSelection(
  v: Visitor,
  path: { subdomain: string; service: string },
  choices: Pick<Choices, 'employee' | 'location' | 'zone'>,
): Promise<Selection> {
  const shop = await readShop(v, path.subdomain)
  const service = shop.services.find(s => s.slug === path.service) ?? notFound('Service')
  const locations = shop.locations.filter(
    l => service.locationId === null || service.locationId === l.id,
  )
  const location = locations.find(l => l.id === choices.location) ?? locations[0]
  const employees = shop.employees.filter(
    e =>
      (e.serviceIds?.includes(service.id) ?? true) &&
      (!location || e.locationIds.length === 0 || e.locationIds.includes(location.id)),
  )
  return {
    shop,
    service,
    locations,
    location,
    employees,
    employee: employees.find(e => e.id === choices.employee),
    timeZone: choices.zone ?? location?.timeZone ?? shop.timeZone,
    chosenZone: choices.zone,
    locale: usableLocale(shop.locale),
  }
}

/** Where the pages of a service are. */
export const servicePath = ({ shop, service }: Pick<Selection, 'shop' | 'service'>): string =>
  `/b/${shop.subdomain}/${service.slug}`

/** What of a selection stays when something else is chosen. */
export const keptOf = ({ location, locations, employee, chosenZone }: Selection) => ({
  location: locations.length > 1 ? location?.id : undefined,
  employee: employee?.id,
  zone: chosenZone,
})

/** The starts of what is selected. */
export const slotsOf = (v: Visitor, s: Selection, from: string, to: string): Promise<PublicSlots> =>
  listPublicSlots(v, {
    serviceId: s.service.id,
    ...(s.employee ? { employeeId: s.employee.id } : {}),
    ...(s.location ? { locationId: s.location.id } : {}),
    timeZone: s.timeZone,
    from,
    to,
  })

/** The day that it is in a zone. */
export const todayIn = (timeZone: string, now: Date): string =>
  dateKey(localDay(timeZone, now.getTime() / 60_000))

/** A month with its free times, and the day of it that is looked at. */
export interface ShownMonth {
  month: string
  day: string | undefined
  first: string
  last: string
  slots: PublicSlots['slots']
}

/**
 * The month that was asked for, else the first of this one and the next that has free times.
 * @param list the free times between two days, both included
 * @param horizonDays how far ahead there is anything to see
 */
export async function readMonth(
  choices: Choices,
  today: string,
  horizonDays: number,
  list: (from: string, to: string) => Promise<PublicSlots>,
): Promise<ShownMonth> {
  const read = async (month: string) => {
    const days = daysOf(month)
    return (await list(days[0] ?? today, days.at(-1) ?? today)).slots
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
