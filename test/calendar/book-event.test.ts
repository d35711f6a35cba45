import { beforeAll, describe, expect, test } from 'vitest'
import { createAccount } from '../client.ts'
import { queryDatabase } from '../database.ts'
import {
  bodyOf,
  book,
  type Calendar,
  clock,
  createCalendar,
  eventsOf,
  setEventType,
} from './world.ts'

const AT = '2027-03-03T15:00:00.000Z'

describe('POST /api/book/event', () => {
  let calendar: Calendar
  let id: number
  beforeAll(async () => {
    calendar = await createCalendar()
    id = calendar.eventTypeId
  })

  test('201 with the bare booking, its attendee, and a host without an address', async () => {
    const { status, body } = await book(bodyOf(id, AT))
    expect(status).toBe(201)
    expect(body).toMatchObject({
      eventTypeId: id,
      userId: calendar.account.userId,
      title: '30 minute meeting between Olive Owner and Zoe',
      startTime: AT,
      endTime: '2027-03-03T15:30:00.000Z',
      status: 'accepted',
      paymentRequired: false,
      user: { email: null, name: 'Olive Owner', username: calendar.account.username },
      attendees: [{ name: 'Zoe', email: 'zoe@example.com', timeZone: 'Europe/Berlin' }],
    })
    expect(body.uid).toMatch(/^[\w-]{22}$/)
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED'])
  })

  test('201 with guests as attendees, and metadata', async () => {
    const responses = { name: 'Guy', email: 'guy@example.com', guests: ['g1@example.com'] }
    const start = '2027-03-03T16:00:00Z'
    const { status, body } = await book({
      ...bodyOf(id, start),
      responses,
      metadata: { source: 'ad' },
    })
    expect(status).toBe(201)
    expect((body.attendees as unknown as { email: string }[]).map(a => a.email)).toEqual([
      'guy@example.com',
      'g1@example.com',
    ])
    expect(body.metadata).toEqual({ source: 'ad' })
  })

  test('409 when the time is taken, also in part', async () => {
    await book(bodyOf(id, '2027-03-04T15:00:00Z'))
    const again = await book(bodyOf(id, '2027-03-04T15:00:00Z', 'Yan'))
    expect(again.status).toBe(409)
    expect(again.body.error).toBe('CONFLICT')
    expect(again.body.message).toContain('no_available_users_found_error')
  })

  test('409 for a start outside of the hours or off the grid', async () => {
    for (const start of ['2027-03-04T03:00:00Z', '2027-03-06T15:00:00Z', '2027-03-04T17:10:00Z'])
      expect((await book(bodyOf(id, start))).status).toBe(409)
  })

  test('400 for a start that is past or within the minimum notice', async () => {
    for (const start of ['2027-02-26T15:00:00Z', '2027-03-01T13:30:00Z']) {
      const { status, body } = await book(bodyOf(id, start))
      expect(status).toBe(400)
      expect(body.message).toContain('booking_time_out_of_bounds_error')
    }
  })

  test('400 for a start beyond the window, or before it opens; 409 within it', async () => {
    const range = JSON.stringify({ type: 'range', value: ['2027-03-08', '2027-03-09'] })
    const ranged = await createCalendar({ booking_window: range })
    const cases = [
      [id, '2029-03-06T15:00:00Z', 400],
      [ranged.eventTypeId, '2027-03-05T15:00:00Z', 400],
      [ranged.eventTypeId, '2027-03-10T15:00:00Z', 400],
      [ranged.eventTypeId, '2027-03-08T03:00:00Z', 400],
      [ranged.eventTypeId, '2027-03-09T03:00:00Z', 409],
      [ranged.eventTypeId, '2027-03-08T15:00:00Z', 201],
    ] as const
    for (const [eventTypeId, start, expected] of cases) {
      const { status, body, text } = await book(bodyOf(eventTypeId, start))
      expect(status, `${start} ${text}`).toBe(expected)
      if (status !== 400) continue
      expect(body.message).toContain('booking_time_out_of_bounds_error')
      expect(body.details).toMatchObject([{ field: 'start' }])
    }
  })

  test('422 for more answers than a form has, and for too many or too long names of others', async () => {
    const many = (count: number, length = 3) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}`.padEnd(length, 'x'), '']))
    const asked = bodyOf(id, '2027-03-12T15:00:00Z')
    const faults = async (more: object) => {
      const { status, body } = await book({ ...asked, ...more })
      return [status, body.details]
    }
    const tooMany = (field: string, max: number) => [
      422,
      [{ field, message: `must have at most ${max} entries` }],
    ]
    const responses = { ...asked.responses, ...many(99) }
    expect(await faults({ responses })).toEqual(tooMany('responses', 100))
    expect(await faults({ metadata: many(51) })).toEqual(tooMany('metadata', 50))
    expect(await faults({ tracking: many(21) })).toEqual(tooMany('tracking', 20))
    const long = `0${'x'.repeat(40)}`
    expect(await faults({ metadata: many(1, 41) })).toEqual([
      422,
      [{ field: `metadata.${long}`, message: 'the key must be at most 40 characters long' }],
    ])
    const most = { ...asked.responses, ...many(98) }
    const fits = { responses: most, metadata: many(50, 40), tracking: many(20, 20) }
    expect(await faults(fits)).toEqual([201, undefined])
  })

  test('422 for an end that is not the length, without name, e-mail or zone, or with a bad one', async () => {
    const end = await book({ ...bodyOf(id, AT), end: '2027-03-03T15:45:00Z' })
    expect(end.status).toBe(422)
    expect(end.body.details).toEqual([{ field: 'end', message: 'must be 30 minutes after start' }])
    const { timeZone: _zone, ...zoneless } = bodyOf(id, AT)
    expect((await book(zoneless)).body.details).toEqual([
      { field: 'timeZone', message: 'required' },
    ])
    const nobody = await book({ ...bodyOf(id, AT), responses: {} })
    expect(nobody.body.details).toEqual([
      { field: 'responses.name', message: 'required' },
      {
        field: 'responses.email',
        message: 'required, unless attendeePhoneNumber is given',
      },
    ])
    expect((await book({ ...bodyOf(id, AT), timeZone: 'Mars/Base' })).status).toBe(422)
    expect((await book(bodyOf(id, '2027-03-03T15:00:00'))).status).toBe(422)
  })

  test('404 for an event type that does not exist', async () => {
    const { status, body } = await book(bodyOf(2_000_000_000, AT))
    expect(status).toBe(404)
    expect(body.message).toBe('Event type does not exist')
  })

  test('201 pending where the host confirms, with BOOKING_REQUESTED', async () => {
    const asking = await createCalendar({ requires_confirmation: true })
    const { status, body } = await book(bodyOf(asking.eventTypeId, AT))
    expect([status, body.status]).toEqual([201, 'pending'])
    expect(await eventsOf(asking)).toEqual(['BOOKING_REQUESTED'])
  })

  test('201 with paymentRequired where it has a price', async () => {
    const paid = await createCalendar({ price: 2500 })
    const { body } = await book(bodyOf(paid.eventTypeId, AT))
    expect(body).toMatchObject({ status: 'accepted', price: 2500, paymentRequired: true })
  })

  test('409 past a limit per day, and past the active bookings of one person', async () => {
    const limited = await createCalendar({ booking_limits_count: '{"day": 1}' })
    expect((await book(bodyOf(limited.eventTypeId, AT, 'A'))).status).toBe(201)
    const other = bodyOf(limited.eventTypeId, '2027-03-03T17:00:00Z', 'B')
    expect((await book(other)).status).toBe(409)
    const nextDay = bodyOf(limited.eventTypeId, '2027-03-04T17:00:00Z', 'B')
    expect((await book(nextDay)).status).toBe(201)
    await setEventType(limited.eventTypeId, {
      booking_limits_count: '{}',
      maximum_active_bookings: 1,
    })
    expect((await book(bodyOf(limited.eventTypeId, '2027-03-05T17:00:00Z', 'B'))).status).toBe(409)
    expect((await book(bodyOf(limited.eventTypeId, '2027-03-05T17:00:00Z', 'C'))).status).toBe(201)
  })

  test('409 where the user, who is an employee as well, has a service appointment', async () => {
    const { account } = calendar
    const [staff] = await queryDatabase<{ user_id: number; id: number }>(
      `select user_id, (select id from event_types t where t.account_id = m.account_id
         and t.user_id = m.user_id) as id
       from members m where account_id = $1 and role = 'staff'`,
      [account.accountId],
    )
    const service = await account.client.post('/api/services/services', { name: 'Cut' })
    const appointment = {
      serviceId: service.body.id,
      employeeId: account.staff.employeeId,
      startTime: '2027-03-08T15:00:00Z',
      endTime: '2027-03-08T16:00:00Z',
    }
    expect((await account.client.post('/api/services/appointments', appointment)).status).toBe(201)
    expect((await book(bodyOf(staff!.id, '2027-03-08T15:30:00Z'))).status).toBe(409)
    expect((await book(bodyOf(staff!.id, '2027-03-08T16:00:00Z'))).status).toBe(201)
    const taken = {
      ...appointment,
      startTime: '2027-03-08T16:15:00Z',
      endTime: '2027-03-08T17:00:00Z',
    }
    expect((await account.client.post('/api/services/appointments', taken)).status).toBe(409)
  })

  test('one 201 of 30 at once for overlapping starts, ten rounds', async () => {
    const raced = await createCalendar({ length: 60, slot_interval: 15, after_event_buffer: 15 })
    for (let round = 0; round < 10; round++) {
      const day = String(8 + round + (round > 4 ? 2 : 0)).padStart(2, '0')
      const tries = Array.from({ length: 30 }, (_, i) =>
        book(
          bodyOf(
            raced.eventTypeId,
            `2027-03-${day}T16:${['00', '15', '30', '45'][i % 4]}:00Z`,
            `R${i}`,
          ),
        ),
      )
      const statuses = (await Promise.all(tries)).map(r => r.status)
      expect(statuses.filter(s => s === 201)).toHaveLength(1)
      expect(statuses.filter(s => s === 409)).toHaveLength(29)
    }
    const [overlaps] = await queryDatabase(
      `select count(*)::int as n from occupancies a join occupancies b on a.account_id = b.account_id
         and a.person_id = b.person_id and a.blocked && b.blocked and a.source_id < b.source_id
       where a.account_id = $1`,
      [raced.account.accountId],
    )
    expect(overlaps?.n).toBe(0)
  }, 60_000)
})

describe('GET /api/extension/slots', () => {
  test('200 with what can be booked, by day of the asked zone, with its offset', async () => {
    const { account, eventTypeId } = await createCalendar()
    const path = `/api/extension/slots?eventTypeId=${eventTypeId}&start=2027-03-03&end=2027-03-04&timeZone=Asia/Tokyo`
    const { status, body } = await account.client.get(path, clock)
    expect(status).toBe(200)
    const days = body.data as unknown as Record<string, { start: string }[]>
    expect(Object.keys(days)).toEqual(['2027-03-03', '2027-03-04'])
    expect(days['2027-03-03']![0]).toEqual({
      start: '2027-03-03T00:00:00.000+09:00',
      end: '2027-03-03T00:30:00.000+09:00',
    })
    const utc = await account.client.get(path.replace('Asia/Tokyo', 'UTC'), clock)
    expect(utc.body.data['2027-03-03']).toMatchObject({
      0: { start: '2027-03-03T14:00:00.000Z', end: '2027-03-03T14:30:00.000Z' },
    })
    const starts = await account.client.get(`${path}&format=time`, clock)
    expect(starts.body.data['2027-03-03']).toMatchObject({
      0: { start: '2027-03-03T00:00:00.000+09:00' },
    })
    expect(starts.text).not.toContain('"end"')
    for (const { start } of days['2027-03-04']!.slice(0, 3))
      expect((await book(bodyOf(eventTypeId, start, `S${start.length}`))).status).toBe(201)
    const after = await account.client.get(path, clock)
    const left = after.body.data as unknown as Record<string, { start: string }[]>
    expect(left['2027-03-04']).toHaveLength(days['2027-03-04']!.length - 3)
  })

  test('200 by slug and username; 404 for none; 400 without either, or for too long a window', async () => {
    const { account } = await createCalendar()
    const window = 'start=2027-03-03&end=2027-03-04'
    const get = (q: string) => account.client.get(`/api/extension/slots?${window}&${q}`, clock)
    expect((await get(`slug=30min&username=${account.username}`)).status).toBe(200)
    expect((await get('slug=none')).status).toBe(404)
    expect((await get('timeZone=UTC')).status).toBe(400)
    const long = '/api/extension/slots?eventTypeId=1&start=2027-01-01&end=2027-12-31'
    expect((await account.client.get(long)).status).toBe(400)
    const other = await createAccount()
    const { eventTypeId } = await createCalendar()
    const foreign = `/api/extension/slots?${window}&eventTypeId=${eventTypeId}`
    expect((await other.client.get(foreign)).status).toBe(404)
  })
})
