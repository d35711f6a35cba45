import { sql } from 'drizzle-orm'
import { accounts, type BookingPolicy } from '#drizzle/schema/accounts.ts'
import type { Base } from '#lib/core/context.ts'
import { conflict, notFound } from '#lib/core/errors.ts'
import { Json } from '#lib/core/json.ts'
import { lookingAgain } from '#lib/db/meanings.ts'
import { query } from '#lib/db/query.ts'
import type { Tenant } from '#lib/db/tenant.ts'
import { availabilityIn, type PublicSlots, publicSlots } from './availability.ts'
import { enterByUid, retake } from './changes.ts'
import { requireFreeCustomer } from './customer.ts'
import { factsWindow, minutesOf } from './decide.ts'
import { CHANGED, changeAndRelease, countCustomers, emit } from './effects.ts'
import type { BookingFacts } from './facts.ts'
import { type Known, known, requireMove } from './known.ts'
import { tellChange } from './notices.ts'
import { offerAt } from './offers.ts'
import { bookingFacts } from './queries.ts'
import { type AvailabilityQuery, isLive } from './schema.ts'

/**
 * What customers do with their own appointment. Its `uid` is a secret of 128 bits that only they and
 * the business have, so whoever names it may act for them, within the business's booking policy.
 */

const policyOf = query<object, BookingPolicy>(
  p => sql`select ${accounts.bookingPolicy} from ${accounts} where ${accounts.id} = ${p.account}`,
)

interface Own {
  was: Known
  policy: BookingPolicy
}

/** The appointment and the policy, in one trip. */
async function readOwn(tenant: Tenant, id: number): Promise<Own> {
  const account = tenant.accountId
  const [own, policy] = await tenant.trip([known.with({ id, account }), policyOf.with({ account })])
  const was = new Json<Known | null>(own?.[0]?.[0] ?? 'null').read() ?? notFound('Appointment')
  return { was, policy: new Json<BookingPolicy>(policy?.[0]?.[0] ?? 'null').read() }
}

/**
 * The last moment at which customers may cancel or move what starts at `startTime`, in milliseconds
 * since the epoch: `cancellationWindowMinutes` before it.
 */
export const customerDeadline = (policy: BookingPolicy, startTime: number): number =>
  startTime - policy.cancellationWindowMinutes * 60_000

const MINUTE = 60_000
const HOUR = 60
const DAY = 1440

/** `2 hours`, in the largest unit that gives a whole number. */
export function writeMinutes(minutes: number): string {
  const [size, unit] =
    minutes % DAY === 0 ? [DAY, 'day'] : minutes % HOUR === 0 ? [HOUR, 'hour'] : [1, 'minute']
  return `${minutes / size} ${unit}${minutes === size ? '' : 's'}`
}

function requireInTime({ was, policy }: Own, now: Date, act: string): void {
  if (now.getTime() >= was.start) conflict('The appointment has begun')
  if (now.getTime() <= customerDeadline(policy, was.start)) return
  const window = writeMinutes(policy.cancellationWindowMinutes)
  conflict(`Customers can ${act} until ${window} before the start; ask the business`)
}

/** What canceling answers. */
export interface OwnCanceled {
  uid: string
  status: 'canceled'
}

/**
 * Cancels a customer's own appointment or seat; of a series, this one.
 * @throws CONFLICT when it is final, has begun, or starts too soon for the business's policy
 * @throws NOT_FOUND when nothing has the uid
 */
export async function cancelByUid(
  base: Base,
  { uid, reason }: { uid: string; reason?: string | null | undefined },
): Promise<OwnCanceled> {
  const { tenant, id } = await enterByUid(base, uid)
  return lookingAgain(CHANGED, async () => {
    const own = await readOwn(tenant, id)
    const { was } = own
    requireMove(was.status, 'canceled', was.start, base.now)
    requireInTime(own, base.now, 'cancel')
    const write = tenant.write('appointment.cancel', id)
    changeAndRelease(write, base, was, {
      status: 'canceled',
      cancellationReason: reason ?? null,
      cancelledBy: 'customer',
    })
    countCustomers(write, base, was, undefined, 'canceled')
    emit(write, base, [id], was.status, 'canceled')
    tellChange(write, base, was, { status: 'canceled' }, was.customerEmail)
    return write.commit({ uid, status: 'canceled' } as const)
  })
}

/** 409 unless the customer may choose another start for it. */
function requireMovable(own: Own, now: Date): asserts own is Own & { was: { employeeId: number } } {
  const { was, policy } = own
  if (!policy.allowCustomerReschedule) conflict('Only the business can move this appointment')
  if (!isLive(was.status)) conflict(`The appointment is ${was.status}`)
  if (was.sessionId !== null || was.employeeId === null)
    conflict('A seat cannot be moved: cancel it and book another')
  requireInTime(own, now, 'move it')
}

const lengthOf = (was: Known): number => (was.end - was.start) / MINUTE

/**
 * The other starts that a customer can move their appointment to: same service, employee, place and
 * length, as if it did not exist itself.
 * @throws CONFLICT when it cannot be moved (any more)
 */
export async function listOwnSlots(
  base: Base,
  { uid, ...window }: { uid: string } & Pick<AvailabilityQuery, 'from' | 'to' | 'timeZone'>,
): Promise<PublicSlots> {
  const { tenant, id } = await enterByUid(base, uid)
  const own = await readOwn(tenant, id)
  requireMovable(own, base.now)
  const { was } = own
  const found = await availabilityIn(tenant, base.now, {
    ...window,
    serviceId: was.serviceId,
    employeeId: was.employeeId,
    ...(was.locationId === null ? {} : { locationId: was.locationId }),
    duration: lengthOf(was),
    excludeAppointmentId: id,
  })
  const current = new Date(was.start).toISOString()
  const { timeZone, slots } = publicSlots(found)
  const others = Object.entries(slots)
    .map(([day, starts]) => [day, starts.filter(s => s.startTime !== current)] as const)
    .filter(([, starts]) => starts.length > 0)
  return { timeZone, slots: Object.fromEntries(others) }
}

/** What moving answers. */
export interface OwnMoved {
  uid: string
  startTime: string
  endTime: string
}

/**
 * Moves a customer's own appointment to another offered start; everything else of it stays.
 * @throws CONFLICT when it cannot be moved (any more), or the start is not offered
 */
export async function rescheduleByUid(
  base: Base,
  { uid, startTime }: { uid: string; startTime: Date },
): Promise<OwnMoved> {
  const { tenant, id } = await enterByUid(base, uid)
  return lookingAgain(CHANGED, async () => {
    const own = await readOwn(tenant, id)
    requireMovable(own, base.now)
    const { was } = own
    const facts = await tenant.read(bookingFacts, moveParams(base, was, startTime))
    const columns = movedTo(base, facts, was, startTime)
    const write = tenant.write('appointment.reschedule', id)
    changeAndRelease(write, base, was, { ...columns, status: was.status })
    retake(write, base, facts, was, columns)
    if (was.customerId !== null)
      write.run(requireFreeCustomer, { customerId: was.customerId, ids: [id] })
    emit(write, base, [id], was.status, was.status)
    tellChange(write, base, was, { ...columns, status: was.status }, was.customerEmail)
    const { endTime } = columns
    return write.commit({ uid, startTime: columns.startTime, endTime })
  })
}

const moveParams = (base: Base, was: Known & { employeeId: number }, startTime: Date) => ({
  serviceId: was.serviceId,
  employeeId: was.employeeId,
  locationId: was.locationId,
  ...factsWindow(startTime, undefined, 1),
  day: null,
  now: base.now.toISOString(),
  exclude: was.id,
  resourceIds: was.resourceIds,
  customerId: null,
  email: null,
  phone: null,
  extraIds: [],
  guestIds: [],
  knownTo: null,
  count: 0,
})

/** The columns of the new time; 409 unless it is one of the offered starts. */
function movedTo(
  base: Base,
  facts: BookingFacts,
  was: Known & { employeeId: number },
  start: Date,
) {
  const { service } = facts
  const duration = lengthOf(was)
  const ask = { now: minutesOf(base.now), duration, persons: 1, group: false }
  const offered = offerAt(facts, ask, minutesOf(start))
  if (!service || !offered || start.getTime() === was.start)
    return conflict('This time is not available', [
      { field: 'startTime', message: 'is not one of the offered starts' },
    ])
  return {
    serviceId: was.serviceId,
    employeeId: was.employeeId,
    locationId: was.locationId,
    startTime: start.toISOString(),
    endTime: new Date(start.getTime() + (was.end - was.start)).toISOString(),
    bufferBefore: service.bufferBefore,
    bufferAfter: service.bufferAfter,
  }
}
