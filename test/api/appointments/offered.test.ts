import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listAvailability, type ServiceSlot } from '#lib/domain/appointments/availability.ts'
import { createAppointment } from '#lib/domain/appointments/operations.ts'
import { bookPublicly } from '#lib/domain/appointments/public.ts'
import {
  AvailabilityQuery,
  NewAppointment,
  PublicBooking,
} from '#lib/domain/appointments/schema.ts'
import { client } from '../../client.ts'
import { openDb, ownerAt, pretending, statusOf, visitorAt } from './callers.ts'
import { type Case, type Made, makeCase, someCase } from './offered-cases.ts'
import { BOOK, openShop, type Shop, someAddress } from './shop.ts'

/** How many businesses are made up. More of them, now and then: `OFFERED_RUNS=2000`. */
const RUNS = Number(process.env.OFFERED_RUNS ?? 30)
const MINUTE = 60_000
/** The listed window, in minutes from the day's midnight in UTC. */
const FROM = -720
const TO = 2160
const { pool, db } = openDb()
const pretend = pretending({ pool, db })

let shop: Shop
beforeAll(async () => {
  shop = await openShop({ timeZone: 'Europe/Berlin' })
})
afterAll(() => pool.end())

/** Fills the calendar: as business, so that anything goes that the database lets pass. */
async function bookSome(c: Case, made: Made): Promise<void> {
  const m = ownerAt(db, made.now, shop)
  for (const { start, length, employee, status, seat } of c.booked) {
    const isSeat = seat && c.service.group
    const from = made.midnight + start * MINUTE
    const minutes = isSeat ? c.service.duration : length
    const body = {
      serviceId: isSeat ? made.serviceId : made.otherServiceId,
      employeeId: made.employeeIds[employee % made.employeeIds.length],
      startTime: new Date(from).toISOString(),
      endTime: new Date(from + minutes * MINUTE).toISOString(),
      status,
      ...(made.resourceId && !isSeat ? { resourceIds: [made.resourceId] } : {}),
    }
    const outcome = await statusOf(createAppointment(m, NewAppointment.parse(body)))
    expect([201, 409]).toContain(outcome)
  }
}

async function list(c: Case, made: Made): Promise<ServiceSlot[]> {
  const iso = (minutes: number) => new Date(made.midnight + minutes * MINUTE).toISOString()
  const ask = AvailabilityQuery.parse({
    serviceId: made.serviceId,
    from: iso(FROM),
    to: iso(TO),
    persons: personsOf(c),
    timeZone: c.zone,
  })
  const { slots } = await listAvailability(ownerAt(db, made.now, shop), ask)
  return Object.values(slots).flat()
}
const personsOf = (c: Case) => Math.min(c.persons, c.service.capacity)

const bodyOf = (c: Case, made: Made, startTime: string) => ({
  serviceId: made.serviceId,
  startTime,
  persons: personsOf(c),
  customer: { name: 'V', email: `${crypto.randomUUID()}@example.com` },
})

/** A few of a list: the first, the last and some between. */
function sample<T>(list: readonly T[], c: Case, count: number): T[] {
  const picks = [...c.picks.take(count)].map(n => list[n % list.length]!)
  return list.length <= count ? [...list] : [...new Set([list[0]!, list.at(-1)!, ...picks])]
}

/** Instants of the listed window, half of them close to those that are offered. */
function unlisted(c: Case, { midnight }: Made, offered: readonly ServiceSlot[]): string[] {
  const first = midnight / MINUTE + FROM
  return [...c.picks.take(8)].flatMap(pick => {
    const near = pick % 2 ? offered[pick % offered.length] : undefined
    const minute = near
      ? Date.parse(near.startTime) / MINUTE + ((pick >> 1) % 61) - 30
      : first + (pick % (TO - FROM))
    const inside = minute >= first && minute < first + TO - FROM
    return inside ? [new Date(minute * MINUTE).toISOString()] : []
  })
}

async function check(c: Case): Promise<void> {
  const made = await makeCase(pool, shop.accountId, c)
  await bookSome(c, made)
  const offered = await list(c, made)
  const tried = (startTime: string) => {
    const body = PublicBooking.parse(bodyOf(c, made, startTime))
    return statusOf(bookPublicly(visitorAt(pretend, made.now), body))
  }
  for (const { startTime } of sample(offered, c, 4))
    expect([startTime, await tried(startTime)]).toEqual([startTime, 201])
  const known = new Set(offered.map(slot => slot.startTime))
  for (const startTime of unlisted(c, made, offered).filter(start => !known.has(start)))
    expect([startTime, await tried(startTime)]).toEqual([startTime, 409])
  if (offered.length > 0) await bookOne(c, made, offered)
}

/** Books one through the front door; after that the list has it no more, or less of it. */
async function bookOne(c: Case, made: Made, offered: readonly ServiceSlot[]): Promise<void> {
  const [pick] = [...c.picks.take(1)]
  const slot = offered[pick! % offered.length]!
  const clock = { ...someAddress(), 'X-Test-Now': made.now.toISOString() }
  const { status, body, text } = await client().post(BOOK, bodyOf(c, made, slot.startTime), clock)
  expect(status, text).toBe(201)
  expect(body.endTime).toBe(slot.endTime)
  expect(slot.employeeIds).toContain(body.employee?.id)
  const left = (await list(c, made)).find(({ startTime }) => startTime === slot.startTime)
  if (c.service.group) {
    const seats = ({ employeeIds, spotsOpen }: ServiceSlot) => employeeIds.length * 1000 + spotsOpen
    expect(left ? seats(left) : 0).toBeLessThanOrEqual(seats(slot))
    if (personsOf(c) === c.service.capacity)
      expect(left?.employeeIds ?? []).not.toContain(body.employee?.id)
  } else expect(left?.employeeIds ?? []).not.toContain(body.employee?.id)
}

describe('GET /availability and POST /book', () => {
  it('201 for whatever is listed, 409 for whatever is not, and what is booked is listed no more', async () => {
    await fc.assert(fc.asyncProperty(someCase, check), { numRuns: RUNS, endOnFailure: RUNS < 100 })
  }, 600_000)
})
