import { describe, expect, test } from 'vitest'
import { joinInstantBooking } from '#lib/domain/bookings/instant.ts'
import { createMember } from '../client.ts'
import { queryDatabase } from '../database.ts'
import { fireJob } from '../platform.ts'
import {
  asOwner,
  bodyOf,
  book,
  clock,
  createCalendar,
  eventsOf,
  NOW,
  newAddress,
  setHosts,
  slotsOf,
  usersOf,
  visitor,
} from './world.ts'

const AT = '2027-03-03T15:00:00.000Z'
const cancel = (body: object) =>
  visitor.post('/api/cancel', body, { ...clock, 'x-test-client': newAddress() })

describe('seats', () => {
  test('10 of 40 at once get one, in one booking; a seat given back is free again', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 10 })
    const all = await Promise.all(
      Array.from({ length: 40 }, (_, i) => book(bodyOf(calendar.eventTypeId, AT, `P${i}`))),
    )
    const got = all.filter(r => r.status === 201)
    expect(got).toHaveLength(10)
    expect(all.filter(r => r.status === 409)).toHaveLength(30)
    expect(new Set(got.map(r => r.body.uid)).size).toBe(1)
    expect(new Set(got.map(r => r.body.seatReferenceUid)).size).toBe(10)
    for (const r of got) expect(r.body.attendees).toHaveLength(1)
    const { uid, seatReferenceUid } = got[0]!.body
    expect((await cancel({ uid })).status).toBe(403)
    expect((await cancel({ uid, seatReferenceUid: 'nobody' })).status).toBe(404)
    const given = await cancel({ uid, seatReferenceUid })
    expect(given.body.data).toMatchObject({ onlyRemovedAttendee: true })
    expect((await book(bodyOf(calendar.eventTypeId, AT, 'Late'))).status).toBe(201)
    expect((await book(bodyOf(calendar.eventTypeId, AT, 'Later'))).status).toBe(409)
  }, 60_000)

  test('are offered as long as one is free', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 2 })
    const isOffered = async () => (await slotsOf(calendar, '2027-03-03', '2027-03-03')).includes(AT)
    const { body } = await book(bodyOf(calendar.eventTypeId, AT))
    expect(await isOffered()).toBe(true)
    await book(bodyOf(calendar.eventTypeId, AT, 'Second'))
    expect(await isOffered()).toBe(false)
    await cancel({ uid: body.uid, seatReferenceUid: body.seatReferenceUid })
    expect(await isOffered()).toBe(true)
  })

  test('409 says that no seat is left; 404 for a seat in what is no booking of the start', async () => {
    const [calendar, other] = await Promise.all([
      createCalendar({ seats_per_time_slot: 2 }),
      createCalendar({ seats_per_time_slot: 2 }),
    ])
    const { eventTypeId } = calendar
    const { uid } = (await book(bodyOf(eventTypeId, AT))).body
    const elsewhere = (await book(bodyOf(eventTypeId, '2027-03-04T15:00:00Z'))).body.uid
    const foreign = (await book(bodyOf(other.eventTypeId, AT))).body.uid
    const join = async (bookingUid: unknown, name: string, start = AT) => {
      const { status, body } = await book(bodyOf(eventTypeId, start, name, { bookingUid }))
      return [status, body.details]
    }
    for (const wrong of ['nobody', elsewhere, foreign])
      expect(await join(wrong, 'Late')).toMatchObject([404, [{ field: 'bookingUid' }]])
    expect(await join(uid, 'Late', '2027-03-05T15:00:00Z')).toMatchObject([404, {}])
    expect(await join(uid, 'Late')).toEqual([201, undefined])
    const full = await book(bodyOf(eventTypeId, AT, 'Later'))
    expect([full.status, full.body.message]).toEqual([
      409,
      'booking_seats_full_error: no seat is left',
    ])
  })

  test('409 for the same address twice; the last seat cancels the booking', async () => {
    const calendar = await createCalendar({ seats_per_time_slot: 3 })
    const { body } = await book(bodyOf(calendar.eventTypeId, AT))
    expect((await book(bodyOf(calendar.eventTypeId, AT))).status).toBe(409)
    await cancel({ uid: body.uid, seatReferenceUid: body.seatReferenceUid })
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED', 'BOOKING_CANCELLED'])
    const [left] = await queryDatabase(
      `select count(*)::int as n from occupancies where account_id = $1`,
      [calendar.account.accountId],
    )
    expect(left?.n).toBe(0)
  })
})

describe('POST /api/book/recurring-event', () => {
  const starts = ['2027-03-03', '2027-03-10', '2027-03-17', '2027-03-24'].map(d => `${d}T15:00:00Z`)

  test('201 with all of an array, one series', async () => {
    const calendar = await createCalendar()
    const bodies = starts.map(s => bodyOf(calendar.eventTypeId, s))
    const { status, body } = await book(bodies, '/api/book/recurring-event')
    expect(status).toBe(201)
    const list = body as unknown as { uid: string; recurringEventId: string }[]
    expect(list).toHaveLength(4)
    expect(new Set(list.map(b => b.recurringEventId)).size).toBe(1)
    const after = await cancel({ uid: list[1]!.uid, cancelSubsequentBookings: true })
    expect((after.body.data as unknown as { cancelledUids: string[] }).cancelledUids).toHaveLength(
      3,
    )
  })

  test('409 naming the dates, and nothing booked, when one is taken', async () => {
    const calendar = await createCalendar()
    await book(bodyOf(calendar.eventTypeId, starts[2]!, 'First'))
    const bodies = starts.map(s => bodyOf(calendar.eventTypeId, s))
    const { status, body } = await book(bodies, '/api/book/recurring-event')
    expect(status).toBe(409)
    expect(body.details).toEqual([
      { field: '2.start', message: '2027-03-17T15:00:00.000Z is not available' },
    ])
    expect(await eventsOf(calendar)).toEqual(['BOOKING_CREATED'])
  })

  test('201 with a count keeps the wall clock over the change of clocks; 422 for too many', async () => {
    const recurrence = JSON.stringify({ frequency: 'weekly', interval: 1, occurrences: 4 })
    const calendar = await createCalendar({ recurrence })
    const body = { ...bodyOf(calendar.eventTypeId, '2027-03-08T15:00:00Z'), recurrenceCount: 3 }
    const made = await book(body, '/api/book/recurring-event')
    expect((made.body as unknown as { startTime: string }[]).map(b => b.startTime)).toEqual([
      '2027-03-08T15:00:00.000Z',
      '2027-03-15T14:00:00.000Z',
      '2027-03-22T14:00:00.000Z',
    ])
    const many = await book({ ...body, recurrenceCount: 5 }, '/api/book/recurring-event')
    expect(many.status).toBe(422)
  })
})

describe('POST /api/book/instant-event', () => {
  const urlOf = async (accountId: number) => {
    const [event] = await queryDatabase<{ url: string }>(
      `select payload->>'connectAndJoinUrl' as url from events
       where account_id = $1 and type = 'INSTANT_MEETING' order by id desc limit 1`,
      [accountId],
    )
    return new URL(event!.url).searchParams.get('token')!
  }

  test('201 waits for a host for 90 seconds; of two who join one wins', async () => {
    const calendar = await createCalendar()
    const { status, body } = await book(
      bodyOf(calendar.eventTypeId, NOW),
      '/api/book/instant-event',
    )
    expect(status).toBe(201)
    expect(body).toMatchObject({
      message: 'Success',
      userId: null,
      expires: '2027-03-01T12:01:30.000Z',
    })
    const token = await urlOf(calendar.account.accountId)
    const joins = await Promise.allSettled(
      [1, 2, 3].map(() => asOwner(calendar, m => joinInstantBooking(m, token))),
    )
    const won = joins.filter(j => j.status === 'fulfilled')
    expect(won).toHaveLength(1)
    expect(won[0]!.value.read()).toMatchObject({
      status: 'accepted',
      title: '30 minute meeting between Olive Owner and Zoe',
      hosts: [{ id: calendar.account.userId }],
    })
    expect(await eventsOf(calendar)).toEqual(['INSTANT_MEETING', 'BOOKING_CREATED'])
  })

  test('400 for one that would be over already', async () => {
    const { eventTypeId } = await createCalendar()
    const ask = (start: string) => book(bodyOf(eventTypeId, start), '/api/book/instant-event')
    const { status, body } = await ask('2027-03-01T11:30:00Z')
    expect([status, body.message]).toEqual([
      400,
      expect.stringMatching(/^booking_time_out_of_bounds_error/),
    ])
    expect((await ask('2027-03-01T11:31:00Z')).status).toBe(201)
  })

  test('each of several that are joined at once, of one event type hosted in turn, is', async () => {
    const calendar = await createCalendar()
    await setHosts(calendar, 'roundRobin', [calendar.account.userId])
    const tokens: string[] = []
    for (const time of ['12:00', '12:30', '13:00', '13:30', '14:00', '14:30']) {
      const body = bodyOf(calendar.eventTypeId, `2027-03-01T${time}:00Z`)
      expect((await book(body, '/api/book/instant-event')).status).toBe(201)
      tokens.push(await urlOf(calendar.account.accountId))
    }
    const joined = await Promise.all(
      tokens.map(token => asOwner(calendar, m => joinInstantBooking(m, token))),
    )
    expect(joined.map(j => j.read().status)).toEqual(tokens.map(() => 'accepted'))
  })

  test('201 for each of 20 at once of an event type with limits, for which none counts yet', async () => {
    const calendar = await createCalendar({
      ...{ booking_limits_count: '{"day":1}', maximum_active_bookings: 1 },
    })
    const asked = Array.from({ length: 20 }, (_, i) => bodyOf(calendar.eventTypeId, NOW, `P${i}`))
    const all = await Promise.all(asked.map(body => book(body, '/api/book/instant-event')))
    expect(all.map(r => r.status)).toEqual(Array(20).fill(201))
    const token = await urlOf(calendar.account.accountId)
    await asOwner(calendar, m => joinInstantBooking(m, token))
    // The one that was joined is all that the day's limit allows.
    const today = bodyOf(calendar.eventTypeId, '2027-03-01T18:00:00Z', 'Zoe')
    expect((await book(today)).status).toBe(409)
  })

  test('is cancelled by the job when nobody joins in time, once', async () => {
    const calendar = await createCalendar()
    await book(bodyOf(calendar.eventTypeId, NOW), '/api/book/instant-event')
    const token = await urlOf(calendar.account.accountId)
    const late = '2027-03-01T12:02:00Z'
    await expect(asOwner(calendar, m => joinInstantBooking(m, token), late)).rejects.toMatchObject({
      status: 409,
    })
    await Promise.all([fireJob('expiries', new Date(late)), fireJob('expiries', new Date(late))])
    const [row] = await queryDatabase(
      'select status, cancellation_reason from bookings where account_id = $1',
      [calendar.account.accountId],
    )
    expect(row).toEqual({ status: 'cancelled', cancellation_reason: 'expired' })
    expect(await eventsOf(calendar)).toEqual(['INSTANT_MEETING', 'BOOKING_CANCELLED'])
  })
})

describe('hosts', () => {
  const users = async (accountId: number) =>
    (
      await queryDatabase<{ id: number }>(
        'select user_id as id from members where account_id = $1 order by 1',
        [accountId],
      )
    ).map(u => u.id)

  test('take turns: three hosts, twelve bookings at once over four starts, four each', async () => {
    const calendar = await createCalendar()
    const { accountId } = calendar.account
    await createMember(accountId, 'manager')
    const ids = await users(accountId)
    await queryDatabase(
      `update schedules set time_zone = 'America/New_York' where account_id = $1`,
      [accountId],
    )
    await setHosts(calendar, 'roundRobin', ids)
    const starts = ['15:00', '15:30', '16:00', '16:30'].map(t => `2027-03-03T${t}:00Z`)
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        book(bodyOf(calendar.eventTypeId, starts[i % 4]!, `T${i}`)),
      ),
    )
    expect(all.map(r => r.status)).toEqual(Array(12).fill(201))
    const counts = await queryDatabase<{ n: number }>(
      `select count(*)::int as n from booking_hosts where account_id = $1 group by user_id`,
      [accountId],
    )
    expect(counts.map(c => c.n)).toEqual([4, 4, 4])
    expect((await book(bodyOf(calendar.eventTypeId, starts[0]!, 'Late'))).status).toBe(409)
  }, 60_000)

  test('take turns though all are asked for at once, at times when everybody is free', async () => {
    const calendar = await createCalendar()
    const { accountId } = calendar.account
    await createMember(accountId, 'manager')
    await setHosts(calendar, 'roundRobin', await usersOf(calendar))
    const starts = ['15', '16', '17'].flatMap(hour => [`${hour}:00`, `${hour}:30`])
    const all = await Promise.all(
      starts.map((time, i) =>
        book(bodyOf(calendar.eventTypeId, `2027-03-03T${time}:00Z`, `F${i}`)),
      ),
    )
    expect(all.map(r => r.status)).toEqual(Array(6).fill(201))
    const counts = await queryDatabase<{ n: number }>(
      `select count(*)::int as n from booking_hosts where account_id = $1 group by user_id`,
      [accountId],
    )
    expect(counts.map(c => c.n)).toEqual([2, 2, 2])
  }, 60_000)

  test('of a collective event type must all be free', async () => {
    const calendar = await createCalendar()
    const { accountId, userId } = calendar.account
    const ids = await users(accountId)
    const own = ids.find(id => id !== userId)!
    await setHosts(calendar, 'collective', ids)
    const [staffType] = await queryDatabase<{ id: number }>(
      'select id from event_types where account_id = $1 and user_id = $2',
      [accountId, own],
    )
    await book(bodyOf(staffType!.id, AT, 'Elsewhere'))
    expect((await book(bodyOf(calendar.eventTypeId, AT))).status).toBe(409)
    const { status } = await book(bodyOf(calendar.eventTypeId, '2027-03-03T16:00:00Z'))
    expect(status).toBe(201)
    const [blocks] = await queryDatabase(
      `select count(*)::int as n from occupancies where account_id = $1 and lower(blocked) = '2027-03-03T16:00:00Z'`,
      [accountId],
    )
    expect(blocks?.n).toBe(2)
  })
})
