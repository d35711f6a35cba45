import { describe, expect, it } from 'vitest'
import { type Answered, differing } from './differing.ts'
import type { Known } from './known.ts'
import type { AppointmentChange } from './schema.ts'

const START = Date.UTC(2031, 2, 3, 15)
const HOUR = 3_600_000

const WAS: Known = {
  id: 1,
  uid: 'u',
  status: 'approved',
  start: START,
  end: START + HOUR,
  bufferBefore: 0,
  bufferAfter: 0,
  serviceId: 2,
  deposit: { depositType: 'none', depositAmount: 0 },
  employeeId: 3,
  locationId: null,
  customerId: 4,
  customerEmail: null,
  resourceIds: [6],
  sessionId: null,
  seriesId: null,
  persons: 1,
  price: 5000,
  noShow: false,
  notes: 'n',
  internalNotes: null,
  timeZone: 'UTC',
  cancellationReason: null,
  version: 7,
}
const ANSWERED: Answered = {
  attendees: [{ name: 'Ann', customerId: 8 }, { name: 'Ben' }],
  resourceIds: [5, 6],
}

/** What is left of a change, without what is left out. */
const left = (change: AppointmentChange, was: Partial<Known> = {}) =>
  Object.fromEntries(
    Object.entries(differing(change, { ...WAS, ...was }, ANSWERED)).filter(
      ([, value]) => value !== undefined,
    ),
  )

describe('differing', () => {
  it.each<[string, AppointmentChange, AppointmentChange]>([
    ['serviceId', { serviceId: 2 }, { serviceId: 9 }],
    ['employeeId', { employeeId: 3 }, { employeeId: null }],
    ['locationId', { locationId: null }, { locationId: 9 }],
    ['customerId', { customerId: 4 }, { customerId: 9 }],
    ['price', { price: 5000 }, { price: 0 }],
    ['noShow', { noShow: false }, { noShow: true }],
    ['notes', { notes: 'n' }, { notes: null }],
    ['internalNotes', { internalNotes: null }, { internalNotes: 'n' }],
    ['timeZone', { timeZone: 'UTC' }, { timeZone: 'Europe/Berlin' }],
    ['cancellationReason', { cancellationReason: null }, { cancellationReason: 'r' }],
    ['startTime', { startTime: new Date(START) }, { startTime: new Date(START + 1) }],
    ['endTime', { endTime: new Date(START + HOUR) }, { endTime: new Date(START + 1) }],
    ['resourceIds', { resourceIds: [6, 5] }, { resourceIds: [6] }],
    [
      'attendees',
      {
        attendees: [
          { name: 'Ben', email: null, phone: null, customerId: null, persons: 1 },
          { name: 'Ann', customerId: 8 },
        ],
      },
      { attendees: [{ name: 'Ann', customerId: 8 }] },
    ],
  ])('takes %s out where it is as it was, and leaves it where it is not', (_, same, other) => {
    expect(left(same)).toEqual({})
    expect(left(other)).toEqual(other)
  })

  it('takes nobody to be somebody else: name, address, number, customer and persons count', () => {
    const ben = { name: 'Ben' }
    for (const other of [
      { name: 'Bea' },
      { ...ben, email: 'b@example.org' },
      { ...ben, phone: '+15550100' },
      { ...ben, customerId: 9 },
      { ...ben, persons: 2 },
    ])
      expect(left({ attendees: [ANSWERED.attendees[0]!, other] })).toHaveProperty('attendees')
  })

  it('leaves an end that is as it was beside a start that moves', () => {
    const change = { startTime: new Date(START + 60_000), endTime: new Date(START + HOUR) }
    expect(left(change)).toEqual(change)
  })

  it('takes a status out only beside the version that was read', () => {
    expect(left({ status: 'approved', version: 7 })).toEqual({ version: 7 })
    expect(left({ status: 'canceled' }, { status: 'canceled' })).toEqual({ status: 'canceled' })
    expect(left({ status: 'completed', version: 7 })).toHaveProperty('status')
  })
})
