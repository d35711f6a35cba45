import { beforeAll, describe, expect, it } from 'vitest'
import { type Body, client, createMember } from '../../client.ts'
import { at, by, clocked, hourFrom, minutesAfter, openShop, type Shop } from './shop.ts'

const AVAILABILITY = '/api/services/availability'
const MORNING = [0, 1, 2, 3, 4, 5, 6].map(day => ({
  day,
  intervals: [{ start: '09:00', end: '11:00' }],
}))

let shop: Shop
let serviceId: number
let employeeId: number
beforeAll(async () => {
  shop = await openShop({ timeZone: 'America/New_York' })
  serviceId = await shop.service({ slotIntervalMinutes: 30 })
  employeeId = await shop.employee(
    { timeZone: 'America/New_York', serviceIds: [serviceId] },
    MORNING,
  )
  // The others of the business give another service.
  const single = `/api/services/employees?id=${shop.employeeId}`
  await shop.client.put(single, { serviceIds: [shop.serviceId] })
})

type Slot = { startTime: string; endTime: string; start: string; employeeIds: number[] }
type Days = Record<string, Slot[]>
const ask = (query: string, who = shop.client) => who.get(`${AVAILABILITY}?${query}`)
const slotsOf = async (query: string): Promise<Days> => {
  const { status, body, text } = await ask(query)
  expect(status, text).toBe(200)
  return body.data.slots as unknown as Days
}
/** Local start times by day. */
const times = async (query: string) =>
  Object.fromEntries(
    Object.entries(await slotsOf(query)).map(([day, slots]) => [
      day,
      slots.map(s => s.start.slice(11, 16)),
    ]),
  )

describe('GET /availability', () => {
  it('200 with the starts of a day in UTC and by the clocks of the company', async () => {
    const { body } = await ask(`serviceId=${serviceId}&date=2030-03-20`)
    const slot = (start: string, startTime: string) => ({
      startTime: at(startTime),
      endTime: minutesAfter(at(startTime), 60),
      start: `2030-03-20T${start}:00.000-04:00`,
      end: expect.stringMatching(/^2030-03-20T1[01]:[03]0:00\.000-04:00$/),
      employeeIds: [employeeId],
      spotsOpen: 1,
      spotsTotal: 1,
    })
    expect(body).toEqual({
      status: 'success',
      data: {
        timeZone: 'America/New_York',
        slots: {
          '2030-03-20': [slot('09:00', '13:00'), slot('09:30', '13:30'), slot('10:00', '14:00')],
        },
      },
    })
  })

  it('200 under the days of the asked zone, with the same instants', async () => {
    const query = `serviceId=${serviceId}&from=2030-03-20&to=2030-03-22`
    const days = await slotsOf(`${query}&timeZone=Asia/Tokyo`)
    expect(Object.keys(days)).toEqual(['2030-03-20', '2030-03-21', '2030-03-22'])
    // 9:00 in New York is 22:00 in Tokyo.
    expect(days['2030-03-20']?.map(s => s.start)).toEqual([
      '2030-03-20T22:00:00.000+09:00',
      '2030-03-20T22:30:00.000+09:00',
      '2030-03-20T23:00:00.000+09:00',
    ])
    const auckland = await slotsOf(`${query}&timeZone=Pacific/Auckland`)
    expect(auckland['2030-03-20']?.[0]?.startTime).toBe('2030-03-19T13:00:00.000Z')
  })

  it('200 with days that have none left out', async () => {
    await shop.hours(employeeId, { timeOff: [{ startDate: '2030-04-02' }] })
    const days = await slotsOf(`serviceId=${serviceId}&from=2030-04-01&to=2030-04-03`)
    expect(Object.keys(days)).toEqual(['2030-04-01', '2030-04-03'])
    await shop.hours(employeeId, { timeOff: [] })
  })

  it('200 between two instants, the end left out', async () => {
    const window = `from=${at('13:30')}&to=${at('14:00')}`
    const days = await slotsOf(`serviceId=${serviceId}&${window}`)
    expect(days['2030-03-20']?.map(s => s.startTime)).toEqual([at('13:30')])
    const offset = 'from=2030-03-20T09:30:00-04:00&to=2030-03-20T10:00:00.001-04:00'
    expect(await times(`serviceId=${serviceId}&${offset}`)).toEqual({
      '2030-03-20': ['09:30', '10:00'],
    })
  })

  it('200 for another duration, and for a length that does not fit', async () => {
    const query = `serviceId=${serviceId}&date=2030-03-20`
    expect(await times(`${query}&duration=30`)).toEqual({
      '2030-03-20': ['09:00', '09:30', '10:00', '10:30'],
    })
    expect(await times(`${query}&duration=120`)).toEqual({ '2030-03-20': ['09:00'] })
    expect(await times(`${query}&duration=121`)).toEqual({})
  })

  it('200 as if the appointment that is to be moved did not exist', async () => {
    const made = await shop.make('appointments', {
      serviceId,
      employeeId,
      ...hourFrom(at('13:00', '2030-03-25')),
    })
    const query = `serviceId=${serviceId}&date=2030-03-25`
    expect(await times(query)).toEqual({ '2030-03-25': ['10:00'] })
    expect(await times(`${query}&excludeAppointmentId=${made.id}`)).toEqual({
      '2030-03-25': ['09:00', '09:30', '10:00'],
    })
    const moved = await shop.client.put(by(made.id), { startTime: at('13:30', '2030-03-25') })
    expect(moved.status).toBe(200)
    expect(await times(query)).toEqual({})
  })

  it('200 with everybody who is free, or the one who is asked for', async () => {
    const of = await shop.service({ slotIntervalMinutes: 60 })
    const [a, b] = [
      await shop.employee({ serviceIds: [of] }, MORNING),
      await shop.employee({ serviceIds: [of] }, MORNING),
    ]
    await shop.make('appointments', { serviceId: of, employeeId: a, ...hourFrom(at('09:00')) })
    const who = (days: Days) => days['2030-03-20']?.map(s => s.employeeIds)
    const query = `serviceId=${of}&date=2030-03-20&timeZone=UTC`
    expect(who(await slotsOf(query))).toEqual([[b], [a, b]])
    expect(who(await slotsOf(`${query}&employeeId=${a}`))).toEqual([[a]])
    // Known, but not one who gives it, or not active: nothing is offered, as nothing can be booked.
    expect(await slotsOf(`${query}&employeeId=${employeeId}`)).toEqual({})
    await shop.client.put(`/api/services/employees?id=${b}`, { active: false })
    expect(await slotsOf(`${query}&employeeId=${b}`)).toEqual({})
  })

  it('200 with nothing for a service that is not active or more persons than it takes', async () => {
    const inactive = await shop.service({ active: false })
    expect(await slotsOf(`serviceId=${inactive}&date=2030-03-20`)).toEqual({})
    expect(await slotsOf(`serviceId=${serviceId}&date=2030-03-20&persons=2`)).toEqual({})
    const family = await shop.service({ maxCapacity: 4 })
    const days = await slotsOf(`serviceId=${family}&date=2030-03-20&persons=4`)
    expect(days).toEqual({})
    await shop.client.put(`/api/services/employees?id=${employeeId}`, {
      serviceIds: [serviceId, family],
    })
    const open = await slotsOf(`serviceId=${family}&date=2030-03-20&persons=4`)
    expect(open['2030-03-20']?.[0]).toMatchObject({ spotsOpen: 1, spotsTotal: 1 })
  })

  it('200 with why each other start of the grid is refused', async () => {
    const of = await shop.service({ slotIntervalMinutes: 60, minNoticeMinutes: 60, horizonDays: 1 })
    const who = await shop.employee({ serviceIds: [of] })
    const locationId = await shop.id('locations', { name: 'Here' })
    const laser = await shop.id('resources', { locationId, name: 'Laser' })
    await shop.client.patch(`/api/services/services?id=${of}`, {
      resources: [{ resourceId: laser }],
    })
    await shop.make('appointments', {
      serviceId,
      resourceIds: [laser],
      ...hourFrom('2030-03-04T16:00:00Z'),
    })
    await shop.make('appointments', {
      serviceId,
      employeeId: who,
      ...hourFrom('2030-03-04T17:00:00Z'),
    })
    const window = 'from=2030-03-04T13:00:00Z&to=2030-03-04T19:00:00Z'
    const { body } = await ask(`serviceId=${of}&${window}&explain=true`)
    const refused = body.data.refused as unknown as Body[]
    expect(refused).toEqual([
      { startTime: '2030-03-04T13:00:00.000Z', employeeId: who, reason: 'minimum_notice' },
      { startTime: '2030-03-04T16:00:00.000Z', employeeId: who, reason: 'resource' },
      { startTime: '2030-03-04T17:00:00.000Z', employeeId: who, reason: 'busy' },
    ])
    const later = 'from=2030-03-05T13:00:00Z&to=2030-03-05T15:00:00Z'
    const next = await ask(`serviceId=${of}&${later}&explain=true`)
    expect(next.body.data.refused).toEqual([
      { startTime: '2030-03-05T14:00:00.000Z', employeeId: who, reason: 'horizon' },
    ])
    expect((await ask(`serviceId=${of}&${later}`)).body.data).not.toHaveProperty('refused')
  })

  it('200 for 31 days, 400 for more', async () => {
    const query = `serviceId=${serviceId}`
    expect((await ask(`${query}&from=2030-03-01&to=2030-03-31`)).status).toBe(200)
    expect((await ask(`${query}&from=2030-10-15&to=2030-11-15`)).status).toBe(200)
    const bad = [
      'from=2030-03-01&to=2030-04-02',
      'from=2030-03-01T00:00:00Z&to=2030-04-01T00:01:00Z',
    ]
    for (const window of bad) {
      const { status, body } = await ask(`${query}&${window}`)
      expect([status, body.details]).toEqual([
        400,
        [{ field: 'to', message: 'must be within 31 days of from' }],
      ])
    }
  })

  it.each([
    ['', 'serviceId', 'required'],
    ['serviceId=1', 'date', 'required, unless from and to are given'],
    ['serviceId=1&from=2030-03-20T00:00:00Z', 'to', 'required'],
    ['serviceId=1&from=2030-03-20&to=2030-03-19', 'to', 'must be after from'],
    ['serviceId=1&date=2030-02-30', 'date', 'expected a date such as 2026-03-08'],
    [
      'serviceId=1&date=2030-03-20&timeZone=Mars/Base',
      'timeZone',
      'expected an IANA time zone such as America/New_York',
    ],
    ['serviceId=1&date=2030-03-20&duration=0', 'duration', 'must be at least 1'],
    ['serviceId=1&date=2030-03-20&persons=x', 'persons', 'expected integer'],
    ['serviceId=1&date=2030-03-20&explain=1', 'explain', 'expected one of "true", "false"'],
  ])('400 for ?%s', async (query, field, message) => {
    const { status, body } = await ask(query)
    expect([status, body.details]).toEqual([400, [{ field, message }]])
  })

  it('404 for what is unknown or of another account', async () => {
    const other = await openShop()
    const query = `serviceId=${serviceId}&date=2030-03-20`
    const locationId = await other.id('locations', { name: 'There' })
    const theirs = await other.make('appointments', {
      serviceId: other.serviceId,
      ...hourFrom(at('10:00')),
    })
    const foreign = [
      `serviceId=${other.serviceId}&date=2030-03-20`,
      `${query}&employeeId=${other.employeeId}`,
      `${query}&locationId=${locationId}`,
      `${query}&excludeAppointmentId=${theirs.id}`,
    ]
    for (const query of foreign) expect([query, (await ask(query)).status]).toEqual([query, 404])
  })

  it('401 without credentials, 200 for staff', async () => {
    const query = `serviceId=${serviceId}&date=2030-03-20`
    expect((await ask(query, client())).status).toBe(401)
    expect((await ask(query, clocked(shop.staffClient))).status).toBe(200)
    expect((await ask(query, await createMember(shop.accountId, 'staff'))).status).toBe(200)
  })
})
