import { describe, expect, test } from 'vitest'
import { bodyOf, book, type Calendar, createCalendar, eventsOf } from './world.ts'

const AT = '2027-03-03T15:00:00.000Z'

describe('what is asked of who books', () => {
  const booking_fields = JSON.stringify([
    { type: 'radio', slug: 'size', label: 'Size', required: true, options: ['S', 'L'] },
    { type: 'number', slug: 'people', label: 'How many' },
    { type: 'boolean', slug: 'terms', label: 'I agree', required: true },
    { type: 'text', slug: 'secret', label: 'Hidden', required: true, hidden: true },
  ])
  const answer = (calendar: Calendar, responses: object) => {
    const name = { name: 'Zoe', email: 'zoe@example.com' }
    return book({ ...bodyOf(calendar.eventTypeId, AT), responses: { ...name, ...responses } })
  }

  test('422 for what is missing or wrong, each named; 201 with the answers as they are kept', async () => {
    const calendar = await createCalendar({ booking_fields })
    const missing = await answer(calendar, { people: 'many', terms: false })
    expect([missing.status, missing.body.details]).toEqual([
      422,
      [
        { field: 'responses.size', message: 'required' },
        { field: 'responses.people', message: 'expected a number' },
        { field: 'responses.terms', message: 'required' },
      ],
    ])
    const other = await answer(calendar, { size: 'XL', terms: true })
    expect(other.body.details).toEqual([
      { field: 'responses.size', message: 'expected one of "S", "L"' },
    ])
    const { status, body } = await answer(calendar, {
      size: 'L',
      people: '3',
      terms: 'on',
      more: 1,
    })
    expect(status).toBe(201)
    expect(body.responses).toMatchObject({ size: 'L', people: 3, terms: true, more: 1 })
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED'])
  })

  test('422 for a series and an instant meeting without answers as well', async () => {
    const calendar = await createCalendar({ booking_fields })
    const series = [bodyOf(calendar.eventTypeId, AT)]
    expect((await book(series, '/api/book/recurring-event')).status).toBe(422)
    const now = bodyOf(calendar.eventTypeId, '2027-03-01T12:00:00Z')
    expect((await book(now, '/api/book/instant-event')).status).toBe(422)
  })
})

describe('where it is', () => {
  const link = { type: 'link', link: 'https://meet.example.com/olive' }
  const where = async (locations: object[], location?: unknown, more: object = {}) => {
    const calendar = await createCalendar({ locations: JSON.stringify(locations) })
    const responses = { name: 'Zoe', email: 'zoe@example.com', location, ...more }
    const { status, body } = await book({ ...bodyOf(calendar.eventTypeId, AT), responses })
    return status === 201 ? [body.location, body.meetingUrl] : [status, body.details]
  }
  const refused = (message: unknown) => [422, [{ field: 'responses.location', message }]]

  test('201 at the first place, or at the one that is chosen by its type or its words', async () => {
    const office = { type: 'address', address: '1 Main St' }
    const other = { type: 'link', link: 'https://meet.example.com/other' }
    expect(await where([link, office])).toEqual([link.link, link.link])
    expect(await where([link, office], { value: 'address' })).toEqual(['1 Main St', null])
    expect(await where([link, other], other.link)).toEqual([other.link, other.link])
    const chosen = { value: 'link', optionValue: other.link }
    expect(await where([link, other], chosen)).toEqual([other.link, other.link])
    const room = await where([{ type: 'integrations:jitsi' }])
    expect(room).toEqual([
      'integrations:jitsi',
      expect.stringMatching(/^https:\/\/meet\.jit\.si\//),
    ])
  })

  test('201 at what the attendee says where that is asked; 422 without it', async () => {
    const phone = { type: 'attendeePhone' }
    const number = '+15551234567'
    expect(
      await where([phone], { value: 'attendeePhone', optionValue: '+1 555 123-4567' }),
    ).toEqual([number, null])
    expect(await where([phone], undefined, { attendeePhoneNumber: number })).toEqual([number, null])
    expect(await where([phone])).toEqual(refused(expect.stringContaining('telephone')))
    expect(await where([{ type: 'attendeeDefined' }], 'At my place')).toEqual(['At my place', null])
    expect(await where([{ type: 'attendeeAddress' }])).toEqual(
      refused(expect.stringContaining('required')),
    )
  })

  test('422 for a place that the event type does not have', async () => {
    expect(await where([link], 'https://evil.example.com')).toEqual(
      refused('expected one of "link"'),
    )
  })
})
