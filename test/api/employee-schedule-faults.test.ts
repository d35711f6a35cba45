import { beforeAll, describe, expect, it } from 'vitest'
import { createAccount, type TestAccount } from '../client.ts'

const SCHEDULE = '/api/services/employees/schedule'
const of = (employeeId: unknown) => `${SCHEDULE}?employeeId=${employeeId}`

let a: TestAccount
beforeAll(async () => {
  a = await createAccount()
})

const hire = async () => {
  const person = { name: 'Eve', email: `${crypto.randomUUID()}@example.com` }
  return Number((await a.client.post('/api/services/employees', person)).body.id)
}
const day = (day: number, intervals: object[]) => ({ day, intervals })

const morning = { start: '08:00', end: '12:00' }
const faults: [string, object, string, unknown][] = [
  [
    'an interval that ends before it starts',
    { weekly: [day(1, [{ start: '17:00', end: '09:00' }])] },
    'weekly.0.intervals.0.end',
    'must be after start',
  ],
  [
    'intervals of one day that overlap',
    { weekly: [day(1, [morning, { start: '11:59', end: '13:00' }])] },
    'weekly.0.intervals.1',
    'overlaps another interval of the day',
  ],
  [
    'intervals that overlap in two entries of a day',
    { weekly: [day(2, [morning]), { day: 'tuesday', intervals: [morning] }] },
    'weekly.1.intervals.0',
    'overlaps another interval of the day',
  ],
  [
    'a day that is none',
    { weekly: [{ day: 'Funday', intervals: [] }] },
    'weekly.0.day',
    'expected 0 to 6 or a weekday such as "Monday"',
  ],
  ['a day that is not there', { weekly: [{ intervals: [] }] }, 'weekly.0.day', 'required'],
  [
    'a time that is none',
    { weekly: [day(1, [{ start: '9:00', end: '17:00' }])] },
    'weekly.0.intervals.0.start',
    'expected a time such as 09:30',
  ],
  [
    'a break that ends before it starts',
    { overrides: [{ date: '2027-01-01', breaks: [{ start: '13:00', end: '12:00' }] }] },
    'overrides.0.breaks.0.end',
    'must be after start',
  ],
  [
    'a date that stands twice',
    { overrides: [{ date: '2027-01-01' }, { date: '2027-01-01' }] },
    'overrides.1.date',
    'stands here twice',
  ],
  [
    'time off that ends before it starts',
    { timeOff: [{ startDate: '2027-01-02', endDate: '2027-01-01' }] },
    'timeOff.0.endDate',
    'must not be before startDate',
  ],
  [
    'too many overrides',
    { overrides: Array(1001).fill({ date: '2027-01-01' }) },
    'overrides',
    'must have at most 1000 items',
  ],
]

describe('PATCH /employees/schedule', () => {
  it.each(faults)('422 for %s, and nothing changes', async (_, body, field, message) => {
    const path = of(await hire())
    const refused = await a.client.patch(path, { timeOff: [{ startDate: '2027-01-01' }], ...body })
    expect([refused.status, refused.body.error]).toEqual([422, 'VALIDATION_ERROR'])
    expect(refused.body.details).toEqual([{ field, message }])
    expect((await a.client.get(path)).body.data.timeOff).toEqual([])
  })

  it('422 when query and body mean different employees, or neither means one', async () => {
    const [one, two] = [await hire(), await hire()]
    const both = await a.client.patch(of(one), { employeeId: two, weekly: [] })
    expect([both.status, both.body.details[0]?.field]).toEqual([422, 'employeeId'])
    const none = await a.client.patch(SCHEDULE, { weekly: [] })
    expect(none.status).toBe(422)
    expect(none.body.details).toEqual([{ field: 'employeeId', message: 'required' }])
  })
})
