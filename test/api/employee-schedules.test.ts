import { beforeAll, describe, expect, it } from 'vitest'
import { client, createAccount, createMember, type TestAccount } from '../client.ts'

const SCHEDULE = '/api/services/employees/schedule'

let a: TestAccount
let other: TestAccount
let denver: number
beforeAll(async () => {
  ;[a, other] = await Promise.all([createAccount(), createAccount()])
  const place = { name: 'Denver', timeZone: 'America/Denver' }
  denver = Number((await a.client.post('/api/services/locations', place)).body.id)
})

const hire = async (account = a) => {
  const person = { name: 'Eve', email: `${crypto.randomUUID()}@example.com` }
  return Number((await account.client.post('/api/services/employees', person)).body.id)
}
const of = (employeeId: unknown, locationId?: number) =>
  `${SCHEDULE}?employeeId=${employeeId}${locationId === undefined ? '' : `&locationId=${locationId}`}`

const NINE_TO_FIVE = [{ start: '09:00', end: '17:00' }]
const day = (day: number, intervals: object[] = [], breaks: object[] = []) => ({
  day,
  intervals,
  breaks,
})
const OFFICE_WEEK = [0, 1, 2, 3, 4, 5, 6].map(d => day(d, d % 6 === 0 ? [] : NINE_TO_FIVE))

describe('GET /employees/schedule', () => {
  it('200 with Monday to Friday, 9 to 17, for a new employee', async () => {
    const employeeId = await hire()
    const { status, body } = await a.client.get(of(employeeId))
    expect(status).toBe(200)
    expect(body).toEqual({
      status: 'success',
      data: {
        employeeId,
        locationId: null,
        timeZone: 'America/New_York',
        weekly: OFFICE_WEEK,
        overrides: [],
        timeOff: [],
      },
    })
  })

  it('200 by the clocks of a location', async () => {
    const { body } = await a.client.get(of(await hire(), denver))
    expect(body.data).toMatchObject({
      locationId: denver,
      timeZone: 'America/Denver',
      weekly: OFFICE_WEEK,
    })
  })

  it('400 without an employee, when the caller is none', async () => {
    const { status, body } = await a.client.get(SCHEDULE)
    expect(status).toBe(400)
    expect(body.details).toEqual([{ field: 'employeeId', message: 'required' }])
    expect((await a.client.get(of('x'))).status).toBe(400)
  })

  it('404 for an employee or a location that is unknown, deleted or another account’s', async () => {
    const foreign = await hire(other)
    const gone = await hire()
    await a.client.del(`/api/services/employees?id=${gone}`)
    const theirs = await other.client.post('/api/services/locations', { name: 'Theirs' })
    const mine = await hire()
    for (const path of [of(foreign), of(gone), of(mine, Number(theirs.body.id))]) {
      for (const { status, body } of [await a.client.get(path), await a.client.patch(path, {})])
        expect([status, body.error]).toEqual([404, 'NOT_FOUND'])
    }
  })
})

describe('PATCH /employees/schedule', () => {
  it('200 and every part is read back as it was written', async () => {
    const employeeId = await hire()
    const weekly = [
      day(0),
      day(1, [{ start: '08:30', end: '24:00' }], [{ start: '12:00', end: '12:45' }]),
      day(2, [
        { start: '00:00', end: '06:00' },
        { start: '06:00', end: '10:00' },
      ]),
      ...[3, 4, 5, 6].map(d => day(d)),
    ]
    const overrides = [
      {
        date: '2027-12-24',
        intervals: [{ start: '09:00', end: '12:00' }],
        breaks: [],
        reason: 'Eve',
      },
      { date: '2027-12-25', intervals: [], breaks: [], reason: null },
    ]
    const timeOff = [
      { startDate: '2027-08-01', endDate: '2027-08-14', reason: 'Sea' },
      { startDate: '2027-09-01' },
    ]
    const changed = await a.client.patch(SCHEDULE, { employeeId, weekly, overrides, timeOff })
    expect(changed.status).toBe(200)
    expect(changed.body.data).toEqual({
      employeeId,
      locationId: null,
      timeZone: 'America/New_York',
      weekly,
      overrides,
      timeOff: [
        { id: 1, startDate: '2027-08-01', endDate: '2027-08-14', reason: 'Sea' },
        { id: 2, startDate: '2027-09-01', endDate: '2027-09-01', reason: null },
      ],
    })
    expect((await a.client.get(of(employeeId))).body).toEqual(changed.body)
    expect((await a.client.patch(SCHEDULE, changed.body.data)).body).toEqual(changed.body)
  })

  it('200 and a part that is left out stays', async () => {
    const path = of(await hire())
    const timeOff = [{ startDate: '2027-01-01', endDate: '2027-01-02' }]
    await a.client.patch(path, { timeOff })
    await a.client.patch(path, { overrides: [{ date: '2027-03-01' }] })
    const { body } = await a.client.patch(path, { weekly: [day(6, NINE_TO_FIVE)] })
    expect(body.data).toMatchObject({
      weekly: [0, 1, 2, 3, 4, 5, 6].map(d => day(d, d === 6 ? NINE_TO_FIVE : [])),
      overrides: [{ date: '2027-03-01', intervals: [] }],
      timeOff: [{ id: 1, ...timeOff[0] }],
    })
    expect((await a.client.patch(path, { overrides: [] })).body.data.overrides).toEqual([])
  })

  it('200 for weekdays by name, and for a day in two pieces', async () => {
    const { body } = await a.client.patch(of(await hire()), {
      weekly: [
        { day: 'Monday', intervals: [{ start: '14:00', end: '18:00' }] },
        { day: 'sunday', intervals: NINE_TO_FIVE },
        { day: 1, intervals: [{ start: '08:00', end: '12:00' }] },
      ],
    })
    expect(body.data.weekly).toEqual([
      day(0, NINE_TO_FIVE),
      day(1, [
        { start: '08:00', end: '12:00' },
        { start: '14:00', end: '18:00' },
      ]),
      ...[2, 3, 4, 5, 6].map(d => day(d)),
    ])
  })

  it('200 and time off that is kept keeps its id', async () => {
    const path = of(await hire())
    const off = (startDate: string) => ({ startDate })
    await a.client.patch(path, { timeOff: [off('2027-01-01'), off('2027-02-01')] })
    const { body } = await a.client.patch(path, {
      timeOff: [
        off('2027-03-01'),
        { id: 2, ...off('2027-02-02') },
        { id: 9, ...off('2027-04-01') },
      ],
    })
    expect(body.data.timeOff).toMatchObject([
      { id: 3, startDate: '2027-03-01' },
      { id: 2, startDate: '2027-02-02' },
      { id: 4, startDate: '2027-04-01' },
    ])
  })

  it('200 at a location: hours of its own, and time off that counts everywhere', async () => {
    const employeeId = await hire()
    const evenings = [1, 2].map(d => day(d, [{ start: '17:00', end: '22:00' }]))
    const place = await a.client.patch(of(employeeId, denver), {
      weekly: evenings,
      timeOff: [{ startDate: '2027-05-01' }],
    })
    expect(place.body.data).toMatchObject({ locationId: denver, timeZone: 'America/Denver' })
    const general = (await a.client.get(of(employeeId))).body.data
    expect(general.weekly).toEqual(OFFICE_WEEK)
    expect(general.timeOff).toEqual(place.body.data.timeOff)
    await a.client.patch(of(employeeId), { weekly: [], timeOff: [] })
    const after = (await a.client.get(of(employeeId, denver))).body.data
    expect(after.weekly?.[1]).toEqual(evenings[0])
    expect(after.timeOff).toEqual([])
  })

  it('200 for a time zone, which is the employee’s', async () => {
    const employeeId = await hire()
    const { body } = await a.client.patch(of(employeeId), { timeZone: 'Asia/Tokyo' })
    expect(body.data.timeZone).toBe('Asia/Tokyo')
    const employee = await a.client.get(`/api/services/employees?id=${employeeId}`)
    expect(employee.body.data.timeZone).toBe('Asia/Tokyo')
    const there = await a.client.patch(of(employeeId, denver), { timeZone: 'Asia/Tokyo' })
    expect([there.status, there.body.details[0]?.field]).toEqual([422, 'timeZone'])
  })

  it('200 for changes at the same time, none of which is lost', async () => {
    const employeeId = await hire()
    const replies = await Promise.all([
      a.client.patch(of(employeeId), { weekly: [day(3, NINE_TO_FIVE)] }),
      a.client.patch(of(employeeId), { overrides: [{ date: '2027-07-04' }] }),
      a.client.patch(of(employeeId), { timeOff: [{ startDate: '2027-07-05' }] }),
    ])
    expect(replies.map(r => r.status)).toEqual([200, 200, 200])
    const { data } = (await a.client.get(of(employeeId))).body
    expect(data.weekly?.[3]?.intervals).toEqual(NINE_TO_FIVE)
    expect(data.weekly?.[4]?.intervals).toEqual([])
    expect(data.overrides).toMatchObject([{ date: '2027-07-04' }])
    expect(data.timeOff).toMatchObject([{ startDate: '2027-07-05' }])
  })

  it('200 and time off counts at a location whose hours are made at the same time', async () => {
    const places = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        a.client.post('/api/services/locations', { name: `Place ${n}` }),
      ),
    )
    const employeeId = await hire()
    const timeOff = [{ startDate: '2027-07-05' }]
    await Promise.all([
      ...places.map(({ body }) => a.client.patch(of(employeeId, Number(body.id)), { weekly: [] })),
      a.client.patch(of(employeeId), { timeOff }),
    ])
    for (const { body } of places) {
      const { data } = (await a.client.get(of(employeeId, Number(body.id)))).body
      expect(data.timeOff).toMatchObject(timeOff)
    }
  })
})

describe('/employees/schedule', () => {
  it('200 for staff and their own schedule, which needs no id', async () => {
    const { employeeId } = a.staff
    expect((await a.staffClient.get(SCHEDULE)).body.data.employeeId).toBe(employeeId)
    const overrides = [{ date: '2027-02-02', intervals: NINE_TO_FIVE }]
    const changed = await a.staffClient.patch(SCHEDULE, { overrides })
    expect(changed.body.data).toMatchObject({ employeeId, overrides })
    expect((await a.client.get(of(employeeId))).body).toEqual(changed.body)
    expect((await a.staffClient.patch(of(employeeId), { employeeId, weekly: [] })).status).toBe(200)
  })

  it('403 for staff and anybody else’s schedule, naming the permission', async () => {
    const colleague = await hire()
    const read = await a.staffClient.get(of(colleague))
    expect([read.status, read.body.error]).toEqual([403, 'FORBIDDEN'])
    expect(read.body.message).toContain('schedules.read')
    for (const refused of [
      await a.staffClient.patch(of(colleague), { weekly: [] }),
      await a.staffClient.patch(SCHEDULE, { employeeId: colleague, weekly: [] }),
    ]) {
      expect(refused.status).toBe(403)
      expect(refused.body.message).toContain('schedules.write')
    }
    expect((await a.client.get(of(colleague))).body.data.weekly).toEqual(OFFICE_WEEK)
  })

  it('403 for staff who are no employee; a manager needs to be none', async () => {
    const staff = await createMember(a.accountId, 'staff')
    expect((await staff.get(SCHEDULE)).status).toBe(403)
    const manager = await createMember(a.accountId, 'manager')
    expect((await manager.patch(of(await hire()), { weekly: [] })).status).toBe(200)
  })

  it('401 without credentials', async () => {
    expect((await client().get(of(1))).status).toBe(401)
    expect((await client().patch(of(1), {})).status).toBe(401)
  })
})
