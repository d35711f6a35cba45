import { Temporal } from 'temporal-polyfill'
import { beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../client.ts'
import { BOOK, bookingBy, openShop, type Shop, someAddress } from './shop.ts'

/** Zones with the days of 2027 around which their clocks change, or any day where they do not. */
const ZONES: [string, ...string[]][] = [
  ['America/New_York', '2027-03-14', '2027-11-07'],
  ['America/Chicago', '2027-03-14', '2027-11-07'],
  ['Europe/London', '2027-03-28', '2027-10-31'],
  ['Europe/Berlin', '2027-03-28', '2027-10-31'],
  ['Australia/Lord_Howe', '2027-04-04', '2027-10-03'],
  ['Australia/Sydney', '2027-04-04', '2027-10-03'],
  ['America/Santiago', '2027-04-03', '2027-09-05'],
  ['Africa/Casablanca', '2027-02-07', '2027-03-14'],
  ['Africa/Cairo', '2027-04-30', '2027-10-28'],
  ['America/Havana', '2027-03-14', '2027-11-07'],
  ['Asia/Kathmandu', '2027-03-28'],
  ['Pacific/Apia', '2027-04-04'],
  ['America/Sao_Paulo', '2027-10-17'],
  ['UTC', '2027-03-28'],
]
const HOURS: [string, string][] = [
  ['00:00', '24:00'],
  ['09:00', '17:00'],
  ['13:00', '18:00'],
  ['22:00', '24:00'],
  ['01:30', '03:30'],
]
const STEP = 30

let shop: Shop
let serviceId: number
let employeeId: number
beforeAll(async () => {
  shop = await openShop()
  serviceId = await shop.service({ duration: STEP, slotIntervalMinutes: STEP })
  employeeId = await shop.employee({ serviceIds: [serviceId] })
  const other = `/api/services/employees?id=${shop.employeeId}`
  await shop.client.put(other, { serviceIds: [shop.serviceId] })
})

const minuteOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

/**
 * The half hours of a local day that its clocks show, by Temporal alone: minute of the day and
 * instant. A time that is skipped is not there, one that comes twice is there the first time. Clocks
 * change on the half hour, so each is all there or not at all.
 */
function halfHours(zone: string, date: Temporal.PlainDate): [minute: number, startTime: string][] {
  const all = Array.from({ length: 48 }, (_, n) => n * STEP)
  return all.flatMap(minute => {
    const plain = date.toPlainDateTime().add({ minutes: minute })
    const zoned = plain.toZonedDateTime(zone, { disambiguation: 'earlier' })
    const isThere = zoned.toPlainDateTime().equals(plain)
    return isThere ? [[minute, new Date(zoned.epochMilliseconds).toISOString()]] : []
  })
}

/** The starts within some hours, by day. */
function startsWithin(
  days: [string, ReturnType<typeof halfHours>][],
  [from, to]: [string, string],
) {
  const [first, end] = [minuteOf(from), minuteOf(to)]
  const open = days.map(([day, halves]) => {
    const inside = halves.filter(([minute]) => minute >= first && minute < end)
    return [day, inside.map(([, startTime]) => startTime)] as const
  })
  return Object.fromEntries(open.filter(([, starts]) => starts.length > 0))
}

type Days = Record<string, { startTime: string; start: string }[]>
async function ask(query: string, middle: string): Promise<Days> {
  const clock = new Date(Date.parse(middle) - 20 * 86_400_000).toISOString()
  const path = `/api/services/availability?serviceId=${serviceId}&${query}`
  const { status, body, text } = await shop.client.get(path, { 'X-Test-Now': clock })
  expect(status, text).toBe(200)
  return body.data.slots as unknown as Days
}
const around = (middle: string) =>
  [-1, 0, 1].map(days => Temporal.PlainDate.from(middle).add({ days }))
const instantsOf = (days: Days) =>
  Object.values(days).flatMap(slots => slots.map(slot => slot.startTime))

describe('GET /availability', () => {
  it.each(ZONES)('200 with the wall-clock hours of %s', async (zone, ...middles) => {
    await shop.client.put(`/api/services/employees?id=${employeeId}`, { timeZone: zone })
    const real = middles.map(middle =>
      around(middle).map((date): [string, ReturnType<typeof halfHours>] => [
        date.toString(),
        halfHours(zone, date),
      ]),
    )
    for (const hours of HOURS) {
      const [start, end] = hours
      const weekly = [0, 1, 2, 3, 4, 5, 6].map(day => ({ day, intervals: [{ start, end }] }))
      await shop.hours(employeeId, { weekly })
      for (const [n, middle] of middles.entries()) {
        const [first, , last] = around(middle)
        const days = await ask(`from=${first}&to=${last}&timeZone=${zone}`, middle)
        const listed = Object.fromEntries(
          Object.entries(days).map(([day, slots]) => [day, slots.map(slot => slot.startTime)]),
        )
        expect([hours, listed]).toEqual([hours, startsWithin(real[n]!, hours)])
      }
    }
  })

  it('200 with the same instants whoever looks from wherever', async () => {
    const [zone, middle] = ['America/New_York', '2027-03-14']
    await shop.client.put(`/api/services/employees?id=${employeeId}`, { timeZone: zone })
    const window = 'from=2027-03-13T00:00:00Z&to=2027-03-16T00:00:00Z'
    const home = await ask(`${window}&timeZone=${zone}`, middle)
    expect(instantsOf(home)).not.toEqual([])
    for (const away of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu']) {
      const days = await ask(`${window}&timeZone=${away}`, middle)
      expect(instantsOf(days)).toEqual(instantsOf(home))
      for (const [day, slots] of Object.entries(days))
        for (const { startTime, start } of slots) {
          const local = Temporal.Instant.from(startTime).toZonedDateTimeISO(away)
          expect([day, start]).toEqual([
            local.toPlainDate().toString(),
            local.toString({ timeZoneName: 'never', fractionalSecondDigits: 3 }),
          ])
        }
    }
  })
})

describe('POST /book', () => {
  it.each(ZONES)('201 for the first and last start in %s', async (zone, ...middles) => {
    await shop.client.put(`/api/services/employees?id=${employeeId}`, { timeZone: zone })
    const weekly = [0, 1, 2, 3, 4, 5, 6].map(day => ({
      day,
      intervals: [{ start: '00:00', end: '24:00' }],
    }))
    await shop.hours(employeeId, { weekly })
    for (const middle of middles) {
      const free = instantsOf(await ask(`date=${middle}&timeZone=${zone}`, middle))
      const clock = {
        'X-Test-Now': `${middle.slice(0, 4)}-01-01T00:00:00.000Z`,
        ...someAddress(),
      }
      for (const startTime of [free[0], free.at(-1)]) {
        const { status } = await client().post(BOOK, bookingBy(serviceId, startTime!), clock)
        expect([startTime, status]).toEqual([startTime, 201])
      }
      const left = instantsOf(await ask(`date=${middle}&timeZone=${zone}`, middle))
      expect(left).toEqual(free.slice(1, -1))
    }
  })
})
