import { describe, expect, test } from 'vitest'
import { bodyOf, book, createCalendar, eventsOf } from './world.ts'

const starts = ['2027-03-03', '2027-03-10', '2027-03-17', '2027-03-24'].map(d => `${d}T15:00:00Z`)

describe('POST /api/book/recurring-event with an array', () => {
  test('201 with the dates of an array in its order', async () => {
    const { eventTypeId } = await createCalendar()
    const asked = [2, 0, 3].map(i => bodyOf(eventTypeId, starts[i]!))
    const { status, body } = await book(asked, '/api/book/recurring-event')
    expect(status).toBe(201)
    const made = body as unknown as { startTime: string }[]
    expect(made.map(b => b.startTime.slice(0, 10))).toEqual([
      '2027-03-17',
      '2027-03-03',
      '2027-03-24',
    ])
  })

  test('422 for an end of any date that is not as long as the first, and nothing booked', async () => {
    const calendar = await createCalendar({ length_options: JSON.stringify([60]) })
    const { eventTypeId } = calendar
    const of = (at: number, end?: string) => bodyOf(eventTypeId, starts[at]!, 'Zoe', { end })
    for (const end of ['2027-03-10T15:45:00Z', '2027-03-10T14:00:00Z', '2027-03-10T16:00:00Z']) {
      const { status, body } = await book([of(0), of(1, end)], '/api/book/recurring-event')
      expect([end, status, body.details]).toMatchObject([end, 422, [{ field: '1.end' }]])
    }
    const wrong = await book([of(0, '2027-03-03T15:45:00Z')], '/api/book/recurring-event')
    expect(wrong.body.details).toMatchObject([{ field: '0.end' }])
    expect(await eventsOf(calendar)).toEqual([])
    const long = [of(0, '2027-03-03T16:00:00Z'), of(1), of(2, '2027-03-17T16:00:00Z')]
    const { body } = await book(long, '/api/book/recurring-event')
    const made = body as unknown as { endTime: string }[]
    expect(made.map(b => b.endTime.slice(11, 16))).toEqual(['16:00', '16:00', '16:00'])
  })

  test('422 for answers of one date says of which', async () => {
    const locations = JSON.stringify([{ type: 'address', address: 'Main St 1' }])
    const fields = [{ type: 'text', slug: 'company', label: 'Company', required: true }]
    const { eventTypeId } = await createCalendar({
      locations,
      booking_fields: JSON.stringify(fields),
    })
    const of = (at: number, answers: object) => ({
      ...bodyOf(eventTypeId, starts[at]!),
      responses: { name: 'Zoe', email: 'zoe@example.com', ...answers },
    })
    const full = { company: 'Zebra' }
    const fieldsOf = async (second: object) =>
      (await book([of(0, full), of(1, second)], '/api/book/recurring-event')).body.details
    expect(await fieldsOf({})).toMatchObject([{ field: '1.responses.company' }])
    expect(await fieldsOf({ ...full, location: 'Elsewhere' })).toMatchObject([
      { field: '1.responses.location' },
    ])
  })
})

const SERIES = '/api/book/recurring-event'

describe('POST /api/book/recurring-event', () => {
  test('422 for a booking that stands: a series is new, and nothing moves', async () => {
    const calendar = await createCalendar()
    const { eventTypeId } = calendar
    const { uid } = (await book(bodyOf(eventTypeId, starts[3]!))).body
    for (const field of ['rescheduleUid', 'bookingUid']) {
      const of = (at: number) => bodyOf(eventTypeId, starts[at]!, 'Zoe', at ? { [field]: uid } : {})
      const { status, body } = await book([of(0), of(1)], SERIES)
      expect([status, body.details]).toMatchObject([422, [{ field: `1.${field}` }]])
      const one = await book({ ...of(1), recurrenceCount: 2 }, SERIES)
      expect([one.status, one.body.details]).toMatchObject([422, [{ field }]])
      const instant = await book(of(1), '/api/book/instant-event')
      expect([instant.status, instant.body.details]).toMatchObject([422, [{ field }]])
    }
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED'])
  })

  test('422 for an empty name of the series, and for two of them; nothing booked', async () => {
    const calendar = await createCalendar()
    const of = (at: number, recurringEventId: string) =>
      bodyOf(calendar.eventTypeId, starts[at]!, 'Zoe', { recurringEventId })
    const faults = async (second: string, first = 'a') => {
      const { status, body } = await book([of(0, first), of(1, second)], SERIES)
      return [status, body.details]
    }
    expect(await faults('', '')).toMatchObject([
      422,
      [{ field: '0.recurringEventId' }, { field: '1.recurringEventId' }],
    ])
    expect(await faults('b')).toEqual([
      422,
      [{ field: '1.recurringEventId', message: 'must be the same in all occurrences' }],
    ])
    expect(await eventsOf(calendar)).toEqual([])
  })

  test('422 for two counts that differ, 201 for the same twice', async () => {
    const recurrence = JSON.stringify({ frequency: 'weekly', interval: 1, occurrences: 6 })
    const { eventTypeId } = await createCalendar({ recurrence })
    const asked = { ...bodyOf(eventTypeId, starts[0]!), recurrenceCount: 3 }
    const { status, body } = await book({ ...asked, recurringCount: 2 }, SERIES)
    expect([status, body.details]).toEqual([
      422,
      [{ field: 'recurringCount', message: 'must be the same as recurrenceCount' }],
    ])
    const made = await book({ ...asked, recurringCount: 3 }, SERIES)
    expect([made.status, made.body]).toMatchObject([201, { length: 3 }])
  })
})
