import { describe, expect, test } from 'vitest'
import { joinInstantBooking } from '#lib/domain/bookings/instant.ts'
import { queryDatabase } from '../database.ts'
import { fireJob } from '../platform.ts'
import { asOwner, bodyOf, book, createCalendar, eventsOf, NOW, setHosts } from './world.ts'

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
      booking_limits_count: '{"day":1}',
      maximum_active_bookings: 1,
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
