import { operator, ownerOf } from '#dev/operator.ts'
import type { Json } from '#lib/core/json.ts'
import type { Db, Statement } from '#lib/db/client.ts'
import { identityOfKey } from '#lib/db/entrances.ts'
import { Tenant } from '#lib/db/tenant.ts'
import { listAvailability } from '#lib/domain/appointments/availability.ts'
import { createAppointment, listAppointments } from '#lib/domain/appointments/operations.ts'
import { NewAppointment } from '#lib/domain/appointments/schema.ts'
import { listSlots } from '#lib/domain/bookings/slots.ts'
import type { Captured, Template } from './bare.ts'
import { type Business, FIRST_CUSTOMER, FIRST_EMPLOYEE, FIRST_PERSON, SERVICE } from './business.ts'

const START = '2091-03-05T10:00'
const END = '2091-03-05T10:30'

type Statements = readonly (readonly Statement[])[]

/**
 * Carries out the operations once and notes the statements that they send, trip by trip, so that the
 * bare Worker sends the same. What differs between requests becomes a blank.
 */
export async function captureStatements(
  databaseUrl: string,
  business: Business,
  eventTypeId: number,
): Promise<Captured> {
  const { account, month } = business
  const { base, close } = operator(databaseUrl, new Date())
  const trips: Statement[][] = []
  const db: Db = {
    trip(statements) {
      trips.push([...statements])
      return base.db.trip(statements)
    },
  }
  const { now, requestId } = base
  const actor = { userId: account.userId, via: 'api', requestId, now, admission: base.admission }
  const owner = ownerOf({ ...base, db, enter: id => new Tenant(db, id, actor) }, account)
  const during = async <R>(work: () => Promise<R>): Promise<[R, Statements]> => {
    trips.length = 0
    const result = await work()
    return [result, [...trips]]
  }
  const availability = async (ask: { serviceId: number; employeeId?: number }) => {
    const [, [trip]] = await during(() => listAvailability(owner, { ...month, ...ask }))
    return template(trip![0]!)
  }
  try {
    const slotsAsked = { eventTypeId, start: month.from, end: month.to }
    const [, slots] = await during(() => listSlots(owner, slotsAsked))
    const [, list] = await during(() => listAppointments(owner, { limit: 50 }))
    const input = NewAppointment.parse(
      JSON.parse(newAppointment(FIRST_EMPLOYEE, FIRST_CUSTOMER, START, END)),
    )
    const [made, booking] = await during(() => createAppointment(owner, input))
    const { id, uid } = (made as Json<{ id: number; uid: string }>).read()
    const blanks = blanksOf({ id, uid, now: now.toISOString(), requestId })
    return {
      identity: template(identityOfKey.with({ hash: '<hash>', now: '<now>' }), {
        hash: ['<hash>'],
        now: ['<now>'],
      }),
      list: template(list[0]![0]!),
      availability: {
        one: await availability({ serviceId: SERVICE.everybody, employeeId: FIRST_EMPLOYEE }),
        five: await availability({ serviceId: SERVICE.five }),
      },
      slots: template(slots[0]![0]!, { now: [now.toISOString()] }),
      facts: template(booking[0]![0]!, blanks),
      batch: booking[1]!.map(statement => template(statement, blanks)),
    }
  } finally {
    await close()
  }
}

/** What differs from one booking to the next, by the value that it had in the captured one. */
const blanksOf = (made: { id: number; uid: string; now: string; requestId: string }): Blanks => ({
  now: [made.now],
  requestId: [made.requestId],
  uid: [made.uid],
  id: [String(made.id), '\\b'],
  employeeId: [String(FIRST_EMPLOYEE), '\\b'],
  personId: [String(FIRST_PERSON), '\\b'],
  customerId: [String(FIRST_CUSTOMER), '\\b'],
  start: [START],
  end: [END],
})

/** The body of a booking; `start` and `end` are minutes such as `2091-03-05T10:00`. */
export const newAppointment = (
  employeeId: number,
  customerId: number,
  start: string,
  end: string,
): string =>
  JSON.stringify({
    serviceId: SERVICE.everybody,
    employeeId,
    customerId,
    startTime: `${start}:00.000Z`,
    endTime: `${end}:00.000Z`,
    notes: 'Booked by a bench',
  })

/** By name: the text to look for, and what must stand on both its sides. */
type Blanks = Record<string, [text: string, edge?: string]>

function template({ text, params }: Statement, blanks: Blanks = {}): Template {
  let json = JSON.stringify(params)
  for (const [name, [found, edge = '']] of Object.entries(blanks)) {
    const literal = found.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    json = json.replace(new RegExp(`${edge}${literal}${edge}`, 'g'), `\0${name}\0`)
  }
  const pieces = json.split('\0')
  return {
    text,
    between: pieces.filter((_, i) => i % 2 === 0),
    blanks: pieces.filter((_, i) => i % 2 === 1),
  }
}
