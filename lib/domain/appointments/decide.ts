import { conflict, type Detail, invalid, notFound } from '#lib/core/errors.ts'
import { overloaded } from '#lib/scheduling/capacity.ts'
import { intersect } from '#lib/scheduling/intervals.ts'
import { occurrences } from '#lib/scheduling/recurrence.ts'
import { formatUtc } from '#lib/scheduling/zone.ts'
import type { BookedExtra } from './answer.ts'
import type { Occurrence } from './draft.ts'
import type { MemberFacts, NamedFacts, ServiceFacts, SessionFacts } from './facts.ts'
import { bookExtras } from './price.ts'
import type { NewAppointment, PublicBooking, RecurrenceRule } from './schema.ts'

/** Minutes since the epoch. */
export const minutesOf = (date: Date): number => date.getTime() / 60_000
const dateAt = (minutes: number): Date => new Date(Math.round(minutes * 60_000))

/** With its buffers, and those of whatever is next to it, a booking lies within these minutes. */
const REACH_MINUTES = 9 * 1440

const LONGEST_STEP: Record<RecurrenceRule, number> = { weekly: 7, biweekly: 14, monthly: 31 }

/** The window that facts about a booking or its series must cover, as ISO instants. */
export function factsWindow(
  start: Date,
  rule: RecurrenceRule | undefined,
  count: number,
): { from: string; to: string } {
  const days = rule ? LONGEST_STEP[rule] * count : 0
  return {
    from: formatUtc(minutesOf(start) - REACH_MINUTES),
    to: formatUtc(minutesOf(start) + days * 1440 + REACH_MINUTES),
  }
}

/** The window of a booking that the database alone decides on: just its start. */
export const startWindow = (start: Date): { from: string; to: string } => ({
  from: start.toISOString(),
  to: new Date(start.getTime() + 1).toISOString(),
})

/** The starts of a booking or of its series, by the clocks of the place, else the company. */
export function planOccurrences(
  facts: MemberFacts,
  start: Date,
  end: Date,
  rule: RecurrenceRule | undefined,
): Occurrence[] {
  const zone = facts.location?.timeZone ?? facts.company.timeZone
  const length = end.getTime() - start.getTime()
  const starts = rule
    ? occurrences(zone, minutesOf(start), rule, facts.ids.length)
    : [minutesOf(start)]
  return starts.map((minutes, index) => {
    const at = index === 0 ? start : dateAt(minutes)
    return { id: facts.ids[index]!, index, start: at, end: new Date(at.getTime() + length) }
  })
}

/** Those of the occurrences for which the employee or a resource is taken, by what is known. */
export function clashing(
  facts: MemberFacts,
  service: ServiceFacts,
  employee: NamedFacts | null,
  planned: readonly Occurrence[],
): Occurrence[] {
  const missing = facts.needs.map(n => overloaded(n.loads, n.active ? n.total : 0, n.quantity))
  return planned.filter(({ start, end }) => {
    const [from, to] = [minutesOf(start), minutesOf(end)]
    const block = [from - service.bufferBefore, to + service.bufferAfter]
    if (employee && intersect(block, employee.busy).length > 0) return true
    return missing.some(spans => intersect([from, to], spans).length > 0)
  })
}

/** 409 that names the dates of a series which are taken. */
export const refuseClashes = (clashes: readonly Occurrence[]): never =>
  conflict(
    'Some dates of the series are already booked',
    clashes.map(
      ({ index, start }): Detail => ({
        field: `occurrences.${index}.startTime`,
        message: `${start.toISOString()} is already booked`,
      }),
    ),
  )

/** The session of exactly this start, employee and place, if it was ever made. */
export const sessionAt = (
  facts: MemberFacts,
  start: Date,
  employeeId: number | null,
): SessionFacts | undefined =>
  facts.sessions.find(
    s =>
      s.start === minutesOf(start) &&
      s.employeeId === employeeId &&
      s.locationId === (facts.location?.id ?? null),
  )

/** When a session that somebody has a seat in ends: whoever joins it stays as long. */
export const endOfSession = (session: SessionFacts | undefined): Date | undefined =>
  session && session.taken > 0 ? dateAt(session.end) : undefined

/** The session that a booking joins, made anew where there is none; 409 when it is full. */
export function joinable(
  facts: MemberFacts,
  service: ServiceFacts,
  session: SessionFacts | undefined,
  persons: number,
): { id: number; taken: number; isNew: boolean } {
  const { maxCapacity } = service
  const taken = session?.taken ?? 0
  const left = Math.max(0, maxCapacity - taken)
  if (persons > maxCapacity)
    conflict(`A session of this service has ${maxCapacity} seat${maxCapacity === 1 ? '' : 's'}`, [
      { field: 'persons', message: `must be at most ${maxCapacity}, the service’s maxCapacity` },
    ])
  if (persons > left)
    conflict(left === 0 ? 'This session is full' : 'This session has not that many seats left', [
      { field: 'startTime', message: `${left} of the seats are left` },
    ])
  return { id: session?.id ?? facts.sessionId, taken, isNew: !session }
}

/** The extras of a booking; 404 for one that is not the service's, 422 for too many of one. */
export function requireExtras(
  facts: MemberFacts,
  chosen: readonly { id: number; quantity?: number | undefined }[] = [],
): BookedExtra[] {
  const booked = bookExtras(facts.extras, chosen)
  return booked.map((extra, i) => {
    if (extra) return extra
    if (!facts.extras.some(e => e.id === chosen[i]?.id)) return notFound('Extra')
    return invalid({ field: `extras.${i}.quantity`, message: 'is more than can be booked of it' })
  })
}

const MAX_PERSONS = 1000

/** How many seats a booking takes: those of its attendees, where it names any. */
export function personsOf(input: Pick<NewAppointment | PublicBooking, 'persons' | 'attendees'>) {
  const coming = input.attendees?.reduce((sum, a) => sum + (a.persons ?? 1), 0) ?? 1
  if (coming > MAX_PERSONS)
    invalid({ field: 'attendees', message: `must be at most ${MAX_PERSONS} persons` })
  return input.persons ?? Math.max(1, coming)
}

/** The customers among those who come along, each once. */
export const guestIdsOf = (attendees: NewAppointment['attendees'] = []): number[] => [
  ...new Set(attendees.flatMap(a => a.customerId ?? [])),
]

/** Everything that a request names must be there. */
export function requireNamed(
  facts: MemberFacts,
  input: Partial<
    Pick<
      NewAppointment,
      'serviceId' | 'employeeId' | 'locationId' | 'customerId' | 'resourceIds' | 'attendees'
    >
  >,
): void {
  if (input.serviceId !== undefined && !facts.service) notFound('Service')
  if (input.employeeId != null && facts.employees.length === 0) notFound('Employee')
  if (input.locationId != null && !facts.location) notFound('Location')
  if (input.customerId != null && !facts.customer) notFound('Customer')
  if (input.resourceIds?.some(id => !facts.needs.some(n => n.resourceId === id)))
    notFound('Resource')
  if (guestIdsOf(input.attendees).some(id => !facts.guests.includes(id))) notFound('Customer')
}
