import { type Member, requirePermission, type Visitor } from '#lib/core/context.ts'
import { badQuery, notFound } from '#lib/core/errors.ts'
import type { Instant, LocalInstant } from '#lib/core/kinds.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import { parseDate } from '#lib/scheduling/dates.ts'
import { groupByDay } from '#lib/scheduling/slots.ts'
import { formatLocal, formatUtc, toUtc } from '#lib/scheduling/zone.ts'
import type { OfferFacts } from './facts.ts'
import { type Ask, type Offered, offeredStarts, type Refused, refusedStarts } from './offers.ts'
import { enterByService } from './public.ts'
import { offerFacts } from './queries.ts'
import type { AvailabilityQuery } from './schema.ts'

const DAY = 1440
const MAX_DAYS = 31
/** Whatever a booking is, with its buffers it lies within this many minutes of its start. */
const REACH = 3 * DAY

/** A start as it is listed: as UTC, and as the clocks of the asked zone show it. */
export interface ServiceSlot {
  startTime: Instant
  endTime: Instant
  start: LocalInstant
  end: LocalInstant
  /** Who could give it. */
  employeeIds: number[]
  spotsOpen: number
  spotsTotal: number
}

/** The slots of a service by day of the asked zone; days without any are absent. */
export interface Availability {
  timeZone: string
  slots: Record<string, ServiceSlot[]>
  /** Where it was asked for: which rule refused the others. */
  refused?: { startTime: Instant; employeeId: number; reason: Refused['reason'] }[]
}

/**
 * The starts of a service that can be booked, at most 31 days of them.
 * @throws BAD_REQUEST for a window that is missing, upside down or longer
 * @throws NOT_FOUND for a service, employee or location that is not the account's
 */
export async function listAvailability(m: Member, ask: AvailabilityQuery): Promise<Availability> {
  requirePermission(m, 'availability.read')
  return availabilityIn(m.tenant, m.now, ask)
}

/** A start as a visitor sees it. `spotsTotal` is above 1 for a group session. */
export type PublicSlot = Pick<ServiceSlot, 'startTime' | 'start' | 'spotsOpen' | 'spotsTotal'>

/** What a visitor sees of a service's starts, by day of the asked zone. */
export interface PublicSlots {
  timeZone: string
  slots: Record<string, PublicSlot[]>
}

/** What of a slot is a visitor's business: not who else could give it. */
export const publicSlots = ({ timeZone, slots }: Availability): PublicSlots => ({
  timeZone,
  slots: Object.fromEntries(
    Object.entries(slots).map(([day, starts]) => [
      day,
      starts.map(({ startTime, start, spotsOpen, spotsTotal }) => ({
        startTime,
        start,
        spotsOpen,
        spotsTotal,
      })),
    ]),
  ),
})

/**
 * The starts of an active service that anybody can book, at most 31 days of them.
 * @throws BAD_REQUEST for a window that is missing, upside down or longer
 * @throws NOT_FOUND for a service, employee or location that is not there
 */
export async function listPublicSlots(
  v: Visitor,
  { excludeAppointmentId: _, explain: __, ...ask }: AvailabilityQuery,
): Promise<PublicSlots> {
  const tenant = await enterByService(v, ask.serviceId)
  return publicSlots(await availabilityIn(tenant, v.now, ask))
}

/** The starts that a business offers, whoever asks. */
export async function availabilityIn(
  tenant: Tenant,
  at: Date,
  ask: AvailabilityQuery,
): Promise<Availability> {
  const rough = roughWindow(ask)
  const facts = await tenant.read(offerFacts, {
    serviceId: ask.serviceId,
    employeeId: ask.employeeId ?? null,
    locationId: ask.locationId ?? null,
    from: formatUtc(rough.from - REACH),
    to: formatUtc(rough.to + REACH),
    day: null,
    now: at.toISOString(),
    exclude: ask.excludeAppointmentId ?? null,
    resourceIds: [],
  })
  const { service, location, company } = facts
  if (!service) return notFound('Service')
  if (ask.locationId !== undefined && !location) return notFound('Location')
  if (ask.employeeId !== undefined && facts.employees.length === 0) return notFound('Employee')
  if (!facts.excludeFound) return notFound('Appointment')
  const timeZone = ask.timeZone ?? location?.timeZone ?? company.timeZone
  const { from, to } = windowOf(ask, timeZone)
  const group = service.enableGroupBooking
  const now = at.getTime() / 60_000
  const duration = ask.duration ?? service.duration
  const wanted: Ask = { now, duration, persons: ask.persons ?? 1, group }
  return {
    timeZone,
    slots: byDay(timeZone, offeredStarts(facts, wanted, from, to)),
    ...(ask.explain ? { refused: explain(facts, wanted, from, to) } : {}),
  }
}

const badWindow = (field: string, message: string): never => badQuery({ field, message })

const isDate = (text: string): boolean => text.length === 10
const minutesOf = (text: string): number => Date.parse(text) / 60_000

/** The window before its zone is known: a day wider on both sides. */
function roughWindow(ask: AvailabilityQuery): { from: number; to: number } {
  const { from, to } = windowOf(ask, 'UTC')
  if (!(from < to)) badWindow('to', 'must be after from')
  // A last day that is named counts whole.
  const most = isDate(ask.date ?? ask.to ?? ask.from ?? '') ? MAX_DAYS + 1 : MAX_DAYS
  if (to - from > most * DAY) badWindow('to', `must be within ${MAX_DAYS} days of from`)
  return { from: from - DAY, to: to + DAY }
}

/** The asked window in UTC minutes; dates are days of the zone, both ends included. */
function windowOf(ask: AvailabilityQuery, zone: string): { from: number; to: number } {
  const first = ask.date ?? ask.from
  const last = ask.date ?? ask.to ?? (first && isDate(first) ? first : undefined)
  if (first === undefined) return badWindow('date', 'required, unless from and to are given')
  if (last === undefined) return badWindow('to', 'required')
  return {
    from: isDate(first) ? toUtc(zone, parseDate(first), 0) : minutesOf(first),
    to: isDate(last) ? toUtc(zone, parseDate(last) + 1, 0) : minutesOf(last),
  }
}

function byDay(zone: string, offered: readonly Offered[]): Record<string, ServiceSlot[]> {
  const days: Record<string, ServiceSlot[]> = {}
  for (const [day, starts] of groupByDay(zone, offered))
    days[day] = starts.map(({ start, end, employeeIds, spotsOpen, spotsTotal }) => ({
      startTime: formatUtc(start),
      endTime: formatUtc(end),
      start: formatLocal(zone, start),
      end: formatLocal(zone, end),
      employeeIds,
      spotsOpen,
      spotsTotal,
    }))
  return days
}

const explain = (facts: OfferFacts, ask: Ask, from: number, to: number) =>
  refusedStarts(facts, ask, from, to).map(({ start, employeeId, reason }) => ({
    startTime: formatUtc(start),
    employeeId,
    reason,
  }))
