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
